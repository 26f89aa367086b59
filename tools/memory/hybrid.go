package memory

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"toolkit/store/memory"

	reflector "github.com/invopop/jsonschema"

	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/tools"
)

const hybridName = "hybrid_search"

// defaultTopK is the documented number of results.
const defaultTopK = 5

type hybridInput struct {
	QueryText      string        `json:"query_text" jsonschema:"required,minLength=1,maxLength=10000" jsonschema_description:"What to find, in words (embedded automatically)"`
	QueryEmbedding []float64     `json:"query_embedding,omitempty" jsonschema:"minItems=1536,maxItems=1536" jsonschema_description:"The query's embedding, 1536 numbers; made from query_text if absent"`
	TopK           int           `json:"top_k,omitempty" jsonschema:"minimum=1,maximum=100,default=5" jsonschema_description:"At most this many results"`
	Weights        *weightsInput `json:"weights,omitempty" jsonschema_description:"Shares of the two channels, summing to 1.0; one given fixes the other"`

	SourceTypes       []memory.Source `json:"source_types,omitempty" jsonschema:"enum=l2,enum=episode,enum=l0" jsonschema_description:"What to search: l2 insights (default), episode, l0 dialogue; each ranked in its own list"`
	SessionID         string          `json:"session_id,omitempty" jsonschema:"maxLength=1048576" jsonschema_description:"Only this session"`
	Speaker           string          `json:"speaker,omitempty" jsonschema_description:"Only what this speaker said"`
	Tags              []string        `json:"tags,omitempty" jsonschema_description:"Only with all these tags"`
	CreatedAfter      string          `json:"created_after,omitempty" jsonschema_description:"ISO 8601, inclusive"`
	CreatedBefore     string          `json:"created_before,omitempty" jsonschema_description:"ISO 8601, exclusive"`
	FidelityMin       *float64        `json:"fidelity_min,omitempty" jsonschema:"minimum=0,maximum=1" jsonschema_description:"Only insights at least this dense"`
	IncludeSuperseded bool            `json:"include_superseded,omitempty" jsonschema_description:"Superseded and deleted insights too"`
	Explain           bool            `json:"explain,omitempty" jsonschema_description:"Tell how the result came about"`
}

type weightsInput struct {
	Semantic *float64 `json:"semantic,omitempty" jsonschema:"minimum=0,maximum=1,default=0.7" jsonschema_description:"Weight of semantic results"`
	Keyword  *float64 `json:"keyword,omitempty" jsonschema:"minimum=0,maximum=1,default=0.3" jsonschema_description:"Weight of keyword results"`
}

// JSONSchemaExtend adds the default of the whole object, which a tag cannot say.
func (weightsInput) JSONSchemaExtend(s *reflector.Schema) { s.Default = search.DefaultWeights }

type hybridOutput struct {
	Results                 []hybridResult `json:"results"`
	QueryEmbeddingDimension int            `json:"query_embedding_dimension"`
	SemanticResultsCount    int            `json:"semantic_results_count" jsonschema_description:"Candidates of the channel"`
	KeywordResultsCount     int            `json:"keyword_results_count"`
	FinalResultsCount       int            `json:"final_results_count"`
	Weights                 search.Weights `json:"weights"`
	Status                  string         `json:"status"`
	EmbeddingProvider       string         `json:"embedding_provider" jsonschema_description:"Who made the vectors; off: words alone are ranked"`
	Relevance               float64        `json:"relevance" jsonschema:"minimum=0,maximum=1" jsonschema_description:"Of the best match; hints' confidence follows it"`
	NothingFits             bool           `json:"nothing_fits,omitempty" jsonschema_description:"No result answers half of the question"`
	Note                    string         `json:"note,omitempty"`
	Explanation             *Explanation   `json:"explanation,omitempty"`
}

type hybridResult struct {
	ID         int64         `json:"id"`
	SourceType memory.Source `json:"source_type" jsonschema:"enum=l2,enum=episode,enum=l0"`
	Content    string        `json:"content"`
	SourceIDs  []int64       `json:"source_ids" jsonschema_description:"Dialogue an insight came from"`
	Match
	CreatedAt     string   `json:"created_at"`
	SessionID     string   `json:"session_id,omitempty"`
	Speaker       string   `json:"speaker,omitempty"`
	FidelityScore *float64 `json:"fidelity_score,omitempty"`
	Reward        *float64 `json:"reward,omitempty"`
	Superseded    bool     `json:"superseded,omitempty" jsonschema_description:"Superseded or deleted"`
	Extracted     string   `json:"extracted,omitempty" jsonschema_description:"Its kind, when a pattern found it in what was said and nobody confirmed it; update_insight with the same text confirms it"`
}

