package memory

import (
	"cmp"
	"encoding/json"
	"math"
	"time"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Insight is a row of L2.
type Insight struct {
	ID           int64
	RootID       int64 // the first row of its history
	Version      int   // 1 for the first
	Content      string
	SourceIDs    []int64
	Fidelity     float64
	Metadata     json.RawMessage // object
	Created      time.Time
	SupersededBy int64     // 0: the newest of its history
	Deleted      time.Time // zero: not deleted
	Reason       string    // why it was superseded or deleted
}

// IsCurrent reports whether the insight is neither superseded nor deleted.
func (i Insight) IsCurrent() bool { return i.SupersededBy == 0 && i.Deleted.IsZero() }

// Row is the insight as a searchable row.
func (i Insight) Row() Row {
	kind, _ := i.ExtractionKindAndScore()
	return Row{
		Source: SourceInsight, ID: i.ID, Content: i.Content, At: i.Created,
		SourceIDs: i.SourceIDs, Fidelity: i.Fidelity, Extracted: kind, Retired: !i.IsCurrent(),
	}
}

// NewInsight is an insight to insert.
type NewInsight struct {
	Content   string
	SourceIDs []int64
	Fidelity  float64
	Metadata  json.RawMessage // object
	At        time.Time       // of what was said, when nobody wrote it down then; zero: now
}

// InsertInsight adds the first row of a history.
func (tx Rows) InsertInsight(n NewInsight) (*Insight, error) {
	i, err := tx.insertInsight(n, 0, 1)
	if err != nil {
		return nil, err
	}
	i.RootID = i.ID
	return i, tx.sql.Exec(`UPDATE l2_insights SET root_id = id WHERE id = ?`, i.ID)
}

// SupersedeInsight adds a row that takes the place of old, which stays in the
// history with the reason, and returns it.
func (tx Rows) SupersedeInsight(old *Insight, n NewInsight, reason string) (*Insight, error) {
	i, err := tx.insertInsight(n, old.RootID, old.Version+1)
	if err != nil {
		return nil, err
	}
	old.SupersededBy, old.Reason = i.ID, reason
	return i, tx.sql.Exec(`UPDATE l2_insights SET superseded_by = ?, reason = ? WHERE id = ?`, i.ID, reason, old.ID)
}

// MarkInsightDeleted marks an insight as deleted; the row stays in the history.
func (tx Rows) MarkInsightDeleted(i *Insight, reason string) error {
	tx.sql.Touch(store.TopicInsights)
	now := tx.sql.Now()
	i.Deleted, i.Reason = timeFromMillis(now), reason
	return tx.sql.Exec(`UPDATE l2_insights SET deleted_at = ?, reason = ? WHERE id = ?`, now, reason, i.ID)
}

// RewordInsight changes what a row says, whatever its place in the history. Search must index it again.
func (tx Rows) RewordInsight(i *Insight, content string) error {
	tx.sql.Touch(store.TopicInsights)
	if err := tx.deleteFromIndex(SourceInsight, query.List([]int64{i.ID})); err != nil {
		return err
	}
	i.Content = content
	return tx.sql.Exec(`UPDATE l2_insights SET content = ? WHERE id = ?`, content, i.ID)
}

// ExtractionKindAndScore is the kind of an insight that was noticed in dialogue, empty where somebody wrote
// it, and how surely it holds, 0 to 1: 1 where somebody wrote it, and where an earlier version
// found it by its wording.
func (i *Insight) ExtractionKindAndScore() (kind string, score float64) {
	var m struct {
		Extracted string
		Score     float64
	}
	if json.Unmarshal(i.Metadata, &m) != nil || m.Extracted == "" { // imported metadata may be anything
		return "", 1
	}
	return m.Extracted, cmp.Or(m.Score, 1)
}

// IsRequested reports whether somebody asked for an insight to be remembered.
func (i *Insight) IsRequested() bool {
	var m struct{ Asked bool }
	return json.Unmarshal(i.Metadata, &m) == nil && m.Asked // imported metadata may be anything
}

// extractedKind is the kind with which an insight i was extracted, or NULL. Imported
// metadata may be anything.
const extractedKind = `iif(json_valid(i.metadata), i.metadata ->> '$.extracted', NULL)`

func (tx Rows) insertInsight(n NewInsight, root int64, version int) (*Insight, error) {
	created := tx.sql.Now()
	if !n.At.IsZero() {
		created = millis(n.At)
	}
	sources := query.List(n.SourceIDs)
	id, err := tx.sql.Insert(`INSERT INTO l2_insights(root_id, version, content, source_ids, fidelity_score, metadata, created_at)
		VALUES(nullif(?, 0), ?, ?, ?, ?, ?, ?)`, root, version, n.Content, sources, n.Fidelity, string(n.Metadata), created)
	if err != nil {
		return nil, err
	}
	if len(n.SourceIDs) > 0 {
		if err := tx.sql.Exec(`INSERT INTO l2_sources(insight_id, position, l0_id) SELECT ?1, key, value FROM json_each(?2) WHERE value IN (SELECT id FROM l0_raw)`, id, sources); err != nil {
			return nil, err
		}
	}
	tx.sql.Touch(store.TopicInsights)
	return &Insight{
		ID: id, RootID: root, Version: version, Content: n.Content, SourceIDs: n.SourceIDs,
		Fidelity: n.Fidelity, Metadata: n.Metadata, Created: timeFromMillis(created),
	}, nil
}

// AddSource notes that a row of dialogue says again what an insight says.
func (tx Rows) AddSource(i *Insight, dialogue int64) error {
	i.SourceIDs = append(i.SourceIDs, dialogue)
	if err := tx.sql.Exec(`UPDATE l2_insights SET source_ids = ? WHERE id = ?`, query.List(i.SourceIDs), i.ID); err != nil {
		return err
	}
	tx.sql.Touch(store.TopicInsights)
	return tx.sql.Exec(`INSERT INTO l2_sources(insight_id, position, l0_id) VALUES(?, ?, ?)`, i.ID, len(i.SourceIDs)-1, dialogue)
}

// SourcesOf are the rows of dialogue from which each of some insights came, in the
// order given. What did not exist when an insight was made is no source of it, even if
// it came to exist.
func (tx Rows) SourcesOf(insights []int64) (map[int64][]int64, error) {
	return query.Lists[int64, int64](tx.sql, `SELECT s.insight_id, s.l0_id FROM json_each(?) j CROSS JOIN l2_sources s ON s.insight_id = j.value ORDER BY s.insight_id, s.position`, query.List(insights))
}

const insightColumns = `SELECT i.id, i.root_id, i.version, i.content, i.source_ids, i.fidelity_score, i.metadata, i.created_at,
	coalesce(i.superseded_by, 0), i.deleted_at, i.reason `

// InsightAt returns one insight, current or not; nil when there is none.
func (tx Rows) InsightAt(id int64) (*Insight, error) {
	list, err := tx.InsightsByID([]int64{id})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// InsightsByID returns the insights that exist among ids, in their order.
func (tx Rows) InsightsByID(ids []int64) ([]Insight, error) {
	return query.Select(tx.sql, (*Insight).fields, insightColumns+`FROM json_each(?) j JOIN l2_insights i ON i.id = j.value ORDER BY j.key`, query.List(ids))
}

// maxVersions bounds a history that is read at once.
const maxVersions = 1000

// InsightHistory returns the rows of the history an insight belongs to, the
// first one first.
func (tx Rows) InsightHistory(root int64) ([]Insight, error) {
	return query.Select(tx.sql, (*Insight).fields, insightColumns+`FROM l2_insights i WHERE i.root_id = ? ORDER BY i.version LIMIT ?`, root, maxVersions)
}

// InsightFilter chooses insights; zero fields do not restrict.
type InsightFilter struct {
	FidelityMin    float64
	From           time.Time // inclusive
	To             time.Time // exclusive
	IncludeRetired bool      // superseded and deleted ones too
	Limit          int
}

// Insights returns the insights of a filter, newest first.
func (tx Rows) Insights(f InsightFilter) ([]Insight, error) {
	return query.Select(tx.sql, (*Insight).fields, insightColumns+`FROM l2_insights i
		WHERE i.created_at >= ?1 AND i.created_at < ?2 AND i.fidelity_score >= ?3
			AND (?4 <> 0 OR (i.superseded_by IS NULL AND i.deleted_at IS NULL))
		ORDER BY i.created_at DESC, i.id DESC LIMIT ?5`,
		lowerBound(f.From), upperBound(f.To), f.FidelityMin, f.IncludeRetired, f.Limit)
}

// InsightsDue returns the current insights whose metadata names a day from one to
// another on which they are due, the first due first.
func (tx Rows) InsightsDue(from, to string, limit int) ([]Insight, error) {
	const due = `iif(json_valid(i.metadata), i.metadata ->> '$.due', NULL)`
	return query.Select(tx.sql, (*Insight).fields, insightColumns+`FROM l2_insights i WHERE i.superseded_by IS NULL AND i.deleted_at IS NULL AND `+due+` BETWEEN ? AND ? ORDER BY `+due+`, i.id LIMIT ?`, from, to, limit)
}

func (i *Insight) fields() []any {
	return []any{&i.ID, &i.RootID, &i.Version, &i.Content, query.FromJSON(&i.SourceIDs), &i.Fidelity, query.FromJSON(&i.Metadata), query.Millis(&i.Created), &i.SupersededBy, query.Millis(&i.Deleted), &i.Reason}
}

// CurrentInsights maps ids to the insight that stands in their place today: the
// newest of their history, if it is not deleted. Others are left out.
func (tx Rows) CurrentInsights(ids []int64) (map[int64]int64, error) {
	return query.Map[int64, int64](tx.sql, `SELECT j.value, n.id FROM json_each(?) j JOIN l2_insights i ON i.id = j.value
		JOIN l2_insights n ON n.root_id = i.root_id AND n.superseded_by IS NULL AND n.deleted_at IS NULL`, query.List(ids))
}

// MissingInsights returns which ids no insight has, or only a deleted one.
func (tx Rows) MissingInsights(ids []int64) ([]int64, error) {
	return tx.findMissing(`SELECT i.id FROM json_each(?) j JOIN l2_insights i ON i.id = j.value WHERE i.deleted_at IS NULL`, ids)
}

// InsightsOfContents returns the ids of current insights of exactly some texts,
// by text. It reads the whole table once: for imports only.
func (tx Rows) InsightsOfContents(contents []string) (map[string]int64, error) {
	return query.Map[string, int64](tx.sql, `SELECT content, min(id) FROM l2_insights WHERE superseded_by IS NULL AND deleted_at IS NULL AND content IN (SELECT value FROM json_each(?)) GROUP BY content`, query.List(contents))
}

// InsightsOfTurns returns the insights that name any of the given dialogue rows as
// a source, newest first; not the deleted ones.
func (tx Rows) InsightsOfTurns(ids []int64, limit int) ([]Insight, error) {
	return query.Select(tx.sql, (*Insight).fields, insightColumns+`FROM l2_insights i
		WHERE i.id IN (SELECT insight_id FROM l2_sources WHERE l0_id IN (SELECT value FROM json_each(?))) AND i.deleted_at IS NULL
		ORDER BY i.created_at DESC, i.id DESC LIMIT ?`, query.List(ids), limit)
}

// InsightsOfSession returns the current insights that name any turn of a session as a
// source, a page at a time: those with an id below before (0: from the newest on).
func (tx Rows) InsightsOfSession(session string, before int64, limit int) ([]Insight, error) {
	return query.Select(tx.sql, (*Insight).fields, insightColumns+`FROM l2_insights i
		WHERE i.id IN (SELECT s.insight_id FROM l0_raw d JOIN l2_sources s ON s.l0_id = d.id WHERE d.session_id = ?) AND i.id < ? AND i.superseded_by IS NULL AND i.deleted_at IS NULL
		ORDER BY i.id DESC LIMIT ?`, session, maxIfZero(before), limit)
}

func maxIfZero(before int64) int64 {
	if before == 0 {
		return math.MaxInt64
	}
	return before
}
