package sessions

import "toolkit/store/internal/query"

// InsightOf returns the insight that a statement became, by the hash of the statement;
// 0 and known when that was forgotten.
func (tx Rows) InsightOf(statement []byte) (id int64, known bool, err error) {
	return query.Find(tx.sql, query.Column[int64], `SELECT coalesce(insight, 0) FROM capture_things WHERE thing = ?`, statement)
}

// NoteInsight notes which insight a statement became.
func (tx Rows) NoteInsight(statement []byte, insight int64) error {
	return tx.sql.Exec(`INSERT INTO capture_things(thing, insight) VALUES(?, ?) ON CONFLICT(thing) DO UPDATE SET insight = excluded.insight`, statement, insight)
}
