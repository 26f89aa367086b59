package graph

import (
	"strconv"
	"time"

	"golang.org/x/text/unicode/norm"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Step is an action step of a chart.
type Step struct {
	Row         int64
	ID          string // name of its node
	Title       string
	Chart       int64  // row of the chart that owns it
	ChartID     string // id of the chart that owns it
	Number      int    // place within the chart, never reused
	DueDate     string
	Completed   bool
	CompletedAt string // RFC 3339, empty while open
	IsChart     bool   // made by adding an action step: a chart of its own as well
}

// stepColumns reads a Step; see fields.
const stepColumns = `SELECT e.id, e.name, e.title, s.chart_id, o.name, s.number, s.due_date, s.completed_at IS NOT NULL, coalesce(s.completed_at, ''), e.kind = 'chart'
	FROM steps s JOIN entities e ON e.id = s.entity_id JOIN entities o ON o.id = s.chart_id `

func (s *Step) fields() []any {
	return []any{&s.Row, &s.ID, &s.Title, &s.Chart, &s.ChartID, &s.Number, &s.DueDate, &s.Completed, &s.CompletedAt, &s.IsChart}
}

// Step returns the action step of an id, or nil.
func (tx Rows) Step(id string) (*Step, error) {
	return query.Get(tx.sql, (*Step).fields, stepColumns+`WHERE e.name = ?`, id)
}

// StepAt returns the action step of a row, or nil.
func (tx Rows) StepAt(row int64) (*Step, error) {
	return query.Get(tx.sql, (*Step).fields, stepColumns+`WHERE s.entity_id = ?`, row)
}

// StepsByTitle returns up to limit steps whose title folds to the same text,
// incomplete ones first, then oldest first.
func (tx Rows) StepsByTitle(title string, limit int) ([]*Step, error) {
	return tx.steps(stepColumns+`WHERE e.kind IN ('step', 'chart') AND e.kind <> 'plain' AND e.folded_title IN (?, ?)
		ORDER BY s.completed_at IS NOT NULL, e.id LIMIT ?`, Fold(title), foldDecomposed(title), limit)
}

func (tx Rows) steps(statement string, args ...any) ([]*Step, error) {
	return query.SelectPointers(tx.sql, (*Step).fields, statement, args...)
}

// StepByTitle returns the step of a chart whose title folds to the same text,
// leaving out the step in row except, or nil.
func (tx Rows) StepByTitle(chart int64, title string, except int64) (*Step, error) {
	return query.Get(tx.sql, (*Step).fields, stepColumns+`WHERE s.chart_id = ? AND s.folded_title IN (?, ?) AND s.entity_id <> ?
		ORDER BY s.number, s.entity_id LIMIT 1`, chart, Fold(title), foldDecomposed(title), except)
}

// NewStep is an action step to insert.
type NewStep struct{ Title, DueDate string }

// InsertStep adds an action step to a chart, see InsertSteps.
func (tx Rows) InsertStep(chart *Chart, title, dueDate string) (*Step, error) {
	steps, err := tx.InsertSteps(chart, []NewStep{{title, dueDate}})
	if err != nil {
		return nil, err
	}
	return steps[0], nil
}

// InsertSteps adds action steps to a chart, in their order, under the next free
// <chart>_action_<n>.
func (tx Rows) InsertSteps(chart *Chart, list []NewStep) ([]*Step, error) {
	if len(list) == 0 {
		return nil, nil
	}
	first, free, err := tx.takeStepNumbers(chart, len(list))
	if err != nil {
		return nil, err
	}
	if !free { // a name is taken: each takes the next free one
		var steps []*Step
		for _, s := range list {
			one, err := tx.InsertSteps(chart, []NewStep{s})
			if err != nil {
				return nil, err
			}
			steps = append(steps, one...)
		}
		return steps, nil
	}
	steps := make([]*Step, len(list))
	for i, s := range list {
		steps[i] = &Step{ID: stepID(chart, first+i), Title: s.Title, Chart: chart.Row, ChartID: chart.ID, Number: first + i, DueDate: s.DueDate}
	}
	return steps, tx.insertStepRows(steps)
}

// takeStepNumbers takes the next numbers of steps in a chart. They are not free when an
// entity from elsewhere has a name of theirs; a single number is always free.
func (tx Rows) takeStepNumbers(chart *Chart, count int) (first int, free bool, err error) {
	names := [3]string{chart.ID, ComposeAccents(chart.ID), norm.NFD.String(chart.ID)}
	ahead := make([]int64, count)
	for i := range ahead {
		ahead[i] = int64(i)
	}
	for {
		err := tx.sql.Row(`UPDATE charts SET next_step = next_step + ?2 WHERE entity_id = ?1
			AND NOT EXISTS (SELECT 1 FROM json_each(?3) j, entities e WHERE e.name IN (?4 || '_action_' || CAST(charts.next_step + j.value AS TEXT),
				?5 || '_action_' || CAST(charts.next_step + j.value AS TEXT), ?6 || '_action_' || CAST(charts.next_step + j.value AS TEXT)))
			RETURNING next_step - ?2`, chart.Row, count, query.List(ahead), names[0], names[1], names[2]).Scan(&first)
		if free, err = query.RowFound(err); free || err != nil || count > 1 {
			return first, free, err
		}
		if err := tx.sql.Exec(`UPDATE charts SET next_step = next_step + 1 WHERE entity_id = ?`, chart.Row); err != nil {
			return 0, false, err
		}
	}
}

func stepID(chart *Chart, number int) string { return chart.ID + "_action_" + strconv.Itoa(number) }

// insertStepRows inserts steps with one statement for each table. It gives them their rows.
func (tx Rows) insertStepRows(steps []*Step) error {
	now, chart := tx.sql.Now(), steps[0].Chart
	var entities, places, relations []any
	var ids []int64
	var words [][]string
	for _, s := range steps {
		entities = append(entities, s.ID, TypeStep, string(KindStep), s.Title, Fold(s.Title), now, now)
	}
	rows, err := query.Map[string, int64](tx.sql, `INSERT INTO entities(name, type, kind, title, folded_title, created_at, updated_at) `+query.Placeholders(7, len(steps))+` RETURNING name, id`, entities...)
	if err != nil {
		return err
	}
	tx.sql.Touch(store.TopicGraph, store.TopicCharts)
	tx.recordChange(chart)
	for _, s := range steps {
		s.Row = rows[s.ID]
		tx.recordChange(s.Row)
		ids, words = append(ids, s.Row), append(words, []string{s.ID, TypeStep, s.Title, ""})
		places = append(places, s.Row, chart, s.Number, Fold(s.Title), s.DueDate)
		relations = append(relations, chart, s.Row, RelationContains, 1, now)
	}
	if err := tx.sql.AddManyWords("entity_words", ids, words); err != nil {
		return err
	}
	if err := tx.sql.Exec(`INSERT INTO steps(entity_id, chart_id, number, folded_title, due_date) `+query.Placeholders(5, len(steps)), places...); err != nil {
		return err
	}
	return tx.sql.Exec(`INSERT INTO relations(from_id, to_id, type, structural, created_at) `+query.Placeholders(5, len(steps)), relations...)
}

// InsertStepChart adds an action step that is a chart of its own, one level
// below the given one.
func (tx Rows) InsertStepChart(chart *Chart, title string, facts []string, dueDate string) (*Chart, error) {
	number, _, err := tx.takeStepNumbers(chart, 1)
	if err != nil {
		return nil, err
	}
	row, err := tx.InsertEntity(NewEntity{Name: stepID(chart, number), Type: TypeChart, Kind: KindChart, Title: title, Observations: facts})
	if err != nil {
		return nil, err
	}
	if err := tx.InsertStepOfNode(Step{Row: row, Title: title, Chart: chart.Row, Number: number, DueDate: dueDate}); err != nil {
		return nil, err
	}
	if err := tx.InsertChartOfNode(Chart{Row: row, ParentStepRow: row, Level: chart.Level + 1, DueDate: dueDate}); err != nil {
		return nil, err
	}
	return tx.ChartAt(row)
}

// CompleteStep marks an open step complete; an already complete one keeps its
// date.
func (tx Rows) CompleteStep(s *Step, at string) error {
	if err := tx.sql.Exec(`UPDATE steps SET completed_at = ? WHERE entity_id = ? AND completed_at IS NULL`, at, s.Row); err != nil {
		return err
	}
	return tx.markChartChanged(s.Row, s.Chart)
}

// SubChart returns the chart a step was telescoped into, or nil. A step that is
// a chart of its own is not its own sub-chart.
func (tx Rows) SubChart(step int64) (*Chart, error) {
	return query.Get(tx.sql, (*Chart).fields, chartColumns+`WHERE c.parent_step_id = ?1 AND c.entity_id <> ?1 ORDER BY c.entity_id LIMIT 1`, step)
}

// CountStepsBelow counts the steps of all charts that detail a step.
func (tx Rows) CountStepsBelow(step int64) (completed, total int, err error) {
	err = tx.sql.Row(`SELECT count(s.completed_at), count(s.entity_id) FROM charts c JOIN steps s ON s.chart_id = c.entity_id
		WHERE c.parent_step_id = ?`, step).Scan(&completed, &total)
	return completed, total, err
}

// StepCompletion is when a step was completed.
type StepCompletion struct {
	Row int64
	At  time.Time
}

// StepsCompletedBefore returns up to limit steps that were completed before a moment, the last
// one first. It looks at every step: ask once for many.
func (tx Rows) StepsCompletedBefore(until time.Time, limit int) ([]StepCompletion, error) {
	return query.Select(tx.sql, func(s *StepCompletion) []any { return []any{&s.Row, query.Millis(&s.At)} },
		`SELECT entity_id, 1000 * at FROM (SELECT entity_id, unixepoch(completed_at) AS at FROM steps WHERE completed_at IS NOT NULL) WHERE at < ? ORDER BY at DESC, entity_id DESC LIMIT ?`, until.Unix(), limit)
}

// CompletedStep is one with the chart that it belongs to.
type CompletedStep struct {
	ID      string
	Title   string
	ChartID string
	Outcome string // of the chart
}

// CompletedSteps returns steps in the order of the given rows.
func (tx Rows) CompletedSteps(rows []int64) ([]CompletedStep, error) {
	return query.Select(tx.sql, func(s *CompletedStep) []any { return []any{&s.ID, &s.Title, &s.ChartID, &s.Outcome} }, `SELECT e.name, e.title, o.name, o.title FROM json_each(?) j CROSS JOIN steps s ON s.entity_id = j.value
		JOIN entities e ON e.id = s.entity_id JOIN entities o ON o.id = s.chart_id ORDER BY j.key`, query.List(rows))
}
