package memory

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/tools"
)

const goldenName = "get_golden_test_results"

const (
	baselineDays = 7
	maxGolden    = 1000 // queries tested in one call
	maxDrops     = 10   // queries named as fallen
)

type goldenInput struct{}

type goldenOutput struct {
	Date              string         `json:"date"`
	PrecisionAt5      float64        `json:"precision_at_5"`
	BaselinePrecision *float64       `json:"baseline_precision" jsonschema:"oneof_type=number;null" jsonschema_description:"Mean of the previous 7 days; null when there are none"`
	DriftDetected     bool           `json:"drift_detected"`
	QueriesTested     int            `json:"queries_tested"`
	Details           string         `json:"details"`
	QueryBreakdown    queryBreakdown `json:"query_breakdown"`
	RecallAt5         float64        `json:"recall_at_5"`
	MRR               float64        `json:"mrr" jsonschema_description:"Mean reciprocal rank within the first five"`
	NDCGAt5           float64        `json:"ndcg_at_5"`
	MaxAttainableP5   float64        `json:"max_attainable_p5" jsonschema_description:"Best precision the labels allow"`
	Drops             []goldenDrop   `json:"drops,omitempty" jsonschema_description:"Queries that did worse than the last time"`
	UnlabelledQueries int            `json:"unlabelled_queries" jsonschema_description:"Queries without expected documents, not tested"`
}

type queryBreakdown struct {
	Short  classMetrics `json:"short"`
	Medium classMetrics `json:"medium"`
	Long   classMetrics `json:"long"`
}

type classMetrics struct {
	Count        int      `json:"count"`
	PrecisionAt5 *float64 `json:"precision_at_5" jsonschema:"oneof_type=number;null"`
}

type goldenDrop struct {
	ID           int64   `json:"id"`
	Query        string  `json:"query"`
	PrecisionAt5 float64 `json:"precision_at_5"`
	Previous     float64 `json:"previous"`
}

func (f *family) runGoldenTestTool() tools.Tool[goldenInput, goldenOutput] {
	fifth, whole := 0.2, 1.0
	return tools.Tool[goldenInput, goldenOutput]{
		Name:  goldenName,
		Title: "Run the golden test set",
		Description: "Search for every labelled golden query and return today's Precision@5, its baseline and whether retrieval drifted. Use it once a day, or after changing the embedder. " +
			"The day's result is kept. Example: a check after an update.",
		Permissions: []tools.Permission{mayRead, mayUpdate}, Category: tools.Mutation, ResponseTime: tools.Slow, Idempotent: true, Version: "1.1.0",
		Tags: []string{"memory", "evaluation"},
		Examples: []tools.Example[goldenInput, goldenOutput]{{
			Description: "One query, one insight, found",
			Setup: []tools.SetupCall{
				{Tool: compressName, Params: compressInput{Content: "Anna moved the release from Friday to Monday", SourceIDs: []int64{}}},
				{Tool: goldenQueryName, Params: goldenQueryInput{Query: "Anna release Monday", ExpectedDocs: []int64{1}}},
			},
			Result: goldenOutput{
				Date: "2025-01-15", PrecisionAt5: 0.2, QueriesTested: 1, Details: "No baseline yet: there is no result of the previous 7 days",
				QueryBreakdown: queryBreakdown{Short: classMetrics{Count: 1, PrecisionAt5: &fifth}},
				RecallAt5:      whole, MRR: whole, NDCGAt5: whole, MaxAttainableP5: 0.2, Drops: []goldenDrop{},
			},
			Varies: []string{"date"},
		}},
		Handle: f.runGoldenTest,
	}
}

// goldenSet is what a test runs on.
type goldenSet struct {
	labelled   []memory.GoldenQuery
	unlabelled int
	skipped    int             // labelled, but beyond what one call tests
	current    map[int64]int64 // expected documents and what stands in their place today
}

