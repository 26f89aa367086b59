package memory

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/memory"
)

// scanSearcher is a Searcher that reads every row and compares words. It stands
// in for the real one where only the family's own rules are tested.
type scanSearcher struct {
	store *store.DB

	mu      sync.Mutex
	indexed []memory.Row    // what Index was given
	queries []Query         // what Search was given
	status  EmbeddingStatus // what Index answers; empty: Embedded
	fail    error           // what Index answers instead
}

func (s *scanSearcher) PrepareVector(context.Context, string) {}

func (s *scanSearcher) UseVector(string, []float32) {}

func (s *scanSearcher) IsModelFailing() bool { return s.status == Pending }

func (s *scanSearcher) IndexRow(tx *store.Tx, row memory.Row) (EmbeddingStatus, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return "", s.fail
	}
	s.indexed = append(s.indexed, row)
	return cmp.Or(s.status, Embedded), nil
}

func (s *scanSearcher) Search(ctx context.Context, q Query, also ...func(*store.Tx, Found) error) (Found, error) {
	s.mu.Lock()
	s.queries = append(s.queries, q)
	s.mu.Unlock()
	found := Found{Dimension: Dimension, EmbeddingProvider: "scan (lexical)"}
	for _, source := range q.Sources {
		hits, err := s.ranked(ctx, source, q.Text, q.Filter)
		if err != nil {
			return found, err
		}
		found.SemanticCount += len(hits)
		found.KeywordCount += len(hits)
		for i := range hits {
			rank := i + 1
			hits[i].SemanticRank, hits[i].KeywordRank, hits[i].KeywordScore = &rank, &rank, hits[i].Similarity
			hits[i].Score = q.Weights.Semantic/float64(60+rank) + q.Weights.Keyword/float64(60+rank)
			hits[i].ScoreNormalized = 61 * hits[i].Score
		}
		found.Hits = append(found.Hits, hits...)
	}
	found.Hits = found.Hits[:min(q.TopK, len(found.Hits))]
	if q.Explain {
		found.Explanation = &Explanation{Terms: strings.Fields(q.Text), Dropped: []string{}, Depth: 50, Formula: "1/(60+rank)"}
	}
	return found, s.store.Read(ctx, func(tx *store.Tx) error {
		for _, read := range also {
			if err := read(tx, found); err != nil {
				return err
			}
		}
		return nil
	})
}

// ranked orders the rows of a source by the cosine of their words.
func (s *scanSearcher) ranked(ctx context.Context, source memory.Source, text string, f memory.Filter) ([]Hit, error) {
	rows, err := store.ReadValue(ctx, s.store, func(tx *store.Tx) ([]memory.Row, error) { return allRows(memory.In(tx), source, f) })
	if err != nil {
		return nil, err
	}
	hits := []Hit{}
	for _, row := range rows {
		if similarity := cosineOfWords(text, row.EmbeddedText()); similarity > 0 {
			hits = append(hits, Hit{row, Match{Similarity: &similarity, MatchedTerms: []string{}, Snippet: row.Content, Relevance: search.RelevanceOfText(search.AnalyseQuery(text), row.Content)}})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(*b.Similarity, *a.Similarity) })
	return hits, nil
}

func allRows(tx memory.Rows, source memory.Source, f memory.Filter) (rows []memory.Row, err error) {
	switch source {
	case memory.SourceInsight:
		filter := memory.InsightFilter{From: f.CreatedAfter, To: f.CreatedBefore, IncludeRetired: f.IncludeRetired, Limit: 10000}
		if f.FidelityMin != nil {
			filter.FidelityMin = *f.FidelityMin
		}
		list, err := tx.Insights(filter)
		for _, one := range list {
			rows = append(rows, one.Row())
		}
		return rows, err
	case memory.SourceEpisode:
		filter := memory.EpisodeFilter{From: f.CreatedAfter, To: f.CreatedBefore, RewardMin: -1, Limit: 10000}
		if f.RewardMin != nil {
			filter.RewardMin = *f.RewardMin
		}
		list, err := tx.Episodes(filter)
		for _, one := range list {
			rows = append(rows, one.Row())
		}
		return rows, err
	}
	list, err := tx.Dialogues(memory.DialogueFilter{SessionID: f.SessionID, Speaker: f.Speaker, From: f.CreatedAfter, To: f.CreatedBefore, Limit: 10000})
	for _, one := range list {
		rows = append(rows, one.Row())
	}
	return rows, err
}

func cosineOfWords(a, b string) float64 {
	left, right := map[string]bool{}, map[string]bool{}
	for _, w := range language.Terms(a) {
		left[w] = true
	}
	for _, w := range language.Terms(b) {
		right[w] = true
	}
	common := 0
	for w := range left {
		if right[w] {
			common++
		}
	}
	if common == 0 {
		return 0
	}
	return float64(common) / math.Sqrt(float64(len(left)*len(right)))
}
