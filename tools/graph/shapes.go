package graph

import (
	"cmp"
	"encoding/json"
	"slices"

	"toolkit/store/graph"
)

// Entity is a node as clients see it.
type Entity struct {
	Name         string          `json:"name" jsonschema_description:"Unique name"`
	EntityType   string          `json:"entityType" jsonschema_description:"Kind of thing it is"`
	Observations []string        `json:"observations" jsonschema_description:"What is known of it, oldest first"`
	Metadata     json.RawMessage `json:"metadata,omitempty" jsonschema_description:"Fields of charts, steps and beats, or as imported"`
}

// Relation is a directed edge between two entities.
type Relation struct {
	From         string `json:"from" jsonschema:"required" jsonschema_description:"Source entity name"`
	To           string `json:"to" jsonschema:"required" jsonschema_description:"Target entity name"`
	RelationType string `json:"relationType" jsonschema:"required" jsonschema_description:"Type of relationship, in active voice"`
}

// Graph is a part of the graph, or all of it.
type Graph struct {
	Entities  []Entity   `json:"entities"`
	Relations []Relation `json:"relations" jsonschema_description:"Relations with either end among the entities"`
}

// Part says how much of the graph a read returns. Left out, all of it.
type Part struct {
	Limit               int      `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" jsonschema_extras:"seldom=true" jsonschema_description:"At most this many items"`
	Offset              int      `json:"offset,omitempty" jsonschema:"minimum=0" jsonschema_extras:"seldom=true" jsonschema_description:"Skip this many items"`
	EntityTypes         []string `json:"entityTypes,omitempty" jsonschema_extras:"seldom=true" jsonschema_description:"Only entities of these types, ignoring case"`
	IncludeObservations *bool    `json:"includeObservations,omitempty" jsonschema_extras:"seldom=true" jsonschema_description:"false leaves observations out (default true)"`
	ObservationLimit    int      `json:"observationLimit,omitempty" jsonschema:"minimum=1" jsonschema_extras:"seldom=true" jsonschema_description:"At most this many observations per entity, the newest"`
}

// isWholeGraph reports whether every entity is asked for.
func (p Part) isWholeGraph() bool { return p.Limit == 0 && p.Offset == 0 && len(p.EntityTypes) == 0 }

// observationsPerEntity returns how many observations of each entity are wanted.
func (p Part) observationsPerEntity() int {
	switch {
	case p.IncludeObservations != nil && !*p.IncludeObservations:
		return 0
	case p.ObservationLimit > 0:
		return p.ObservationLimit
	}
	return graph.NoLimit
}

// cutToPage cuts the wanted part out of a list of ids.
func (p Part) cutToPage(ids []int64) []int64 {
	ids = ids[min(p.Offset, len(ids)):]
	if p.Limit > 0 {
		ids = ids[:min(p.Limit, len(ids))]
	}
	return ids
}

// graphSlice is a part of the graph with what hints want to know of it.
type graphSlice struct {
	Graph
	known   []string        // types in use, when none of those asked for is
	missing map[string]bool // names at the ends of relations that no entity has
	total   int             // entities there are without limit and offset
	hidden  int             // observations left out by the observation limit
	bytes   int             // rough size of the text
}

// loadGraphSlice reads the entities of ids, in that order, with their relations.
func (f family) loadGraphSlice(tx graph.Rows, ids []int64, p Part, all bool) (graphSlice, error) {
	entities, err := tx.ReadEntities(ids, p.observationsPerEntity())
	if err != nil {
		return graphSlice{}, err
	}
	relations, dangling, err := readRelations(tx, ids, entities, all)
	if err != nil {
		return graphSlice{}, err
	}
	s := graphSlice{Graph: Graph{Entities: make([]Entity, len(entities)), Relations: make([]Relation, len(relations))}}
	for i, e := range entities {
		s.Entities[i] = Entity{Name: e.Name, EntityType: e.Type, Observations: e.Observations, Metadata: e.Metadata}
		s.hidden += e.Hidden
		s.bytes += len(e.Name) + len(e.Type) + len(e.Metadata) + entityOverhead
		for _, o := range e.Observations {
			s.bytes += len(o)
		}
	}
	for i, r := range relations {
		s.Relations[i] = Relation{From: r.From, To: r.To, RelationType: r.Type}
		s.bytes += len(r.From) + len(r.To) + len(r.Type) + entityOverhead
	}
	if dangling > 0 && !f.MemoryCompat { // there it is nothing to warn of
		s.missing, err = findMissingEnds(tx, s.Relations)
	}
	return s, err
}

// readRelations reads all relations, or those of the entities. The dangling ones, of which an
// end is missing, stand among them in the order in which they came.
func readRelations(tx graph.Rows, ids []int64, entities []graph.Entity, all bool) (relations []graph.Relation, dangling int, err error) {
	if all {
		relations, err = tx.AllRelations()
	} else {
		relations, err = tx.RelationsOfEntities(ids)
	}
	if err != nil {
		return nil, 0, err
	}
	var loose []graph.DanglingRelation
	if all {
		loose, err = tx.AllDanglingRelations()
	} else {
		names := make([]string, len(entities))
		for i, e := range entities {
			names[i] = e.Name
		}
		loose, err = tx.DanglingRelations(names)
	}
	if len(loose) == 0 {
		return relations, 0, err
	}
	for _, l := range loose {
		relations = append(relations, l.Relation)
	}
	slices.SortStableFunc(relations, func(a, b graph.Relation) int { return cmp.Compare(a.ID, b.ID) })
	return relations, len(loose), err
}

// findMissingEnds returns the names at the ends of relations that no entity has.
func findMissingEnds(tx graph.Rows, relations []Relation) (map[string]bool, error) {
	names := listEndNames(relations)
	refs, err := tx.ResolveEntities(names)
	missing := map[string]bool{}
	for _, name := range names {
		if _, known := refs[name]; !known {
			missing[name] = true
		}
	}
	return missing, err
}

// entityOverhead is about what the JSON around an entity or relation takes.
const entityOverhead = 45
