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

// EachGoldenQuery visits the queries in the order in which they were added.
func (tx Rows) EachGoldenQuery(visit func(GoldenQuery) error) error {
	return query.EachRow(tx.sql, (*GoldenQuery).fields, visit, goldenColumns+`ORDER BY id`)
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
		g.Query, g.SessionID, labelsArgument(g.ExpectedDocs), g.WordCount, tx.sql.Now())
}

// LabelGoldenQuery gives an unlabelled query its expected documents. Labelled
// ones are frozen by a trigger.
func (tx Rows) LabelGoldenQuery(id int64, docs []int64) error {
	tx.sql.Touch(store.TopicGolden)
	return tx.sql.Exec(`UPDATE golden_queries SET expected_docs = ? WHERE id = ?`, labelsArgument(docs), id)
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

// GroundTruth is a query whose documents two judges rate.
type GroundTruth struct {
	ID           int64
	Query        string
	ExpectedDocs []int64 // nil: not labelled
}

// JudgeScore is what two judges said of one document, as it is published; a nil score failed.
type JudgeScore struct {
	DocID  int64    `json:"id"`
	Judge1 *float64 `json:"judge1_score" jsonschema:"oneof_type=number;null"`
	Judge2 *float64 `json:"judge2_score" jsonschema:"oneof_type=number;null"`
}

// Evaluation is the outcome of judging the documents of one query.
type Evaluation struct {
	QueryID     int64
	Judge1Score *float64 // mean, nil: no judgement
	Judge2Score *float64
	Judge1Model string
	Judge2Model string
	Mode        string
	Kappa       *float64 // nil: no document has both scores
	PerDocument []JudgeScore
}

// GroundTruthAt returns a query by id; nil when there is none.
func (tx Rows) GroundTruthAt(id int64) (*GroundTruth, error) {
	return query.Get(tx.sql, (*GroundTruth).fields, `SELECT id, query, expected_docs FROM ground_truth WHERE id = ?`, id)
}

// GroundTruthOf returns a query by its text; nil when there is none.
func (tx Rows) GroundTruthOf(text string) (*GroundTruth, error) {
	return query.Get(tx.sql, (*GroundTruth).fields, `SELECT id, query, expected_docs FROM ground_truth WHERE query = ?`, text)
}

func (g *GroundTruth) fields() []any {
	return []any{&g.ID, &g.Query, query.FromJSON(&g.ExpectedDocs)}
}

// InsertGroundTruth adds a query and returns its id; nil docs leave it
// unlabelled.
func (tx Rows) InsertGroundTruth(query string, docs []int64) (int64, error) {
	tx.sql.Touch(store.TopicGolden)
	return tx.sql.Insert(`INSERT INTO ground_truth(query, expected_docs, created_at) VALUES(?, ?, ?)`, query, labelsArgument(docs), tx.sql.Now())
}

// LabelGroundTruth gives an unlabelled query its expected documents. Labelled
// ones are frozen by a trigger.
func (tx Rows) LabelGroundTruth(id int64, docs []int64) error {
	tx.sql.Touch(store.TopicGolden)
	return tx.sql.Exec(`UPDATE ground_truth SET expected_docs = ? WHERE id = ?`, labelsArgument(docs), id)
}

// RecentGroundTruth returns the newest queries.
func (tx Rows) RecentGroundTruth(limit int) ([]GroundTruth, error) {
	return query.Select(tx.sql, (*GroundTruth).fields, `SELECT id, query, NULL FROM ground_truth ORDER BY id DESC LIMIT ?`, limit)
}

// StoreEvaluation keeps the latest evaluation of a query and the latest scores
// of each document.
func (tx Rows) StoreEvaluation(e Evaluation) error {
	tx.sql.Touch(store.TopicGolden)
	now := tx.sql.Now()
	if err := tx.sql.Exec(`UPDATE ground_truth SET judge1_score = ?, judge2_score = ?, judge1_model = ?, judge2_model = ?,
		judge_mode = ?, kappa = ?, evaluated_at = ? WHERE id = ?`,
		e.Judge1Score, e.Judge2Score, e.Judge1Model, e.Judge2Model, e.Mode, e.Kappa, now, e.QueryID); err != nil {
		return err
	}
	for _, s := range e.PerDocument {
		if err := tx.sql.Exec(`INSERT INTO judge_scores(query_id, doc_id, judge1_score, judge2_score, evaluated_at) VALUES(?, ?, ?, ?, ?)
			ON CONFLICT(query_id, doc_id) DO UPDATE SET judge1_score = excluded.judge1_score, judge2_score = excluded.judge2_score, evaluated_at = excluded.evaluated_at`,
			e.QueryID, s.DocID, s.Judge1, s.Judge2, now); err != nil {
			return err
		}
	}
	return nil
}

// JudgeScores returns the latest scores of a query's documents by document id.
func (tx Rows) JudgeScores(queryID int64) ([]JudgeScore, error) {
	return query.Select(tx.sql, func(s *JudgeScore) []any { return []any{&s.DocID, &s.Judge1, &s.Judge2} }, `SELECT doc_id, judge1_score, judge2_score FROM judge_scores WHERE query_id = ? ORDER BY doc_id`, queryID)
}

func labelsArgument(docs []int64) any {
	if docs == nil {
		return nil
	}
	return query.List(docs)
}
