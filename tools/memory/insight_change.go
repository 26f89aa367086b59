package memory

import (
	"cmp"
	"context"
	"fmt"

	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/tools"
)

const (
	updateName = "update_insight"
	deleteName = "delete_insight"
)

type updateInput struct {
	ID        int64   `json:"id" jsonschema:"required,minimum=1" jsonschema_description:"Insight to replace"`
	Content   string  `json:"content" jsonschema:"required,minLength=1,maxLength=1048576" jsonschema_description:"The new text, complete in itself"`
	SourceIDs []int64 `json:"source_ids,omitempty" jsonschema_description:"Ids of the dialogue it was made of; those of the old one if absent"`
	Reason    string  `json:"reason,omitempty" jsonschema_description:"Why it changes"`
}

type updateOutput struct {
	ID              int64           `json:"id" jsonschema_description:"The insight that now counts"`
	Supersedes      int64           `json:"supersedes"`
	Version         int             `json:"version"`
	EmbeddingStatus EmbeddingStatus `json:"embedding_status" jsonschema:"enum=success,enum=pending"`
	Timestamp       string          `json:"timestamp"`
	insightQuality
}

func (f *family) updateInsightTool() tools.Tool[updateInput, updateOutput] {
	return tools.Tool[updateInput, updateOutput]{
		Name:  updateName,
		Title: "Update an insight",
		Description: "Replace an insight by a better one. The old text leaves search and stays in the history. Use it when an insight is wrong, outdated or too thin. " +
			"Returns the new id and its fidelity_score. Example: a date that was moved.",
		Permissions: []tools.Permission{mayUpdate}, Category: tools.Mutation, ResponseTime: tools.Medium, Version: qualityVersion,
		Tags: []string{"memory", "insights", "lifecycle"},
		Examples: []tools.Example[updateInput, updateOutput]{{
			Description: "A release date that moved",
			Setup:       []tools.SetupCall{{Tool: compressName, Params: compressInput{Content: "Release planned Friday", SourceIDs: []int64{}}}},
			Params:      updateInput{ID: 1, Content: "Release planned Monday", Reason: "moved by the team"},
			Result: updateOutput{ID: 2, Supersedes: 1, Version: 2, EmbeddingStatus: Embedded, Timestamp: "2025-01-15T10:35:00Z",
				insightQuality: insightQuality{FidelityScore: 1}},
			Varies: []string{"timestamp", "embedding_status"},
		}},
		Handle: f.updateInsight,
	}
}

func (f *family) updateInsight(ctx context.Context, in updateInput) (none tools.Result[updateOutput], err error) {
	if err := cmp.Or(tools.RequireText("content", in.Content), checkSourceCount(in.SourceIDs)); err != nil {
		return none, err
	}
	f.Search.PrepareVector(ctx, in.Content)
	var old *memory.Insight
	s, err := store.WriteValue(ctx, f.Store, func(tx *store.Tx) (s *stored, err error) {
		if old, err = findCurrentInsight(memory.In(tx), in.ID); err != nil {
			return nil, err
		}
		if in.SourceIDs == nil {
			in.SourceIDs = old.SourceIDs
		}
		about := inheritMetadata(old, in.Content, f.Store.Now())
		about.Client = callingClientName(ctx)
		s, err = f.insertMeasuredInsight(tx, in.Content, in.SourceIDs, about, func(n memory.NewInsight) (*memory.Insight, error) {
			return memory.In(tx).SupersedeInsight(old, n, in.Reason)
		})
		if err != nil {
			return nil, err
		}
		_, err = f.Search.IndexRow(tx, old.Row())
		return s, err
	})
	if err != nil {
		return none, err
	}
	h := insightHints(tools.NewHints(tools.WriteEvidence()), s).
		SuggestCall(historyName, tools.PriorityLow, map[string]any{"id": s.insight.ID}, "see what it said before")
	if old.Content == in.Content && ExtractedKindOf(old) == "" { // else it is confirmed
		h.Warn("duplicate", tools.PriorityLow, "the new text is the old one", "")
	}
	return tools.Result[updateOutput]{Hints: h, Data: updateOutput{
		ID: s.insight.ID, Supersedes: old.ID, Version: s.insight.Version, EmbeddingStatus: s.status,
		Timestamp: formatTimestamp(s.insight.Created), insightQuality: s.weighed,
	}}, nil
}

type deleteInput struct {
	ID     int64  `json:"id" jsonschema:"required,minimum=1" jsonschema_description:"Insight to delete"`
	Reason string `json:"reason" jsonschema:"required,minLength=1" jsonschema_description:"Why it should no longer be found"`
}

type deleteOutput struct {
	ID        int64  `json:"id"`
	DeletedAt string `json:"deleted_at"`
	Reason    string `json:"reason"`
	Status    string `json:"status"`
}

