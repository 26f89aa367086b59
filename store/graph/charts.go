package graph

import (
	"encoding/json"
	"time"

	"toolkit/store"
	"toolkit/store/internal/query"
	"toolkit/store/plainjson"
)

// Types of chart nodes in the graph, as the data models of the charts
// documentation name them.
const (
	TypeChart = "structural_tension_chart"
	TypeStep  = "action_step"
	TypeBeat  = "narrative_beat"
)

// Types of the structural relations: they live and die with their chart.
const (
	RelationContains   = "contains"        // chart to action step
	RelationTelescopes = "telescopes_into" // action step to its chart, beat to its sub-beat
	RelationDocuments  = "documents"       // beat to chart
)

// Chart is a structural tension chart. One made by adding an action step is
// that step as well. Facts and Steps are read by ReadChartsWithSteps alone.
type Chart struct {
	Row         int64
	ID          string // name of its node
	Outcome     string // desired outcome
	DueDate     string // as given
	Level       int    // 0 for a master chart
	ParentStep  string // id of the step it details, empty for a master chart
	ParentChart string // id of the chart that owns that step
	// ParentStepRow and ParentChartRow are their rows, 0 for a master chart.
	ParentStepRow, ParentChartRow int64
	Project                       string // key of the project in which it was made, of a new one; empty: not known
	Status                        string // one of the ChartStatus constants
	ClosedAt                      string // RFC 3339, empty while active
	Created                       time.Time
	Updated                       time.Time
	Facts                         []string // of its current reality
	Steps                         []Step   // in order
}

// Statuses of a chart. Below a closed chart nothing is active.
const (
	ChartActive    = "active"
	ChartCompleted = "completed"
	ChartAbandoned = "abandoned"
)

// IsStep reports whether the chart is itself an action step of its parent.
func (c *Chart) IsStep() bool { return c.ParentStepRow == c.Row }

// chartColumns reads a Chart; see fields.
const chartColumns = `SELECT e.id, e.name, e.title, c.due_date, c.level, c.status, coalesce(c.closed_at, ''), e.created_at, e.updated_at,
	coalesce(c.parent_step_id, 0), coalesce(ps.name, ''), coalesce(s.chart_id, 0), coalesce(pc.name, '')
	FROM charts c JOIN entities e ON e.id = c.entity_id
	LEFT JOIN entities ps ON ps.id = c.parent_step_id
	LEFT JOIN steps s ON s.entity_id = c.parent_step_id
	LEFT JOIN entities pc ON pc.id = s.chart_id `

func (c *Chart) fields() []any {
	return []any{&c.Row, &c.ID, &c.Outcome, &c.DueDate, &c.Level, &c.Status, &c.ClosedAt, query.Millis(&c.Created), query.Millis(&c.Updated),
		&c.ParentStepRow, &c.ParentStep, &c.ParentChartRow, &c.ParentChart}
}

// Chart returns the chart of an id, or nil.
func (tx Rows) Chart(id string) (*Chart, error) {
	return query.Get(tx.sql, (*Chart).fields, chartColumns+`WHERE e.name = ?`, id)
}

// ChartAt returns the chart of a row, or nil.
func (tx Rows) ChartAt(row int64) (*Chart, error) {
	return query.Get(tx.sql, (*Chart).fields, chartColumns+`WHERE c.entity_id = ?`, row)
}

// ChartsByTitle returns up to limit charts whose outcome folds to the same
// text, oldest first.
func (tx Rows) ChartsByTitle(title string, limit int) ([]*Chart, error) {
	// kind <> 'plain' is the condition of the partial index entities_title.
	return tx.charts(chartColumns+`WHERE e.kind = 'chart' AND e.kind <> 'plain' AND e.folded_title IN (?, ?) ORDER BY e.id LIMIT ?`,
		Fold(title), foldDecomposed(title), limit)
}

func (tx Rows) charts(statement string, args ...any) ([]*Chart, error) {
	return query.SelectPointers(tx.sql, (*Chart).fields, statement, args...)
}

// FreeChartID returns chart_<n> for the first n, from the given one on, whose
// name is free. In a write transaction it stays free until it is used.
func (tx Rows) FreeChartID(from int64) (string, error) {
	return query.Value[string](tx.sql, `WITH RECURSIVE taken(n) AS (
			SELECT ? UNION ALL SELECT n + 1 FROM taken WHERE EXISTS (SELECT 1 FROM entities WHERE name = 'chart_' || n))
		SELECT 'chart_' || max(n) FROM taken`, from)
}

