package exchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// findSteps gives the action steps of the file to their charts.
func (a *assembly) findSteps() {
	for i := range a.entities {
		entity := &a.entities[i]
		if entity.EntityType != typeStep {
			continue
		}
		metadata := metadataOf(entity)
		chart := a.byName[metadata.text("chartId")]
		if !metadata.has("chartId") {
			if chart = a.byName[ownerByName(entity.Name, actionInfix)]; chart == nil {
				chart = a.related[entity.Name]
			}
		}
		if chart == nil {
			a.report.note(entity.Line, "action step %q belongs to no complete chart of this file; it is kept as a plain entity", entity.Name)
			continue
		}
		a.used[i] = true
		a.addStep(chart, a.readStep(entity, metadata, chart.ID))
	}
}

func (a *assembly) addStep(d *chartDraft, step Step) {
	a.byStep[step.ID] = d
	d.Steps = append(d.Steps, step)
}

func (a *assembly) readStep(entity *Entity, metadata object, chartID string) Step {
	step := Step{ID: entity.Name, Line: entity.Line, Extra: entity.Extra}
	if len(entity.Observations) > 0 {
		step.Title, step.Observations = entity.Observations[0], cutFirst(entity.Observations)
	} else {
		a.report.note(entity.Line, "action step %q has no observation, so it has no title", entity.Name)
	}
	if entity.Metadata == nil && entity.Extra == nil {
		rest, s, _ := splitState(step.Observations)
		step.Observations, step.DueDate, step.Completed, step.CompletedAt = rest, s.dueDate, s.completed, s.completedAt
		return step
	}
	metadata.removeText("chartId", chartID)
	step.DueDate = metadata.takeText("dueDate")
	step.CreatedAt = metadata.takeText("createdAt")
	step.UpdatedAt = metadata.takeText("updatedAt")
	step.CompletedAt = metadata.takeText("completedAt")
	step.Completed = metadata.takeBool("completionStatus")
	a.noteMisunderstood(entity.Line, fmt.Sprintf("action step %q", step.ID), metadata, "dueDate", "createdAt", "updatedAt", "completedAt", "completionStatus")
	step.Metadata = metadata.encode()
	return step
}

func cutFirst(observations []string) []string {
	if len(observations) < 2 {
		return nil
	}
	return observations[1:]
}

// noteMisunderstood reports the known keys that are still there because their
// values mean nothing.
func (a *assembly) noteMisunderstood(line int, owner string, rest object, keys ...string) {
	for _, key := range keys {
		if !rest.has(key) || string(rest[key]) == `""` {
			continue
		}
		value := []rune(string(rest[key]))
		if len(value) > 40 {
			value = append(value[:40], '…')
		}
		a.report.note(line, "the %s %s of %s is not understood; it is kept for export only", key, string(value), owner)
	}
}

// addListedSteps makes steps of the titles that a chart in the single form
// lists, where the file has no entity or child chart of that title.
func (a *assembly) addListedSteps(d *chartDraft) {
	titles := d.metadata.takeTexts("actionSteps")
	known := map[string]bool{}
	for _, step := range d.Steps {
		known[step.Title] = true
	}
	for _, child := range a.drafts {
		if child.metadata.text("parentChart") == d.ID && child.metadata.text("parentActionStep") == "" {
			known[child.DesiredOutcome] = true
		}
	}
	complete, _ := asNumber(d.metadata["completedActions"])
	if complete > 0 && int(complete) != len(titles) && len(titles) > 0 && len(d.Steps) == 0 {
		a.report.note(d.Line, "chart %q lists its steps by title only; which %v of them are complete is not known", d.ID, complete)
	}
	number := 0
	for _, title := range titles {
		if known[title] {
			continue
		}
		number = a.findFreeStepNumber(d.ID, number+1)
		a.addStep(d, Step{ID: d.ID + actionInfix + strconv.Itoa(number), Title: title, Completed: int(complete) == len(titles), Line: d.Line})
	}
}

