package entities

import (
	"toolkit/store"
	"toolkit/store/internal/query"
)

// MergedGroup are the rows of an entity and of all that was merged into it.
func (tx Rows) MergedGroup(root int64) ([]int64, error) {
	return tx.sql.IDs(`SELECT seq FROM truth_entities WHERE root = ? ORDER BY seq`, root)
}

// DeleteObservations removes everything that was said of an entity.
func (tx Rows) DeleteObservations(root int64) error {
	tx.sql.Touch(store.TopicPayloads)
	return tx.sql.Exec(`DELETE FROM truth_observations WHERE entity = ?`, root)
}

// DeleteEntities removes those of some entities of which nothing is said any
// more, with their relationships. One that others were merged into loses its name
// only.
func (tx Rows) DeleteEntities(rows []int64) error {
	bare, err := tx.sql.IDs(`SELECT e.seq FROM json_each(?) j JOIN truth_entities e ON e.seq = j.value
		WHERE NOT EXISTS (SELECT 1 FROM truth_observations o WHERE o.origin = e.seq)
		AND (e.root <> e.seq OR NOT EXISTS (SELECT 1 FROM truth_observations o WHERE o.entity = e.seq))`, query.List(rows))
	if err != nil || len(bare) == 0 {
		return err
	}
	tx.sql.Touch(store.TopicPayloads)
	return tx.sql.ExecAll([]string{
		`DELETE FROM typed_relationships WHERE source IN (SELECT value FROM json_each(?1)) OR target IN (SELECT value FROM json_each(?1))`,
		`UPDATE truth_entities SET name = '', name_key = '' WHERE seq IN (SELECT value FROM json_each(?1))`,
		`UPDATE records SET entity = NULL WHERE entity IN (SELECT value FROM json_each(?1))`,
		`UPDATE truth_entities SET merged_into = NULL WHERE seq IN (SELECT value FROM json_each(?1)) AND root IN (SELECT value FROM json_each(?1))`,
		`DELETE FROM truth_entities WHERE seq IN (SELECT value FROM json_each(?1))
			AND NOT EXISTS (SELECT 1 FROM truth_entities m WHERE m.merged_into = truth_entities.seq)`,
	}, query.List(bare))
}

// DeleteRelationships removes relationships between truth entities, and returns the
// entities that they led from and to.
func (tx Rows) DeleteRelationships(ids []string) (ends []int64, err error) {
	tx.sql.Touch(store.TopicPayloads)
	err = tx.sql.Each(func(scan query.Scan) error {
		var source, target int64
		err := scan(&source, &target)
		ends = append(ends, source, target)
		return err
	}, `DELETE FROM typed_relationships WHERE id IN (SELECT value FROM json_each(?)) RETURNING source_root, target_root`, query.List(ids))
	return ends, err
}
