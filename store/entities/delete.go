package entities

import (
	"slices"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// DeleteObservations removes what was said of some entities themselves, without what was
// said of others that were merged into them.
func (tx Rows) DeleteObservations(origins []int64) error {
	tx.sql.Touch(store.TopicPayloads)
	return tx.sql.Exec(`DELETE FROM truth_observations WHERE origin IN (SELECT value FROM json_each(?))`, query.List(origins))
}

// MoveMergedOutOfDeleted takes the others out of some entities that were merged into them and go:
// each goes over to the nearest one above that stays, or is itself again. It returns the
// rows of those that now hold their observations.
func (tx Rows) MoveMergedOutOfDeleted(going []int64) (holders []int64, err error) {
	others, err := query.Select(tx.sql, (*Entity).fields, `SELECT `+entityColumns+` FROM truth_entities e
		WHERE e.merged_into IN (SELECT value FROM json_each(?1)) AND e.seq NOT IN (SELECT value FROM json_each(?1)) ORDER BY e.seq`, query.List(going))
	if err != nil {
		return nil, err
	}
	for _, e := range others {
		into := e.MergedInto
		for slices.Contains(going, into) {
			above, err := tx.ByRow(into)
			if err != nil {
				return nil, err
			}
			into = above.MergedInto
		}
		if err := tx.SetMergedInto(e.Seq, into); err != nil {
			return nil, err
		}
		if into == 0 {
			holders = append(holders, e.Seq)
		}
	}
	return holders, nil
}

// DeleteUnobservedEntities removes those of some entities of which nothing is said any
// more, with their relationships.
func (tx Rows) DeleteUnobservedEntities(rows []int64) error {
	bare, err := tx.sql.IDs(`SELECT e.seq FROM json_each(?) j JOIN truth_entities e ON e.seq = j.value
		WHERE NOT EXISTS (SELECT 1 FROM truth_observations o WHERE o.origin = e.seq)
		AND (e.root <> e.seq OR NOT EXISTS (SELECT 1 FROM truth_observations o WHERE o.entity = e.seq))`, query.List(rows))
	if err != nil || len(bare) == 0 {
		return err
	}
	if _, err := tx.MoveMergedOutOfDeleted(bare); err != nil {
		return err
	}
	tx.sql.Touch(store.TopicPayloads)
	return tx.sql.ExecAll([]string{
		`DELETE FROM typed_relationships WHERE source IN (SELECT value FROM json_each(?1)) OR target IN (SELECT value FROM json_each(?1))`,
		`UPDATE records SET entity = NULL WHERE entity IN (SELECT value FROM json_each(?1))`,
		`DELETE FROM truth_entities WHERE seq IN (SELECT value FROM json_each(?1))`,
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
