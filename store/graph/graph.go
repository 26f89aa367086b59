// Package graph keeps the graph: entities with their observations, relations, and
// charts, steps and beats, which are entities too. A chart, step or beat shows itself
// in the graph by what its own tables say, so they are read and written together.
// Searching a part of a text goes by an index in memory that follows the changes of
// every process; searching words by full-text indexes.
package graph

import (
	"encoding/json"
	"strings"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Rows are what a transaction sees of all this.
type Rows struct{ sql *query.Tx }

// In returns the rows of a transaction.
func In(tx *store.Tx) Rows { return Rows{(*query.Tx)(tx)} }

// Entity is a node of the graph as clients see it.
type Entity struct {
	ID           int64 // row id
	Name         string
	Type         string
	Kind         Kind
	Observations []string        // never nil
	Metadata     json.RawMessage // object, or nil
	Hidden       int             // observations left out by ReadOptions

	title, body string // searchable, shown only as part of what a chart, step or beat shows
	created     int64  // unix milliseconds
}

// Relation is an edge of the graph, by the names of its ends.
type Relation struct {
	From, To, Type string
	ID             int64 // grows in the order of creation
}

// NoLimit is the observation limit that leaves nothing out.
const NoLimit = -1

// ReadEntities returns the nodes of the given row ids in that order, with at
// most perEntity observations each (NoLimit for all). Of stored observations the
// newest are kept, of the computed ones of charts, steps and beats the first.
// Ids without a row are skipped.
func (tx Rows) ReadEntities(ids []int64, perEntity int) ([]Entity, error) {
	if len(ids) == 0 {
		return []Entity{}, nil
	}
	list := query.List(ids)
	nodes := make(map[int64]*Entity, len(ids))
	fields := func(e *Entity) []any {
		return []any{&e.ID, &e.Name, &e.Type, &e.Kind, &e.title, &e.body, query.FromJSON(&e.Metadata), &e.created}
	}
	err := query.EachRow(tx.sql, fields, func(e Entity) error {
		e.Observations = []string{}
		nodes[e.ID] = &e
		return nil
	}, `SELECT id, name, type, kind, title, body, metadata, created_at FROM entities WHERE id IN (SELECT value FROM json_each(?1))`, list)
	if err != nil {
		return nil, err
	}
	if err := tx.readObservations(nodes, list, perEntity); err != nil {
		return nil, err
	}
	if err := tx.fillNodes(nodes, perEntity); err != nil {
		return nil, err
	}
	entities := make([]Entity, 0, len(ids))
	for _, id := range ids {
		if e := nodes[id]; e != nil {
			entities = append(entities, *e)
		}
	}
	return entities, nil
}

// readObservations fills in the stored observations of nodes.
func (tx Rows) readObservations(nodes map[int64]*Entity, list any, perEntity int) error {
	if perEntity == 0 {
		return nil
	}
	contents := `SELECT entity_id, content FROM observations WHERE entity_id IN (SELECT value FROM json_each(?1)) ORDER BY entity_id, id`
	args, hidden := []any{list}, map[int64]int{}
	if perEntity != NoLimit {
		contents = `SELECT entity_id, content FROM (
				SELECT entity_id, id, content, row_number() OVER (PARTITION BY entity_id ORDER BY id DESC) AS newest
				FROM observations WHERE entity_id IN (SELECT value FROM json_each(?1)))
			WHERE newest <= ?2 ORDER BY entity_id, id`
		args = append(args, perEntity)
		var err error
		if hidden, err = query.Map[int64, int](tx.sql, `SELECT entity_id, count(*) - ?2 FROM observations
			WHERE entity_id IN (SELECT value FROM json_each(?1)) GROUP BY entity_id HAVING count(*) > ?2`, args...); err != nil {
			return err
		}
	}
	observations, err := query.Lists[int64, string](tx.sql, contents, args...)
	for id, texts := range observations {
		if e := nodes[id]; e != nil {
			e.Observations, e.Hidden = texts, hidden[id]
		}
	}
	return err
}

// EntityPage returns row ids in order of creation: those of the given types (all
// when types is nil), after offset, at most limit (NoLimit for all).
func (tx Rows) EntityPage(types []string, limit, offset int) ([]int64, error) {
	if types == nil {
		return tx.sql.IDs(`SELECT id FROM entities ORDER BY id LIMIT ?1 OFFSET ?2`, limit, offset)
	}
	return tx.sql.IDs(`SELECT id FROM entities WHERE type IN (SELECT value FROM json_each(?1)) ORDER BY id LIMIT ?2 OFFSET ?3`,
		query.List(types), limit, offset)
}

// CountEntities returns how many nodes have one of the types (all when types is nil).
func (tx Rows) CountEntities(types []string) (int, error) {
	if types == nil {
		return query.Value[int](tx.sql, `SELECT count(*) FROM entities`)
	}
	return query.Value[int](tx.sql, `SELECT count(*) FROM entities WHERE type IN (SELECT value FROM json_each(?1))`, query.List(types))
}

// EntityTypes returns the distinct types in use, sorted, at most limit. It jumps
// from type to type in the index instead of reading every entity.
func (tx Rows) EntityTypes(limit int) ([]string, error) {
	return tx.sql.Texts(`WITH RECURSIVE kinds(type) AS (
			SELECT * FROM (SELECT type FROM entities ORDER BY type LIMIT 1)
			UNION ALL
			SELECT (SELECT e.type FROM entities e WHERE e.type > kinds.type ORDER BY e.type LIMIT 1) FROM kinds WHERE kinds.type IS NOT NULL
		) SELECT type FROM kinds WHERE type IS NOT NULL LIMIT ?1`, limit)
}

// FilterByType keeps those of ids whose node has one of the types.
func (tx Rows) FilterByType(ids []int64, types []string) ([]int64, error) {
	return tx.sql.IDs(`SELECT e.id FROM json_each(?1) j JOIN entities e ON e.id = j.value WHERE e.type IN (SELECT value FROM json_each(?2)) ORDER BY j.key`,
		query.List(ids), query.List(types))
}

// EntityRef identifies a node found by name.
type EntityRef struct {
	ID   int64
	Kind Kind
	// Part is the part of the chart that the name means in files of other
	// servers, see ParseChartPart; empty for a name of our own.
	Part string
}

// Parts of a chart that have names of their own in files of other servers.
const (
	PartChart   = "_chart"
	PartOutcome = "_desired_outcome"
	PartReality = "_current_reality"
)

// ParseChartPart takes apart a name such as chart_1_desired_outcome: the id of the
// chart and the part; the part is empty for other names.
func ParseChartPart(name string) (chart, part string) {
	for _, part := range []string{PartChart, PartOutcome, PartReality} {
		if chart, is := strings.CutSuffix(name, part); is && chart != "" {
			return chart, part
		}
	}
	return name, ""
}

// ResolveEntities returns EntityRefs for names that a caller gives: it also finds charts
// by the names of their parts in files of other servers.
func (tx Rows) ResolveEntities(names []string) (map[string]EntityRef, error) {
	refs, err := tx.EntityRefs(names)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		chart, part := ParseChartPart(name)
		if _, found := refs[name]; found || part == "" {
			continue
		}
		ref, found, err := tx.findEntity(chart)
		if err != nil {
			return nil, err
		}
		if found && ref.Kind == KindChart {
			ref.Part = part
			refs[name] = ref
		}
	}
	return refs, nil
}

