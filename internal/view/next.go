package view

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/graph"
	memoryrows "toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools/charts"
	"toolkit/tools/memory"
)

const (
	// maxNext is how many open steps and plans are looked through for those of a project.
	maxNext = 200
	// lastDay is behind every day that a plan names.
	lastDay = "9999-12-31"
)

// nextThing is an open step of a chart, or a plan with a day.
type nextThing struct {
	Kind    string `json:"kind"` // step or plan
	ID      string `json:"id"`   // of the step or of the insight
	Title   string `json:"title"`
	DueDate string `json:"due_date"`
	Chart   string `json:"chart,omitempty"`   // of a step: id of the chart that owns it
	Outcome string `json:"outcome,omitempty"` // of a step: what its master chart is for
	Project string `json:"project,omitempty"` // of a plan: its name

	Later *search.Later `json:"later,omitempty"` // that may replace a plan
	place int           // among what is due: what a later plan may replace comes last
}

// listDueThings returns what is due of a project, and of all when none is named, the first due first, and
// behind it the open steps of other charts.
func (s *Server) listDueThings(ctx context.Context, q *query) (any, error) {
	project, limit := q.readProject(), int(q.readNumber("limit", nextShown, 1, pageMax))
	here, others := []nextThing{}, []nextThing{}
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		plans, err := s.listPlannedInsights(ctx, tx, project)
		if err != nil {
			return err
		}
		open, err := charts.NextSteps(graph.In(tx))
		if err != nil {
			return err
		}
		steps, err := graph.In(tx).DescribeOpenSteps(open[:min(len(open), maxNext)])
		if err != nil {
			return err
		}
		isHere := map[string]bool{}
		if project != 0 {
			if isHere, err = chartsOfProject(tx, project, steps); err != nil {
				return err
			}
		}
		here = append(here, plans...)
		for _, step := range steps {
			thing := nextThing{Kind: "step", ID: step.ID, Title: step.Title, DueDate: step.DueDate, Chart: step.Chart, Outcome: step.Outcome}
			if project == 0 || isHere[step.Root] {
				here = append(here, thing)
			} else {
				others = append(others, thing)
			}
		}
		return nil
	})
	slices.SortStableFunc(here, func(a, b nextThing) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(cmp.Or(a.DueDate, lastDay), cmp.Or(b.DueDate, lastDay)))
	})
	return map[string]any{
		"here": here[:min(len(here), limit)], "here_total": len(here),
		"others": others[:min(len(others), limit)], "others_total": len(others),
	}, err
}

// listPlannedInsights returns the insights of a project, or of all, that name a day to come, or one that is over with
// something left to do.
func (s *Server) listPlannedInsights(ctx context.Context, tx *store.Tx, project int64) ([]nextThing, error) {
	now := s.o.Store.Now()
	list, err := memoryrows.In(tx).InsightsDue(now.Add(-memory.PromiseMemory).Format(time.DateOnly), lastDay, maxNext)
	if err != nil {
		return nil, err
	}
	described, err := s.describeAndMarkReplaced(ctx, tx, list)
	if err != nil {
		return nil, err
	}
	var plans []nextThing
	today := now.Local().Format(time.DateOnly)
	for i, row := range described {
		due := memory.NextDueDay(row.Content, memory.DueDayOf(&list[i]), list[i].Created, now)
		if project != 0 && row.project != project || !memory.IsStillDue(row.Content, due, today) {
			continue
		}
		plan := nextThing{Kind: "plan", ID: strconv.FormatInt(row.ID, 10), Title: row.Content, DueDate: due, Project: row.Project, Later: row.Later}
		if row.Later != nil {
			plan.place = 2
		} else if due < today {
			plan.place = 1
		}
		plans = append(plans, plan)
	}
	return plans, nil
}

// chartsOfProject tells of the master charts of steps, by their ids, which belong to a project: those
// of which it is stored that they were made in it.
func chartsOfProject(tx *store.Tx, project int64, steps []graph.PlacedStep) (map[string]bool, error) {
	ids := make([]string, len(steps))
	for i, step := range steps {
		ids[i] = step.Root
	}
	keys, err := graph.In(tx).ProjectsOfCharts(ids)
	if err != nil {
		return nil, err
	}
	belongs := map[string]bool{}
	for id, key := range keys {
		of, err := sessions.In(tx).ProjectByKey(key)
		if err != nil {
			return nil, err
		}
		belongs[id] = of.ID == project
	}
	return belongs, nil
}
