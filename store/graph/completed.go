package graph

import (
	"time"

	"toolkit/store/internal/query"
)

// StepCompletion is when a step was completed.
type StepCompletion struct {
	Row int64
	At  time.Time
}

// CompletedBefore returns up to limit steps that were completed before a moment, the last
// one first. It looks at every step: ask once for many.
func (tx Rows) CompletedBefore(until time.Time, limit int) ([]StepCompletion, error) {
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