// EntityRefs finds nodes by exact name, however its accents are encoded; names without a
// node are absent.
func (tx Rows) EntityRefs(names []string) (map[string]EntityRef, error) {
	refs := make(map[string]EntityRef, len(names))
	var spellings []string
	for _, name := range names {
		if len(names) > 1 && !strings.ContainsRune(name, 0) {
			spellings = append(spellings, accentSpellings(name)...)
			continue
		}
		// json_each takes longer than one look, and ends a text at its first NUL.
		ref, found, err := tx.findEntity(name)
		if err != nil {
			return nil, err
		}
		if found {
			refs[name] = ref
		}
	}
	if len(spellings) == 0 {
		return refs, nil
	}
	stored := map[string]EntityRef{}
	err := tx.sql.Each(func(scan query.Scan) error {
		var name string
		var ref EntityRef
		err := scan(&name, &ref.ID, &ref.Kind)
		stored[name] = ref
		return err
	}, `SELECT name, id, kind FROM entities WHERE name IN (SELECT value FROM json_each(?1))`, query.List(spellings))
	for _, name := range names {
		for _, spelling := range accentSpellings(name) {
			if ref, found := stored[spelling]; found {
				refs[name] = ref
				break
			}
		}
	}
	return refs, err
}

// findEntity finds a node by a name, as it stands or else with its accents encoded otherwise.
func (tx Rows) findEntity(name string) (ref EntityRef, found bool, err error) {
	for _, spelling := range accentSpellings(name) {
		ref, found, err = query.Find(tx.sql, func(r *EntityRef) []any { return []any{&r.ID, &r.Kind} }, `SELECT id, kind FROM entities WHERE name = ?`, spelling)
		if found || err != nil {
			break
		}
	}
	return ref, found, err
}

// EntityNames returns the names of row ids in that order, skipping unknown ones.
func (tx Rows) EntityNames(ids []int64) ([]string, error) {
	return tx.sql.Texts(`SELECT e.name FROM json_each(?1) j JOIN entities e ON e.id = j.value ORDER BY j.key`, query.List(ids))
}

// RelationsOfEntities returns the relations with either end among ids, in order of
// creation.
func (tx Rows) RelationsOfEntities(ids []int64) ([]Relation, error) {
	if len(ids) == 0 {
		return []Relation{}, nil
	}
	return tx.relations(`SELECT f.name, t.name, r.type, r.id FROM relations r
		JOIN entities f ON f.id = r.from_id JOIN entities t ON t.id = r.to_id
		WHERE r.id IN (
			SELECT id FROM relations WHERE from_id IN (SELECT value FROM json_each(?1))
			UNION SELECT id FROM relations WHERE to_id IN (SELECT value FROM json_each(?1)))
		ORDER BY r.id`, query.List(ids))
}

// AllRelations returns every relation in order of creation.
func (tx Rows) AllRelations() ([]Relation, error) {
	return tx.relations(`SELECT f.name, t.name, r.type, r.id FROM relations r
		JOIN entities f ON f.id = r.from_id JOIN entities t ON t.id = r.to_id ORDER BY r.id`)
}

func (tx Rows) relations(statement string, args ...any) ([]Relation, error) {
	return query.Select(tx.sql, func(r *Relation) []any { return []any{&r.From, &r.To, &r.Type, &r.ID} }, statement, args...)
}

// RelationRef identifies a relation found by its ends and type.
type RelationRef struct {
	ID         int64
	Structural bool // part of a chart: lives and dies with it
}

// FindRelation finds the relation between two nodes, and false when there is none.
func (tx Rows) FindRelation(from, to int64, relationType string) (RelationRef, bool, error) {
	return query.Find(tx.sql, func(r *RelationRef) []any { return []any{&r.ID, &r.Structural} },
		`SELECT id, structural FROM relations WHERE from_id = ?1 AND to_id = ?2 AND type = ?3`, from, to, relationType)
}
