package memory

import (
	"context"
	"fmt"
	"strconv"

	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/tools"
)

const historyName = "get_insight_history"

type historyInput struct {
	ID int64 `json:"id" jsonschema:"required,minimum=1" jsonschema_description:"Any insight of the history"`
}

type historyOutput struct {
	CurrentID *int64           `json:"current_id" jsonschema:"oneof_type=integer;null" jsonschema_description:"The insight that counts; null when deleted"`
	Versions  []insightVersion `json:"versions" jsonschema_description:"Oldest first"`
}

type insightVersion struct {
	ID            int64   `json:"id"`
	Version       int     `json:"version"`
	State         string  `json:"state" jsonschema:"enum=current,enum=superseded,enum=deleted"`
	Content       string  `json:"content"`
	FidelityScore float64 `json:"fidelity_score"`
	SourceIDs     []int64 `json:"source_ids"`
	Extracted     string  `json:"extracted,omitempty" jsonschema_description:"Its kind, when a pattern found it in what was said"`
	CreatedAt     string  `json:"created_at"`
	SupersededBy  *int64  `json:"superseded_by,omitempty"`
	DeletedAt     string  `json:"deleted_at,omitempty"`
	Reason        string  `json:"reason,omitempty" jsonschema_description:"Why it was superseded or deleted"`
}

func (f *family) insightHistoryTool() tools.Tool[historyInput, historyOutput] {
	created := compressInput{Content: "Release planned Friday", SourceIDs: []int64{}}
	two := int64(2)
	return tools.Tool[historyInput, historyOutput]{
		Name:  historyName,
		Title: "History of an insight",
		Description: "Return every version of an insight, oldest first, with when and why it was superseded or deleted. Use it to see what was believed before, or which id counts now. " +
			"Example: the id of a text that search no longer shows.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"memory", "insights", "lifecycle"},
		Examples: []tools.Example[historyInput, historyOutput]{{
			Description: "An insight that was replaced once",
			Setup: []tools.SetupCall{
				{Tool: compressName, Params: created},
				{Tool: updateName, Params: updateInput{ID: 1, Content: "Release planned Monday", Reason: "moved"}},
			},
			Params: historyInput{ID: 1},
			Result: historyOutput{CurrentID: &two, Versions: []insightVersion{
				{ID: 1, Version: 1, State: "superseded", Content: "Release planned Friday", FidelityScore: 1, SourceIDs: []int64{}, CreatedAt: "2025-01-15T10:35:00Z", SupersededBy: &two, Reason: "moved"},
				{ID: 2, Version: 2, State: "current", Content: "Release planned Monday", FidelityScore: 1, SourceIDs: []int64{}, CreatedAt: "2025-01-15T10:36:00Z"},
			}},
			Varies: []string{"created_at"},
		}},
		Handle: f.listInsightVersions,
	}
}

func (f *family) listInsightVersions(ctx context.Context, in historyInput) (tools.Result[historyOutput], error) {
	rows, err := store.ReadValue(ctx, f.Store, func(tx *store.Tx) ([]memory.Insight, error) {
		i, err := findInsight(memory.In(tx), in.ID)
		if err != nil {
			return nil, err
		}
		return memory.In(tx).InsightHistory(i.RootID)
	})
	if err != nil {
		return tools.Result[historyOutput]{}, err
	}
	out := historyOutput{Versions: make([]insightVersion, 0, len(rows))}
	for _, i := range rows {
		v := insightVersion{
			ID: i.ID, Version: i.Version, State: "current", Content: i.Content, FidelityScore: i.Fidelity,
			SourceIDs: i.SourceIDs, Extracted: ExtractedKindOf(&i), CreatedAt: formatTimestamp(i.Created), Reason: i.Reason,
		}
		switch {
		case i.SupersededBy != 0:
			v.State, v.SupersededBy = "superseded", &i.SupersededBy
		case !i.Deleted.IsZero():
			v.State, v.DeletedAt = "deleted", formatTimestamp(i.Deleted)
		default:
			out.CurrentID = &i.ID
		}
		out.Versions = append(out.Versions, v)
	}
	h := tools.NewHints(tools.NewReadEvidence(len(rows)))
	if out.CurrentID != nil {
		h.Because(fmt.Sprintf("of %d version(s), %d counts", len(rows), *out.CurrentID)).
			SuggestCall(updateName, tools.PriorityLow, map[string]any{"id": *out.CurrentID}, "when there is a better text")
	} else {
		last := rows[len(rows)-1]
		h.Because("the insight was deleted: "+last.Reason).
			SuggestCall(compressName, tools.PriorityLow, map[string]any{"content": last.Content, "source_ids": last.SourceIDs}, "store it again, if it was right after all")
	}
	return tools.Result[historyOutput]{Data: out, Hints: h}, nil
}

func itoa(id int64) string { return strconv.FormatInt(id, 10) }
