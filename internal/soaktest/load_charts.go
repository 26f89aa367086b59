package soaktest

import "context"

// maxCharts is how many charts a worker goes on working with.
const maxCharts = 12

func chartsStep(ctx context.Context, w *Worker) error {
	chart, ok := pick(w, w.charts)
	token := w.token()
	switch {
	case !ok || w.chance(15):
		return createChart(ctx, w, token)
	case w.chance(30):
		return w.write(ctx, token, []string{"observations"}, "update_current_reality", object{"chartId": chart, "newObservations": []string{"Signed contract " + token}})
	case w.chance(30):
		return w.write(ctx, token, []string{"entities"}, "add_action_step", object{"parentChartId": chart, "actionStepTitle": "Chapter " + token + " written", "currentReality": "Outline of chapter " + token})
	case w.chance(30):
		return w.write(ctx, token, []string{"entities"}, "create_narrative_beat", object{"parentChartId": chart, "title": "The beat " + token, "act": 1, "type_dramatic": "Discovery",
			"universes": []string{"Engineer World"}, "description": "A page " + token + " was finished.", "prose": "One morning the page was there.", "lessons": []string{"Mornings are quiet"}})
	}
	return w.call(ctx, nil, "get_chart_progress", object{"chartId": chart})
}

func createChart(ctx context.Context, w *Worker, token string) error {
	first := "Chapter " + token + " outlined"
	var made struct {
		ChartID string `json:"chartId"`
	}
	err := w.call(ctx, &made, "create_structural_tension_chart", object{"desiredOutcome": "Write a finished first draft of novel " + token,
		"currentReality": "Outline exists; four free mornings a week", "dueDate": "2030-12-31T00:00:00Z", "actionSteps": []string{first}})
	if err != nil {
		return err
	}
	w.Journal.Stored(token, "entities")
	w.charts = append(w.charts, made.ChartID)
	if len(w.charts) > maxCharts {
		w.charts = w.charts[1:]
		return w.call(ctx, nil, "mark_action_complete", object{"actionStepName": first})
	}
	return nil
}
