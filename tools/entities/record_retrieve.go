package entities

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
	"toolkit/tools"

	words "toolkit/internal/search"
)

const retrieveName = "retrieve_records"

const (
	// defaultRecords is the source document's.
	defaultRecords = 10
	// weighedRecords is how many of the first records are compared with the search.
	weighedRecords = 5
	// maxFilteredRecords bounds the records that a filter hands to the vectors.
	maxFilteredRecords = 200_000
)

// Search modes. none means that nothing was searched for.
const (
	modeSemantic = "semantic"
	modeKeyword  = "keyword"
	modeBoth     = "both"
	modeNone     = "none"
)

type retrieveInput struct {
	Type                string          `json:"type,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Type, subtype, alias or family, such as invoice, bill or FinancialRecord"`
	Properties          json.RawMessage `json:"properties,omitempty" jsonschema_extras:"fields=title" jsonschema_description:"Values that must be equal, by field or dotted path"`
	Limit               int             `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" jsonschema_description:"10 if absent"`
	Search              []string        `json:"search,omitempty" jsonschema:"maxItems=64" jsonschema_description:"Terms; a record needs all words of one of them"`
	SearchMode          string          `json:"search_mode,omitempty" jsonschema:"enum=semantic,enum=keyword,enum=both" jsonschema_description:"both if absent"`
	SimilarityThreshold *float64        `json:"similarity_threshold,omitempty" jsonschema:"minimum=0,maximum=1" jsonschema_description:"Least similarity of a semantic match, 0.7 if absent"`
	QueryEmbedding      []float64       `json:"query_embedding,omitempty" jsonschema:"maxItems=4096" jsonschema_description:"Embedding of the query, at most 4096 numbers"`
	History             bool            `json:"history,omitempty" jsonschema_description:"Also what each record was before its updates; default false"`
}

type retrieveOutput struct {
	Records        []foundRecord `json:"records"`
	Total          int           `json:"total" jsonschema_description:"Matching records before the limit"`
	SearchModeUsed string        `json:"search_mode_used" jsonschema_description:"semantic, keyword, both or none"`
	EmbeddingModel string        `json:"embedding_model" jsonschema_description:"none when nothing was compared by meaning"`
}

type foundRecord struct {
	recordFields
	Similarity *float64       `json:"similarity,omitempty"`
	CreatedAt  string         `json:"created_at"`
	UpdatedAt  string         `json:"updated_at"`
	History    []formerRecord `json:"history,omitempty" jsonschema_description:"What it was before its updates, newest first"`
}

// formerRecord is what a record was until replaced_at.
type formerRecord struct {
	ReplacedAt string          `json:"replaced_at"`
	Type       string          `json:"type"`
	Properties json.RawMessage `json:"properties"`
	FileURLs   []string        `json:"file_urls"`
}

// maxFormerStates bounds how many earlier states of a record are shown.
const maxFormerStates = 100

// recordFields are what a record consists of.
type recordFields struct {
	ID         string          `json:"id"`
	Type       string          `json:"type"`
	Properties json.RawMessage `json:"properties"`
	FileURLs   []string        `json:"file_urls"`
}

func toRecordFields(r records.Record) recordFields {
	return recordFields{r.ID, r.Type, r.Properties, tools.OrEmpty(r.FileURLs)}
}

func (f *family) retrieveRecordsTool() tools.Tool[retrieveInput, retrieveOutput] {
	return tools.Tool[retrieveInput, retrieveOutput]{
		Name:  retrieveName,
		Title: "Retrieve records",
		Description: "Deprecated, prefer find_entities. Find records and payloads by type, equal properties and search terms, best match first, else newest first. " +
			"Returns records and total. Example: the unpaid invoices of one vendor.",
		Permissions: []tools.Permission{mayReadRecords}, Category: tools.Query, ResponseTime: tools.Medium, Idempotent: true, Version: version,
		Tags: []string{"records", "search", "legacy"}, RateLimit: &tools.RateLimit{MaxCalls: 300, Window: time.Minute}, Deprecated: newDeprecation(findName),
		Examples: []tools.Example[retrieveInput, retrieveOutput]{{
			Description: "Invoices of a vendor by an alias of the type",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: exampleSubmission()}},
			Params:      retrieveInput{Type: "bill", Properties: json.RawMessage(`{"vendor_name":"Acme Corp"}`)},
			Result: retrieveOutput{Records: []foundRecord{{
				recordFields: recordFields{Type: "invoice", Properties: exampleSubmission().Body, FileURLs: []string{}},
			}}, Total: 1, SearchModeUsed: modeNone, EmbeddingModel: modeNone},
			Varies: []string{"id", "created_at", "updated_at"},
		}},
		Handle: f.retrieveRecords,
	}
}

// retrieval is a query after validation.
type retrieval struct {
	filter  records.Filter
	terms   []string
	undated []string // the terms without the words of days, which are left out where nothing has them
	limit   int
	words   bool // search by words
	meaning bool // search by meaning
	similar Similar
}

