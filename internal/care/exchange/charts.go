package exchange

import (
	"fmt"
	"strings"
)

// candidate is a chart entity of the file with the entities that belong to it
// by name.
type candidate struct {
	id       string
	entity   int
	outcome  int // -1 in the single form
	reality  int
	metadata object // of the chart entity
}

// single reports whether the chart is one entity that holds all in its
// metadata, as this product's own data model has it.
func (c *candidate) single() bool { return c.outcome < 0 }

func (c *candidate) owns(entity int) bool {
	return entity == c.entity || entity == c.outcome || entity == c.reality
}

// findCharts finds the complete charts. Whether one is accepted must not
// depend on the order of the file, so that reading an export finds the same.
func (a *assembly) findCharts() {
	var candidates []candidate
	claims := map[string]int{}
	for i := range a.entities {
		if a.entities[i].EntityType != typeChart || !liftable(&a.entities[i]) {
			continue
		}
		c, fault := a.candidate(i)
		if fault != "" {
			a.report.note(a.entities[i].Line, "chart entity %q %s; it is kept as a plain entity", a.entities[i].Name, fault)
			continue
		}
		candidates = append(candidates, c)
		for _, name := range reservedNames(c.id) {
			claims[name]++
		}
	}
	for _, c := range candidates {
		if taken := a.takenName(&c, claims); taken != "" {
			a.report.note(a.entities[c.entity].Line, "chart %q needs the name %q, which something else has; its parts are kept as plain entities", c.id, taken)
			continue
		}
		a.accept(c)
	}
	a.notePartsWithoutChart()
}

func (a *assembly) candidate(i int) (candidate, string) {
	c := candidate{entity: i, outcome: -1, reality: -1, metadata: a.metadata(i)}
	name := a.entities[i].Name
	c.id = c.metadata.text("chartId")
	if c.id == "" {
		c.id = strings.TrimSuffix(name, chartSuffix)
	}
	if c.id == "" {
		c.id = name
	}
	if name != c.id && name != ChartEntityName(c.id) {
		return c, fmt.Sprintf("is not named after its chartId %q", c.id)
	}
	outcome := a.find(OutcomeEntityName(c.id), typeOutcome)
	reality := a.find(RealityEntityName(c.id), typeReality)
	switch {
	case outcome >= 0 && reality >= 0 && len(a.entities[outcome].Observations) == 0:
		return c, "has an empty desired outcome"
	case outcome >= 0 && reality >= 0:
		c.outcome, c.reality = outcome, reality
	case c.metadata.text("desiredOutcome") != "" && len(realityFacts(c.metadata)) > 0:
	case outcome < 0:
		return c, fmt.Sprintf("has no entity %q", OutcomeEntityName(c.id))
	default:
		return c, fmt.Sprintf("has no entity %q", RealityEntityName(c.id))
	}
	return c, ""
}

// takenName returns a name that the chart needs and something else has or
// needs as well, or nothing.
func (a *assembly) takenName(c *candidate, claims map[string]int) string {
	for _, name := range reservedNames(c.id) {
		if entity, used := a.index[name]; used && !c.owns(entity) || claims[name] > 1 {
			return name
		}
	}
	return ""
}

func (a *assembly) accept(c candidate) {
	chart := Chart{ID: c.id, Line: a.entities[c.entity].Line}
	a.roles[c.entity] = rolePart
	if c.single() {
		chart.DesiredOutcome = c.metadata.text("desiredOutcome")
		chart.CurrentReality = realityFacts(c.metadata)
	} else {
		a.roles[c.outcome], a.roles[c.reality] = rolePart, rolePart
		chart.DesiredOutcome = a.entities[c.outcome].Observations[0]
		chart.CurrentReality = a.entities[c.reality].Observations
	}
	at := len(a.document.Charts)
	a.chartAt[c.id] = at
	for _, name := range reservedNames(c.id)[1:] {
		a.partOf[name] = at
	}
	a.candidates = append(a.candidates, c)
	a.document.Charts = append(a.document.Charts, chart)
}

// notePartsWithoutChart reports what else has the type of a chart part.
func (a *assembly) notePartsWithoutChart() {
	for i := range a.entities {
		entity := &a.entities[i]
		if a.roles[i] == rolePlain && (entity.EntityType == typeOutcome || entity.EntityType == typeReality) {
			a.report.note(entity.Line, "%s %q belongs to no complete chart of this file; it is kept as a plain entity", entity.EntityType, entity.Name)
		}
	}
}

