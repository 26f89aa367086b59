package graph

import "toolkit/store/internal/query"

// Group names what a reference may mean: a chart, a step or a beat.
type Group string

// Groups of chart nodes, by their tables. A step that is a chart of its own is in both groups.
const (
	Charts Group = "charts"
	Steps  Group = "steps"
	Beats  Group = "beats"
)

// Title is a chart node by its two names.
type Title struct {
	ID    string
	Title string
	Chart string // id of the chart that owns a step, else empty
}

// Titles returns the nodes of a group, the newest first, up to maxScannedNames.
func (tx Rows) Titles(group Group) ([]Title, error) {
	statement := `SELECT e.name, e.title, '' FROM ` + string(group) + ` n JOIN entities e ON e.id = n.entity_id ORDER BY n.entity_id DESC LIMIT ?`
	if group == Steps {
		statement = `SELECT e.name, e.title, o.name FROM steps n JOIN entities e ON e.id = n.entity_id JOIN entities o ON o.id = n.chart_id ORDER BY n.entity_id DESC LIMIT ?`
	}
	return query.Select(tx.sql, func(t *Title) []any { return []any{&t.ID, &t.Title, &t.Chart} }, statement, maxScannedNames)
}