func (f *family) retrieveRecords(ctx context.Context, in retrieveInput) (r tools.Result[retrieveOutput], err error) {
	q, err := f.planRetrieval(in)
	if err == nil {
		err = q.searchByMeaning(ctx, f, in)
	}
	if err != nil {
		return r, err
	}
	code := codeQueryFailed
	if q.words || q.meaning {
		code = codeSearchFailed
	}
	var corrected []string // where a record shows another value than stands
	r.Data, err = runRead(ctx, f, code, func(tx *store.Tx) (retrieveOutput, error) {
		list, total, err := q.fetchRecords(records.In(tx))
		if err == nil {
			corrected, err = warnCorrectedRecords(entities.In(tx), list)
		}
		if err != nil {
			return retrieveOutput{}, err
		}
		out := retrieveOutput{Records: make([]foundRecord, len(list)), Total: total, SearchModeUsed: q.searchMode(), EmbeddingModel: modeNone}
		for i, one := range list {
			if out.Records[i], err = q.toFoundRecord(records.In(tx), one, in.History); err != nil {
				return out, err
			}
		}
		return out, nil
	})
	if err != nil {
		return r, err
	}
	if q.meaning {
		r.Data.EmbeddingModel = q.similar.Model
	}
	r.Hints = f.retrieveHints(in, q, r.Data)
	for _, line := range corrected {
		r.Hints.Warn("conflict", tools.PriorityMedium, line, "go by the value in force")
	}
	return r, nil
}

// toFoundRecord returns a record as it is answered, with what it was before if that is asked for.
func (q retrieval) toFoundRecord(tx records.Rows, r records.Record, history bool) (foundRecord, error) {
	shown := foundRecord{recordFields: toRecordFields(r), CreatedAt: tools.FormatTimestamp(r.CreatedAt), UpdatedAt: tools.FormatTimestamp(r.UpdatedAt)}
	if similarity, near := q.similar.Records[r.Seq]; near {
		shown.Similarity = &similarity
	}
	if !history {
		return shown, nil
	}
	former, err := tx.History(r.Seq, maxFormerStates)
	for _, was := range former {
		shown.History = append(shown.History, formerRecord{tools.FormatTimestamp(was.ReplacedAt), was.Type, was.Properties, tools.OrEmpty(was.FileURLs)})
	}
	return shown, err
}

// searchByMeaning asks the vectors. If the embedder fails, words are compared instead.
func (q *retrieval) searchByMeaning(ctx context.Context, f *family, in retrieveInput) error {
	if !q.meaning {
		return nil
	}
	threshold := defaultThreshold
	if in.SimilarityThreshold != nil {
		threshold = *in.SimilarityThreshold
	}
	var err error
	q.similar, err = f.Vectors.FindSimilar(ctx, VectorQuery{
		Terms: in.Search, Embedding: in.QueryEmbedding, Threshold: threshold, Limit: maxSimilar,
		Among: func(ctx context.Context) ([]int64, error) {
			return runRead(ctx, f, codeSearchFailed, func(tx *store.Tx) ([]int64, error) { return records.In(tx).Filter(q.filter, maxFilteredRecords) })
		},
	})
	if err == nil && q.similar.Failure != nil {
		q.meaning, q.words = false, len(q.terms) > 0
	}
	return tools.WrapFailure(ctx, codeSearchFailed, err)
}

func (f *family) planRetrieval(in retrieveInput) (retrieval, error) {
	q := retrieval{limit: cmp.Or(in.Limit, defaultRecords), terms: slices.Clone(in.Search), filter: records.Filter{Type: resolveTypeAlias(in.Type)}}
	err := checkNotBlank("type", in.Type)
	if err != nil {
		return q, err
	}
	if q.filter.Values, err = hashFilterValues("properties", in.Properties); err != nil {
		return q, err
	}
	for i, term := range in.Search {
		if len(language.Wordings(term)) == 0 {
			return q, tools.Invalid(tools.CodeInvalid, fmt.Sprintf("search[%d]", i), "a word", "search[%d] has no word to look for; leave it out or give letters or digits", i)
		}
		q.terms[i] = words.ContentWords(term)
		q.undated = append(q.undated, words.ContentWords(words.RemoveDates(term, f.Store.Now())))
	}
	if err := checkEmbedding("query_embedding", in.QueryEmbedding); err != nil {
		return q, err
	}
	searching := len(q.terms) > 0 || len(in.QueryEmbedding) > 0
	q.meaning = searching && f.Vectors != nil && in.SearchMode != modeKeyword
	q.words = len(q.terms) > 0 && (in.SearchMode != modeSemantic || f.Vectors == nil)
	return q, nil
}

// hashFilterValues returns the index keys of equality filters by field or dotted path.
func hashFilterValues(field string, raw json.RawMessage) ([]int64, error) {
	keys := []int64{}
	filters, err := decodeObject(raw)
	if err != nil {
		return nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(filters)) {
		if strings.Count(path, ".") >= maxPathDepth {
			return nil, tools.Invalid(tools.CodeInvalid, field, "path depth", "a path in %s is deeper than %d levels; filter by the object that holds it", field, maxPathDepth)
		}
		keys = append(keys, hashValue(path, filters[path]))
	}
	return keys, nil
}