// findParents sets each chart's parents and level. The metadata decides; a
// file without it, such as one of the official server, has relations.
func (a *assembly) findParents() {
	charts := a.document.Charts
	byRelation := a.parentsByRelation()
	parent := make([]int, len(charts))
	for i := range charts {
		charts[i].ParentChart, charts[i].ParentStep = a.parents(i, byRelation)
		parent[i] = -1
		if charts[i].ParentChart != "" {
			parent[i] = a.chartAt[charts[i].ParentChart]
		}
	}
	for i, circular := range onCycle(parent) {
		if circular {
			a.report.note(charts[i].Line, "chart %q is its own ancestor; it is kept without a parent", charts[i].ID)
			charts[i].ParentChart, charts[i].ParentStep = "", ""
			parent[i] = -1
		}
	}
	setLevels(charts, parent)
}

func setLevels(charts []Chart, parent []int) {
	known := make([]bool, len(charts))
	var level func(at int) int
	level = func(at int) int {
		if !known[at] {
			known[at] = true
			if parent[at] >= 0 {
				charts[at].Level = level(parent[at]) + 1
			}
		}
		return charts[at].Level
	}
	for i := range charts {
		level(i)
	}
}

// parents returns the IDs of the parent chart and step that the file names and
// has. Names it does not have stay in the metadata.
func (a *assembly) parents(chart int, byRelation map[int][2]string) (parentChart, parentStep string) {
	metadata := a.candidates[chart].metadata
	namesChart, namesStep := metadata.has("parentChart"), metadata.has("parentActionStep")
	if !namesChart && !namesStep {
		found := byRelation[chart]
		return found[0], found[1]
	}
	step := metadata.text("parentActionStep")
	owner, stepKnown := a.stepOwner[step]
	stepKnown = stepKnown && owner != chart
	switch at, known := a.chartAt[metadata.text("parentChart")]; {
	case known:
		parentChart = a.document.Charts[at].ID
	case !namesChart && stepKnown:
		parentChart = a.document.Charts[owner].ID
	default:
		if metadata.text("parentChart") != "" || step != "" {
			a.report.note(a.document.Charts[chart].Line, "the parent of chart %q is not in this file; it is kept without a parent", a.document.Charts[chart].ID)
		}
		return "", ""
	}
	if stepKnown {
		return parentChart, step
	}
	return parentChart, a.parentStepTitled(chart, a.chartAt[parentChart], step)
}

// parentStepTitled returns the step of the parent that a chart names by its
// title. Where there is none, the chart is a step of its parent itself, as
// those files have it that name it after its own outcome.
func (a *assembly) parentStepTitled(chart, parent int, title string) string {
	if title == "" || chart == parent {
		return ""
	}
	step, count := a.stepTitled(parent, title)
	c := &a.document.Charts[chart]
	switch {
	case count > 1:
		a.report.note(c.Line, "chart %q names %q as its parent step, a title that %d steps of chart %q have; it became a step of its own", c.ID, title, count, a.document.Charts[parent].ID)
	case count == 0 && folded(title) != folded(c.DesiredOutcome):
		a.report.note(c.Line, "chart %q names the parent step %q, which chart %q does not have; it became a step of its own", c.ID, title, a.document.Charts[parent].ID)
	}
	return step
}

// parentsByRelation collects what relations say about parents: a step that
// telescopes into a chart's outcome, or an outcome that advances toward the
// outcome of another chart. The first of a file counts.
func (a *assembly) parentsByRelation() map[int][2]string {
	parents := map[int][2]string{}
	for i := range a.relations {
		relation := &a.relations[i]
		switch relation.RelationType {
		case relationTelescopes:
			child, ok := a.outcomeOwner(relation.To)
			owner, known := a.stepOwner[relation.From]
			if ok && known && owner != child && parents[child][1] == "" {
				parents[child] = [2]string{a.document.Charts[owner].ID, relation.From}
			}
		case relationAdvances:
			child, ok := a.outcomeOwner(relation.From)
			parent, known := a.outcomeOwner(relation.To)
			if ok && known && child != parent && parents[child][0] == "" {
				parents[child] = [2]string{a.document.Charts[parent].ID, ""}
			}
		}
	}
	return parents
}

// outcomeOwner returns the chart whose desired outcome has that name.
func (a *assembly) outcomeOwner(name string) (chart int, ok bool) {
	at, ok := a.partOf[name]
	return at, ok && name == OutcomeEntityName(a.document.Charts[at].ID)
}