func (f *family) deleteInsightTool() tools.Tool[deleteInput, deleteOutput] {
	return tools.Tool[deleteInput, deleteOutput]{
		Name:  deleteName,
		Title: "Delete an insight",
		Description: "Take an insight out of search, with a reason. Its row stays in the history, so nothing is lost for an audit. Use update_insight when there is a better text. " +
			"Returns when it was deleted. Example: an insight that was a misunderstanding.",
		Permissions: []tools.Permission{mayDelete}, Category: tools.Mutation, ResponseTime: tools.Fast, Destructive: true, Version: version,
		Tags: []string{"memory", "insights", "lifecycle"},
		Examples: []tools.Example[deleteInput, deleteOutput]{{
			Description: "A misunderstanding",
			Setup:       []tools.SetupCall{{Tool: compressName, Params: compressInput{Content: "User dislikes coffee", SourceIDs: []int64{}}}},
			Params:      deleteInput{ID: 1, Reason: "the user meant decaffeinated coffee only"},
			Result:      deleteOutput{ID: 1, DeletedAt: "2025-01-15T10:35:00Z", Reason: "the user meant decaffeinated coffee only", Status: "success"},
			Varies:      []string{"deleted_at"},
		}},
		Handle: f.deleteInsight,
	}
}

func (f *family) deleteInsight(ctx context.Context, in deleteInput) (none tools.Result[deleteOutput], err error) {
	if err := tools.RequireText("reason", in.Reason); err != nil {
		return none, err
	}
	i, err := store.WriteValue(ctx, f.Store, func(tx *store.Tx) (*memory.Insight, error) {
		i, err := findCurrentInsight(memory.In(tx), in.ID)
		if err != nil {
			return nil, err
		}
		if err := memory.In(tx).MarkInsightDeleted(i, in.Reason); err != nil {
			return nil, err
		}
		_, err = f.Search.IndexRow(tx, i.Row())
		return i, err
	})
	if err != nil {
		return none, err
	}
	h := tools.NewHints(tools.WriteEvidence()).
		SuggestCall(historyName, tools.PriorityLow, map[string]any{"id": i.ID}, "what it said, for the record").
		SuggestCall(compressName, tools.PriorityLow, map[string]any{"source_ids": i.SourceIDs}, "when its sources deserve a right insight").
		Because("the insight is found no more; its history keeps the text and the reason")
	return tools.Result[deleteOutput]{Hints: h, Data: deleteOutput{ID: i.ID, DeletedAt: formatTimestamp(i.Deleted), Reason: in.Reason, Status: "success"}}, nil
}

// findCurrentInsight finds an insight that may be changed: it exists and is neither
// superseded nor deleted.
func findCurrentInsight(tx memory.Rows, id int64) (*memory.Insight, error) {
	i, err := findInsight(tx, id)
	if err != nil {
		return nil, err
	}
	switch {
	case !i.Deleted.IsZero():
		return nil, tools.Refused("DELETED", "id", "not deleted", "insight %d was deleted (%s); store a new one with %s", id, i.Reason, compressName).
			WithHints(newRefusalHints("a deleted insight stays as it was").SuggestCall(historyName, tools.PriorityMedium, map[string]any{"id": id}, "see its history"))
	case i.SupersededBy != 0:
		return nil, supersededError(tx, id)
	}
	return i, nil
}

// supersededError refuses to change an old text and names the one that counts.
func supersededError(tx memory.Rows, id int64) error {
	current, err := tx.CurrentInsights([]int64{id})
	if err != nil {
		return err
	}
	does := "was replaced, and its newest text was deleted; store a new one with " + compressName
	if newest, ok := current[id]; ok {
		does = fmt.Sprintf("was replaced by %d; change that one", newest)
	}
	return tools.Refused("SUPERSEDED", "id", "newest of its history", "insight %d %s", id, does).
		WithHints(newRefusalHints("only the newest text of a history can change").SuggestCall(historyName, tools.PriorityHigh, map[string]any{"id": id}, "see which one counts now"))
}

func findInsight(tx memory.Rows, id int64) (*memory.Insight, error) {
	i, err := tx.InsightAt(id)
	if err != nil || i != nil {
		return i, err
	}
	newest, err := tx.Insights(memory.InsightFilter{Limit: 3})
	if err != nil {
		return nil, err
	}
	h := newRefusalHints("no insight has this id").SuggestCall(hybridName, tools.PriorityHigh, nil, "search for it by what it says")
	for _, n := range newest {
		h.AddRelatedResource("insight", itoa(n.ID), shortenToLine(n.Content), 0.3)
	}
	return nil, notFoundError("id", "insight %d does not exist; find its id with %s", id, hybridName).WithHints(h)
}
