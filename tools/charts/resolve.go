package charts

import (
	"strings"

	"toolkit/store"
	"toolkit/tools"
)

// maxNamesakes bounds how many equal titles are told apart.
const maxNamesakes = 50

// maxListed bounds the candidates of an ambiguous name.
const maxListed = 10

// resolveChart finds the chart that a name means: its exact id, else its exact
// title (case and space folded); of several the single active one.
func resolveChart(tx *store.Tx, field, name string) (*store.Chart, error) {
	for _, id := range spellings(name) {
		if c, err := tx.Chart(id); c != nil || err != nil {
			return c, err
		}
		step, err := tx.Step(id)
		if err != nil {
			return nil, err
		}
		if step != nil {
			return nil, stepIsNoChart(tx, field, name, step)
		}
	}
	if c, err := chartOfPart(tx, name); c != nil || err != nil {
		return c, err
	}
	found, err := tx.ChartsTitled(name, maxNamesakes)
	if err != nil {
		return nil, err
	}
	switch len(found) {
	case 0:
		return nil, chartNotFound(tx, field, name)
	case 1:
		return found[0], nil
	}
	return singleActive(tx, field, name, found)
}

func singleActive(tx *store.Tx, field, name string, found []*store.Chart) (*store.Chart, error) {
	rows := make([]int64, len(found))
	for i, c := range found {
		rows[i] = c.Row
	}
	inactive, err := tx.InactiveCharts(rows)
	if err != nil {
		return nil, err
	}
	var active []*store.Chart
	for _, c := range found {
		if !inactive[c.Row] {
			active = append(active, c)
		}
	}
	if len(active) == 1 {
		return active[0], nil
	}
	candidates := make([]candidate, 0, len(found))
	for _, c := range found {
		candidates = append(candidates, candidate{ID: c.ID, Title: c.Outcome, Chart: c.ParentChart})
	}
	return nil, ambiguous(field, name, "charts", "chart", candidates)
}

// resolveStep finds the action step that a name means: its exact id, else its
// exact title; of several the single incomplete one.
func resolveStep(tx *store.Tx, field, name string) (*store.Step, error) {
	for _, id := range spellings(name) {
		if s, err := tx.Step(id); s != nil || err != nil {
			return s, err
		}
		chart, err := tx.Chart(id)
		if err != nil {
			return nil, err
		}
		if chart != nil {
			return nil, chartIsNoStep(tx, field, name, chart)
		}
	}
	if c, err := chartOfPart(tx, name); err != nil {
		return nil, err
	} else if c != nil {
		return stepOfPart(tx, field, name, c)
	}
	found, err := tx.StepsTitled(name, maxNamesakes)
	if err != nil {
		return nil, err
	}
	switch {
	case len(found) == 0:
		return nil, stepNotFound(tx, field, name)
	case len(found) == 1, !found[0].Completed && found[1].Completed: // incomplete ones come first
		return found[0], nil
	}
	candidates := make([]candidate, 0, len(found))
	for _, s := range found {
		candidates = append(candidates, candidate{ID: s.ID, Title: s.Title, Chart: s.ChartID})
	}
	return nil, ambiguous(field, name, "action steps", "action_step", candidates)
}

// stepOfPart is the step that a chart details: other servers know a step that is
// a chart by the name of the chart's desired outcome.
func stepOfPart(tx *store.Tx, field, name string, c *store.Chart) (*store.Step, error) {
	if c.ParentStep != "" {
		row, _ := c.ParentRows()
		if s, err := tx.StepAt(row); s != nil || err != nil {
			return s, err
		}
	}
	return nil, chartIsNoStep(tx, field, name, c)
}

// resolveBeat finds the narrative beat that a name means: its exact name, else
// its exact title.
func resolveBeat(tx *store.Tx, field, name string) (*store.Beat, error) {
	for _, id := range spellings(name) {
		if b, err := tx.Beat(id); b != nil || err != nil {
			return b, err
		}
	}
	found, err := tx.BeatsTitled(name, maxNamesakes)
	if err != nil {
		return nil, err
	}
	switch len(found) {
	case 0:
		near, err := nearest(tx, store.Beats, name)
		if err != nil {
			return nil, err
		}
		h := immediate().Next("list_narrative_beats", tools.High, nil, "list the beats there are")
		return nil, notFound(field, "existing narrative beat", "no narrative beat has the name or title "+quoted(name), near, "list_narrative_beats shows all", "narrative_beat", h)
	case 1:
		return found[0], nil
	}
	candidates := make([]candidate, 0, len(found))
	for _, b := range found {
		candidates = append(candidates, candidate{ID: b.Name, Title: b.Title, Chart: b.ChartID})
	}
	return nil, ambiguous(field, name, "narrative beats", "narrative_beat", candidates)
}

// spellings are the forms in which a name may be an id: as given, then without
// surrounding white space.
func spellings(name string) []string {
	if trimmed := strings.TrimSpace(name); trimmed != name {
		return []string{name, trimmed}
	}
	return []string{name}
}

// chartOfPart finds a chart by the name of one of its parts in files of other
// servers, such as chart_1_desired_outcome; nil for other names.
func chartOfPart(tx *store.Tx, name string) (*store.Chart, error) {
	chart, part := store.ChartPart(strings.TrimSpace(name))
	if part == "" {
		return nil, nil
	}
	return tx.Chart(chart)
}

func quoted(name string) string { return `"` + shorten(strings.TrimSpace(name)) + `"` }

