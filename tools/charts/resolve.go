package charts

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

// maxNamesakes bounds how many equal titles are told apart.
const maxNamesakes = 50

// maxListed bounds the candidates of an ambiguous name.
const maxListed = 10

// What a name can mean, in the words of messages.
const (
	kindChart = "chart"
	kindStep  = "action step"
	kindBeat  = "narrative beat"
)

// resourceType is what hints call a related resource of a kind.
func resourceType(kind string) string { return strings.ReplaceAll(kind, " ", "_") }

// resolveOrFirstError resolves the name that an argument gives, in the documented order: what is
// wrong with the form of the arguments comes first, then the reference, then wording.
func resolveOrFirstError[T any](tx *store.Tx, resolve func(tx *store.Tx, field, name string) (T, error), field, name string, form, wording error) (node T, err error) {
	if err := cmp.Or(tools.RequireText(field, name), form); err != nil {
		return node, err
	}
	if node, err = resolve(tx, field, name); err != nil {
		return node, err
	}
	return node, wording
}

// resolveChart finds the chart that a name means: its exact id, else its exact
// title (case and space folded); of several the single active one.
func resolveChart(tx *store.Tx, field, name string) (*graph.Chart, error) {
	rows := graph.In(tx)
	c, step, err := findByID(rows, name)
	switch {
	case c != nil || err != nil:
		return c, err
	case step != nil:
		return nil, stepIsNoChartError(rows, field, name, step)
	}
	if c, err := findChartByPartID(rows, name); c != nil || err != nil {
		return c, err
	}
	found, err := rows.ChartsByTitle(name, maxNamesakes)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, chartNotFoundError(rows, field, name)
	case len(found) == 1:
		return found[0], nil
	}
	return chooseOnlyActiveChart(rows, field, name, found)
}

func chooseOnlyActiveChart(tx graph.Rows, field, name string, found []*graph.Chart) (*graph.Chart, error) {
	rows := make([]int64, len(found))
	for i, c := range found {
		rows[i] = c.Row
	}
	inactive, err := tx.FindInactiveCharts(rows)
	if err != nil {
		return nil, err
	}
	active := slices.DeleteFunc(slices.Clone(found), func(c *graph.Chart) bool { return inactive[c.Row] })
	if len(active) == 1 {
		return active[0], nil
	}
	return nil, ambiguousNameError(field, name, kindChart, found, chartCandidate)
}

// resolveStep finds the action step that a name means: its exact id, else its
// exact title; of several the single incomplete one, or of these the single one of an
// active chart.
func resolveStep(tx *store.Tx, field, name string) (*graph.Step, error) {
	rows := graph.In(tx)
	c, step, err := findByID(rows, name)
	switch {
	case step != nil || err != nil:
		return step, err
	case c != nil:
		return nil, chartIsNoStepError(rows, field, name, c)
	}
	if c, err := findChartByPartID(rows, name); err != nil {
		return nil, err
	} else if c != nil {
		return requireParentStep(rows, field, name, c)
	}
	found, err := rows.StepsByTitle(name, maxNamesakes)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, stepNotFoundError(rows, field, name)
	case len(found) == 1, !found[0].Completed && found[1].Completed: // incomplete ones come first
		return found[0], nil
	}
	return chooseOnlyOpenStep(rows, field, name, found)
}

// chooseOnlyOpenStep returns the single incomplete one of steps whose chart is active.
func chooseOnlyOpenStep(tx graph.Rows, field, name string, found []*graph.Step) (*graph.Step, error) {
	charts := make([]int64, len(found))
	for i, s := range found {
		charts[i] = s.Chart
	}
	inactive, err := tx.FindInactiveCharts(charts)
	if err != nil {
		return nil, err
	}
	open := slices.DeleteFunc(slices.Clone(found), func(s *graph.Step) bool { return s.Completed || inactive[s.Chart] })
	if len(open) == 1 {
		return open[0], nil
	}
	return nil, ambiguousNameError(field, name, kindStep, found, stepCandidate)
}

// resolveStepByTitleOrWords returns resolveStep for what only reads or marks a step: words that stand in
// the title of one step alone mean that step. Nothing is renamed or deleted by them.
func resolveStepByTitleOrWords(tx *store.Tx, field, name string) (*graph.Step, error) {
	step, refusal := resolveStep(tx, field, name)
	if e, is := errors.AsType[*tools.Error](refusal); !is || e.Code != tools.CodeNotFound {
		return step, refusal
	}
	words := language.Words(name)
	if !slices.ContainsFunc(words, func(w string) bool { return !language.IsStopWord(w) }) {
		return nil, refusal
	}
	rows := graph.In(tx)
	if charts, err := rows.ChartsByTitle(name, 1); err != nil || len(charts) > 0 {
		return nil, cmp.Or(err, refusal)
	}
	titles, err := rows.Titles(graph.Steps)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(titles, func(n graph.Title) bool {
		title := language.Words(n.Title)
		return slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(title, w) })
	})
	if len(found) != 1 {
		return nil, refusal
	}
	return rows.Step(found[0].ID)
}

