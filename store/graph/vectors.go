package graph

import (
	"slices"
	"strings"

	"toolkit/store"
	"toolkit/store/internal/query"
)

var vectors = query.VectorTable{Name: "node_vectors", Key: "node", Spaces: "memory_spaces"}

// maxEmbeddedObservations is how many observations of a node its vector is made of.
const maxEmbeddedObservations = 50

// ListUnembedded returns up to limit nodes without a vector of their present text in the
// space of a model, in the order of their last change. Those up to the version after are
// known to have theirs; all up to last have.
func (tx Rows) ListUnembedded(model string, after int64, limit int) (list []store.Unembedded, last int64, err error) {
	changes, err := query.Select(tx.sql, func(c *entityChange) []any { return []any{&c.id, &c.sequence} }, `SELECT c.entity_id, c.seq FROM entity_changes c JOIN entities e ON e.id = c.entity_id
		LEFT JOIN node_vectors v ON v.node = c.entity_id AND v.space = (SELECT id FROM memory_spaces WHERE model = ?1)
		WHERE c.seq > ?2 AND coalesce(v.version, 0) < c.seq ORDER BY c.seq LIMIT ?3`, model, after, limit)
	if err != nil {
		return nil, 0, err
	}
	if len(changes) == 0 {
		last, err = query.Value[int64](tx.sql, `SELECT coalesce(max(seq), 0) FROM entity_changes`)
		return nil, last, err
	}
	versions := map[int64]int64{}
	for _, c := range changes {
		versions[c.id], last = c.sequence, c.sequence
	}
	for batch := range slices.Chunk(idsOf(changes), query.UnembeddedBatch) {
		entities, err := tx.ReadEntities(batch, maxEmbeddedObservations)
		if err != nil {
			return nil, 0, err
		}
		for _, e := range entities {
			list = append(list, query.NewUnembedded(e.ID, versions[e.ID], e.embeddedText()))
		}
	}
	return list, last, nil
}

// embeddedText is what stands for a node in a vector space: a sentence for its name or
// title, one for each observation, and its narrative.
func (e Entity) embeddedText() string {
	var lines []string
	if e.title == "" {
		lines = append(lines, strings.ReplaceAll(e.Name, "_", " ")+" ("+e.Type+")")
	} else {
		lines = append(lines, e.title)
	}
	for _, o := range append(e.Observations, e.body) {
		if o != "" && o != e.title {
			lines = append(lines, o)
		}
	}
	return strings.Join(lines, "\n")
}

// InsertVectors stores vectors of nodes that still exist in the space of a model, in
// place of those that they had.
func (tx Rows) InsertVectors(model string, list []store.Vector) error {
	if len(list) == 0 {
		return nil
	}
	if err := tx.sql.Exec(`INSERT OR IGNORE INTO memory_spaces(model) VALUES(?)`, model); err != nil {
		return err
	}
	for _, v := range list {
		if err := tx.sql.Exec(`INSERT OR REPLACE INTO node_vectors(space, node, version, vector) SELECT s.id, e.id, ?3, ?4 FROM memory_spaces s, entities e WHERE s.model = ?1 AND e.id = ?2`,
			model, v.ID, v.Version, query.NullIfNil(v.Vector)); err != nil {
			return err
		}
	}
	return nil
}

// clearVectors takes away the vectors of nodes that are deleted or lost a part of their
// text. The emptied rows tell the indexes of other processes.
func (tx Rows) clearVectors(ids []int64) error {
	return tx.sql.Exec(`INSERT OR REPLACE INTO node_vectors(space, node, version) SELECT space, node, 0 FROM node_vectors WHERE node IN (SELECT value FROM json_each(?1))`, query.List(ids))
}

// ListVectorChanges returns up to limit vectors in the space of a model that came or went
// after a place in the feed, in order.
func (tx Rows) ListVectorChanges(model string, after int64, limit int) ([]store.Vector, error) {
	return vectors.ListChanges(tx.sql, model, after, limit)
}

// CountUnembedded returns how many nodes have no vector of their present text in the space of
// a model.
func (tx Rows) CountUnembedded(model string) (int, error) {
	return query.Value[int](tx.sql, `SELECT count(*) FROM entity_changes c JOIN entities e ON e.id = c.entity_id
		LEFT JOIN node_vectors v ON v.node = c.entity_id AND v.space = (SELECT id FROM memory_spaces WHERE model = ?1) WHERE coalesce(v.version, 0) < c.seq`, model)
}

// DeleteVectors deletes the vectors of every other model and returns how many there were.
func (tx Rows) DeleteVectors(except string) (int64, error) {
	return tx.sql.ExecAndCountRows(`DELETE FROM node_vectors WHERE space IN (SELECT id FROM memory_spaces WHERE model <> ?)`, except)
}
