package graph

import (
	"time"

	"toolkit/store/internal/query"
)

// Node is an entity as a drawing of the graph needs it.
type Node struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Type   string `json:"type"`
	Kind   Kind   `json:"kind"`
	Title  string `json:"title,omitempty"` // desired outcome, step title or beat title
	Degree int    `json:"degree"`          // relations at either end, up to 1000 each way: enough to draw it large, without walking a hub of millions
}

// Edge is a relation by the row ids of its ends.
type Edge struct {
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Type string `json:"type"`
}

// Neighbour is a node at the other end of a relation.
type Neighbour struct {
	Node
	Relation string `json:"relation"`
	Outward  bool   `json:"outward"` // the relation leads from the entity to this node
}

// drawnColumns reads a Node from entities e; see fields.
const drawnColumns = `e.id, e.name, e.type, e.kind, e.title,
	(SELECT count(*) FROM (SELECT 1 FROM relations WHERE from_id = e.id LIMIT 1000)) +
	(SELECT count(*) FROM (SELECT 1 FROM relations WHERE to_id = e.id LIMIT 1000))`

func (n *Node) fields() []any { return []any{&n.ID, &n.Name, &n.Type, &n.Kind, &n.Title, &n.Degree} }

// ListNewestLinkedNodes returns row ids for a first picture of the graph: the ends of the
// newest relations, then the newest entities, at most limit in all.
func (tx Rows) ListNewestLinkedNodes(limit int) ([]int64, error) {
	chosen := make([]int64, 0, limit)
	seen := make(map[int64]bool, limit)
	choose := func(id int64) {
		if !seen[id] && len(chosen) < limit {
			seen[id] = true
			chosen = append(chosen, id)
		}
	}
	err := tx.sql.Each(func(scan query.Scan) error {
		var from, to int64
		err := scan(&from, &to)
		if len(chosen)+2 <= limit { // both ends or none: an end alone is no relation
			choose(from)
			choose(to)
		}
		return err
	}, `SELECT from_id, to_id FROM relations ORDER BY id DESC LIMIT ?`, 2*limit)
	if err != nil {
		return nil, err
	}
	newest, err := tx.sql.IDs(`SELECT id FROM entities ORDER BY id DESC LIMIT ?`, limit)
	for _, id := range newest {
		choose(id)
	}
	return chosen, err
}

// Nodes returns the nodes of row ids in their order; unknown ones are left out.
func (tx Rows) Nodes(ids []int64) ([]Node, error) {
	return query.Select(tx.sql, (*Node).fields, `SELECT `+drawnColumns+` FROM json_each(?) j JOIN entities e ON e.id = j.value ORDER BY j.key`, query.List(ids))
}

// edgesQuery looks each pair up in the index, so that a hub costs no more than
// any other node.
const edgesQuery = `SELECT r.from_id, r.to_id, r.type FROM json_each(?1) a CROSS JOIN relations r
		WHERE r.from_id = a.value AND r.to_id IN (SELECT value FROM json_each(?1)) LIMIT ?2`

// EdgesAmong returns relations with both ends among ids, at most limit.
func (tx Rows) EdgesAmong(ids []int64, limit int) ([]Edge, error) {
	return query.Select(tx.sql, func(e *Edge) []any { return []any{&e.From, &e.To, &e.Type} }, edgesQuery, query.List(ids), limit)
}

// CountNeighbours returns how many relations an entity has in each direction.
func (tx Rows) CountNeighbours(id int64) (outward, inward int, err error) {
	err = tx.sql.Row(`SELECT (SELECT count(*) FROM relations WHERE from_id = ?1), (SELECT count(*) FROM relations WHERE to_id = ?1)`, id).Scan(&outward, &inward)
	return outward, inward, err
}