// findByID finds the chart and the step of an id; a step made by add_action_step is
// both.
func findByID(tx graph.Rows, name string) (c *graph.Chart, s *graph.Step, err error) {
	for _, id := range listTrimmedSpellings(name) {
		if c, err = tx.Chart(id); err != nil {
			return nil, nil, err
		}
		if s, err = tx.Step(id); c != nil || s != nil || err != nil {
			return c, s, err
		}
	}
	return nil, nil, nil
}

// findParentStep returns the step that a chart details, or nil.
func findParentStep(tx graph.Rows, c *graph.Chart) (*graph.Step, error) {
	if c.ParentStep == "" {
		return nil, nil
	}
	return tx.StepAt(c.ParentStepRow)
}

// requireParentStep returns the step that a chart details: other servers know a step that is
// a chart by the name of the chart's desired outcome.
func requireParentStep(tx graph.Rows, field, name string, c *graph.Chart) (*graph.Step, error) {
	if s, err := findParentStep(tx, c); s != nil || err != nil {
		return s, err
	}
	return nil, chartIsNoStepError(tx, field, name, c)
}

// resolveBeat finds the narrative beat that a name means: its exact name, else
// its exact title.
func resolveBeat(tx *store.Tx, field, name string) (*graph.Beat, error) {
	rows := graph.In(tx)
	for _, id := range listTrimmedSpellings(name) {
		if b, err := rows.Beat(id); b != nil || err != nil {
			return b, err
		}
	}
	found, err := rows.BeatsByTitle(name, maxNamesakes)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, beatNotFoundError(rows, field, name)
	case len(found) == 1:
		return found[0], nil
	}
	return nil, ambiguousNameError(field, name, kindBeat, found, beatCandidate)
}

// listTrimmedSpellings returns the forms in which a name may be an id: as given, then without
// surrounding white space.
func listTrimmedSpellings(name string) []string {
	if trimmed := strings.TrimSpace(name); trimmed != name {
		return []string{name, trimmed}
	}
	return []string{name}
}

// findChartByPartID finds a chart by the name of one of its parts in files of other
// servers, such as chart_1_desired_outcome; nil for other names.
func findChartByPartID(tx graph.Rows, name string) (*graph.Chart, error) {
	chart, part := graph.ParseChartPart(strings.TrimSpace(name))
	if part == "" {
		return nil, nil
	}
	return tx.Chart(chart)
}

func quoteName(name string) string {
	return `"` + tools.ShortenForMessage(strings.TrimSpace(name)) + `"`
}

func ambiguousNameError[T any](field, name, kind string, found []T, describe func(T) candidate) error {
	h := tools.NewRefusalHints().Because("the ids in details.candidates are unambiguous").Needs("which of the " + kind + "s is meant")
	var shownOnes []candidate
	for _, node := range found[:min(len(found), maxListed)] {
		c := describe(node)
		shownOnes = append(shownOnes, c)
		h.AddRelatedResource(resourceType(kind), c.ID, c.Title, 1)
	}
	return tools.Invalid(tools.CodeInvalid, field, "ambiguous_name",
		"%s is the title of %d %ss; call again with one of the ids: %s", quoteName(name), len(found), kind, joinCandidates(shownOnes)).
		WithDetail("candidates", shownOnes).WithHints(h)
}

// notFoundError refuses a reference to nothing, with what was probably meant,
// or else with what there is.
func notFoundError(field, kind, problem string, near nearestNodes, advice string, h *tools.Hints) error {
	message, relevance := problem, 1.0
	switch {
	case len(near.nodes) == 0:
	case near.similar:
		message += "; perhaps meant: " + joinCandidates(near.nodes)
	default:
		message += "; there are: " + joinCandidates(near.nodes)
		relevance = 0.5
	}
	message += "; " + advice
	for i, c := range near.nodes {
		h.AddRelatedResource(resourceType(kind), c.ID, c.Title, relevance*(1-0.2*float64(i)))
	}
	return tools.Refused(tools.CodeNotFound, field, "existing "+kind, "%s", message).WithDetail("candidates", near.nodes).WithHints(h.Because(problem))
}