// findFreeStepNumber returns the first number from n on whose step name is free.
func (a *assembly) findFreeStepNumber(chartID string, n int) int {
	for ; ; n++ {
		name := chartID + actionInfix + strconv.Itoa(n)
		_, taken := a.index[name]
		if !taken && a.byStep[name] == nil && a.byName[name] == nil && a.byPart[name] == nil {
			return n
		}
	}
}

// findParents sets each chart's parents. The metadata decides; a file without
// it, such as one of the official server, has relations.
func (a *assembly) findParents() {
	for _, d := range a.drafts {
		if d.metadata.has("parentChart") || d.metadata.has("parentActionStep") {
			a.findNamedParent(d)
		}
	}
	for i := range a.relations {
		r := &a.relations[i]
		child, parent, step := a.chartOfOutcome(r.From), a.chartOfOutcome(r.To), ""
		if r.RelationType == relationTelescopes {
			child, parent, step = a.chartOfOutcome(r.To), a.byStep[r.From], r.From
		} else if r.RelationType != relationAdvances {
			continue
		}
		if child == nil || parent == nil || child == parent || child.metadata.has("parentChart") || child.metadata.has("parentActionStep") {
			continue
		}
		if child.parent == nil || child.ParentStep == "" && step != "" {
			child.parent, child.ParentStep = parent, step
		}
	}
}

// findNamedParent finds the parents that the metadata names. Names that the
// file does not have stay in the metadata.
func (a *assembly) findNamedParent(d *chartDraft) {
	name := d.metadata.text("parentActionStep")
	owner := a.byStep[name]
	if d.parent = a.byName[d.metadata.text("parentChart")]; d.parent == nil && !d.metadata.has("parentChart") {
		d.parent = owner
	}
	if d.parent == nil {
		a.report.note(d.Line, "the parent of chart %q is not in this file; it is kept without a parent", d.ID)
		return
	}
	if owner != nil && owner != d {
		d.ParentStep = name
	} else if name != "" && d.parent != d {
		d.ParentStep = a.findStepTitled(d, name)
	}
}

// findStepTitled returns the step of the parent that a chart names by its
// title. Where there is none, the chart is a step of its parent itself, as
// those files have it that name it after its own outcome.
func (a *assembly) findStepTitled(d *chartDraft, title string) string {
	var found []string
	for _, step := range d.parent.Steps {
		if foldTitle(step.Title) == foldTitle(title) {
			found = append(found, step.ID)
		}
	}
	switch {
	case len(found) == 1:
		return found[0]
	case len(found) > 1:
		a.report.note(d.Line, "chart %q names %q as its parent step, a title that %d steps of chart %q have; it became a step of its own", d.ID, title, len(found), d.parent.ID)
	case foldTitle(title) != foldTitle(d.DesiredOutcome):
		a.report.note(d.Line, "chart %q names the parent step %q, which chart %q does not have; it became a step of its own", d.ID, title, d.parent.ID)
	}
	return ""
}

