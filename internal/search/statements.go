package search

import (
	"context"
	"slices"

	"toolkit/embed"
	"toolkit/internal/capture/notice"
	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/store/sessions"
)

// maxEmbedded is how many statements without a stored vector are given one while they
// are read: each takes some three milliseconds.
const maxEmbedded = 64

// maxStatements is how many statements of a project are looked at, the newest ones.
const maxStatements = 400

// ListStatements returns the current statements of a project and of none, and how answers are wanted
// everywhere, the newest first: insights that somebody wrote, and what was noticed. It marks what came
// from the session now running.
func ListStatements(ctx context.Context, tx *store.Tx, project int64, running string) ([]Statement, error) {
	learned, err := sessions.In(tx).ListInsightsOfProject(project, running, notice.Style, maxStatements)
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
		kind, score := in.ExtractionKindAndScore()
		if kind != "" && !in.IsRequested() && language.AsksOnly(in.Content) { // a question states nothing
			continue
		}
		list = append(list, Statement{
			readings: &readings{}, ID: in.ID, Ref: insightRef(in.ID), Text: in.Content, At: learned[i].At, Due: learned[i].Due,
			Score: score, Noticed: kind, IsAsked: in.IsRequested(), IsRepeated: len(in.SourceIDs) > 1, InCurrentProject: true, InSession: learned[i].InSession, SaidElsewhere: learned[i].Elsewhere,
		})
	}
	return list, readOrEmbedVectors(ctx, tx, list)
}

// OmitSessionStatements leaves out the statements that came from the session now running.
func OmitSessionStatements(list []Statement) []Statement {
	return slices.DeleteFunc(slices.Clone(list), func(s Statement) bool { return s.InSession })
}

// readOrEmbedVectors gives statements the vectors of their insights, and makes some of those
// that are missing.
func readOrEmbedVectors(ctx context.Context, tx *store.Tx, list []Statement) error {
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
	return EmbedStatements(ctx, missing)
}

// EmbedStatements gives statements their vectors.
func EmbedStatements(ctx context.Context, list []*Statement) error {
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
