package exchange

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
)

// tieSlot is the place of a relation that a chart or beat implies.
type tieSlot struct {
	chart, beat int // one of them is -1
	position    int // among the implied relations of the owner
	metadata    json.RawMessage
}

// tie is a relation to be kept with its owner.
type tie struct {
	position int
	relation Relation
}

// edge is a relation of the file with its ends looked up.
type edge struct {
	relation  Relation // ends in file names
	fromPart  int      // the chart whose outcome or reality the end is, or -1
	toPart    int
	connected bool
}

// connect sorts the relations: those between nodes go into the document, those
// that belong to a chart or beat go there, those without an end are foreign.
func (a *assembly) connect() {
	edges := make([]edge, len(a.relations))
	last := make(map[relationKey]int, len(edges))
	for i := range a.relations {
		edges[i] = a.edge(a.relations[i])
		if edges[i].connected {
			last[edges[i].relation.key()] = i
		}
	}
	implied := a.impliedRelations()
	chartTies := make([][]tie, len(a.document.Charts))
	for i := range edges {
		e := &edges[i]
		switch {
		case !e.connected:
			a.dangle(i)
			continue
		case last[e.relation.key()] != i:
			r := &a.relations[i]
			a.report.skip(r.Line, "the relation %q from %q to %q comes again on line %d, which is the one used",
				r.RelationType, r.From, r.To, a.relations[last[e.relation.key()]].Line)
			continue
		}
		a.report.Relations++
		slot, isImplied := implied[e.relation.key()]
		switch {
		case isImplied && e.relation.Extra == nil && string(e.relation.Metadata) == string(slot.metadata):
		case isImplied && slot.beat >= 0:
			a.document.Beats[slot.beat].Ties = append(a.document.Beats[slot.beat].Ties, e.relation)
		case isImplied:
			chartTies[slot.chart] = append(chartTies[slot.chart], tie{slot.position, e.relation})
		case e.fromPart >= 0:
			chartTies[e.fromPart] = append(chartTies[e.fromPart], tie{math.MaxInt, e.relation})
		case e.toPart >= 0:
			chartTies[e.toPart] = append(chartTies[e.toPart], tie{math.MaxInt, e.relation})
		default:
			a.document.Relations = append(a.document.Relations, a.betweenNodes(e.relation))
		}
	}
	for i, ties := range chartTies {
		slices.SortStableFunc(ties, func(x, y tie) int { return cmp.Compare(x.position, y.position) })
		for _, t := range ties {
			a.document.Charts[i].Ties = append(a.document.Charts[i].Ties, t.relation)
		}
	}
	a.mergeForeign()
}

func (a *assembly) impliedRelations() map[relationKey]tieSlot {
	implied := map[relationKey]tieSlot{}
	for i := range a.document.Charts {
		for position, relation := range impliedByChart(&a.document.Charts[i]) {
			implied[relation.key()] = tieSlot{chart: i, beat: -1, position: position, metadata: relation.Metadata}
		}
	}
	for i := range a.document.Beats {
		relation := impliedByBeat(&a.document.Beats[i])
		implied[relation.key()] = tieSlot{chart: -1, beat: i, metadata: relation.Metadata}
	}
	return implied
}

// edge looks up the ends of a relation. A chart may be named by its ID or by
// its entity: both are the entity's name here.
func (a *assembly) edge(relation Relation) edge {
	e := edge{relation: relation}
	var from, to bool
	e.relation.From, e.fromPart, from = a.end(relation.From)
	e.relation.To, e.toPart, to = a.end(relation.To)
	e.connected = from && to
	return e
}

func (a *assembly) end(name string) (fileName string, part int, ok bool) {
	if chart := a.chartNamed(name); chart >= 0 {
		return ChartEntityName(a.document.Charts[chart].ID), -1, true
	}
	if chart, ok := a.partOf[name]; ok {
		return name, chart, true
	}
	if _, ok := a.stepOwner[name]; ok {
		return name, -1, true
	}
	_, ok = a.index[name]
	return name, -1, ok
}

// betweenNodes names charts by ID.
func (a *assembly) betweenNodes(relation Relation) Relation {
	for _, end := range []*string{&relation.From, &relation.To} {
		if chart := a.chartNamed(*end); chart >= 0 {
			*end = a.document.Charts[chart].ID
		}
	}
	return relation
}

// dangle makes a relation foreign: no graph can hold it, but an export can
// give it back.
func (a *assembly) dangle(i int) {
	relation := &a.relations[i]
	missing := relation.From
	if _, _, ok := a.end(missing); ok {
		missing = relation.To
	}
	a.report.note(relation.Line, "the relation %q from %q to %q: there is no entity %q; it is kept for export only",
		relation.RelationType, relation.From, relation.To, missing)
	a.foreign = append(a.foreign, foreignRecord{appendRelation(nil, relation), a.relationOrder[i]})
}

// mergeForeign puts foreign lines and dangling relations in the order of the file.
func (a *assembly) mergeForeign() {
	slices.SortFunc(a.foreign, func(x, y foreignRecord) int { return cmp.Compare(x.order, y.order) })
	for _, f := range a.foreign {
		a.document.Foreign = append(a.document.Foreign, f.raw)
	}
}