func ambiguous(field, name, what, kind string, candidates []candidate) error {
	h := immediate().Because("the ids in details.candidates are unambiguous").Needs("which of the " + what + " is meant")
	shownOnes := candidates[:min(len(candidates), maxListed)]
	for _, c := range shownOnes {
		h.Relate(kind, c.ID, c.Title, 1)
	}
	return tools.Invalid(tools.CodeInvalid, field, "ambiguous_name",
		"%s is the title of %d %s; call again with one of the ids: %s", quoted(name), len(candidates), what, listed(shownOnes)).
		With("candidates", shownOnes).WithHints(h)
}

// notFound is a reference to nothing, with what was probably meant,
// or else with what there is.
func notFound(field, rule, problem string, near nearby, advice, kind string, h *tools.Hints) error {
	message, relevance := problem, 1.0
	switch {
	case len(near.nodes) == 0:
	case near.alike:
		message += "; perhaps meant: " + listed(near.nodes)
	default:
		message += "; there are: " + listed(near.nodes)
		relevance = 0.5
	}
	message += "; " + advice
	for i, c := range near.nodes {
		h.Relate(kind, c.ID, c.Title, relevance*(1-0.2*float64(i)))
	}
	return tools.Refused(codeNotFound, field, rule, "%s", message).With("candidates", near.nodes).WithHints(h.Because(problem))
}

func chartNotFound(tx *store.Tx, field, name string) error {
	steps, err := tx.StepsTitled(name, 1)
	if err != nil {
		return err
	}
	if len(steps) > 0 {
		return stepIsNoChart(tx, field, name, steps[0])
	}
	near, err := nearest(tx, store.Charts, name)
	if err != nil {
		return err
	}
	h := immediate().Next("list_active_charts", tools.High, nil, "list the charts there are")
	switch {
	case near.alike:
		h.Next("get_chart_progress", tools.Middle, map[string]any{"chartId": near.nodes[0].ID}, "see whether "+near.nodes[0].String()+" is meant")
	case len(near.nodes) == 0:
		h.Next("create_structural_tension_chart", tools.Middle, nil, "no chart exists yet; create one")
	}
	return notFound(field, "existing chart", "no chart has the id or title "+quoted(name), near, "list_active_charts shows all", "chart", h)
}

// stepIsNoChart explains that a plain step becomes a chart by telescoping, or
// names the chart that it became.
func stepIsNoChart(tx *store.Tx, field, name string, step *store.Step) error {
	sub, err := tx.SubChart(step.Row)
	if err != nil {
		return err
	}
	if sub != nil {
		near := meant(candidate{ID: sub.ID, Title: sub.Outcome, Chart: sub.ParentChart})
		h := immediate().Next("get_chart_progress", tools.High, map[string]any{"chartId": sub.ID}, "see the chart of this step")
		return notFound(field, "existing chart", quoted(name)+" is an action step, not a chart", near, "use its chart "+sub.ID, "chart", h)
	}
	owner, err := tx.ChartAt(step.Chart)
	if err != nil {
		return err
	}
	near := meant(candidate{ID: owner.ID, Title: owner.Outcome, Chart: owner.ParentChart})
	if step.Completed {
		h := immediate().Next("get_chart_progress", tools.High, map[string]any{"chartId": step.ChartID}, "see the chart that owns the step")
		return notFound(field, "existing chart", quoted(name)+" is a completed action step, not a chart", near, "use the chart that owns it", "chart", h)
	}
	h := immediate().
		Next("telescope_action_step", tools.High, map[string]any{"actionStepName": step.ID}, "make a chart of this step").
		Next("get_chart_progress", tools.Middle, map[string]any{"chartId": step.ChartID}, "see the chart that owns the step")
	return notFound(field, "existing chart", quoted(name)+" is an action step, not a chart", near,
		"make a chart of it with telescope_action_step, or use the chart that owns it", "chart", h)
}

func stepNotFound(tx *store.Tx, field, name string) error {
	charts, err := tx.ChartsTitled(name, 1)
	if err != nil {
		return err
	}
	if len(charts) > 0 {
		return chartIsNoStep(tx, field, name, charts[0])
	}
	near, err := nearest(tx, store.Steps, name)
	if err != nil {
		return err
	}
	h := immediate()
	if near.alike && near.nodes[0].Chart != "" {
		h.Next("get_chart_progress", tools.High, map[string]any{"chartId": near.nodes[0].Chart}, "see the steps of the chart of "+near.nodes[0].String())
	}
	h.Next("list_active_charts", tools.Middle, nil, "list the charts with their steps")
	return notFound(field, "existing action step", "no action step has the id or title "+quoted(name), near, "get_chart_progress shows the steps of a chart", "action_step", h)
}

// chartIsNoStep explains which steps a caller who named a chart may mean: the
// step that the chart details, or the steps of a master chart.
func chartIsNoStep(tx *store.Tx, field, name string, chart *store.Chart) error {
	h := immediate().Next("get_chart_progress", tools.High, map[string]any{"chartId": chart.ID}, "see the steps of this chart")
	if chart.ParentStep != "" {
		parent, _ := chart.ParentRows()
		step, err := tx.StepAt(parent)
		if err != nil {
			return err
		}
		if step != nil {
			near := meant(candidate{ID: step.ID, Title: step.Title, Chart: step.ChartID})
			return notFound(field, "existing action step", quoted(name)+" is a chart, not an action step", near, "use the step it details, "+step.ID, "action_step", h)
		}
	}
	state, err := tx.ChartStateAt(chart.Row)
	if err != nil || state == nil {
		return err
	}
	near := meant()
	for _, s := range state.Steps {
		if !s.Completed && len(near.nodes) < maxNearest {
			near.nodes = append(near.nodes, candidate{ID: s.ID, Title: s.Title, Chart: chart.ID})
		}
	}
	return notFound(field, "existing action step", quoted(name)+" is a chart, not an action step", near, "use one of its steps, or add one with add_action_step", "action_step", h)
}