func (f *family) hybridSearchTool() tools.Tool[hybridInput, hybridOutput] {
	return tools.Tool[hybridInput, hybridOutput]{
		Name:  hybridName,
		Title: "Search memory",
		Description: "Search memory by meaning and by words at once, fused by reciprocal rank; recall searches everything. " +
			"Returns insights (or episodes, dialogue: source_types), best first. Example: what did we decide about the release?",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Medium, Idempotent: true, Version: "1.2.0",
		Tags: []string{"memory", "search"},
		Examples: []tools.Example[hybridInput, hybridOutput]{{
			Description: "One insight among two",
			Setup: []tools.SetupCall{
				{Tool: compressName, Params: compressInput{Content: "Anna moved the release from Friday to Monday", SourceIDs: []int64{}}},
				{Tool: compressName, Params: compressInput{Content: "Coffee grows in Ethiopia", SourceIDs: []int64{}}},
			},
			Params: hybridInput{QueryText: "release Monday", TopK: 1},
			Result: hybridOutput{
				Results:                 []hybridResult{{ID: 1}},
				QueryEmbeddingDimension: Dimension, FinalResultsCount: 1, Weights: search.DefaultWeights, Status: "success", Relevance: 1,
			},
			Varies: []string{"results", "semantic_results_count", "keyword_results_count", "query_embedding_dimension", "embedding_provider"},
		}},
		Handle: f.hybridSearch,
	}
}

func (f *family) hybridSearch(ctx context.Context, in hybridInput) (none tools.Result[hybridOutput], err error) {
	q, err := in.buildQuery()
	if err != nil {
		return none, err
	}
	var faults []string
	var unsearched []memory.Source
	found, err := f.Search.Search(ctx, q, func(tx *store.Tx, _ Found) (err error) {
		if faults, err = describeUnmatchedFilters(memory.In(tx), q.Filter, q.Sources...); err == nil {
			unsearched, err = findUnsearchedSources(memory.In(tx), q.Sources)
		}
		return err
	})
	if err != nil {
		return none, err
	}
	results := make([]hybridResult, len(found.Hits))
	for i, hit := range found.Hits {
		results[i] = describeHit(hit)
	}
	out := hybridOutput{
		Results: results, QueryEmbeddingDimension: found.Dimension,
		SemanticResultsCount: found.SemanticCount, KeywordResultsCount: found.KeywordCount, FinalResultsCount: len(found.Hits),
		Weights: q.Weights, Status: "success", EmbeddingProvider: found.EmbeddingProvider, Note: found.Note, Explanation: found.Explanation,
		Relevance: round4(found.bestHit().Relevance), NothingFits: found.bestHit().Relevance < search.PoorMatch,
	}
	h := searchHints(q, found, in.argumentsForAllSources(), unsearched)
	for _, fault := range faults {
		h.Warn("validation", tools.PriorityMedium, fault, "correct the filter or leave it out")
	}
	return tools.Result[hybridOutput]{Data: out, Hints: h}, nil
}

// buildQuery checks what the schema cannot and completes the defaults.
func (in hybridInput) buildQuery() (Query, error) {
	q := Query{Text: in.QueryText, TopK: cmp.Or(in.TopK, defaultTopK), Sources: in.SourceTypes, Explain: in.Explain, Filter: memory.Filter{
		SessionID: in.SessionID, Speaker: in.Speaker, Tags: in.Tags, FidelityMin: in.FidelityMin, IncludeRetired: in.IncludeSuperseded,
	}}
	if err := tools.RequireText("query_text", in.QueryText); err != nil {
		return q, err
	}
	var err error
	if q.Embedding, err = in.parseQueryEmbedding(); err != nil {
		return q, err
	}
	var given weightsInput
	if in.Weights != nil {
		given = *in.Weights
	}
	if q.Weights, err = search.ResolveWeights(given.Semantic, given.Keyword); err != nil {
		return q, tools.Invalid(tools.CodeInvalid, "weights", "sum 1.0", "%s", err.Error())
	}
	if q.Filter.CreatedAfter, q.Filter.CreatedBefore, err = parseTimeRange("created_after", in.CreatedAfter, "created_before", in.CreatedBefore); err != nil {
		return q, err
	}
	slices.Sort(q.Sources)
	if q.Sources = slices.Compact(q.Sources); len(q.Sources) == 0 {
		q.Sources = []memory.Source{memory.SourceInsight}
	}
	return q, nil
}

