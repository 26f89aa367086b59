package memory

import (
	"encoding/json"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// GoldenQuery is a query whose retrieval is tested every day.
type GoldenQuery struct {
	ID           int64
	Query        string
	SessionID    string  // empty: unknown
	ExpectedDocs []int64 // ids of insights; nil: not labelled
	WordCount    int
}

const goldenColumns = `SELECT id, query, session_id, expected_docs, word_count FROM golden_queries `

// GoldenQueries returns up to limit queries after the given id, in order.
func (tx Rows) GoldenQueries(after int64, limit int) ([]GoldenQuery, error) {
	return query.Select(tx.sql, (*GoldenQuery).fields, goldenColumns+`WHERE id > ? ORDER BY id LIMIT ?`, after, limit)
}

// GoldenQueryOf returns a query by text and session; nil when there is none.
func (tx Rows) GoldenQueryOf(text, session string) (*GoldenQuery, error) {
	return query.Get(tx.sql, (*GoldenQuery).fields, goldenColumns+`WHERE query = ? AND session_id = ?`, text, session)
}

func (g *GoldenQuery) fields() []any {
	return []any{&g.ID, &g.Query, &g.SessionID, query.FromJSON(&g.ExpectedDocs), &g.WordCount}
}

// InsertGoldenQuery adds a query and returns its id.
func (tx Rows) InsertGoldenQuery(g GoldenQuery) (int64, error) {
	tx.sql.Touch(store.TopicGolden)
	return tx.sql.Insert(`INSERT INTO golden_queries(query, session_id, expected_docs, word_count, created_at) VALUES(?, ?, ?, ?, ?)`,
		g.Query, g.SessionID, labels(g.ExpectedDocs), g.WordCount, tx.sql.Now())
}

// LabelGoldenQuery gives an unlabelled query its expected documents. Labelled
// ones are frozen by a trigger.
func (tx Rows) LabelGoldenQuery(id int64, docs []int64) error {
	tx.sql.Touch(store.TopicGolden)
	return tx.sql.Exec(`UPDATE golden_queries SET expected_docs = ? WHERE id = ?`, labels(docs), id)
}

// GoldenDay is the result of one day.
type GoldenDay struct {
	Day       string // YYYY-MM-DD
	Precision float64
	Metrics   json.RawMessage // object
	Queries   []GoldenQueryResult
}

// GoldenQueryResult is the precision at five of one query on one day.
type GoldenQueryResult struct {
	QueryID   int64
	Precision float64
}

// StoreGoldenDay keeps the result of a day in place of an earlier one of the
// same day.
func (tx Rows) StoreGoldenDay(d GoldenDay) error {
	tx.sql.Touch(store.TopicGolden)
	if err := tx.sql.Exec(`INSERT INTO golden_results(day, precision_at_5, metrics, tested_at) VALUES(?, ?, ?, ?)
		ON CONFLICT(day) DO UPDATE SET precision_at_5 = excluded.precision_at_5, metrics = excluded.metrics, tested_at = excluded.tested_at`,
		d.Day, d.Precision, string(d.Metrics), tx.sql.Now()); err != nil {
		return err
	}
	for _, q := range d.Queries {
		if err := tx.sql.Exec(`INSERT INTO golden_query_results(query_id, day, precision_at_5) VALUES(?, ?, ?)
			ON CONFLICT(query_id, day) DO UPDATE SET precision_at_5 = excluded.precision_at_5`, q.QueryID, d.Day, q.Precision); err != nil {
			return err
		}
	}
	return nil
}

// GoldenPrecisions returns the precision of each day from first (inclusive) to
// last (exclusive), oldest first.
func (tx Rows) GoldenPrecisions(first, last string) ([]float64, error) {
	return query.Select(tx.sql, query.Column[float64], `SELECT precision_at_5 FROM golden_results WHERE day >= ? AND day < ? ORDER BY day`, first, last)
}

// PreviousGoldenResults returns the newest precision of each query before day.
func (tx Rows) PreviousGoldenResults(day string) (map[int64]float64, error) {
	return query.Map[int64, float64](tx.sql, `SELECT r.query_id, r.precision_at_5 FROM golden_queries q
		JOIN golden_query_results r ON r.query_id = q.id
			AND r.day = (SELECT max(day) FROM golden_query_results e WHERE e.query_id = q.id AND e.day < ?)`, day)
}
