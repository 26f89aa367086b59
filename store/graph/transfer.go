package graph

import (
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

// InsertChartOfNode makes a chart of the node of its row. Its parent step, its own row when it is
// a step itself, may come later in the same transaction.
func (tx Rows) InsertChartOfNode(c Chart) error {
	tx.sql.Touch(store.TopicGraph, store.TopicCharts)
	err := tx.sql.Exec(`INSERT INTO charts(entity_id, parent_step_id, level, due_date, status, closed_at) VALUES(?, nullif(?, 0), ?, ?, coalesce(nullif(?, ''), ?), nullif(?, ''))`,
		c.Row, c.ParentStepRow, c.Level, c.DueDate, c.Status, ChartActive, c.ClosedAt)
	if err != nil || c.ParentStepRow == 0 || c.IsStep() {
		return err
	}
	return tx.InsertStructuralRelation(c.ParentStepRow, c.Row, RelationTelescopes)
}

// TakeStepNumber takes the next number of a step in a chart.
func (tx Rows) TakeStepNumber(chart int64) (int, error) {
	return query.Value[int](tx.sql, `UPDATE charts SET next_step = next_step + 1 WHERE entity_id = ? RETURNING next_step - 1`, chart)
}

// InsertStepOfNode makes a step of the node of its row and ties it to its chart.
func (tx Rows) InsertStepOfNode(s Step) error {
	tx.sql.Touch(store.TopicGraph, store.TopicCharts)
	err := tx.sql.Exec(`INSERT INTO steps(entity_id, chart_id, number, folded_title, due_date, completed_at) VALUES(?, ?, ?, ?, ?, nullif(?, ''))`,
		s.Row, s.Chart, s.Number, Fold(s.Title), s.DueDate, s.CompletedAt)
	if err != nil {
		return err
	}
	if err := tx.InsertStructuralRelation(s.Chart, s.Row, RelationContains); err != nil {
		return err
	}
	tx.recordChange(s.Chart)
	return nil
}

// InsertBeatOfNode makes a beat of the node of its row and ties it to its chart and parent.
func (tx Rows) InsertBeatOfNode(b Beat) error {
	universes, err := json.Marshal(append([]string{}, b.Universes...)) // never null
	if err != nil {
		return err
	}
	tx.sql.Touch(store.TopicGraph, store.TopicCharts)
	err = tx.sql.Exec(`INSERT INTO beats(entity_id, chart_id, parent_beat_id, act, type_dramatic, universes, occurred_at, narrative, alignment, directions)
		VALUES(?, nullif(?, 0), nullif(?, 0), ?, ?, ?, ?, ?, ?, ?)`, b.Row, b.ChartRow, b.ParentRow, b.Act, b.Type, string(universes), b.OccurredAt,
		string(b.Narrative), string(b.Alignment), string(b.Directions))
	if err == nil && b.ChartRow != 0 {
		err = tx.InsertStructuralRelation(b.Row, b.ChartRow, RelationDocuments)
	}
	if err == nil && b.ParentRow != 0 {
		err = tx.InsertStructuralRelation(b.ParentRow, b.Row, RelationTelescopes)
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
	if err := tx.sql.Exec(`UPDATE entities SET metadata = ?, extra = ? WHERE id = ?`, query.NullIfEmpty(metadata), query.NullIfEmpty(extra), row); err != nil {
		return err
	}
	return tx.touchEntity(row)
}

// RelationMetadata returns the metadata and unknown keys of a relation, and whether
// it follows from a chart, step or beat.
func (tx Rows) RelationMetadata(from, to int64, relationType string) (r RelationRecord, structural bool, err error) {
	r.Type = relationType
	err = tx.sql.Row(`SELECT metadata, extra, structural = 1 FROM relations WHERE from_id = ? AND to_id = ? AND type = ?`,
		from, to, relationType).Scan(query.FromJSON(&r.Metadata), query.FromJSON(&r.Extra), &structural)
	return r, structural, err
}

// SetRelationMetadata replaces the metadata and unknown keys of a relation, which a
// file states from now on.
func (tx Rows) SetRelationMetadata(from, to int64, r RelationRecord) error {
	tx.sql.Touch(store.TopicGraph)
	return tx.sql.Exec(`UPDATE relations SET metadata = ?, extra = ?, stated = 1 WHERE from_id = ? AND to_id = ? AND type = ?`,
		query.NullIfEmpty(r.Metadata), query.NullIfEmpty(r.Extra), from, to, r.Type)
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
