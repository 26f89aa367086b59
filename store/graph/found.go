package graph

import (
	"time"

	"toolkit/store/internal/query"
)

// FoundNode is a node of the graph that words led to.
type FoundNode struct {
	Entity
	Updated  time.Time
	Matching []string // observations that words were found in, the best first
}

// FoundNodes returns the nodes of the given rows and of the given observations, in
// that order and each once, but for some that are known, with at most perEntity
// observations beside the matching ones.
func (tx Rows) FoundNodes(entities, observations, known []int64, perEntity int) ([]FoundNode, error) {
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
	for _, id := range known {
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
	updated, err := query.Map[int64, int64](tx.sql, `SELECT e.id, e.updated_at FROM json_each(?1) j CROSS JOIN entities e ON e.id = j.value`, query.List(ids))
	if err != nil {
		return nil, err
	}
	nodes, err := tx.ReadEntities(ids, perEntity)
	found := make([]FoundNode, len(nodes))
	for i, e := range nodes {
		found[i] = FoundNode{Entity: e, Updated: time.UnixMilli(updated[e.ID]).UTC(), Matching: matching[e.ID]}
	}
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
