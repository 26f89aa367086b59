package soaktest

import "context"

// liveCharts is how many charts a worker goes on working with.
const liveCharts = 12

type chart struct {
	id    string
	steps []string
}

func chartsStep(ctx context.Context, w *Worker) error {
	c, ok := pick(w, w.charts)
	switch {
	case !ok || !w.Steady && w.chance(15):
		return createChart(ctx, w)
	case w.Steady && w.chance(80):
		return w.call(ctx, nil, "get_chart_progress", object{"chartId": c.id})
	case w.chance(30):
		fact := w.token()
		return w.write(ctx, fact, []string{"observations"}, "update_current_reality", object{"chartId": c.id, "newObservations": []string{"Signed contract " + fact}})
	case w.chance(30):
		title := w.token()
		return w.write(ctx, title, []string{"entities"}, "add_action_step", object{"parentChartId": c.id, "actionStepTitle": "Chapter " + title + " written", "currentReality": "Outline of chapter " + title})
	case w.chance(30):
		title := w.token()
		return w.write(ctx, title, []string{"entities"}, "create_narrative_beat", object{"parentChartId": c.id, "title": "The beat " + title, "act": 1, "type_dramatic": "Discovery",
			"universes": []string{"Engineer World"}, "description": "A page " + title + " was finished.", "prose": "One morning the page was there.", "lessons": []string{"Mornings are quiet"}})
	case len(c.steps) > 0 && w.chance(20):
		err := w.call(ctx, nil, "mark_action_complete", object{"actionStepName": c.steps[0]})
		for i := range w.charts {
			if w.charts[i].id == c.id {
				w.charts[i].steps = nil
			}
		}
		return err
	case w.chance(30):
		return w.call(ctx, nil, "list_active_charts", object{"limit": 20})
	}
	return w.call(ctx, nil, "get_chart_progress", object{"chartId": c.id})
}

func createChart(ctx context.Context, w *Worker) error {
	outcome, first := w.token(), w.token()
	var made struct {
		ChartID string `json:"chartId"`
	}
	step := "Chapter " + first + " written"
	err := w.call(ctx, &made, "create_structural_tension_chart", object{"desiredOutcome": "Write a finished first draft of novel " + outcome,
		"currentReality": "Outline exists; four free mornings a week", "dueDate": "2030-12-31T00:00:00Z", "actionSteps": []string{step}})
	if err != nil {
		return err
	}
	w.Journal.Stored(outcome, "entities")
	w.Journal.Stored(first, "entities")
	w.charts = append(w.charts, chart{made.ChartID, []string{step}})
	oldest(&w.charts, liveCharts)
	return nil
}
