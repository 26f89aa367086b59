package sessions

import "toolkit/store/internal/query"

// InsightOf returns the insight that a statement became, by the hash of the statement;
// 0 and known when that was forgotten.
func (tx Rows) InsightOf(statement []byte) (id int64, known bool, err error) {
	known, err = query.RowFound(tx.sql.Row(`SELECT coalesce(insight, 0) FROM capture_things WHERE thing = ?`, statement).Scan(&id))
	return id, known, err
}

// NoteInsight notes which insight a statement became.
func (tx Rows) NoteInsight(statement []byte, insight int64) error {
	return tx.sql.Exec(`INSERT INTO capture_things(thing, insight) VALUES(?, ?) ON CONFLICT(thing) DO UPDATE SET insight = excluded.insight`, statement, insight)
}