func chartNotFoundError(tx graph.Rows, field, name string) error {
	steps, err := tx.StepsByTitle(name, 1)
	if err != nil {
		return err
	}
	if len(steps) > 0 {
		return stepIsNoChartError(tx, field, name, steps[0])
	}
	near, err := findNearestOrNewest(tx, graph.Charts, name)
	if err != nil {
		return err
	}
	h := tools.NewRefusalHints().SuggestCall(listName, tools.PriorityHigh, nil, "list the charts there are")
	switch {
	case near.similar:
		h.SuggestCall(statusName, tools.PriorityMedium, chartArgs(near.nodes[0].ID), "see whether "+near.nodes[0].String()+" is meant")
	case len(near.nodes) == 0:
		h.SuggestCall(createName, tools.PriorityMedium, nil, "no chart exists yet; create one")
	}
	return notFoundError(field, kindChart, "no chart has the id or title "+quoteName(name), near, "list_active_charts shows all", h)
}

// stepIsNoChartError explains that a plain step becomes a chart by telescoping, or
// names the chart that it became.
func stepIsNoChartError(tx graph.Rows, field, name string, step *graph.Step) error {
	problem := quoteName(name) + " is an action step, not a chart"
	sub, err := tx.SubChart(step.Row)
	if err != nil {
		return err
	}
	if sub != nil {
		h := tools.NewRefusalHints().SuggestCall(statusName, tools.PriorityHigh, chartArgs(sub.ID), "see the chart of this step")
		return notFoundError(field, kindChart, problem, similarNodes(chartCandidate(sub)), "use its chart "+sub.ID, h)
	}
	owner, err := tx.ChartAt(step.Chart)
	if err != nil {
		return err
	}
	advice, h, after := "make a chart of it with telescope_action_step, or use the chart that owns it", tools.NewRefusalHints(), tools.PriorityMedium
	if step.Completed {
		problem, advice, after = quoteName(name)+" is a completed action step, not a chart", "use the chart that owns it", tools.PriorityHigh
	} else {
		h.SuggestCall(telescopeName, tools.PriorityHigh, stepArgs(step.ID), "make a chart of this step")
	}
	h.SuggestCall(statusName, after, chartArgs(step.ChartID), "see the chart that owns the step")
	return notFoundError(field, kindChart, problem, similarNodes(chartCandidate(owner)), advice, h)
}

func stepNotFoundError(tx graph.Rows, field, name string) error {
	charts, err := tx.ChartsByTitle(name, 1)
	if err != nil {
		return err
	}
	if len(charts) > 0 {
		return chartIsNoStepError(tx, field, name, charts[0])
	}
	near, err := findNearestOrNewest(tx, graph.Steps, name)
	if err != nil {
		return err
	}
	h := tools.NewRefusalHints()
	if near.similar && near.nodes[0].Chart != "" {
		h.SuggestCall(statusName, tools.PriorityHigh, chartArgs(near.nodes[0].Chart), "see the steps of the chart of "+near.nodes[0].String())
	}
	h.SuggestCall(listName, tools.PriorityMedium, nil, "list the charts with their steps")
	return notFoundError(field, kindStep, "no action step has the id or title "+quoteName(name), near, "get_chart_progress shows the steps of a chart", h)
}

// chartIsNoStepError explains which steps a caller who named a chart may mean: the
// step that the chart details, or the steps of a master chart.
func chartIsNoStepError(tx graph.Rows, field, name string, chart *graph.Chart) error {
	problem := quoteName(name) + " is a chart, not an action step"
	h := tools.NewRefusalHints().SuggestCall(statusName, tools.PriorityHigh, chartArgs(chart.ID), "see the steps of this chart")
	step, err := findParentStep(tx, chart)
	if err != nil {
		return err
	}
	if step != nil {
		return notFoundError(field, kindStep, problem, similarNodes(stepCandidate(step)), "use the step it details, "+step.ID, h)
	}
	state, err := tx.ReadChartWithSteps(chart.Row)
	if err != nil {
		return err
	}
	near := similarNodes()
	for _, s := range state.Steps {
		if !s.Completed && len(near.nodes) < maxNearest {
			near.nodes = append(near.nodes, candidate{s.ID, s.Title, chart.ID})
		}
	}
	return notFoundError(field, kindStep, problem, near, "use one of its steps, or add one with add_action_step", h)
}

func beatNotFoundError(tx graph.Rows, field, name string) error {
	near, err := findNearestOrNewest(tx, graph.Beats, name)
	if err != nil {
		return err
	}
	h := tools.NewRefusalHints().SuggestCall(listBeatsName, tools.PriorityHigh, nil, "list the beats there are")
	return notFoundError(field, kindBeat, "no narrative beat has the name or title "+quoteName(name), near, "list_narrative_beats shows all", h)
}
