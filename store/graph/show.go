package graph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/store/internal/query"
	"toolkit/store/plainjson"
)

// entityView is how a chart, step or beat shows itself as a node of the graph.
type entityView struct {
	Observations []string
	Metadata     json.RawMessage
}

// chartViews describes the given nodes of kind chart, step and beat as the data
// models of the charts documentation have them. Keys that an import left in a
// node's own metadata follow the documented ones.
func (tx Rows) chartViews(ids []int64) (map[int64]entityView, error) {
	nodes, err := tx.viewedNodes(ids)
	if err != nil {
		return nil, err
	}
	views := make(map[int64]entityView, len(ids))
	for _, describe := range []func(*viewedNodes, map[int64]entityView) error{tx.viewCharts, tx.viewSteps, tx.viewBeats} {
		if err := describe(nodes, views); err != nil {
			return nil, err
		}
	}
	return views, nil
}

// viewedNodes are the nodes to describe, by kind, with what only the entity row
// knows.
type viewedNodes struct {
	rows     map[Kind][]int64
	metadata map[int64]string // as imported
	created  map[int64]time.Time
}

func (tx Rows) viewedNodes(ids []int64) (*viewedNodes, error) {
	n := &viewedNodes{rows: map[Kind][]int64{}, metadata: map[int64]string{}, created: map[int64]time.Time{}}
	err := tx.sql.Each(func(scan query.Scan) error {
		var row, created int64
		var kind Kind
		var metadata string
		err := scan(&row, &kind, &metadata, &created)
		n.rows[kind] = append(n.rows[kind], row)
		n.created[row] = time.UnixMilli(created).UTC()
		if metadata != "" {
			n.metadata[row] = metadata
		}
		return err
	}, `SELECT e.id, e.kind, coalesce(e.metadata, ''), e.created_at FROM json_each(?) j JOIN entities e ON e.id = j.value
		WHERE e.kind <> 'plain'`, query.List(ids))
	return n, err
}

// chartMetadata is the metadata of a chart in the graph, with its level and
// parent.
type chartMetadata struct {
	ChartHead
	CreatedAt   string   `json:"createdAt"`
	ActionSteps []string `json:"actionSteps"`
	ChartProgress
	Level       int     `json:"level"`
	ParentChart *string `json:"parentChart"`
	CompletedAt *string `json:"completedAt,omitempty"` // of a chart that is a step too
	Status      string  `json:"status,omitempty"`      // of a closed chart
	ClosedAt    string  `json:"closedAt,omitempty"`
}

func (tx Rows) viewCharts(n *viewedNodes, views map[int64]entityView) error {
	states, err := tx.ChartStates(n.rows[KindChart])
	if err != nil || len(states) == 0 {
		return err
	}
	completed, err := tx.completionDates(n.rows[KindChart])
	if err != nil {
		return err
	}
	for _, c := range states {
		m := chartMetadata{
			ChartHead: c.Head(), CreatedAt: c.Created.Format(time.RFC3339), ActionSteps: c.Titles(), ChartProgress: c.Progress(),
			Level: c.Level, ParentChart: nonEmpty(c.ParentChart), CompletedAt: completed[c.Row], ClosedAt: c.ClosedAt,
		}
		if c.Status != ChartActive {
			m.Status = c.Status
		}
		progress := fmt.Sprintf("Progress: %s (%d of %d actions complete)", strconv.FormatFloat(m.Progress, 'f', -1, 64), m.CompletedActions, m.TotalActions)
		views[c.Row], err = view([]string{m.DesiredOutcome, m.CurrentReality, progress}, m, n.metadata[c.Row])
		if err != nil {
			return err
		}
	}
	return nil
}

func (tx Rows) completionDates(rows []int64) (map[int64]*string, error) {
	return query.Map[int64, *string](tx.sql, `SELECT s.entity_id, s.completed_at FROM json_each(?) j JOIN steps s ON s.entity_id = j.value WHERE s.completed_at IS NOT NULL`, query.List(rows))
}

// stepMetadata is the metadata of an action step in the graph.
type stepMetadata struct {
	ChartID     string  `json:"chartId"`
	Title       string  `json:"title"`
	DueDate     string  `json:"dueDate"`
	CreatedAt   string  `json:"createdAt"`
	CompletedAt *string `json:"completedAt"` // null while open
}

