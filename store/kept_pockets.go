package store

import "toolkit/store/internal/query"

// ForgetPocketRows removes rows of one kind of what was brought in about pockets.
func (tx *Tx) ForgetPocketRows(kind string, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	tx.touch(TopicPockets)
	rows := keptOf[kind]
	return tx.exec(`DELETE FROM `+rows.from[:len(rows.from)-len(" t")]+` AS t WHERE `+rows.id+` IN (SELECT value FROM json_each(?))`, query.List(ids))
}

// PredictionsContaining counts the sealed predictions that contain one of some
// texts.
func (tx *Tx) PredictionsContaining(texts []string) (n int, err error) {
	wanted := newNeedles(texts)
	return n, tx.each(func(scan func(...any) error) error {
		var text string
		err := scan(&text)
		if err == nil && wanted.in(text) {
			n++
		}
		return err
	}, `SELECT generator || char(10) || prediction_key || char(10) || payload || char(10) || coalesce(observation, '') FROM pocket_predictions`)
}