func (f *family) runGoldenTest(ctx context.Context, _ goldenInput) (none tools.Result[goldenOutput], err error) {
	set, err := store.ReadValue(ctx, f.Store, readGoldenSet)
	if err != nil {
		return none, err
	}
	if len(set.labelled) == 0 {
		return none, emptyGoldenSetError(set.unlabelled)
	}
	measured, err := f.measureGoldenQueries(ctx, set)
	if err != nil {
		return none, err
	}
	now := f.Store.Now()
	out := averageGoldenMetrics(set, measured)
	out.Date = now.Format(time.DateOnly)
	if err := f.Store.Write(ctx, func(tx *store.Tx) error { return compareAndStoreGoldenResult(memory.In(tx), &out, set, measured, now) }); err != nil {
		return none, err
	}
	h := goldenHints(out)
	if set.skipped > 0 {
		h.Warn("performance", tools.PriorityMedium, fmt.Sprintf("%d labelled queries beyond the first %d were not tested", set.skipped, maxGolden), "")
	}
	return tools.Result[goldenOutput]{Data: out, Hints: h}, nil
}

// readGoldenSet reads the queries.
func readGoldenSet(tx *store.Tx) (*goldenSet, error) {
	set := &goldenSet{}
	var expected []int64
	err := memory.In(tx).EachGoldenQuery(func(g memory.GoldenQuery) error {
		switch {
		case len(g.ExpectedDocs) == 0:
			set.unlabelled++
		case len(set.labelled) == maxGolden:
			set.skipped++
		default:
			set.labelled = append(set.labelled, g)
			expected = append(expected, g.ExpectedDocs...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	set.current, err = memory.In(tx).CurrentInsights(expected)
	return set, err
}

func emptyGoldenSetError(unlabelled int) error {
	e := tools.Refused("GOLDEN_SET_EMPTY", "", "labelled queries", "the golden test set is empty; fill it with %s, or with 'toolkit admin golden import FILE'", goldenQueryName)
	if unlabelled > 0 {
		e = tools.Refused("GOLDEN_SET_EMPTY", "", "labelled queries", "the golden test set has %d queries, but none has expected_docs; label them with %s, or with 'toolkit admin golden export', an editor and 'toolkit admin golden import FILE'", unlabelled, goldenQueryName)
	}
	return e.WithHints(newRefusalHints(e.Message).SuggestCall(goldenQueryName, tools.PriorityHigh, nil, "add a query whose answer is stored, with the ids of the insights it should find"))
}

// measureGoldenQueries searches for every labelled query, as hybrid_search does by default.
func (f *family) measureGoldenQueries(ctx context.Context, set *goldenSet) ([]queryMetrics, error) {
	measured := make([]queryMetrics, 0, len(set.labelled))
	for i, g := range set.labelled {
		found, err := f.Search.Search(ctx, Query{
			Text: g.Query, TopK: goldenDepth, Weights: search.DefaultWeights, Sources: []memory.Source{memory.SourceInsight},
		})
		if err != nil {
			return nil, err
		}
		results := make([]int64, len(found.Hits))
		for j, hit := range found.Hits {
			results[j] = hit.Row.ID
		}
		// An insight that was superseded is found when its successor is.
		expected, gone := map[int64]bool{}, 0
		for _, id := range g.ExpectedDocs {
			if now, ok := set.current[id]; ok {
				expected[now] = true
			} else {
				gone++
			}
		}
		measured = append(measured, measureQuery(results, expected, len(expected)+gone, len(expected)))
		tools.ReportProgress(ctx, float64(i+1), float64(len(set.labelled)), "")
	}
	return measured, nil
}

// averageGoldenMetrics averages over queries, each counting the same.
func averageGoldenMetrics(set *goldenSet, measured []queryMetrics) goldenOutput {
	var p, recall, reciprocal, ndcg, attainable []float64
	byClass := map[string][]float64{}
	for i, m := range measured {
		p, recall, reciprocal = append(p, m.Precision), append(recall, m.Recall), append(reciprocal, m.Reciprocal)
		ndcg, attainable = append(ndcg, m.NDCG), append(attainable, m.Attainable)
		class := queryLengthClass(set.labelled[i].WordCount)
		byClass[class] = append(byClass[class], m.Precision)
	}
	class := func(c string) classMetrics { return classMetrics{len(byClass[c]), average(byClass[c])} }
	return goldenOutput{
		PrecisionAt5: *average(p), QueriesTested: len(measured),
		QueryBreakdown: queryBreakdown{class("short"), class("medium"), class("long")},
		RecallAt5:      *average(recall), MRR: *average(reciprocal), NDCGAt5: *average(ndcg), MaxAttainableP5: *average(attainable),
		Drops: []goldenDrop{}, UnlabelledQueries: set.unlabelled,
	}
}

// compareAndStoreGoldenResult compares with the days before and keeps the day's result.
func compareAndStoreGoldenResult(tx memory.Rows, out *goldenOutput, set *goldenSet, measured []queryMetrics, now time.Time) error {
	before, err := tx.GoldenPrecisions(now.AddDate(0, 0, -baselineDays).Format(time.DateOnly), out.Date)
	if err != nil {
		return err
	}
	previous, err := tx.PreviousGoldenResults(out.Date)
	if err != nil {
		return err
	}
	out.BaselinePrecision = average(before)
	out.DriftDetected = hasDrifted(out.BaselinePrecision, out.PrecisionAt5)
	day := memory.GoldenDay{Day: out.Date, Precision: out.PrecisionAt5}
	for i, g := range set.labelled {
		p := measured[i].Precision
		day.Queries = append(day.Queries, memory.GoldenQueryResult{QueryID: g.ID, Precision: p})
		if last, tested := previous[g.ID]; tested && p < last {
			out.Drops = append(out.Drops, goldenDrop{ID: g.ID, Query: shortenToLine(g.Query), PrecisionAt5: p, Previous: last})
		}
	}
	slices.SortStableFunc(out.Drops, func(a, b goldenDrop) int {
		return cmp.Compare(b.Previous-b.PrecisionAt5, a.Previous-a.PrecisionAt5)
	})
	out.Drops = out.Drops[:min(maxDrops, len(out.Drops))]
	out.Details = describeGoldenDrift(*out)
	if day.Metrics, err = json.Marshal(out); err != nil {
		return err
	}
	return tx.StoreGoldenDay(day)
}

func describeGoldenDrift(out goldenOutput) string {
	switch {
	case out.BaselinePrecision == nil:
		return fmt.Sprintf("No baseline yet: there is no result of the previous %d days", baselineDays)
	case out.DriftDetected:
		return fmt.Sprintf("Precision@5 fell to %.2f from a baseline of %.2f, more than %.2f", out.PrecisionAt5, *out.BaselinePrecision, driftThreshold)
	}
	return "All metrics within normal range"
}

func goldenHints(out goldenOutput) *tools.Hints {
	e := tools.NewSearchEvidence(out.QueriesTested)
	e.Present, e.Expected, e.Validity = out.QueriesTested, out.QueriesTested+out.UnlabelledQueries, tools.LongTerm
	h := tools.NewHints(e).Because(out.Details)
	if out.DriftDetected {
		h.Warn("conflict", tools.PriorityHigh, out.Details, "look at the queries in drops; a changed embedder or many new insights are the usual causes")
	}
	for _, d := range out.Drops[:min(2, len(out.Drops))] {
		h.SuggestCall(hybridName, tools.PriorityMedium, map[string]any{"query_text": d.Query, "explain": true}, fmt.Sprintf("see why precision fell from %.1f to %.1f", d.Previous, d.PrecisionAt5))
	}
	if out.MaxAttainableP5 < 1 {
		h.Assumes(fmt.Sprintf("with these labels precision_at_5 cannot pass %.2f: queries have fewer than five expected documents, or some were deleted", out.MaxAttainableP5))
	}
	if out.UnlabelledQueries > 0 {
		h.SuggestCall(goldenQueryName, tools.PriorityLow, nil, fmt.Sprintf("label the %d queries without expected documents", out.UnlabelledQueries))
	}
	return h
}
