package graph

import (
	"database/sql"
	"errors"
	"strconv"

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

// stepColumns reads a Step; see scanStep.
const stepColumns = `SELECT e.id, e.name, e.title, s.chart_id, o.name, s.number, s.due_date, s.completed_at, e.kind = 'chart'
	FROM steps s JOIN entities e ON e.id = s.entity_id JOIN entities o ON o.id = s.chart_id `

func scanStep(scan query.Scan) (*Step, error) {
	var s Step
	var completed sql.NullString
	err := scan(&s.Row, &s.ID, &s.Title, &s.Chart, &s.ChartID, &s.Number, &s.DueDate, &completed, &s.IsChart)
	s.Completed, s.CompletedAt = completed.Valid, completed.String
	return &s, err
}

// Step returns the action step of an id, or nil.
func (tx Rows) Step(id string) (*Step, error) {
	return nilIfNoRows(scanStep(tx.sql.Row(stepColumns+`WHERE e.name = ?`, id).Scan))
}

// StepAt returns the action step of a row, or nil.
func (tx Rows) StepAt(row int64) (*Step, error) {
	return nilIfNoRows(scanStep(tx.sql.Row(stepColumns+`WHERE s.entity_id = ?`, row).Scan))
}

// StepsByTitle returns up to limit steps whose title folds to the same text,
// incomplete ones first, then oldest first.
func (tx Rows) StepsByTitle(title string, limit int) ([]*Step, error) {
	return tx.steps(stepColumns+`WHERE e.kind IN ('step', 'chart') AND e.kind <> 'plain' AND e.folded_title IN (?, ?)
		ORDER BY s.completed_at IS NOT NULL, e.id LIMIT ?`, Fold(title), foldDecomposed(title), limit)
}

func (tx Rows) steps(statement string, args ...any) ([]*Step, error) {
	return query.Some(tx.sql, scanStep, statement, args...)
}

// StepByTitle returns the step of a chart whose title folds to the same text,
// leaving out the step in row except, or nil.
func (tx Rows) StepByTitle(chart int64, title string, except int64) (*Step, error) {
	return nilIfNoRows(scanStep(tx.sql.Row(stepColumns+`WHERE s.chart_id = ? AND s.folded_title IN (?, ?) AND s.entity_id <> ?
		ORDER BY s.number, s.entity_id LIMIT 1`, chart, Fold(title), foldDecomposed(title), except).Scan))
}

// InsertStep adds an action step to a chart under the next free
// <chart>_action_<n>.
func (tx Rows) InsertStep(chart *Chart, title, dueDate string) (*Step, error) {
	e := NewEntity{Type: TypeStep, Kind: KindStep, Title: title}
	return tx.insertStep(chart, e, dueDate)
}

// InsertStepChart adds an action step that is a chart of its own, one level
// below the given one.
func (tx Rows) InsertStepChart(chart *Chart, title string, facts []string, dueDate string) (*Chart, error) {
	e := NewEntity{Type: TypeChart, Kind: KindChart, Title: title, Observations: facts}
	step, err := tx.insertStep(chart, e, dueDate)
	if err != nil {
		return nil, err
	}
	if err := tx.PlaceChart(step.Row, ChartPlace{ParentStep: step.Row, Level: chart.Level + 1, DueDate: dueDate}); err != nil {
		return nil, err
	}
	return tx.ChartAt(step.Row)
}

func (tx Rows) insertStep(chart *Chart, e NewEntity, dueDate string) (*Step, error) {
	for {
		var number int
		if err := tx.sql.Row(`UPDATE charts SET next_step = next_step + 1 WHERE entity_id = ? RETURNING next_step - 1`, chart.Row).Scan(&number); err != nil {
			return nil, err
		}
		e.Name = chart.ID + "_action_" + strconv.Itoa(number)
		row, err := tx.InsertEntity(e)
		if errors.Is(err, ErrExists) {
			continue // an entity of that name came from elsewhere
		}
		if err != nil {
			return nil, err
		}
		return &Step{
			Row: row, ID: e.Name, Title: e.Title, Chart: chart.Row, ChartID: chart.ID,
			Number: number, DueDate: dueDate, IsChart: e.Kind == KindChart,
		}, tx.PlaceStep(row, e.Title, StepPlace{Chart: chart.Row, Number: number, DueDate: dueDate})
	}
}

// CompleteStep marks an open step complete; an already complete one keeps its
// date.
func (tx Rows) CompleteStep(s *Step, at string) error {
	tx.sql.Touch(store.TopicGraph, store.TopicCharts)
	if err := tx.sql.Exec(`UPDATE steps SET completed_at = ? WHERE entity_id = ? AND completed_at IS NULL`, at, s.Row); err != nil {
		return err
	}
	if err := tx.sql.Exec(`UPDATE entities SET updated_at = ? WHERE id = ?`, tx.sql.Now(), s.Row); err != nil {
		return err
	}
	if err := tx.recordChange(s.Row); err != nil {
		return err
	}
	return tx.recordChange(s.Chart)
}

// SubChart returns the chart a step was telescoped into, or nil. A step that is
// a chart of its own is not its own sub-chart.
func (tx Rows) SubChart(step int64) (*Chart, error) {
	return nilIfNoRows(scanChart(tx.sql.Row(chartColumns+`WHERE c.parent_step_id = ?1 AND c.entity_id <> ?1 ORDER BY c.entity_id LIMIT 1`, step).Scan))
}

// StepsBelow counts the steps of all charts that detail a step.
func (tx Rows) StepsBelow(step int64) (completed, total int, err error) {
	err = tx.sql.Row(`SELECT count(s.completed_at), count(s.entity_id) FROM charts c JOIN steps s ON s.chart_id = c.entity_id
		WHERE c.parent_step_id = ?`, step).Scan(&completed, &total)
	return completed, total, err
}
