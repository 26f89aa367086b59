package memory

import (
	"toolkit/store"
	"toolkit/store/internal/query"
)

// GroundTruth is a query whose documents two judges rate.
type GroundTruth struct {
	ID           int64
	Query        string
	ExpectedDocs []int64 // nil: not labelled
}

// JudgeScore is what two judges said of one document; a nil score failed.
type JudgeScore struct {
	DocID  int64
	Judge1 *float64
	Judge2 *float64
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
	return tx.sql.Insert(`INSERT INTO ground_truth(query, expected_docs, created_at) VALUES(?, ?, ?)`, query, labels(docs), tx.sql.Now())
}

// LabelGroundTruth gives an unlabelled query its expected documents. Labelled
// ones are frozen by a trigger.
func (tx Rows) LabelGroundTruth(id int64, docs []int64) error {
	tx.sql.Touch(store.TopicGolden)
	return tx.sql.Exec(`UPDATE ground_truth SET expected_docs = ? WHERE id = ?`, labels(docs), id)
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

func labels(docs []int64) any {
	if docs == nil {
		return nil
	}
	return query.List(docs)
}
