package graph

import (
	"database/sql"
	"encoding/json"
	"time"

	"toolkit/store/internal/query"
)

// ChartRecord is a chart with its steps. Steps that are charts of their own are
// not among these.
type ChartRecord struct {
	NodeRecord
	DueDate     string
	Level       int
	ParentChart string // id of the chart that owns the parent step, empty for a master chart
	ParentStep  string // id of the step it details, its own when it is a step itself
	CompletedAt string // of the parent step, empty while that is open
	Status      string // see Chart
	ClosedAt    string
	NextStep    int
	Steps       []StepRecord
}

// IsStep reports whether the chart is itself an action step of its parent.
func (c *ChartRecord) IsStep() bool { return c.ParentStep == c.Name }

// StepRecord is an action step that is not a chart.
type StepRecord struct {
	NodeRecord
	DueDate     string
	CompletedAt string // RFC 3339, empty while open
}

// BeatRecord is a narrative beat.
type BeatRecord struct {
	Beat
	Node NodeRecord
}

// RelationRecord is an edge as a file carries it.
type RelationRecord struct {
	From, To, Type  string
	Metadata, Extra json.RawMessage
}

// ForeignLine is a kept line of an imported file.
type ForeignLine struct {
	Row int64
	Raw json.RawMessage
}

const nodeColumns = `e.id, e.name, e.type, e.kind, e.title, coalesce(e.metadata, ''), coalesce(e.extra, ''), coalesce(e.origin, ''), e.created_at, e.updated_at`

// scanNode reads nodeColumns and what follows them.
func scanNode(scan query.Scan, n *NodeRecord, more ...any) error {
	var metadata, extra, origin string
	var created, updated int64
	err := scan(append([]any{&n.Row, &n.Name, &n.Type, &n.Kind, &n.Title, &metadata, &extra, &origin, &created, &updated}, more...)...)
	n.Metadata, n.Extra, n.Origin = rawOrNil(metadata), rawOrNil(extra), rawOrNil(origin)
	n.Created, n.Updated = time.UnixMilli(created).UTC(), time.UnixMilli(updated).UTC()
	return err
}

