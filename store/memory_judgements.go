package store

import (
	"database/sql"

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
func (tx *Tx) GroundTruthAt(id int64) (*GroundTruth, error) {
	return scanGroundTruth(tx.row(`SELECT id, query, expected_docs FROM ground_truth WHERE id = ?`, id))
}

// GroundTruthOf returns a query by its text; nil when there is none.
func (tx *Tx) GroundTruthOf(query string) (*GroundTruth, error) {
	return scanGroundTruth(tx.row(`SELECT id, query, expected_docs FROM ground_truth WHERE query = ?`, query))
}

func scanGroundTruth(row *sql.Row) (*GroundTruth, error) {
	var g GroundTruth
	var docs sql.NullString
	ok, err := query.Found(row.Scan(&g.ID, &g.Query, &docs))
	if !ok || err != nil {
		return nil, err
	}
	g.ExpectedDocs, err = nullableInts(docs)
	return &g, err
}

// InsertGroundTruth adds a query and returns its id; nil docs leave it
// unlabelled.
func (tx *Tx) InsertGroundTruth(query string, docs []int64) (int64, error) {
	tx.touch(TopicGolden)
	return tx.insert(`INSERT INTO ground_truth(query, expected_docs, created_at) VALUES(?, ?, ?)`, query, labels(docs), tx.now())
}

// LabelGroundTruth gives an unlabelled query its expected documents. Labelled
// ones are frozen by a trigger.
func (tx *Tx) LabelGroundTruth(id int64, docs []int64) error {
	tx.touch(TopicGolden)
	return tx.exec(`UPDATE ground_truth SET expected_docs = ? WHERE id = ?`, labels(docs), id)
}

// RecentGroundTruth returns the newest queries.
func (tx *Tx) RecentGroundTruth(limit int) ([]GroundTruth, error) {
	list := []GroundTruth{}
	err := tx.each(func(scan func(...any) error) error {
		var g GroundTruth
		err := scan(&g.ID, &g.Query)
		list = append(list, g)
		return err
	}, `SELECT id, query FROM ground_truth ORDER BY id DESC LIMIT ?`, limit)
	return list, err
}

// StoreEvaluation keeps the latest evaluation of a query and the latest scores
// of each document.
func (tx *Tx) StoreEvaluation(e Evaluation) error {
	tx.touch(TopicGolden)
	now := tx.now()
	if err := tx.exec(`UPDATE ground_truth SET judge1_score = ?, judge2_score = ?, judge1_model = ?, judge2_model = ?,
		judge_mode = ?, kappa = ?, evaluated_at = ? WHERE id = ?`,
		e.Judge1Score, e.Judge2Score, e.Judge1Model, e.Judge2Model, e.Mode, e.Kappa, now, e.QueryID); err != nil {
		return err
	}
	for _, s := range e.PerDocument {
		if err := tx.exec(`INSERT INTO judge_scores(query_id, doc_id, judge1_score, judge2_score, evaluated_at) VALUES(?, ?, ?, ?, ?)
			ON CONFLICT(query_id, doc_id) DO UPDATE SET judge1_score = excluded.judge1_score, judge2_score = excluded.judge2_score, evaluated_at = excluded.evaluated_at`,
			e.QueryID, s.DocID, s.Judge1, s.Judge2, now); err != nil {
			return err
		}
	}
	return nil
}

// JudgeScores returns the latest scores of a query's documents by document id.
func (tx *Tx) JudgeScores(queryID int64) ([]JudgeScore, error) {
	list := []JudgeScore{}
	err := tx.each(func(scan func(...any) error) error {
		var s JudgeScore
		err := scan(&s.DocID, &s.Judge1, &s.Judge2)
		list = append(list, s)
		return err
	}, `SELECT doc_id, judge1_score, judge2_score FROM judge_scores WHERE query_id = ? ORDER BY doc_id`, queryID)
	return list, err
}

func labels(docs []int64) any {
	if docs == nil {
		return nil
	}
	return query.List(docs)
}
