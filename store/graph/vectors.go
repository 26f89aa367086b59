package graph

import (
	"strings"

	"toolkit/store/internal/query"
)

// Vector is the vector of a node in the vector space of a model, in a form of the
// caller's choosing.
type Vector struct {
	Seq     int64  // place in the feed of vectors
	Node    int64  // Entity.ID
	Version int64  // of the text that was read; see Unembedded
	Vector  []byte // nil: there is nothing to compare
}

// Unembedded is a node that has no vector of its present text.
type Unembedded struct {
	ID      int64
	Version int64
	Text    string
}

// maxEmbeddedObservations is how many observations of a node its vector is made of.
const maxEmbeddedObservations = 50

// ListUnembedded returns up to limit nodes without a vector of their present text in the
// space of a model, in the order of their last change. Those up to the version after are
// known to have theirs; all up to last have.
func (tx Rows) ListUnembedded(model string, after int64, limit int) (list []Unembedded, last int64, err error) {
	versions := map[int64]int64{}
	var ids []int64
	err = tx.sql.Each(func(scan query.Scan) error {
		var id, version int64
		err := scan(&id, &version)
		ids, versions[id] = append(ids, id), version
		return err
	}, `SELECT c.entity_id, c.seq FROM entity_changes c JOIN entities e ON e.id = c.entity_id
		LEFT JOIN node_vectors v ON v.node = c.entity_id AND v.space = (SELECT id FROM memory_spaces WHERE model = ?1)
		WHERE c.seq > ?2 AND coalesce(v.version, 0) < c.seq ORDER BY c.seq LIMIT ?3`, model, after, limit)
	if err != nil {
		return nil, 0, err
	}
	if len(ids) == 0 {
		err = tx.sql.Row(`SELECT coalesce(max(seq), 0) FROM entity_changes`).Scan(&last)
		return nil, last, err
	}
	entities, err := tx.ReadEntities(ids, maxEmbeddedObservations)
	for _, e := range entities {
		list = append(list, Unembedded{e.ID, versions[e.ID], e.embeddedText()})
	}
	return list, versions[ids[len(ids)-1]], err
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
func (tx Rows) InsertVectors(model string, vectors []Vector) error {
	if len(vectors) == 0 {
		return nil
	}
	if err := tx.sql.Exec(`INSERT OR IGNORE INTO memory_spaces(model) VALUES(?)`, model); err != nil {
		return err
	}
	for _, v := range vectors {
		var blob any // a nil slice would be stored as an empty one
		if v.Vector != nil {
			blob = v.Vector
		}
		if err := tx.sql.Exec(`INSERT OR REPLACE INTO node_vectors(space, node, version, vector) SELECT s.id, e.id, ?3, ?4 FROM memory_spaces s, entities e WHERE s.model = ?1 AND e.id = ?2`,
			model, v.Node, v.Version, blob); err != nil {
			return err
		}
	}
	return nil
}

// emptyVectors takes away the vectors of nodes that are deleted or lost a part of their
// text. The emptied rows tell the indexes of other processes.
func (tx Rows) emptyVectors(ids []int64) error {
	return tx.sql.Exec(`INSERT OR REPLACE INTO node_vectors(space, node, version) SELECT space, node, 0 FROM node_vectors WHERE node IN (SELECT value FROM json_each(?1))`, query.List(ids))
}

// ListVectorChanges returns up to limit vectors in the space of a model that came or went
// after a place in the feed, in order.
func (tx Rows) ListVectorChanges(model string, after int64, limit int) ([]Vector, error) {
	return query.All(tx.sql, func(scan query.Scan) (v Vector, err error) {
		err = scan(&v.Seq, &v.Node, &v.Vector)
		return v, err
	}, `SELECT seq, node, vector FROM node_vectors WHERE space = (SELECT id FROM memory_spaces WHERE model = ?1) AND seq > ?2 ORDER BY seq LIMIT ?3`, model, after, limit)
}

// CountVectorChanges counts what ListVectorChanges would return, up to a limit.
func (tx Rows) CountVectorChanges(model string, after int64, limit int) (count int, err error) {
	err = tx.sql.Row(`SELECT count(*) FROM (SELECT 1 FROM node_vectors WHERE space = (SELECT id FROM memory_spaces WHERE model = ?1) AND seq > ?2 LIMIT ?3)`, model, after, limit).Scan(&count)
	return count, err
}

// CountUnembedded is how many nodes have no vector of their present text in the space of
// a model.
func (tx Rows) CountUnembedded(model string) (count int, err error) {
	err = tx.sql.Row(`SELECT count(*) FROM entity_changes c JOIN entities e ON e.id = c.entity_id
		LEFT JOIN node_vectors v ON v.node = c.entity_id AND v.space = (SELECT id FROM memory_spaces WHERE model = ?1) WHERE coalesce(v.version, 0) < c.seq`, model).Scan(&count)
	return count, err
}

// DeleteVectors deletes the vectors of every other model and returns how many there were.
func (tx Rows) DeleteVectors(except string) (int64, error) {
	return tx.sql.Change(`DELETE FROM node_vectors WHERE space IN (SELECT id FROM memory_spaces WHERE model <> ?)`, except)
}
