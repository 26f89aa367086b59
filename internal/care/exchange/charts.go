package exchange

import (
	"fmt"
	"slices"
	"strings"
)

// realitySeparator joins the facts where the current reality is one string.
const realitySeparator = "; "

// assembly finds the charts, steps and beats among the entities of a file.
type assembly struct {
	*reader
	document *Document
	used     map[int]bool // entities that are in a chart, step or beat

	drafts  []*chartDraft
	byName  map[string]*chartDraft // by ID and by the name of the chart's entity
	byPart  map[string]*chartDraft // by the names of outcome and reality
	byStep  map[string]*chartDraft // by the names of steps
	related map[string]*chartDraft // the first chart that a relation ties a step or beat to
}

// chartDraft is a chart before its place is known.
type chartDraft struct {
	Chart
	entity, outcome, reality int // places of the entities; outcome and reality are -1 in the single form
	metadata                 object
	parent                   *chartDraft
	placed                   bool
}

// isSingle reports whether the chart is one entity that holds all in its
// metadata, as this product's own data model has it.
func (d *chartDraft) isSingle() bool { return d.outcome < 0 }

// assemble never fails: what fits nowhere stays a plain entity, with a note in
// the report.
func assemble(r *reader) *Document {
	a := &assembly{
		reader: r, document: &Document{}, used: map[int]bool{},
		byName: map[string]*chartDraft{}, byPart: map[string]*chartDraft{},
		byStep: map[string]*chartDraft{}, related: map[string]*chartDraft{},
	}
	a.findCharts()
	a.relateCharts()
	a.findSteps()
	for _, d := range a.drafts {
		if d.isSingle() {
			a.addListedSteps(d)
		}
	}
	a.findParents()
	for d := range findCircles(a.drafts, func(d *chartDraft) *chartDraft { return d.parent }) {
		a.report.note(d.Line, "chart %q is its own ancestor; it is kept without a parent", d.ID)
		d.parent, d.ParentStep = nil, ""
	}
	for _, d := range a.drafts {
		a.placeChart(d)
	}
	a.findBeats()
	for i, entity := range a.entities {
		if !a.used[i] {
			a.addPlainEntity(entity)
		}
	}
	a.connect()
	for _, o := range a.others {
		a.document.Foreign = append(a.document.Foreign, o.text)
	}
	return a.document
}

func (a *assembly) addPlainEntity(entity Entity) {
	if entity.EntityType == typeOutcome || entity.EntityType == typeReality {
		a.report.note(entity.Line, "%s %q belongs to no complete chart of this file; it is kept as a plain entity", entity.EntityType, entity.Name)
	}
	a.document.Entities = append(a.document.Entities, entity)
}

// findCharts finds the complete charts. Whether one is accepted must not
// depend on the order of the file, so that reading an export finds the same.
func (a *assembly) findCharts() {
	var drafts []*chartDraft
	claims := map[string]int{}
	for i := range a.entities {
		if a.entities[i].EntityType != typeChart {
			continue
		}
		d, fault := a.draftChart(i)
		if fault != "" {
			a.report.note(a.entities[i].Line, "chart entity %q %s; it is kept as a plain entity", a.entities[i].Name, fault)
			continue
		}
		drafts = append(drafts, d)
		for _, name := range reservedNames(d.ID) {
			claims[name]++
		}
	}
	for _, d := range drafts {
		if taken := a.findTakenName(d, claims); taken != "" {
			a.report.note(d.Line, "chart %q needs the name %q, which something else has; its parts are kept as plain entities", d.ID, taken)
			continue
		}
		a.drafts = append(a.drafts, d)
		a.used[d.entity] = true
		a.byName[d.ID], a.byName[ChartEntityName(d.ID)] = d, d
		a.byPart[OutcomeEntityName(d.ID)], a.byPart[RealityEntityName(d.ID)] = d, d
		if !d.isSingle() {
			a.used[d.outcome], a.used[d.reality] = true, true
		}
	}
}

// draftChart makes a draft of a chart entity, or tells what it lacks.
func (a *assembly) draftChart(i int) (d *chartDraft, fault string) {
	entity := &a.entities[i]
	d = &chartDraft{entity: i, outcome: -1, reality: -1, metadata: metadataOf(entity)}
	d.Line = entity.Line
	d.ID = d.metadata.text("chartId")
	if d.ID == "" {
		d.ID = strings.TrimSuffix(entity.Name, chartSuffix)
	}
	if entity.Name != d.ID && entity.Name != ChartEntityName(d.ID) || d.ID == "" {
		return nil, fmt.Sprintf("is not named after its chartId %q", d.ID)
	}
	outcome, reality := a.findPart(OutcomeEntityName(d.ID), typeOutcome), a.findPart(RealityEntityName(d.ID), typeReality)
	switch facts := realityFacts(d.metadata); {
	case outcome >= 0 && reality >= 0 && len(a.entities[outcome].Observations) == 0:
		return nil, "has an empty desired outcome"
	case outcome >= 0 && reality >= 0:
		d.outcome, d.reality = outcome, reality
		d.DesiredOutcome = a.entities[outcome].Observations[0]
		d.CurrentReality = a.entities[reality].Observations
	case d.metadata.text("desiredOutcome") != "" && len(facts) > 0:
		d.DesiredOutcome, d.CurrentReality = d.metadata.text("desiredOutcome"), facts
	case outcome < 0:
		return nil, fmt.Sprintf("has no entity %q", OutcomeEntityName(d.ID))
	default:
		return nil, fmt.Sprintf("has no entity %q", RealityEntityName(d.ID))
	}
	return d, ""
}

func (a *assembly) findPart(name, entityType string) int {
	at, known := a.index[name]
	if !known || a.entities[at].EntityType != entityType {
		return -1
	}
	return at
}

// metadataOf returns the metadata of an entity, empty if it has none.
func metadataOf(entity *Entity) object {
	if metadata := decodeObject(entity.Metadata); metadata != nil {
		return metadata
	}
	return object{}
}

// realityFacts reads the current reality of the single form: one string, or a
// list of facts.
func realityFacts(metadata object) []string {
	if text := metadata.text("currentReality"); text != "" {
		return strings.Split(text, realitySeparator)
	}
	facts, _ := asTexts(metadata["currentReality"])
	return facts
}

// findTakenName returns a name that the chart needs and something else has or
// needs as well, or nothing.
func (a *assembly) findTakenName(d *chartDraft, claims map[string]int) string {
	own := []int{d.entity, d.outcome, d.reality}
	for _, name := range reservedNames(d.ID) {
		if at, known := a.index[name]; known && !slices.Contains(own, at) || claims[name] > 1 {
			return name
		}
	}
	return ""
}

// relateCharts finds the charts that relations tie steps and beats to: the one
// that contains them, whose outcome they advance, or that they document.
func (a *assembly) relateCharts() {
	for i := range a.relations {
		r := &a.relations[i]
		name, chart := r.From, a.byName[r.To]
		switch r.RelationType {
		case relationContains:
			name, chart = r.To, a.byName[r.From]
		case relationAdvances:
			chart = a.chartOfOutcome(r.To)
		case relationDocuments:
		default:
			continue
		}
		if chart != nil && a.related[name] == nil {
			a.related[name] = chart
		}
	}
}

// chartOfOutcome returns the chart whose desired outcome has that name, or nil.
func (a *assembly) chartOfOutcome(name string) *chartDraft {
	if d := a.byPart[name]; d != nil && name == OutcomeEntityName(d.ID) {
		return d
	}
	return nil
}