// parseQueryEmbedding is the vector that the caller supplied, or nil. The schema has
// counted its numbers.
func (in hybridInput) parseQueryEmbedding() ([]float32, error) {
	if in.QueryEmbedding == nil {
		return nil, nil
	}
	largest := 0.0
	for _, x := range in.QueryEmbedding {
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 {
		return nil, tools.Invalid(tools.CodeInvalid, "query_embedding", "not zero", "query_embedding is all zeros, which has no direction; leave it out to embed query_text")
	}
	// Only the direction counts. A power of two keeps every digit and brings
	// numbers of any size into the range of float32.
	_, exponent := math.Frexp(largest)
	vector := make([]float32, len(in.QueryEmbedding))
	for i, x := range in.QueryEmbedding {
		vector[i] = float32(math.Ldexp(x, -exponent))
	}
	return vector, nil
}

func describeHit(hit Hit) hybridResult {
	row := hit.Row
	r := hybridResult{
		ID: row.ID, SourceType: row.Source, Content: row.Content, SourceIDs: tools.OrEmpty(row.SourceIDs),
		Match:     hit.Match,
		CreatedAt: formatTimestamp(row.At), SessionID: row.SessionID, Speaker: row.Speaker, Superseded: row.Retired, Extracted: row.Extracted,
	}
	r.Relevance = round4(hit.Relevance)
	switch row.Source {
	case memory.SourceInsight:
		r.FidelityScore = &row.Fidelity
	case memory.SourceEpisode:
		r.Reward = &row.Reward
	}
	return r
}

// searchHints says how far the result can be trusted and where else to look.
func searchHints(q Query, found Found, wider map[string]any, unsearched []memory.Source) *tools.Hints {
	best := found.bestHit()
	h := tools.NewHints(tools.MatchEvidence(len(found.Hits), len(best.MatchedTerms), best.Relevance))
	if found.Note != "" {
		h.Warn("performance", tools.PriorityMedium, found.Note, "")
	}
	doubt := found.explainPoorMatch()
	if len(found.Hits) == 0 || doubt != "" {
		suggestOtherSources(h, q, wider, unsearched)
	}
	if len(found.Hits) == 0 {
		return addNoResultHints(h, q, unsearched)
	}
	for _, hit := range found.Hits[:min(3, len(found.Hits))] {
		h.AddRelatedResource(string(hit.Row.Source), strconv.FormatInt(hit.Row.ID, 10), shortenToLine(hit.Row.Content), hit.Relevance)
	}
	switch {
	case doubt == "":
		best.suggestNext(h, found)
	case len(unsearched) > 0:
		h.Warn("validation", tools.PriorityMedium, "among "+joinSourceNames(q.Sources)+" "+doubt+"; not searched: "+joinSourceNames(unsearched), searchThemToo)
	case isRestricted(q.Filter):
		h.Warn("validation", tools.PriorityMedium, "among what the filters leave "+doubt, "search without the filters, or ask in other words")
	default:
		h.Warn("validation", tools.PriorityMedium, doubt, "say that it is not remembered, or ask in other words")
	}
	return h.Because(fmt.Sprintf("the best match answers about %.0f %% of the question by %d of its words; the fewer words, the lower the confidence",
		100*best.Relevance, len(best.MatchedTerms)))
}

// suggestNext suggests what to do with a hit that fits.
func (best Hit) suggestNext(h *tools.Hints, found Found) {
	switch best.Row.Source {
	case memory.SourceInsight:
		h.SuggestCall(historyName, tools.PriorityLow, map[string]any{"id": best.Row.ID}, "whether it said something else before")
		h.SuggestCall(updateName, tools.PriorityLow, map[string]any{"id": best.Row.ID}, "if the conversation shows that it is outdated")
	case memory.SourceDialogue:
		h.SuggestCall(compressName, tools.PriorityLow, map[string]any{"source_ids": dialogueIDs(found.Hits)}, "keep what these turns mean as one insight")
	}
}

// addNoResultHints speak for all of memory only when all of it was searched.
func addNoResultHints(h *tools.Hints, q Query, unsearched []memory.Source) *tools.Hints {
	reason := "nothing is remembered that matches"
	switch {
	case len(unsearched) > 0:
		reason = "no match among " + joinSourceNames(q.Sources) + "; not searched: " + joinSourceNames(unsearched)
		h.Warn("validation", tools.PriorityMedium, reason, searchThemToo)
	case isRestricted(q.Filter):
		reason = "nothing that passes the filters matches"
	}
	return h.Because(reason)
}

const searchThemToo = "search them too, with source_types l2, episode and l0"

// suggestOtherSources suggests where else the answer may be.
func suggestOtherSources(h *tools.Hints, q Query, wider map[string]any, unsearched []memory.Source) {
	if len(unsearched) > 0 {
		h.SuggestCall(hybridName, tools.PriorityHigh, wider, "search "+joinSourceNames(unsearched)+" too")
	}
	if isRestricted(q.Filter) {
		h.SuggestCall(hybridName, tools.PriorityHigh, map[string]any{"query_text": q.Text, "source_types": everySource}, "search again without the filters")
	}
	h.SuggestCall("search_nodes", tools.PriorityMedium, map[string]any{"query": q.Text}, "look in the knowledge graph")
}

func isRestricted(f memory.Filter) bool {
	return f.SessionID != "" || f.Speaker != "" || len(f.Tags) > 0 || !f.CreatedAfter.IsZero() || !f.CreatedBefore.IsZero() || f.FidelityMin != nil || f.RewardMin != nil
}

func dialogueIDs(hits []Hit) []int64 {
	ids := []int64{}
	for _, hit := range hits {
		if hit.Row.Source == memory.SourceDialogue {
			ids = append(ids, hit.Row.ID)
		}
	}
	slices.Sort(ids)
	return ids
}
