// Package memory keeps dialogue, insights, episodes, working and stale memory,
// golden queries and judgements, and the index by which dialogue, insights and
// episodes are searched: their words and their vectors.
package memory

import (
	"encoding/json"
	"strconv"
	"time"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Rows are what a transaction sees of all this.
type Rows struct{ sql *query.Tx }

// In returns the rows of a transaction.
func In(tx *store.Tx) Rows { return Rows{(*query.Tx)(tx)} }

// Source names a kind of memory that can be searched.
type Source string

// Searchable kinds of memory.
const (
	SourceInsight  Source = "l2"
	SourceEpisode  Source = "episode"
	SourceDialogue Source = "l0"
)

// Row is a row of dialogue, insight or episode as an index takes it and a
// search returns it. Fields that a source does not have are zero.
type Row struct {
	Source  Source
	ID      int64
	Content string    // what a reader is shown
	At      time.Time // when it happened: the event date of dialogue, else when it was stored

	SessionID string          // dialogue
	Speaker   string          // dialogue
	Metadata  json.RawMessage // dialogue: an object, or nil

	SourceIDs []int64 // insight: dialogue it came from
	Fidelity  float64 // insight
	Extracted string  // insight: which kind it is, when the words of its source were found by a pattern
	Retired   bool    // insight: superseded or deleted, found only when asked for

	Query      string  // episode
	Reflection string  // episode
	Reward     float64 // episode
}

// EmbeddedText is what a row's vector is made of: of an episode the query alone,
// so that a new question finds what was learned from a similar one.
func (r Row) EmbeddedText() string {
	if r.Source == SourceEpisode {
		return r.Query
	}
	return r.Content
}

func millis(t time.Time) int64 { return t.UnixMilli() }

func timeFromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// findMissing returns which of ids no row has, in their order and once each. The
// query takes a JSON array and returns those that exist.
func (tx Rows) findMissing(existing string, ids []int64) ([]int64, error) {
	known, err := tx.sql.IDs(existing, query.List(ids))
	if err != nil {
		return nil, err
	}
	seen := make(map[int64]bool, len(known))
	for _, id := range known {
		seen[id] = true
	}
	missing := []int64{}
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			missing = append(missing, id)
		}
	}
	return missing, nil
}

// queryArguments numbers the parameters of a query that is put together from
// constant parts, so that each combination is one constant text.
type queryArguments struct{ values []any }

func (a *queryArguments) add(v any) string {
	a.values = append(a.values, v)
	return "?" + strconv.Itoa(len(a.values))
}
