package store

import "math"

// Inventory is how much of everything is stored, for an overview. Insights count
// those that were superseded or deleted too.
type Inventory struct {
	Entities, Relations, Observations     int // of the graph; charts, steps and beats are entities as well
	Charts, Steps, CompletedSteps, Beats  int
	Dialogue, Insights, Episodes, Working int
	Documented, Payloads, Records         int // entities that documents speak of, and where that comes from
}

// Inventory counts everything. Each number is read from an index or a statistics
// row, so the cost is that of walking the smallest index of each table.
func (tx *Tx) Inventory() (t Inventory, err error) {
	err = tx.row(`SELECT (SELECT count(*) FROM entities), (SELECT count(*) FROM relations), (SELECT count(*) FROM observations),
			(SELECT count(*) FROM charts), (SELECT count(*) FROM steps), (SELECT count(completed_at) FROM steps), (SELECT count(*) FROM beats),
			(SELECT coalesce(sum(rows), 0) FROM memory_statistics WHERE source = 'l0'),
			(SELECT coalesce(sum(rows), 0) FROM memory_statistics WHERE source = 'l2'),
			(SELECT coalesce(sum(rows), 0) FROM memory_statistics WHERE source = 'episode'),
			(SELECT count(*) FROM working_memory),
			(SELECT count(*) FROM snapshots), (SELECT count(*) FROM payloads), (SELECT count(*) FROM records)`).
		Scan(&t.Entities, &t.Relations, &t.Observations, &t.Charts, &t.Steps, &t.CompletedSteps, &t.Beats,
			&t.Dialogue, &t.Insights, &t.Episodes, &t.Working, &t.Documented, &t.Payloads, &t.Records)
	return t, err
}

// MasterCharts returns a page of the rows of master charts, newest first, and
// how many there are in all.
func (tx *Tx) MasterCharts(limit, offset int) (rows []int64, total int, err error) {
	if err := tx.row(`SELECT count(*) FROM charts WHERE parent_step_id IS NULL`).Scan(&total); err != nil {
		return nil, 0, err
	}
	rows, err = tx.ids(`SELECT entity_id FROM charts WHERE parent_step_id IS NULL ORDER BY entity_id DESC LIMIT ? OFFSET ?`, limit, offset)
	return rows, total, err
}

// ChartsBelow returns the rows of the given charts and of all charts that detail
// a step inside them, completed ones too, nearest to the top first. At most limit are
// returned; more says that there are others.
func (tx *Tx) ChartsBelow(roots []int64, limit int) (rows []int64, more bool, err error) {
	rows, err = tx.ids(`WITH RECURSIVE tree(id, depth) AS (
			SELECT value, 0 FROM json_each(?1)
			UNION
			SELECT c.entity_id, t.depth + 1 FROM tree t
				JOIN steps s ON s.chart_id = t.id
				JOIN charts c ON c.parent_step_id = s.entity_id
			ORDER BY 2 LIMIT ?2)
		SELECT id FROM tree`, rowList(roots), limit+1)
	if more = len(rows) > limit; more {
		rows = rows[:limit]
	}
	return rows, more, err
}

// InsightsBefore returns a page of insights, newest row first: those with an id
// below before (0: from the newest on). Superseded and deleted ones only when
// asked for.
func (tx *Tx) InsightsBefore(before int64, retired bool, limit int) ([]Insight, error) {
	return tx.insights(insightColumns+`FROM l2_insights i
		WHERE i.id < ?1 AND (?2 OR (i.superseded_by IS NULL AND i.deleted_at IS NULL))
		ORDER BY i.id DESC LIMIT ?3`, fromNewest(before), retired, limit)
}

// EpisodesBefore returns a page of episodes, newest row first: those with an id
// below before (0: from the newest on).
func (tx *Tx) EpisodesBefore(before int64, limit int) ([]Episode, error) {
	return tx.episodes(episodeColumns+`WHERE id < ?1 ORDER BY id DESC LIMIT ?2`, fromNewest(before), limit)
}

func fromNewest(before int64) int64 {
	if before == 0 {
		return math.MaxInt64
	}
	return before
}

// DocumentedName is what an entity of the payload store is called.
type DocumentedName struct{ Type, Name string }

// DocumentedNames returns type and name by entity id; unknown ids are absent. An
// entity that was merged goes by the name of the one it is part of.
func (tx *Tx) DocumentedNames(ids []string) (map[string]DocumentedName, error) {
	names := make(map[string]DocumentedName, len(ids))
	err := tx.each(func(scan func(...any) error) error {
		var id string
		var n DocumentedName
		err := scan(&id, &n.Type, &n.Name)
		names[id] = n
		return err
	}, `SELECT e.id, r.type, r.name FROM json_each(?1) j JOIN truth_entities e ON e.id = j.value JOIN truth_entities r ON r.seq = e.root`, encodeList(ids))
	return names, err
}

// DocumentedTypes returns the types of entities that have a snapshot, the most
// frequent first.
func (tx *Tx) DocumentedTypes(limit int) ([]TypeCount, error) {
	return tx.typeCounts(`SELECT type, count(*) AS n FROM snapshots GROUP BY type ORDER BY n DESC, type LIMIT ?`, limit)
}
