package memory

import (
	"time"

	"toolkit/internal/search"
	"toolkit/store/memory"
)

// EmbeddingStatus says whether a row's vector exists already.
type EmbeddingStatus string

// Statuses of an embedding.
const (
	Embedded EmbeddingStatus = "success"
	Pending  EmbeddingStatus = "pending" // stored and found by words; embedded later
)

// Dimension is the length of a query embedding that a caller may supply.
const Dimension = 1536

// Query is what to search for.
type Query struct {
	Text      string
	Embedding []float32 // supplied by the caller; nil: made from Text
	TopK      int       // 1..100
	Weights   search.Weights
	Sources   []memory.Source // at least one
	Filter    memory.Filter
	Explain   bool      // fill in Found.Explanation
	Asked     time.Time // "last week" counts from then; zero: from now
}

// Hit is a row that was found.
type Hit struct {
	Row memory.Row
	Match
}

// Match says how a row was found, as it is published. What a channel did not find is nil; ranks
// begin at 1.
type Match struct {
	Score           float64  `json:"score" jsonschema_description:"Reciprocal rank fusion, at most 1/61"`
	ScoreNormalized float64  `json:"score_normalized" jsonschema_description:"score × 61: 1 is first in both channels"`
	SemanticRank    *int     `json:"semantic_rank,omitempty"`
	KeywordRank     *int     `json:"keyword_rank,omitempty"`
	Similarity      *float64 `json:"similarity,omitempty"`
	KeywordScore    *float64 `json:"keyword_score,omitempty"`
	MatchedTerms    []string `json:"matched_terms,omitempty"`
	Snippet         string   `json:"snippet"`
	Relevance       float64  `json:"relevance" jsonschema:"minimum=0,maximum=1" jsonschema_description:"Share of the question's information that the text answers, rare words telling more; absolute, unlike score"`
}

// Found is the outcome of a search.
type Found struct {
	Hits              []Hit
	SemanticCount     int // candidates of the channel
	KeywordCount      int
	Dimension         int    // of the query's embedding, 0 when there was none
	EmbeddingProvider string // such as "off"
	// Note says what a reader of the result should know, such as that a provider
	// failed and keywords alone were searched. May be empty.
	Note        string
	Explanation *Explanation // when asked for
}

// bestHit is the hit that answers most of the question, whatever its rank; the zero
// Hit when there is none.
func (f Found) bestHit() Hit {
	var best Hit
	for i, hit := range f.Hits {
		if i == 0 || hit.Relevance > best.Relevance {
			best = hit
		}
	}
	return best
}

// explainPoorMatch says why nothing found is an answer; "" when something may be.
func (f Found) explainPoorMatch() string {
	if len(f.Hits) == 0 {
		return ""
	}
	best := f.bestHit()
	return search.ExplainPoorMatch(best.Relevance, best.MatchedTerms)
}

// Explanation tells how a result came about.
type Explanation struct {
	Terms   []string `json:"terms" jsonschema_description:"Terms that were searched"`
	Dropped []string `json:"dropped,omitempty" jsonschema_description:"Words left out as too common"`
	Depth   int      `json:"depth" jsonschema_description:"Candidates taken from each channel at most"`
	Formula string   `json:"formula" jsonschema_description:"How a score follows from the ranks"`
}