func (q retrieval) searchMode() string {
	switch {
	case q.words && q.meaning:
		return modeBoth
	case q.words:
		return modeKeyword
	case q.meaning:
		return modeSemantic
	}
	return modeNone
}

// fetchRecords returns the records up to the limit and how many there are in all.
func (q retrieval) fetchRecords(tx records.Rows) (list []records.Record, total int, err error) {
	switch {
	case q.words:
		list, total, err = tx.Search(q.terms, q.filter, q.limit)
		if err == nil && total == 0 {
			list, total, err = tx.Search(q.undated, q.filter, q.limit)
		}
	case !q.meaning:
		list, total, err = tx.Find(q.filter, q.limit)
	}
	if err == nil && q.meaning {
		list, total, err = q.mergeSimilar(tx, list, total)
	}
	return list, total, err
}

// mergeSimilar puts what was found by meaning and passes the filter before what was found
// by words alone.
func (q retrieval) mergeSimilar(tx records.Rows, byWords []records.Record, total int) ([]records.Record, int, error) {
	var terms []string
	if q.words {
		terms = q.terms
	}
	similarity := q.similar.Records
	matches, err := tx.MatchAmong(slices.Sorted(maps.Keys(similarity)), terms, q.filter)
	if err != nil {
		return nil, 0, err
	}
	for _, m := range matches {
		if !m.Keyword {
			total++
		}
	}
	list, err := tx.ByRows(rankSimilar(matches, similarity, q.limit))
	for _, r := range byWords {
		if _, near := similarity[r.Seq]; !near && len(list) < q.limit {
			list = append(list, r)
		}
	}
	return list, total, err
}

// addSearchWarnings says what the comparison by meaning could not do.
func (q retrieval) addSearchWarnings(h *tools.Hints) {
	if err := q.similar.Failure; err != nil {
		compared := "words alone were compared"
		if !q.words {
			compared = "nothing was compared"
		}
		h.Warn("validation", tools.PriorityMedium, fmt.Sprintf("%s: %v", compared, err), "search again later, or by the words that the records use")
	}
	if q.similar.Note != "" {
		h.Warn("validation", tools.PriorityLow, q.similar.Note, "search again later")
	}
	if q.similar.More {
		h.Warn("performance", tools.PriorityLow, fmt.Sprintf("more than %d records are similar; total counts no more of them", maxSimilar), "raise similarity_threshold")
	}
}

// bestMatch is how well a record answers one of the terms, or how similar it is,
// whichever is more, for the best of the first records; and the words in it.
func bestMatch(terms []string, records []foundRecord) (best float64, matched []string) {
	for _, r := range records[:min(len(records), weighedRecords)] {
		if r.Similarity != nil {
			best = max(best, *r.Similarity)
		}
		text := r.Type + "\n" + string(r.Properties)
		for _, term := range terms {
			asked := words.AnalyseQuery(term)
			if relevance := words.RelevanceOfText(asked, text); relevance > best {
				best, matched = relevance, words.FindMatchedWords(asked, text)
			}
		}
	}
	return min(1, best), matched
}

func (f *family) retrieveHints(in retrieveInput, q retrieval, out retrieveOutput) *tools.Hints {
	best, matched := bestMatch(q.terms, out.Records)
	evidence := tools.NewReadEvidence(len(out.Records)).WithTotal(out.Total)
	if q.searchMode() != modeNone {
		evidence = tools.MatchEvidence(len(out.Records), len(matched), best)
	}
	h := tools.NewHints(evidence).Because(fmt.Sprintf("%d of %d matching records", len(out.Records), out.Total))
	if f.Vectors == nil && (in.SearchMode == modeSemantic || len(in.QueryEmbedding) > 0) {
		h.Warn("validation", tools.PriorityMedium, "this server does not compare by meaning; words were compared instead", "put the words that the records use into search")
	}
	q.addSearchWarnings(h)
	if fieldWarning := words.ExplainPoorMatch(best, matched); fieldWarning != "" && out.Total > 0 && q.searchMode() != modeNone {
		h.Warn("validation", tools.PriorityMedium, fieldWarning, "say that there is no such record, or search by words that it would use")
	}
	if out.Total == 0 {
		h.Warn("completeness", tools.PriorityLow, "nothing matches"+phraseUnmatchedFilters(map[string]bool{"type": in.Type != "", "properties": len(in.Properties) > 0, "search": len(q.terms)+len(in.QueryEmbedding) > 0}), "leave a filter out")
		return h.SuggestCall(findName, tools.PriorityMedium, nil, "look for an entity instead").
			SuggestCall(retrieveName, tools.PriorityLow, nil, "list the newest records of every type").Because("no record matches")
	}
	if out.Total > len(out.Records) && q.limit < 1000 {
		h.SuggestCall(retrieveName, tools.PriorityLow, map[string]any{"limit": min(1000, out.Total)}, "see more of the matching records")
	}
	for _, r := range out.Records {
		h.AddRelatedResource("record", r.ID, r.Type, 0.7)
	}
	return h.SuggestCall(findName, tools.PriorityLow, nil, "what all documents together say is in the entities")
}
