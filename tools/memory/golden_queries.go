package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/tools"
)

const (
	groundTruthName = "add_ground_truth_query"
	goldenQueryName = "add_golden_query"
)

type groundTruthInput struct {
	Query        string  `json:"query" jsonschema:"required,minLength=1,maxLength=10000" jsonschema_description:"The query whose documents will be judged"`
	ExpectedDocs []int64 `json:"expected_docs,omitempty" jsonschema_description:"Ids of the documents that answer it; once given they cannot change"`
}

// addedOutput is the result of adding a query.
type addedOutput struct {
	ID       int64  `json:"id"`
	Created  bool   `json:"created" jsonschema_description:"False when the query was there already"`
	Labelled bool   `json:"labelled" jsonschema_description:"Has expected documents, and is frozen"`
	Status   string `json:"status"`
}

func (f *family) addGroundTruthTool() tools.Tool[groundTruthInput, addedOutput] {
	return tools.Tool[groundTruthInput, addedOutput]{
		Name:  groundTruthName,
		Title: "Add a ground truth query",
		Description: "Add a query to the ground truth, so that documents can be judged for it with store_dual_judge_scores. Adding it again returns the same id; giving expected_docs labels it for good. " +
			"Returns id, the query_id to judge under. Example: a question users ask often.",
		Permissions: []tools.Permission{mayCreate}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"memory", "evaluation"},
		Examples: []tools.Example[groundTruthInput, addedOutput]{{
			Description: "A query to judge documents for",
			Params:      groundTruthInput{Query: "When is the release?"},
			Result:      addedOutput{ID: 1, Created: true, Status: "success"},
		}},
		Handle: f.addGroundTruth,
	}
}

func (f *family) addGroundTruth(ctx context.Context, in groundTruthInput) (none tools.Result[addedOutput], err error) {
	if err := tools.RequireText("query", in.Query); err != nil {
		return none, err
	}
	out, err := store.WriteValue(ctx, f.Store, func(tx *store.Tx) (addedOutput, error) {
		rows := memory.In(tx)
		known, err := rows.GroundTruthOf(in.Query)
		if err != nil {
			return addedOutput{}, err
		}
		docs := tools.Distinct(in.ExpectedDocs)
		if known == nil {
			id, err := rows.InsertGroundTruth(in.Query, docs)
			return addedOutput{ID: id, Created: true, Labelled: len(docs) > 0, Status: "success"}, err
		}
		out := addedOutput{ID: known.ID, Labelled: len(docs) > 0 || len(known.ExpectedDocs) > 0, Status: "success"}
		label, err := mayLabel(in.Query, known.ID, known.ExpectedDocs, docs)
		if label {
			err = rows.LabelGroundTruth(known.ID, docs)
		}
		return out, err
	})
	if err != nil {
		return none, err
	}
	h := tools.NewHints(tools.WriteEvidence()).
		SuggestCall(hybridName, tools.PriorityMedium, map[string]any{"query_text": in.Query, "top_k": reliableDocuments}, "find documents to judge").
		SuggestCall(judgeName, tools.PriorityMedium, map[string]any{"query_id": out.ID, "query": in.Query}, fmt.Sprintf("judge them; kappa is reliable from %d documents on", reliableDocuments)).
		AddDependency(judgeName, "recommended", "there must be documents to judge", hybridName).
		Because("the query exists; its documents are not judged yet")
	return tools.Result[addedOutput]{Data: out, Hints: h}, nil
}

type goldenQueryInput struct {
	Query        string  `json:"query" jsonschema:"required,minLength=1,maxLength=10000" jsonschema_description:"The query to test every day"`
	ExpectedDocs []int64 `json:"expected_docs,omitempty" jsonschema_description:"Ids of the insights it should find; once given they cannot change"`
	SessionID    string  `json:"session_id,omitempty" jsonschema_description:"Session in which it was asked"`
}

