package exchange

import (
	"fmt"
	"slices"
	"strings"

	"toolkit/store/nodes"
)

// Entity types and relation types that carry meaning in a file, beside those of
// the store.
const (
	typeOutcome = "desired_outcome"
	typeReality = "current_reality"

	relationTension  = "creates_tension_with"
	relationAdvances = "advances_toward"
)

const (
	actionInfix = "_action_"
	beatInfix   = "_beat_"
)

// assembly finds the charts, steps and beats among the entities of a file.
type assembly struct {
	*reader
	charts map[string]*Chart // by ID and by the name of the chart's entity
	parts  map[string]*Chart // by the names of outcome and reality
	steps  map[string]*Chart // the charts that own the steps, by the names of these
	used   map[*Entity]bool  // entities that are in a chart or beat
}

// assemble sorts the records that were read into the file. It never fails: what
// fits nowhere stays a plain entity, with a note.
func assemble(r *reader) {
	a := &assembly{reader: r, charts: map[string]*Chart{}, parts: map[string]*Chart{}, steps: map[string]*Chart{}, used: map[*Entity]bool{}}
	charts := a.findCharts()
	a.findSteps()
	for _, c := range charts {
		a.findNamedParent(c)
	}
	a.findRelatedParents()
	a.placeCharts(charts)
	a.placeBeats()
	for _, e := range a.entities {
		if !a.used[e] {
			a.file.Entities = append(a.file.Entities, e)
		}
	}
	a.placeRelations()
}

func (a *assembly) findCharts() []*Chart {
	var charts []*Chart
	for _, e := range a.entities {
		if e.Type != nodes.TypeChart {
			continue
		}
		c, err := a.chartOf(e)
		if err != nil {
			a.file.note(e.Line, "chart entity %q %v; it is kept as a plain entity", e.Name, err)
			continue
		}
		charts = append(charts, c)
		a.charts[c.ID], a.charts[e.Name] = c, c
		a.parts[c.Outcome.Name], a.parts[c.Reality.Name] = c, c
		for _, part := range []*Entity{e, c.Outcome, c.Reality} {
			a.used[part] = true
			readPlainState(part)
		}
	}
	return charts
}

// chartOf returns the chart of a chart entity, or an error that says what it lacks.
func (a *assembly) chartOf(e *Entity) (*Chart, error) {
	id, isNamed := strings.CutSuffix(e.Name, nodes.PartChart)
	c := &Chart{ID: id, Entity: e, Outcome: a.byName[id+nodes.PartOutcome], Reality: a.byName[id+nodes.PartReality]}
	switch {
	case !isNamed || id == "":
		return nil, fmt.Errorf("has a name that does not end in %q", nodes.PartChart)
	case c.Outcome == nil || c.Outcome.Type != typeOutcome || len(c.Outcome.Observations) == 0:
		return nil, fmt.Errorf("has no desired outcome in an entity %q", id+nodes.PartOutcome)
	case c.Reality == nil || c.Reality.Type != typeReality:
		return nil, fmt.Errorf("has no entity %q", id+nodes.PartReality)
	case a.byName[id] != nil:
		return nil, fmt.Errorf("needs the name %q, which something else has", id)
	}
	return c, nil
}

// findSteps gives the action steps of the file to their charts.
func (a *assembly) findSteps() {
	for _, e := range a.entities {
		if e.Type != nodes.TypeStep {
			continue
		}
		c := a.charts[e.Metadata.text("chartId")]
		if c == nil {
			c = a.charts[ownerByName(e.Name, actionInfix)]
		}
		if c == nil || len(e.Observations) == 0 {
			a.file.note(e.Line, "action step %q has no title, or belongs to no complete chart of this file; it is kept as a plain entity", e.Name)
			continue
		}
		readPlainState(e)
		a.used[e] = true
		a.steps[e.Name] = c
		c.Steps = append(c.Steps, e)
	}
}

// findNamedParent finds the parents that the metadata of a chart names. Names
// that the file does not have stay in the metadata.
func (a *assembly) findNamedParent(c *Chart) {
	name, step := c.Entity.Metadata.text("parentChart"), c.Entity.Metadata.text("parentActionStep")
	parent := a.charts[name]
	if parent == nil {
		parent = a.steps[step]
	}
	if parent != nil {
		c.ParentChart, c.ParentStep = parent.ID, findStep(parent, step)
	} else if name != "" {
		a.file.note(c.Entity.Line, "the parent %q of chart %q is not in this file; it is kept without a parent", name, c.ID)
	}
}

