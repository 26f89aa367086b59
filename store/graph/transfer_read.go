package graph

import (
	"encoding/json"

	"toolkit/store/internal/query"
)

// ChartRecord is a chart as a file carries it.
type ChartRecord struct {
	*Chart
	Node        NodeRecord
	CompletedAt string       // of the step that it details or is, empty while that is open
	StepRecords []StepRecord // but for those that are charts of their own
}

// StepRecord is an action step that is not a chart.
type StepRecord struct {
	Step
	Node NodeRecord
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

func (l *ForeignLine) fields() []any { return []any{&l.Row, query.FromJSON(&l.Raw)} }

const nodeColumns = `SELECT e.id, e.name, e.type, e.kind, e.title, e.metadata, e.extra, e.origin, e.created_at, e.updated_at `

func (n *NodeRecord) fields() []any {
	return []any{&n.Row, &n.Name, &n.Type, &n.Kind, &n.Title, query.FromJSON(&n.Metadata), query.FromJSON(&n.Extra), query.FromJSON(&n.Origin), query.Millis(&n.Created), query.Millis(&n.Updated)}
}

// PlainNodes returns the nodes that are neither chart nor step nor beat, oldest
// first.
func (tx Rows) PlainNodes() ([]NodeRecord, error) {
	return tx.nodes(nodeColumns + `FROM entities e WHERE e.kind = 'plain' ORDER BY e.id`)
}

// nodes reads nodes with their observations.
func (tx Rows) nodes(statement string, args ...any) ([]NodeRecord, error) {
	nodes, err := query.Select(tx.sql, (*NodeRecord).fields, statement, args...)
	if err != nil {
		return nil, err
	}
	rows := make([]int64, len(nodes))
	for i, n := range nodes {
		rows[i] = n.Row
	}
	observations, err := tx.ObservationsOf(rows)
	for i, n := range nodes {
		nodes[i].Observations = observations[n.Row]
	}
	return nodes, err
}

// nodesAt reads the nodes of some rows, by these.
func (tx Rows) nodesAt(rows []int64) (map[int64]NodeRecord, error) {
	nodes, err := tx.nodes(nodeColumns+`FROM json_each(?) j JOIN entities e ON e.id = j.value`, query.List(rows))
	at := make(map[int64]NodeRecord, len(nodes))
	for _, n := range nodes {
		at[n.Row] = n
	}
	return at, err
}

// PlainNode returns a node without its observations, or nil.
func (tx Rows) PlainNode(row int64) (*NodeRecord, error) {
	return query.Get(tx.sql, (*NodeRecord).fields, nodeColumns+`FROM entities e WHERE e.id = ?`, row)
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
	charts, err := tx.ReadChartsWithSteps(rows)
	if err != nil {
		return nil, err
	}
	var parts, parents []int64
	for _, c := range charts {
		parts, parents = append(parts, c.Row), append(parents, c.ParentStepRow)
		for _, s := range c.Steps {
			parts = append(parts, s.Row)
		}
	}
	nodes, err := tx.nodesAt(parts)
	if err != nil {
		return nil, err
	}
	completed, err := tx.completionDates(parents)
	records := make([]ChartRecord, len(charts))
	for i, c := range charts {
		r := ChartRecord{Chart: c, Node: nodes[c.Row]}
		if at := completed[c.ParentStepRow]; at != nil {
			r.CompletedAt = *at
		}
		for _, s := range c.Steps {
			if !s.IsChart {
				r.StepRecords = append(r.StepRecords, StepRecord{s, nodes[s.Row]})
			}
		}
		records[i] = r
	}
	return records, err
}

// AllBeats returns every narrative beat, oldest first.
func (tx Rows) AllBeats() ([]BeatRecord, error) {
	rows, err := tx.rowsOfKind(KindBeat)
	if err != nil {
		return nil, err
	}
	beats, err := tx.BeatsAt(rows)
	if err != nil {
		return nil, err
	}
	nodes, err := tx.nodesAt(rows)
	records := make([]BeatRecord, len(beats))
	for i, b := range beats {
		records[i] = BeatRecord{*b, nodes[b.Row]}
	}
	return records, err
}

// RelationsToExport returns the relations that a file has to state, oldest first:
// those that do not follow from charts, steps and beats, and those that an
// imported file stated all the same.
func (tx Rows) RelationsToExport() ([]RelationRecord, error) {
	return query.Select(tx.sql, func(r *RelationRecord) []any {
		return []any{&r.From, &r.To, &r.Type, query.FromJSON(&r.Metadata), query.FromJSON(&r.Extra)}
	}, `SELECT f.name, t.name, r.type, r.metadata, r.extra FROM relations r
		JOIN entities f ON f.id = r.from_id JOIN entities t ON t.id = r.to_id
		WHERE r.structural = 0 OR r.stated = 1 ORDER BY r.id`)
}

// ForeignLines returns the kept lines of imported files, oldest first.
func (tx Rows) ForeignLines() ([]ForeignLine, error) {
	return query.Select(tx.sql, (*ForeignLine).fields, `SELECT id, raw FROM foreign_lines ORDER BY id`)
}