// InsertChart adds an active chart with its facts and, below a step, the relation that
// ties it to the step. It returns ErrExists when the id is taken.
func (tx Rows) InsertChart(c Chart) (*Chart, error) {
	c.Created = time.UnixMilli(tx.sql.Now()).UTC()
	c.Updated, c.Status = c.Created, ChartActive
	e := NewEntity{Name: c.ID, Type: TypeChart, Kind: KindChart, Title: c.Outcome, Observations: c.Facts, Created: c.Created, Updated: c.Updated}
	if c.Project != "" {
		made, err := plainjson.Encode(madeMetadata{c.Project})
		if err != nil {
			return nil, err
		}
		e.Metadata = made
	}
	row, err := tx.InsertEntity(e)
	if err != nil {
		return nil, err
	}
	c.Row = row
	if err := tx.InsertChartOfNode(c); err != nil {
		return nil, err
	}
	if c.ParentStepRow != 0 {
		return tx.ChartAt(row)
	}
	return &c, nil
}

// madeMetadata is what is stored of how a chart was made.
type madeMetadata struct {
	Project string `json:"project"`
}

// ProjectsOfCharts returns the keys of the projects in which charts were made, by the ids of those
// of which it is known.
func (tx Rows) ProjectsOfCharts(ids []string) (map[string]string, error) {
	stored, err := query.Map[string, string](tx.sql, `SELECT e.name, e.metadata FROM json_each(?) j JOIN entities e ON e.name = j.value WHERE e.kind = 'chart' AND e.metadata IS NOT NULL`, query.List(ids))
	if err != nil {
		return nil, err
	}
	projects := map[string]string{}
	for id, text := range stored {
		var made madeMetadata
		if json.Unmarshal([]byte(text), &made) == nil && made.Project != "" { // imported metadata may be anything
			projects[id] = made.Project
		}
	}
	return projects, nil
}

// SetOutcome replaces the desired outcome of a chart that is no step; the other
// kind has its step's title, see SetStepTitle.
func (tx Rows) SetOutcome(c *Chart, outcome string) error {
	tx.sql.Touch(store.TopicGraph, store.TopicCharts)
	return tx.SetTitle(c.Row, outcome)
}

// AppendFacts adds facts to a node's observations, each once, and returns the
// added ones. The node counts as updated only when something was added.
func (tx Rows) AppendFacts(row int64, facts []string) ([]string, error) {
	added, err := tx.AppendObservations(row, facts)
	if err != nil || len(added) == 0 {
		return added, err
	}
	tx.TouchCharts()
	return added, nil
}

// Facts returns a node's observations in order: the facts of a chart's current
// reality, the progress observations of a step.
func (tx Rows) Facts(row int64) ([]string, error) {
	return tx.sql.Texts(`SELECT content FROM observations WHERE entity_id = ? ORDER BY id`, row)
}

// ProgressNotes are what was observed of steps, by their rows, in order. What is known of a step that is a
// chart itself is its current reality.
func (tx Rows) ProgressNotes(steps []int64) (map[int64][]string, error) {
	return query.Lists[int64, string](tx.sql, `SELECT o.entity_id, o.content FROM json_each(?) j CROSS JOIN observations o ON o.entity_id = j.value JOIN entities e ON e.id = o.entity_id AND e.kind = 'step' ORDER BY o.id`, query.List(steps))
}

// hasOpenStepCondition returns the condition that a step in a chart or below it is open; closed
// charts below do not count.
func hasOpenStepCondition(chart string) string {
	return `EXISTS (WITH RECURSIVE below(id) AS (
			SELECT ` + chart + `
			UNION SELECT k.entity_id FROM below b JOIN steps x ON x.chart_id = b.id JOIN charts k ON k.parent_step_id = x.entity_id AND k.status = 'active')
		SELECT 1 FROM below b JOIN steps x ON x.chart_id = b.id WHERE x.completed_at IS NULL)`
}

// FindInactiveCharts returns those of the given charts that dropped out of the
// active list: they or a chart above are closed, or the step they detail is
// complete and nothing below them is open.
func (tx Rows) FindInactiveCharts(rows []int64) (map[int64]bool, error) {
	return query.Map[int64, bool](tx.sql, `WITH RECURSIVE above(chart, at) AS (
			SELECT value, value FROM json_each(?)
			UNION
			SELECT a.chart, s.chart_id FROM above a JOIN charts c ON c.entity_id = a.at JOIN steps s ON s.entity_id = c.parent_step_id)
		SELECT DISTINCT a.chart, 1 FROM above a JOIN charts c ON c.entity_id = a.at LEFT JOIN steps s ON s.entity_id = c.parent_step_id
		WHERE c.status <> 'active' OR a.at = a.chart AND s.completed_at IS NOT NULL AND NOT `+hasOpenStepCondition("a.chart"), query.List(rows))
}
