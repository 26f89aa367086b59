package graph

import (
	"database/sql"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// ReopenStep takes the completion of a step back, and that of its chart.
func (tx Rows) ReopenStep(s *Step) error {
	if err := tx.sql.Exec(`UPDATE steps SET completed_at = NULL WHERE entity_id = ?`, s.Row); err != nil {
		return err
	}
	if err := tx.sql.Exec(`UPDATE charts SET status = 'active', closed_at = NULL WHERE parent_step_id = ? AND status = 'completed'`, s.Row); err != nil {
		return err
	}
	return tx.markChartChanged(s.Row, s.Chart)
}

// SetStepTitle renames a step; a chart that details it and had the step's title
// as its outcome is renamed with it.
func (tx Rows) SetStepTitle(s *Step, title string) error {
	sub, err := tx.SubChart(s.Row)
	if err != nil {
		return err
	}
	if sub != nil && sub.Outcome == s.Title {
		if err := tx.SetTitle(sub.Row, title); err != nil {
			return err
		}
	}
	if err := tx.SetTitle(s.Row, title); err != nil {
		return err
	}
	if err := tx.sql.Exec(`UPDATE steps SET folded_title = ? WHERE entity_id = ?`, Fold(title), s.Row); err != nil {
		return err
	}
	return tx.markChartChanged(s.Row, s.Chart)
}

// SetStepDue moves the due date of a step and of the charts that detail it.
func (tx Rows) SetStepDue(s *Step, dueDate string) error {
	if err := tx.sql.Exec(`UPDATE steps SET due_date = ? WHERE entity_id = ?`, dueDate, s.Row); err != nil {
		return err
	}
	if err := tx.sql.Exec(`UPDATE charts SET due_date = ? WHERE parent_step_id = ?`, dueDate, s.Row); err != nil {
		return err
	}
	return tx.markChartChanged(s.Row, s.Chart)
}

// SetChartDue moves the due date of a master chart; that of another one is its
// step's, see SetStepDue.
func (tx Rows) SetChartDue(c *Chart, dueDate string) error {
	if err := tx.sql.Exec(`UPDATE charts SET due_date = ? WHERE entity_id = ?`, dueDate, c.Row); err != nil {
		return err
	}
	return tx.markChartChanged(c.Row)
}

// SetChartStatus closes a chart at a time, or with ChartActive opens it again.
func (tx Rows) SetChartStatus(c *Chart, status, at string) error {
	closed := sql.NullString{String: at, Valid: status != ChartActive}
	if err := tx.sql.Exec(`UPDATE charts SET status = ?, closed_at = ? WHERE entity_id = ?`, status, closed, c.Row); err != nil {
		return err
	}
	return tx.markChartChanged(c.Row)
}

// markChartChanged notes a change of the first of the nodes, which others show.
func (tx Rows) markChartChanged(rows ...int64) error {
	tx.sql.Touch(store.TopicGraph, store.TopicCharts)
	if err := tx.touchEntity(rows[0]); err != nil {
		return err
	}
	for _, row := range rows[1:] {
		tx.recordChange(row)
	}
	return nil
}

// StepDetail is a step with the chart that details it.
type StepDetail struct {
	Step
	DetailID  string // id of the chart that details it, its own when it is a chart, else empty
	DetailRow int64
	SubDone   int // completed steps of the charts that detail it
	SubTotal  int
}

// StepDetails describes the steps of a chart in order.
func (tx Rows) StepDetails(chart int64) ([]StepDetail, error) {
	return query.Select(tx.sql, func(d *StepDetail) []any {
		return append(d.fields(), &d.DetailRow, &d.DetailID, &d.SubDone, &d.SubTotal)
	}, `SELECT e.id, e.name, e.title, s.chart_id, o.name, s.number, s.due_date, s.completed_at IS NOT NULL, coalesce(s.completed_at, ''), e.kind = 'chart',
			coalesce(max(c.entity_id), 0), coalesce(d.name, ''), count(x.completed_at), count(x.entity_id)
		FROM steps s JOIN entities e ON e.id = s.entity_id JOIN entities o ON o.id = s.chart_id
		LEFT JOIN charts c ON c.parent_step_id = s.entity_id
		LEFT JOIN entities d ON d.id = c.entity_id
		LEFT JOIN steps x ON x.chart_id = c.entity_id
		WHERE s.chart_id = ? GROUP BY s.entity_id, e.id, o.id, c.entity_id, d.id ORDER BY s.number, s.entity_id`, chart)
}

// ListOpenStepsBelow returns up to limit open steps below a step, at any depth, and
// how many there are.
func (tx Rows) ListOpenStepsBelow(step int64, limit int) (open []*Step, total int, err error) {
	below := `WITH RECURSIVE below(id) AS (
			SELECT entity_id FROM charts WHERE parent_step_id = ?1
			UNION SELECT k.entity_id FROM below b JOIN steps x ON x.chart_id = b.id JOIN charts k ON k.parent_step_id = x.entity_id) `
	open, err = tx.steps(below+stepColumns+`WHERE s.chart_id IN (SELECT id FROM below) AND s.completed_at IS NULL AND s.entity_id <> ?1
		ORDER BY s.chart_id, s.number LIMIT ?2`, step, limit)
	if err != nil {
		return nil, 0, err
	}
	return open, total, tx.sql.Row(below+`SELECT count(*) FROM steps s WHERE s.chart_id IN (SELECT id FROM below) AND s.completed_at IS NULL AND s.entity_id <> ?1`, step).Scan(&total)
}

// StepsOf returns the steps among nodes whose chart is not among them.
func (tx Rows) StepsOf(rows []int64) ([]*Step, error) {
	return tx.steps(stepColumns+`WHERE s.entity_id IN (SELECT value FROM json_each(?1)) AND s.chart_id NOT IN (SELECT value FROM json_each(?1))
		ORDER BY s.entity_id`, query.List(rows))
}

// StepsDetailedBy returns the steps outside of nodes that charts among them
// detail.
func (tx Rows) StepsDetailedBy(rows []int64) ([]*Step, error) {
	return tx.steps(stepColumns+`WHERE s.entity_id IN (SELECT c.parent_step_id FROM charts c WHERE c.entity_id IN (SELECT value FROM json_each(?1)))
		AND s.entity_id NOT IN (SELECT value FROM json_each(?1)) ORDER BY s.entity_id`, query.List(rows))
}

// CountClosedCharts returns how many charts are closed, and the id and outcome of
// the last of them.
func (tx Rows) CountClosedCharts() (total int, last *Chart, err error) {
	if err := tx.sql.Row(`SELECT count(*) FROM charts WHERE status <> 'active'`).Scan(&total); err != nil || total == 0 {
		return total, nil, err
	}
	last, err = query.Get(tx.sql, (*Chart).fields, chartColumns+`WHERE c.status <> 'active' ORDER BY c.closed_at DESC, c.entity_id DESC LIMIT 1`)
	return total, last, err
}