func rawOrNil(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

// PlainNodes returns the nodes that are neither chart nor step nor beat, oldest
// first.
func (tx Rows) PlainNodes() ([]NodeRecord, error) {
	var nodes []NodeRecord
	at := map[int64]int{}
	err := tx.sql.Each(func(scan query.Scan) error {
		var n NodeRecord
		err := scanNode(scan, &n)
		at[n.Row] = len(nodes)
		nodes = append(nodes, n)
		return err
	}, `SELECT `+nodeColumns+` FROM entities e WHERE e.kind = 'plain' ORDER BY e.id`)
	if err != nil {
		return nil, err
	}
	return nodes, tx.sql.Each(func(scan query.Scan) error {
		var row int64
		var content string
		if err := scan(&row, &content); err != nil {
			return err
		}
		if i, plain := at[row]; plain {
			nodes[i].Observations = append(nodes[i].Observations, content)
		}
		return nil
	}, `SELECT entity_id, content FROM observations ORDER BY entity_id, id`)
}

// PlainNode returns a node without its observations, or nil.
func (tx Rows) PlainNode(row int64) (*NodeRecord, error) {
	var n NodeRecord
	return nilIfNoRows(&n, scanNode(tx.sql.Row(`SELECT `+nodeColumns+` FROM entities e WHERE e.id = ?`, row).Scan, &n))
}

func (tx Rows) rowsOfKind(kind Kind) ([]int64, error) {
	return tx.sql.IDs(`SELECT id FROM entities WHERE kind = ? AND kind <> 'plain' ORDER BY id`, string(kind))
}

// AllCharts returns every chart, oldest first.
func (tx Rows) AllCharts() ([]ChartRecord, error) {
	rows, err := tx.rowsOfKind(KindChart)
	if err != nil {
		return nil, err
	}
	return tx.ChartRecords(rows)
}

// ChartRecords returns the charts of the given rows in their order.
func (tx Rows) ChartRecords(rows []int64) ([]ChartRecord, error) {
	var charts []ChartRecord
	at := map[int64]int{}
	list := query.List(rows)
	err := tx.sql.Each(func(scan query.Scan) error {
		var c ChartRecord
		err := scanNode(scan, &c.NodeRecord, &c.DueDate, &c.Status, &c.ClosedAt, &c.Level, &c.NextStep, &c.ParentStep, &c.ParentChart, &c.CompletedAt)
		at[c.Row] = len(charts)
		charts = append(charts, c)
		return err
	}, `SELECT `+nodeColumns+`, c.due_date, c.status, coalesce(c.closed_at, ''), c.level, c.next_step, coalesce(ps.name, ''), coalesce(pc.name, ''), coalesce(s.completed_at, '')
		FROM json_each(?) j JOIN charts c ON c.entity_id = j.value JOIN entities e ON e.id = c.entity_id
		LEFT JOIN steps s ON s.entity_id = c.parent_step_id
		LEFT JOIN entities ps ON ps.id = s.entity_id
		LEFT JOIN entities pc ON pc.id = s.chart_id ORDER BY j.key`, list)
	if err != nil {
		return nil, err
	}
	var steps []int64
	err = tx.sql.Each(func(scan query.Scan) error {
		var owner int64
		var s StepRecord
		err := scanNode(scan, &s.NodeRecord, &owner, &s.DueDate, &s.CompletedAt)
		charts[at[owner]].Steps = append(charts[at[owner]].Steps, s)
		steps = append(steps, s.Row)
		return err
	}, `SELECT `+nodeColumns+`, s.chart_id, s.due_date, coalesce(s.completed_at, '')
		FROM json_each(?) j JOIN steps s ON s.chart_id = j.value JOIN entities e ON e.id = s.entity_id
		WHERE e.kind = 'step' ORDER BY s.chart_id, s.number, s.entity_id`, list)
	if err != nil {
		return nil, err
	}
	observations, err := tx.ObservationsOf(append(steps, rows...))
	if err != nil {
		return nil, err
	}
	for i := range charts {
		charts[i].Observations = observations[charts[i].Row]
		for j := range charts[i].Steps {
			charts[i].Steps[j].Observations = observations[charts[i].Steps[j].Row]
		}
	}
	return charts, nil
}

// AllBeats returns every narrative beat, oldest first.
func (tx Rows) AllBeats() ([]BeatRecord, error) {
	rows, err := tx.rowsOfKind(KindBeat)
	if err != nil {
		return nil, err
	}
	return tx.BeatRecords(rows)
}

// BeatRecords returns the beats of the given rows in their order.
func (tx Rows) BeatRecords(rows []int64) ([]BeatRecord, error) {
	beats, err := tx.BeatsAt(rows)
	if err != nil {
		return nil, err
	}
	observations, err := tx.ObservationsOf(rows)
	if err != nil {
		return nil, err
	}
	records := make([]BeatRecord, 0, len(beats))
	err = tx.sql.Each(func(scan query.Scan) error {
		r := BeatRecord{Beat: *beats[len(records)]}
		err := scanNode(scan, &r.Node)
		r.Node.Observations = observations[r.Row]
		records = append(records, r)
		return err
	}, `SELECT `+nodeColumns+` FROM json_each(?) j JOIN beats b ON b.entity_id = j.value JOIN entities e ON e.id = b.entity_id ORDER BY j.key`, query.List(rows))
	return records, err
}

// StatedRelations returns the relations that a file has to state, oldest first:
// those that do not follow from charts, steps and beats, and those that an
// imported file stated all the same.
func (tx Rows) StatedRelations() ([]RelationRecord, error) {
	return query.Some(tx.sql, func(scan query.Scan) (r RelationRecord, err error) {
		var metadata, extra sql.NullString
		err = scan(&r.From, &r.To, &r.Type, &metadata, &extra)
		r.Metadata, r.Extra = rawOrNil(metadata.String), rawOrNil(extra.String)
		return r, err
	}, `SELECT f.name, t.name, r.type, r.metadata, r.extra FROM relations r
		JOIN entities f ON f.id = r.from_id JOIN entities t ON t.id = r.to_id
		WHERE r.structural = 0 OR r.stated = 1 ORDER BY r.id`)
}

// ForeignLines returns the kept lines of imported files, oldest first.
func (tx Rows) ForeignLines() ([]ForeignLine, error) {
	return query.Some(tx.sql, func(scan query.Scan) (l ForeignLine, err error) {
		var raw string
		err = scan(&l.Row, &raw)
		l.Raw = json.RawMessage(raw)
		return l, err
	}, `SELECT id, raw FROM foreign_lines ORDER BY id`)
}