func (tx Rows) viewSteps(n *viewedNodes, views map[int64]entityView) error {
	rows := n.rows[KindStep]
	if len(rows) == 0 {
		return nil
	}
	steps, err := tx.steps(stepColumns+`JOIN json_each(?) j ON j.value = s.entity_id`, query.List(rows))
	if err != nil {
		return err
	}
	progress, err := tx.ObservationsOf(rows)
	if err != nil {
		return err
	}
	for _, s := range steps {
		m := stepMetadata{ChartID: s.ChartID, Title: s.Title, DueDate: s.DueDate, CreatedAt: n.created[s.Row].Format(time.RFC3339)}
		observations := append([]string{s.Title}, progress[s.Row]...)
		if s.Completed {
			m.CompletedAt = &s.CompletedAt
			observations = append(observations, "Completed: "+s.CompletedAt)
		}
		if views[s.Row], err = view(observations, m, n.metadata[s.Row]); err != nil {
			return err
		}
	}
	return nil
}

// beatMetadata is the metadata of a narrative beat in the graph.
type beatMetadata struct {
	ChartID             string          `json:"chartId"`
	Act                 float64         `json:"act"`
	TypeDramatic        string          `json:"type_dramatic"`
	Universes           []string        `json:"universes"`
	Timestamp           string          `json:"timestamp"`
	Narrative           json.RawMessage `json:"narrative"`
	RelationalAlignment json.RawMessage `json:"relationalAlignment"`
	FourDirections      json.RawMessage `json:"fourDirections"`
	Title               string          `json:"title"`
	ParentBeat          *string         `json:"parentBeat"`
}

func (tx Rows) viewBeats(n *viewedNodes, views map[int64]entityView) error {
	rows := n.rows[KindBeat]
	if len(rows) == 0 {
		return nil
	}
	beats, err := tx.BeatsAt(rows)
	if err != nil {
		return err
	}
	further, err := tx.ObservationsOf(rows)
	if err != nil {
		return err
	}
	for _, b := range beats {
		m := beatMetadata{
			ChartID: b.ChartID, Act: b.Act, TypeDramatic: b.Type, Universes: b.Universes, Timestamp: b.OccurredAt,
			Narrative: b.Narrative, RelationalAlignment: b.Alignment, FourDirections: b.Directions,
			Title: b.Title, ParentBeat: nonEmpty(b.ParentBeat),
		}
		if views[b.Row], err = view(b.Observations(further[b.Row]), m, n.metadata[b.Row]); err != nil {
			return err
		}
	}
	return nil
}

// Observations are what a beat shows in the graph: act and type, universes and
// time, then further observations that do not repeat these.
func (b *Beat) Observations(further []string) []string {
	shown := []string{
		fmt.Sprintf("Act %s [%s]", strconv.FormatFloat(b.Act, 'f', -1, 64), b.Type),
		"Universe: " + strings.Join(b.Universes, ", "),
		"Timestamp: " + b.OccurredAt,
	}
	for _, o := range further {
		if !slices.Contains(shown, o) {
			shown = append(shown, o)
		}
	}
	return shown
}

// ObservationsOf returns the observations of several nodes in order.
func (tx Rows) ObservationsOf(rows []int64) (map[int64][]string, error) {
	return query.Lists[int64, string](tx.sql, `SELECT o.entity_id, o.content FROM json_each(?) j JOIN observations o ON o.entity_id = j.value ORDER BY o.entity_id, o.id`, query.List(rows))
}

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// view encodes metadata and appends the imported keys it does not hold itself.
func view(observations []string, metadata any, imported string) (entityView, error) {
	own, err := plainjson.Encode(metadata)
	if err != nil {
		return entityView{}, err
	}
	if imported == "" {
		return entityView{observations, own}, nil
	}
	var known, more map[string]json.RawMessage
	if err := json.Unmarshal(own, &known); err != nil {
		return entityView{}, err
	}
	if json.Unmarshal([]byte(imported), &more) != nil {
		return entityView{observations, own}, nil // not an object: nothing to show by name
	}
	keys := make([]string, 0, len(more))
	for key := range more {
		if _, taken := known[key]; !taken {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	out := bytes.NewBuffer(bytes.TrimSuffix(own, []byte("}")))
	for _, key := range keys {
		name, err := json.Marshal(key)
		if err != nil {
			return entityView{}, err
		}
		fmt.Fprintf(out, ",%s:%s", name, more[key])
	}
	out.WriteByte('}')
	return entityView{observations, out.Bytes()}, nil
}
