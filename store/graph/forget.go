package graph

import (
	"toolkit/store"
	"toolkit/store/internal/query"
)

// ForgetObservations removes single observations by row.
func (tx Rows) ForgetObservations(rows []int64) error {
	if len(rows) == 0 {
		return nil
	}
	list := query.List(rows)
	entities, err := tx.sql.IDs(`SELECT DISTINCT entity_id FROM observations WHERE id IN (SELECT value FROM json_each(?)) ORDER BY entity_id`, list)
	if err != nil {
		return err
	}
	err = tx.sql.ExecAll([]string{
		`DELETE FROM observation_words WHERE rowid IN (SELECT value FROM json_each(?))`,
		`DELETE FROM observations WHERE id IN (SELECT value FROM json_each(?))`,
	}, list)
	if err != nil {
		return err
	}
	if err := tx.emptyVectors(entities); err != nil {
		return err
	}
	tx.TouchCharts()
	for _, entity := range entities {
		if err := tx.touchEntity(entity); err != nil {
			return err
		}
	}
	return nil
}

// ForgetLines removes lines of imported files that mean nothing here.
func (tx Rows) ForgetLines(rows []int64) error {
	if len(rows) == 0 {
		return nil
	}
	tx.sql.Touch(store.TopicGraph)
	return tx.sql.Exec(`DELETE FROM foreign_lines WHERE id IN (SELECT value FROM json_each(?))`, query.List(rows))
}
