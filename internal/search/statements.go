package search

import (
	"context"

	"toolkit/embed"
	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/store/sessions"
)

// maxEmbedded is how many statements without a stored vector are given one while they
// are read: each takes some three milliseconds.
const maxEmbedded = 64

// ListStatements returns the current statements of a project and of none, and those of a kind
// that holds everywhere, the newest first, at most limit: insights that somebody wrote, and what was noticed. What came from the
// session now running is left out.
func ListStatements(ctx context.Context, tx *store.Tx, project int64, running, everywhere string, limit int) ([]Statement, error) {
	learned, err := sessions.In(tx).ListDatedInsights(project, running, everywhere, limit)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(learned))
	for i, l := range learned {
		ids[i] = l.ID
	}
	insights, err := memory.In(tx).InsightsByID(ids)
	if err != nil {
		return nil, err
	}
	list := make([]Statement, 0, len(insights))
	for i := range insights {
		in := &insights[i]
		kind, score := in.Noticed()
		list = append(list, Statement{
			ID: in.ID, Ref: insightRef(in.ID), Text: in.Content, At: learned[i].At, Due: learned[i].Due,
			Score: score, Noticed: kind, IsAsked: in.Asked(), IsRepeated: len(in.SourceIDs) > 1, InCurrentProject: true,
		})
	}
	return list, addVectors(ctx, tx, list)
}

// addVectors gives statements the vectors of their insights, and makes some of those
// that are missing.
func addVectors(ctx context.Context, tx *store.Tx, list []Statement) error {
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	stored, err := memory.In(tx).VectorsOf(memory.SourceInsight, embed.BuiltInModel, ids)
	if err != nil {
		return err
	}
	var missing []*Statement
	for i := range list {
		s := &list[i]
		if packed := stored[s.ID]; packed != nil {
			if s.Vector, err = embed.Unpack(packed); err == nil && s.Vector != nil {
				continue
			}
		}
		if len(missing) < maxEmbedded {
			missing = append(missing, s)
		}
	}
	return Embed(ctx, missing)
}

// Embed gives statements their vectors.
func Embed(ctx context.Context, list []*Statement) error {
	if len(list) == 0 {
		return nil
	}
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = s.Text
	}
	vectors, err := embed.EmbedSentences(ctx, texts)
	if err != nil {
		return err
	}
	for i, s := range list {
		s.Vector = vectors[i]
	}
	return nil
}
