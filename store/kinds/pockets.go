package kinds

import (
	"toolkit/store"
	"toolkit/store/internal/query"
)

// ForgetPocketRows removes rows of one kind of what was brought in about pockets.
func (tx Rows) ForgetPocketRows(kind string, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	tx.sql.Touch(store.TopicPockets)
	rows := tables[kind]
	return tx.sql.Exec(`DELETE FROM `+rows.from[:len(rows.from)-len(" t")]+` AS t WHERE `+rows.id+` IN (SELECT value FROM json_each(?))`, query.List(ids))
}

// PredictionsContaining counts the sealed predictions that contain one of some
// texts.
func (tx Rows) PredictionsContaining(texts []string) (n int, err error) {
	wanted := newNeedles(texts)
	return n, tx.sql.Each(func(scan query.Scan) error {
		var text string
		err := scan(&text)
		if err == nil && wanted.matchText(text) {
			n++
		}
		return err
	}, `SELECT generator || ' | ' || prediction_key || ' | ' || payload || ' | ' || coalesce(observation, '') FROM pocket_predictions`)
}
