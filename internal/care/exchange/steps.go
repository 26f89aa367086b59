package exchange

import (
	"fmt"
	"strconv"
	"strings"
)

// findSteps gives the action steps of the file to their charts.
func (a *assembly) findSteps() {
	related := a.stepsByRelation()
	for i := range a.entities {
		entity := &a.entities[i]
		if entity.EntityType != typeStep || !liftable(entity) {
			continue
		}
		metadata := a.metadata(i)
		chartID := metadata.text("chartId")
		if chartID == "" {
			chartID = ownerByName(entity.Name, actionInfix)
		}
		chart, ok := a.chartAt[chartID]
		if !ok && !metadata.has("chartId") {
			chart, ok = related[entity.Name]
		}
		if !ok {
			a.report.note(entity.Line, "action step %q belongs to no complete chart of this file; it is kept as a plain entity", entity.Name)
			continue
		}
		a.roles[i] = roleStep
		a.addStep(chart, a.liftStep(entity, metadata, a.document.Charts[chart].ID))
	}
	a.findStepTitles()
}

// stepsByRelation collects which chart contains an entity or has the outcome
// it advances toward; the first of a file counts.
func (a *assembly) stepsByRelation() map[string]int {
	owners := map[string]int{}
	for i := range a.relations {
		relation := &a.relations[i]
		name, chart := relation.To, -1
		switch relation.RelationType {
		case relationContains:
			chart = a.chartNamed(relation.From)
		case relationAdvances:
			name = relation.From
			if at, ok := a.outcomeOwner(relation.To); ok {
				chart = at
			}
		}
		if _, known := owners[name]; chart >= 0 && !known {
			owners[name] = chart
		}
	}
	return owners
}

func (a *assembly) addStep(chart int, step Step) {
	a.stepOwner[step.ID] = chart
	a.document.Charts[chart].Steps = append(a.document.Charts[chart].Steps, step)
}

func (a *assembly) liftStep(entity *Entity, metadata object, chartID string) Step {
	step := Step{ID: entity.Name, Line: entity.Line, Extra: entity.Extra}
	if len(entity.Observations) > 0 {
		step.Title = entity.Observations[0]
	} else {
		a.report.note(entity.Line, "action step %q has no observation, so it has no title", entity.Name)
	}
	step.Observations = further(entity.Observations)
	metadata.removeText("chartId", chartID)
	step.DueDate = metadata.takeText("dueDate")
	step.CreatedAt = metadata.takeText("createdAt")
	step.UpdatedAt = metadata.takeText("updatedAt")
	step.CompletedAt = metadata.takeText("completedAt")
	step.Completed = metadata.readBool("completionStatus")
	if entity.Metadata == nil && entity.Extra == nil {
		rest, s, _ := splitState(step.Observations)
		step.DueDate, step.Completed, step.CompletedAt = s.dueDate, s.completed, s.completedAt
		if step.Observations = rest; len(rest) == 0 {
			step.Observations = nil
		}
	}
	a.noteMisunderstood(entity.Line, fmt.Sprintf("action step %q", step.ID), metadata, "dueDate", "createdAt", "updatedAt", "completedAt", "completionStatus")
	step.Metadata = metadata.raw()
	return step
}

// findStepTitles makes steps of the titles that a chart in the single form
// lists, where the file has no entity or child chart of that title.
func (a *assembly) findStepTitles() {
	childTitles := map[[2]string]bool{} // of parent ID and title
	for i := range a.candidates {
		metadata := a.candidates[i].metadata
		if parent := metadata.text("parentChart"); parent != "" && metadata.text("parentActionStep") == "" {
			childTitles[[2]string{parent, a.document.Charts[i].DesiredOutcome}] = true
		}
	}
	for i := range a.candidates {
		titles, _ := decodeStrings(a.candidates[i].metadata.value("actionSteps"))
		if !a.candidates[i].single() || len(titles) == 0 {
			continue
		}
		chart := &a.document.Charts[i]
		known := make(map[string]bool, len(chart.Steps))
		for _, s := range chart.Steps {
			known[s.Title] = true
		}
		completed, _ := a.candidates[i].metadata.number("completedActions")
		if completed > 0 && int(completed) != len(titles) && len(chart.Steps) == 0 {
			a.report.note(chart.Line, "chart %q lists its steps by title only; which %v of them are complete is not known", chart.ID, completed)
		}
		number := 0
		for n, title := range titles {
			if known[title] || childTitles[[2]string{chart.ID, title}] {
				continue
			}
			number = a.freeStepNumber(chart.ID, max(number, n)+1)
			a.addStep(i, Step{
				ID:        chart.ID + actionInfix + strconv.Itoa(number),
				Title:     title,
				Completed: int(completed) == len(titles),
				Line:      chart.Line,
			})
		}
	}
}

// freeStepNumber returns the first number from n on whose step name is free.
func (a *assembly) freeStepNumber(chartID string, n int) int {
	for ; ; n++ {
		name := chartID + actionInfix + strconv.Itoa(n)
		_, entity := a.index[name]
		_, step := a.stepOwner[name]
		_, chart := a.chartAt[name]
		_, part := a.partOf[name]
		if !entity && !step && !chart && !part {
			return n
		}
	}
}

// stepTitled returns the one step of a chart that has that title, case and
// space aside, and how many there are.
func (a *assembly) stepTitled(chart int, title string) (step string, count int) {
	if a.stepsByTitle == nil {
		a.stepsByTitle = map[stepTitle][]string{}
		for i := range a.document.Charts {
			for _, s := range a.document.Charts[i].Steps {
				key := stepTitle{i, folded(s.Title)}
				a.stepsByTitle[key] = append(a.stepsByTitle[key], s.ID)
			}
		}
	}
	steps := a.stepsByTitle[stepTitle{chart, folded(title)}]
	if len(steps) != 1 {
		return "", len(steps)
	}
	return steps[0], 1
}

func folded(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