// findStep returns the name of the step that has this name or, if no other step
// has it too, this title. Empty means that the chart has no such step: the chart
// that names it is then a step itself.
func findStep(c *Chart, nameOrTitle string) string {
	var titled []string
	for _, step := range c.Steps {
		if step.Name == nameOrTitle {
			return step.Name
		}
		if strings.EqualFold(step.Observations[0], nameOrTitle) {
			titled = append(titled, step.Name)
		}
	}
	if len(titled) != 1 {
		return ""
	}
	return titled[0]
}

// findRelatedParents finds the parents of charts in a file of the official
// server, which has no metadata.
func (a *assembly) findRelatedParents() {
	for _, r := range a.relations {
		child, parent, step := a.parts[r.From], a.parts[r.To], ""
		if r.Type == nodes.RelationTelescopes {
			child, parent, step = a.parts[r.To], a.steps[r.From], r.From
		} else if r.Type != relationAdvances {
			continue
		}
		if child != nil && parent != nil && child.ParentChart == "" && child.Entity.Metadata["parentChart"] == nil {
			child.ParentChart, child.ParentStep = parent.ID, step
		}
	}
}

// placeCharts puts each chart into the file, behind its parent.
func (a *assembly) placeCharts(charts []*Chart) {
	placed := map[string]bool{"": true}
	for len(charts) > 0 {
		count := len(charts)
		charts = slices.DeleteFunc(charts, func(c *Chart) bool {
			if !placed[c.ParentChart] {
				return false
			}
			placed[c.ID] = true
			a.file.Charts = append(a.file.Charts, c)
			return true
		})
		if len(charts) == count {
			a.file.note(charts[0].Entity.Line, "the parents of chart %q go in a circle; it is kept without a parent", charts[0].ID)
			charts[0].ParentChart, charts[0].ParentStep = "", ""
		}
	}
}

// placeBeats puts the beats that belong to a chart, directly or below another
// beat, into the file, each behind the one it details. coaia-narrative writes the
// parent beat into a sub-beat's chartId.
func (a *assembly) placeBeats() {
	var waiting []*Entity
	for _, e := range a.entities {
		if e.Type == nodes.TypeBeat {
			waiting = append(waiting, e)
		}
	}
	placed := map[string]*Beat{}
	for count := -1; count != len(waiting); {
		count = len(waiting)
		waiting = slices.DeleteFunc(waiting, func(e *Entity) bool {
			b := a.beatOf(e, placed)
			if b != nil {
				placed[e.Name] = b
				a.used[e] = true
				a.file.Beats = append(a.file.Beats, b)
			}
			return b != nil
		})
	}
	for _, e := range waiting {
		a.file.note(e.Line, "narrative beat %q belongs to no chart of this file; it is kept as a plain entity", e.Name)
	}
}

// beatOf returns the beat that an entity is, or nil as long as its chart or
// parent beat is not known.
func (a *assembly) beatOf(e *Entity, placed map[string]*Beat) *Beat {
	owner := ownerByName(e.Name, beatInfix)
	for _, key := range []string{"parentBeat", "parentChart", "chartId"} {
		if named := e.Metadata.text(key); named != "" {
			owner = named
		}
	}
	parentName := e.Metadata.text("parentBeat")
	if a.charts[owner] == nil {
		parentName = owner
	}
	parent := placed[parentName]
	switch {
	case parent != nil:
		return &Beat{Entity: e, Chart: parent.Chart, Parent: parent.Name}
	case a.charts[owner] != nil && a.byName[parentName] == nil:
		return &Beat{Entity: e, Chart: a.charts[owner].ID}
	}
	return nil
}

// placeRelations gives each relation its place: those of outcomes and realities
// belong to their charts, all others to the file.
func (a *assembly) placeRelations() {
	for _, r := range a.relations {
		part := a.parts[r.From]
		if part == nil {
			part = a.parts[r.To]
		}
		if part != nil && a.isNode(r.From) && a.isNode(r.To) {
			part.Ties = append(part.Ties, r)
		} else {
			a.file.Relations = append(a.file.Relations, r)
		}
	}
}

func (a *assembly) isNode(name string) bool { return a.byName[name] != nil || a.charts[name] != nil }

func (c *Chart) stepNames() []string {
	var names []string
	for _, step := range c.Steps {
		names = append(names, step.Name)
	}
	return names
}

// ownerByName cuts a step or beat name at its last infix: the rest is the name
// of the owner, or empty.
func ownerByName(name, infix string) string {
	return name[:max(strings.LastIndex(name, infix), 0)]
}