func foldTitle(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// findCircles returns the nodes that are their own ancestors.
func findCircles[T any](nodes []*T, parent func(*T) *T) map[*T]bool {
	circular := map[*T]bool{}
	walk := map[*T]int{} // the number of the first walk that came by
	for number, node := range nodes {
		for node != nil && walk[node] == 0 {
			walk[node] = number + 1
			node = parent(node)
		}
		for node != nil && walk[node] == number+1 && !circular[node] {
			circular[node] = true
			node = parent(node)
		}
	}
	return circular
}

// placeChart puts a chart into the document, behind its parent.
func (a *assembly) placeChart(d *chartDraft) {
	if d.placed {
		return
	}
	if d.parent != nil {
		a.placeChart(d.parent)
		d.ParentChart, d.Level = d.parent.ID, d.parent.Level+1
	}
	d.placed = true
	a.readChartFields(d)
	a.document.Charts = append(a.document.Charts, d.Chart)
}

// readChartFields takes what the chart has fields for out of its entities'
// metadata.
func (a *assembly) readChartFields(d *chartDraft) {
	entity, metadata := &a.entities[d.entity], d.metadata
	observations := entity.Observations
	metadata.removeText("chartId", d.ID)
	d.DueDate = metadata.takeText("dueDate")
	d.CreatedAt = metadata.takeText("createdAt")
	d.UpdatedAt = metadata.takeText("updatedAt")
	if _, number := asNumber(metadata["level"]); number {
		delete(metadata, "level")
	}
	if d.ParentChart != "" {
		delete(metadata, "parentChart")
	}
	if d.ParentStep != "" || d.ParentChart != "" && foldTitle(metadata.text("parentActionStep")) == foldTitle(d.DesiredOutcome) {
		delete(metadata, "parentActionStep")
	}
	if d.isSingle() {
		observations = readSingleForm(d, observations)
	} else {
		a.readOutcome(d)
		a.readReality(d)
	}
	if d.CreatedAt != "" && slices.Equal(observations, []string{chartCreatedObservation(d.CreatedAt)}) {
		observations = nil
	}
	if !d.isSingle() && entity.Metadata == nil && entity.Extra == nil && a.entities[d.outcome].Metadata == nil {
		var s state
		var found bool
		observations, s, found = splitState(observations)
		d.DueDate, d.Completed, d.CompletedAt = s.dueDate, s.completed, s.completedAt
		if !found {
			a.report.note(d.Line, "the due date and completion of chart %q are not in this file", d.ID)
		}
	}
	a.noteMisunderstood(d.Line, fmt.Sprintf("chart %q", d.ID), metadata, "dueDate", "createdAt", "updatedAt")
	d.ChartEntity = Part{Observations: observations, Metadata: metadata.encode(), Extra: entity.Extra}
}

// readSingleForm takes the fields that only the single form has. What repeats
// other fields or is counted from the steps is not kept twice.
func readSingleForm(d *chartDraft, observations []string) []string {
	delete(d.metadata, "desiredOutcome")
	delete(d.metadata, "currentReality")
	for _, key := range []string{"progress", "completedActions", "totalActions"} {
		if _, number := asNumber(d.metadata[key]); number {
			delete(d.metadata, key)
		}
	}
	d.Completed = d.metadata.takeBool("completionStatus")
	d.CompletedAt = d.metadata.takeText("completedAt")
	reality := strings.Join(d.CurrentReality, realitySeparator)
	var own []string
	for _, text := range observations {
		if text != d.DesiredOutcome && text != reality {
			own = append(own, text)
		}
	}
	return own
}

func (a *assembly) readOutcome(d *chartDraft) {
	entity := &a.entities[d.outcome]
	metadata := metadataOf(entity)
	metadata.removeText("chartId", d.ID)
	for key, text := range map[string]*string{"dueDate": &d.DueDate, "createdAt": &d.CreatedAt, "updatedAt": &d.UpdatedAt} {
		if *text == "" && d.metadata[key] == nil {
			*text = metadata.text(key)
		}
		metadata.removeText(key, *text)
	}
	d.Completed = metadata.takeBool("completionStatus")
	d.CompletedAt = metadata.takeText("completedAt")
	a.noteMisunderstood(entity.Line, fmt.Sprintf("chart %q", d.ID), metadata, "completionStatus", "completedAt")
	d.OutcomeEntity = Part{Observations: cutFirst(entity.Observations), Metadata: metadata.encode(), Extra: entity.Extra}
}

func (a *assembly) readReality(d *chartDraft) {
	entity := &a.entities[d.reality]
	metadata := metadataOf(entity)
	metadata.removeText("chartId", d.ID)
	metadata.removeText("createdAt", d.CreatedAt)
	metadata.removeText("updatedAt", d.UpdatedAt)
	d.RealityEntity = Part{Metadata: metadata.encode(), Extra: entity.Extra}
}
