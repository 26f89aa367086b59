package graph

import (
	"database/sql"
	"encoding/json"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// NodeRecord is a node of the graph as a file carries it from here. Its body is
// not read back.
type NodeRecord struct {
	Row int64
	NewEntity
}

// ChartPlace says where a chart stands.
type ChartPlace struct {
	ParentStep int64 // row of the step it details, its own when it is a step itself, 0 for a master chart
	Level      int
	DueDate    string
	Closed     ChartClosing
}

// ChartClosing says how and when a chart was closed; zero while it is active.
type ChartClosing struct {
	Status   string `json:"status"`
	ClosedAt string `json:"closedAt"` // RFC 3339
}

// PlaceChart makes a chart of a node. Its parent step may come later in the
// same transaction.
func (tx Rows) PlaceChart(row int64, p ChartPlace) error {
	tx.sql.Touch(store.TopicGraph, store.TopicCharts)
	err := tx.sql.Exec(`INSERT INTO charts(entity_id, parent_step_id, level, due_date, status, closed_at) VALUES(?, nullif(?, 0), ?, ?, coalesce(nullif(?, ''), ?), nullif(?, ''))`,
		row, p.ParentStep, p.Level, p.DueDate, p.Closed.Status, ChartActive, p.Closed.ClosedAt)
	if err != nil || p.ParentStep == 0 || p.ParentStep == row {
		return err
	}
	return tx.InsertStructuralRelation(p.ParentStep, row, RelationTelescopes)
}

// RaiseChartNumbers keeps the next step and beat of a chart from getting a
// number below these.
func (tx Rows) RaiseChartNumbers(row int64, nextStep, nextBeat int) error {
	return tx.sql.Exec(`UPDATE charts SET next_step = max(next_step, ?), next_beat = max(next_beat, ?) WHERE entity_id = ?`, nextStep, nextBeat, row)
}

// StepPlace says where an action step stands.
type StepPlace struct {
	Chart       int64 // row of the chart that owns it
	Number      int
	DueDate     string
	CompletedAt string // RFC 3339, empty while open
}

// PlaceStep makes a step of a node of that title and ties it to its chart.
func (tx Rows) PlaceStep(row int64, title string, p StepPlace) error {
	tx.sql.Touch(store.TopicGraph, store.TopicCharts)
	err := tx.sql.Exec(`INSERT INTO steps(entity_id, chart_id, number, folded_title, due_date, completed_at) VALUES(?, ?, ?, ?, ?, nullif(?, ''))`,
		row, p.Chart, p.Number, Fold(title), p.DueDate, p.CompletedAt)
	if err != nil {
		return err
	}
	if err := tx.InsertStructuralRelation(p.Chart, row, RelationContains); err != nil {
		return err
	}
	tx.recordChange(p.Chart)
	return nil
}

// BeatPlace says where a narrative beat stands and what it tells.
type BeatPlace struct {
	Chart      int64 // row of its root chart, 0 for none
	Parent     int64 // row of the beat it details, 0 for none; it is placed before
	Act        float64
	Type       string
	Universes  []string
	OccurredAt string
	Narrative  json.RawMessage
	Alignment  json.RawMessage
	Directions json.RawMessage
	NextSub    int // of its first sub-beat; 1 when 0
}

// PlaceBeat makes a beat of a node and ties it to its chart and parent.
func (tx Rows) PlaceBeat(row int64, p BeatPlace) error {
	universes, err := json.Marshal(append([]string{}, p.Universes...)) // never null
	if err != nil {
		return err
	}
	tx.sql.Touch(store.TopicGraph, store.TopicCharts)
	err = tx.sql.Exec(`INSERT INTO beats(entity_id, chart_id, parent_beat_id, act, type_dramatic, universes, occurred_at, narrative, alignment, directions, next_sub)
		VALUES(?, nullif(?, 0), nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, max(?, 1))`, row, p.Chart, p.Parent, p.Act, p.Type, string(universes), p.OccurredAt,
		string(p.Narrative), string(p.Alignment), string(p.Directions), p.NextSub)
	if err == nil && p.Chart != 0 {
		err = tx.InsertStructuralRelation(row, p.Chart, RelationDocuments)
	}
	if err == nil && p.Parent != 0 {
		err = tx.InsertStructuralRelation(p.Parent, row, RelationTelescopes)
	}
	return err
}

// InsertStructuralRelation makes a structural relation. One that a file states already becomes
// structural and remains stated.
func (tx Rows) InsertStructuralRelation(from, to int64, relationType string) error {
	tx.sql.Touch(store.TopicGraph)
	return tx.sql.Exec(`INSERT INTO relations(from_id, to_id, type, structural, created_at) VALUES(?, ?, ?, 1, ?)
		ON CONFLICT(from_id, to_id, type) DO UPDATE SET structural = 1, stated = 1`, from, to, relationType, tx.sql.Now())
}

// SetNodeMetadata replaces the metadata and unknown keys of a node.
func (tx Rows) SetNodeMetadata(row int64, metadata, extra json.RawMessage) error {
	if err := tx.sql.Exec(`UPDATE entities SET metadata = ?, extra = ? WHERE id = ?`, query.JSON(metadata), query.JSON(extra), row); err != nil {
		return err
	}
	return tx.touchEntity(row)
}

// RelationMetadata returns the metadata and unknown keys of a relation, and whether
// it follows from a chart, step or beat.
func (tx Rows) RelationMetadata(from, to int64, relationType string) (r RelationRecord, structural bool, err error) {
	var metadata, extra sql.NullString
	err = tx.sql.Row(`SELECT metadata, extra, structural = 1 FROM relations WHERE from_id = ? AND to_id = ? AND type = ?`,
		from, to, relationType).Scan(&metadata, &extra, &structural)
	r.Type, r.Metadata, r.Extra = relationType, rawOrNil(metadata.String), rawOrNil(extra.String)
	return r, structural, err
}

// SetRelationMetadata replaces the metadata and unknown keys of a relation, which a
// file states from now on.
func (tx Rows) SetRelationMetadata(from, to int64, r RelationRecord) error {
	tx.sql.Touch(store.TopicGraph)
	return tx.sql.Exec(`UPDATE relations SET metadata = ?, extra = ?, stated = 1 WHERE from_id = ? AND to_id = ? AND type = ?`,
		query.JSON(r.Metadata), query.JSON(r.Extra), from, to, r.Type)
}

// InsertForeignLine keeps a line of a file that means nothing here.
func (tx Rows) InsertForeignLine(raw json.RawMessage) error {
	tx.sql.Touch(store.TopicGraph)
	return tx.sql.Exec(`INSERT INTO foreign_lines(raw) VALUES(?)`, string(raw))
}

// DeleteForeignLine forgets one kept line.
func (tx Rows) DeleteForeignLine(row int64) error {
	return tx.sql.Exec(`DELETE FROM foreign_lines WHERE id = ?`, row)
}