func (f *family) addGoldenQueryTool() tools.Tool[goldenQueryInput, addedOutput] {
	return tools.Tool[goldenQueryInput, addedOutput]{
		Name:  goldenQueryName,
		Title: "Add a golden query",
		Description: "Add a query to the golden test set, with the insights it should find. Use it for real questions whose answer is stored; get_golden_test_results then measures them. Adding it again labels a query without expected_docs; labelled ones are frozen. " +
			"Returns id. Example: a question and the id of its answer.",
		Permissions: []tools.Permission{mayCreate}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"memory", "evaluation"},
		Examples: []tools.Example[goldenQueryInput, addedOutput]{{
			Description: "A question and its answer",
			Setup:       []tools.SetupCall{{Tool: compressName, Params: compressInput{Content: "Anna moved the release from Friday to Monday", SourceIDs: []int64{}}}},
			Params:      goldenQueryInput{Query: "When is the release?", ExpectedDocs: []int64{1}},
			Result:      addedOutput{ID: 1, Created: true, Labelled: true, Status: "success"},
		}},
		Handle: f.addGoldenQuery,
	}
}

func (f *family) addGoldenQuery(ctx context.Context, in goldenQueryInput) (none tools.Result[addedOutput], err error) {
	if err := tools.RequireText("query", in.Query); err != nil {
		return none, err
	}
	out, err := store.WriteValue(ctx, f.Store, func(tx *store.Tx) (addedOutput, error) {
		return insertOrLabelGoldenQuery(memory.In(tx), in)
	})
	if err != nil {
		return none, err
	}
	h := tools.NewHints(tools.WriteEvidence())
	if out.Labelled {
		h.Because("the query is labelled and will be tested").SuggestCall(goldenName, tools.PriorityMedium, nil, "measure retrieval with it")
	} else {
		h.Because("a query without expected documents is not tested").
			SuggestCall(hybridName, tools.PriorityHigh, map[string]any{"query_text": in.Query}, "find the insights that answer it").
			SuggestCall(goldenQueryName, tools.PriorityHigh, map[string]any{"query": in.Query, "session_id": in.SessionID}, "add it again with expected_docs").
			AddDependency(goldenQueryName, "required", "the ids come from the search", hybridName)
	}
	return tools.Result[addedOutput]{Data: out, Hints: h}, nil
}

// insertOrLabelGoldenQuery adds or labels one golden query. Expected insights must exist: a
// label cannot be corrected later.
func insertOrLabelGoldenQuery(tx memory.Rows, in goldenQueryInput) (addedOutput, error) {
	docs := tools.Distinct(in.ExpectedDocs)
	missing, err := tx.MissingInsights(docs)
	if err != nil {
		return addedOutput{}, err
	}
	if len(missing) > 0 {
		return addedOutput{}, notFoundError("expected_docs", "expected_docs names insights that do not exist: %s; nothing was added, since labels cannot be corrected later: find the right ids with %s", joinIDs(missing), hybridName).
			WithHints(newRefusalHints("labels must name stored insights").SuggestCall(hybridName, tools.PriorityHigh, map[string]any{"query_text": in.Query}, "find the insights that answer the query"))
	}
	known, err := tx.GoldenQueryOf(in.Query, in.SessionID)
	if err != nil {
		return addedOutput{}, err
	}
	if known == nil {
		id, err := tx.InsertGoldenQuery(memory.GoldenQuery{Query: in.Query, SessionID: in.SessionID, ExpectedDocs: docs, WordCount: countWords(in.Query)})
		return addedOutput{ID: id, Created: true, Labelled: len(docs) > 0, Status: "success"}, err
	}
	out := addedOutput{ID: known.ID, Labelled: len(docs) > 0 || len(known.ExpectedDocs) > 0, Status: "success"}
	label, err := mayLabel(in.Query, known.ID, known.ExpectedDocs, docs)
	if label {
		err = tx.LabelGoldenQuery(known.ID, docs)
	}
	return out, err
}

// mayLabel reports whether a known query is to get labels. Labels that are there stay; the same ones are
// accepted again, others are refused.
func mayLabel(query string, id int64, known, docs []int64) (bool, error) {
	switch {
	case len(docs) == 0 || sameIDs(docs, known):
		return false, nil
	case len(known) == 0:
		return true, nil
	}
	return false, tools.Refused("FROZEN", "expected_docs", "labels are frozen", "query %d, %q, is labelled with %s already, and labels are frozen so that results of different days compare; add a query with other words", id, shortenToLine(query), joinIDs(known))
}

func sameIDs(a, b []int64) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func joinIDs(ids []int64) string {
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = itoa(id)
	}
	return strings.Join(parts, ", ")
}
