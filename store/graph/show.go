package graph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/store/internal/query"
	"toolkit/store/plainjson"
)

// fillNodes lets charts, steps and beats show themselves as the data models of the charts
// documentation have them. Keys that an import left in a node's own metadata follow the
// documented ones.
func (tx Rows) fillNodes(nodes map[int64]*Entity, perEntity int) error {
	rows := map[Kind][]int64{}
	for id, e := range nodes {
		rows[e.Kind] = append(rows[e.Kind], id)
	}
	if len(rows[KindPlain]) == len(nodes) {
		return nil
	}
	for kind, show := range map[Kind]func(map[int64]*Entity, []int64) error{KindChart: tx.fillCharts, KindStep: tx.fillSteps, KindBeat: tx.fillBeats} {
		if len(rows[kind]) == 0 {
			continue
		}
		if err := show(nodes, rows[kind]); err != nil {
			return err
		}
		for _, id := range rows[kind] {
			if e := nodes[id]; perEntity != NoLimit && len(e.Observations) > perEntity {
				e.Hidden = len(e.Observations) - perEntity
				e.Observations = e.Observations[:perEntity]
			}
		}
	}
	return nil
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

func (tx Rows) fillCharts(nodes map[int64]*Entity, rows []int64) error {
	states, err := tx.ReadChartsWithSteps(rows)
	if err != nil {
		return err
	}
	completed, err := tx.completionDates(rows)
	if err != nil {
		return err
	}
	for _, c := range states {
		m := chartMetadata{
			ChartHead: c.Head(), CreatedAt: c.Created.Format(time.RFC3339), ActionSteps: c.StepTitles(), ChartProgress: c.Progress(),
			Level: c.Level, ParentChart: nilIfEmpty(c.ParentChart), CompletedAt: completed[c.Row], ClosedAt: c.ClosedAt,
		}
		if c.Status != ChartActive {
			m.Status = c.Status
		}
		progress := fmt.Sprintf("Progress: %s (%d of %d actions complete)", strconv.FormatFloat(m.Progress, 'f', -1, 64), m.CompletedActions, m.TotalActions)
		if err := nodes[c.Row].setObservationsAndMetadata([]string{m.DesiredOutcome, m.CurrentReality, progress}, m); err != nil {
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

func (tx Rows) fillSteps(nodes map[int64]*Entity, rows []int64) error {
	steps, err := tx.steps(stepColumns+`JOIN json_each(?) j ON j.value = s.entity_id`, query.List(rows))
	if err != nil {
		return err
	}
	progress, err := tx.ObservationsOf(rows)
	if err != nil {
		return err
	}
	for _, s := range steps {
		m := stepMetadata{ChartID: s.ChartID, Title: s.Title, DueDate: s.DueDate, CreatedAt: time.UnixMilli(nodes[s.Row].created).UTC().Format(time.RFC3339)}
		observations := append([]string{s.Title}, progress[s.Row]...)
		if s.Completed {
			m.CompletedAt = &s.CompletedAt
			observations = append(observations, "Completed: "+s.CompletedAt)
		}
		if err := nodes[s.Row].setObservationsAndMetadata(observations, m); err != nil {
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

func (tx Rows) fillBeats(nodes map[int64]*Entity, rows []int64) error {
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
			Title: b.Title, ParentBeat: nilIfEmpty(b.ParentBeat),
		}
		if err := nodes[b.Row].setObservationsAndMetadata(b.Observations(further[b.Row]), m); err != nil {
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

func nilIfEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// setObservationsAndMetadata gives a node its observations and metadata, to which it appends the imported keys that
// the metadata does not hold itself.
func (e *Entity) setObservationsAndMetadata(observations []string, metadata any) error {
	imported := e.Metadata
	encoded, err := plainjson.Encode(metadata)
	e.Observations, e.Metadata, e.Hidden = observations, encoded, 0
	if err != nil || imported == nil {
		return err
	}
	var known, more map[string]json.RawMessage
	if err := json.Unmarshal(encoded, &known); err != nil {
		return err
	}
	if json.Unmarshal(imported, &more) != nil {
		return nil // not an object: nothing to show by name
	}
	out := bytes.NewBuffer(bytes.TrimSuffix(encoded, []byte("}")))
	for _, key := range slices.Sorted(maps.Keys(more)) {
		if _, taken := known[key]; taken {
			continue
		}
		name, err := json.Marshal(key)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, ",%s:%s", name, more[key])
	}
	out.WriteByte('}')
	e.Metadata = out.Bytes()
	return nil
}