// Neighbours returns a page of what an entity is related to: first where its own
// relations lead, then what leads to it. outward is the number of the former, as
// CountNeighbours tells it.
func (tx Rows) Neighbours(id int64, outward, limit, offset int) ([]Neighbour, error) {
	list := []Neighbour{}
	fields := func(n *Neighbour) []any { return append(n.Node.fields(), &n.Relation, &n.Outward) }
	if offset < outward {
		var err error
		list, err = query.Select(tx.sql, fields, `SELECT `+drawnColumns+`, r.type, 1 FROM
				(SELECT to_id, type FROM relations WHERE from_id = ?1 ORDER BY to_id, type LIMIT ?2 OFFSET ?3) r
			JOIN entities e ON e.id = r.to_id ORDER BY r.to_id, r.type`, id, limit, offset)
		if err != nil {
			return nil, err
		}
	}
	limit -= len(list)
	if limit <= 0 {
		return list, nil
	}
	inward, err := query.Select(tx.sql, fields, `SELECT `+drawnColumns+`, r.type, 0 FROM
			(SELECT id, from_id, type FROM relations WHERE to_id = ?1 ORDER BY id LIMIT ?2 OFFSET ?3) r
		JOIN entities e ON e.id = r.from_id ORDER BY r.id`, id, limit, max(0, offset-outward))
	return append(list, inward...), err
}

// FoundNode is a node of the graph that words led to.
type FoundNode struct {
	Entity
	Updated  time.Time
	Imported bool     // an import brought it, and nothing has changed it since
	Matching []string // observations that words were found in, the best first
}

// ReadFoundNodes returns the nodes of the given rows and of the given observations, in
// that order and each once, but for some that are known, with at most perEntity
// observations beside the matching ones.
func (tx Rows) ReadFoundNodes(entities, observations, excluded []int64, perEntity int) ([]FoundNode, error) {
	type match struct {
		row     int64
		content string
	}
	matches, err := query.Select(tx.sql, func(m *match) []any { return []any{&m.row, &m.content} }, `SELECT value, '' FROM json_each(?1) UNION ALL
		SELECT o.entity_id, o.content FROM (SELECT value, key FROM json_each(?2) ORDER BY key) j CROSS JOIN observations o ON o.id = j.value`,
		query.List(entities), query.List(observations))
	if err != nil {
		return nil, err
	}
	seen := map[int64]bool{}
	for _, id := range excluded {
		seen[id] = true
	}
	matching := map[int64][]string{}
	ids := []int64{}
	for _, m := range matches {
		if m.content != "" {
			matching[m.row] = append(matching[m.row], m.content)
		}
		if !seen[m.row] {
			seen[m.row] = true
			ids = append(ids, m.row)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	nodes, err := tx.ReadEntities(ids, perEntity)
	if err != nil {
		return nil, err
	}
	found, places := make([]FoundNode, len(nodes)), map[int64]int{}
	for i, e := range nodes {
		found[i], places[e.ID] = FoundNode{Entity: e, Matching: matching[e.ID]}, i
	}
	err = tx.sql.Each(func(scan query.Scan) error {
		var id int64
		var n FoundNode
		err := scan(&id, query.Millis(&n.Updated), &n.Imported)
		found[places[id]].Updated, found[places[id]].Imported = n.Updated, n.Imported
		return err
	}, `SELECT e.id, e.updated_at, e.kind = 'plain' AND e.origin IS NOT NULL AND e.updated_at = e.created_at FROM json_each(?1) j CROSS JOIN entities e ON e.id = j.value`, query.List(ids))
	return found, err
}

// Title is the desired outcome of a chart, or the title of a step or beat.
func (e Entity) Title() string { return e.title }

// Body is the narrative of a beat, or what else is searched of a node beside its title.
func (e Entity) Body() string { return e.body }

// RelationsOfEach returns up to limit relations from each of some nodes, and as
// many to it.
func (tx Rows) RelationsOfEach(ids []int64, limit int) (map[int64][]Relation, error) {
	found := map[int64][]Relation{}
	err := tx.sql.Each(func(scan query.Scan) error {
		var of int64
		var r Relation
		err := scan(&of, &r.From, &r.Type, &r.To, &r.ID)
		found[of] = append(found[of], r)
		return err
	}, `SELECT j.value, f.name, r.type, t.name, r.id FROM json_each(?1) j
		CROSS JOIN relations r ON r.id IN (SELECT * FROM (SELECT id FROM relations WHERE from_id = j.value LIMIT ?2) UNION ALL SELECT * FROM (SELECT id FROM relations WHERE to_id = j.value LIMIT ?2))
		CROSS JOIN entities f ON f.id = r.from_id CROSS JOIN entities t ON t.id = r.to_id ORDER BY r.id`, query.List(ids), limit)
	return found, err
}
