package store

import (
	"toolkit/store/internal/query"
)

// Inventory is how much of everything is stored, as people count it: relations are those
// that somebody stated and not what holds a chart together, charts those that are no step
// of another, insights those that were not superseded or deleted, documents the files and
// records that came in and not the rows of a file.
type Inventory struct {
	Nodes          int `json:"nodes"` // of the graph
	Relations      int `json:"relations"`
	Observations   int `json:"observations"`
	Entities       int `json:"entities"` // nodes that are no charts, steps or beats
	Charts         int `json:"charts"`
	Steps          int `json:"steps"`
	CompletedSteps int `json:"completed_steps"`
	Beats          int `json:"beats"`
	Dialogue       int `json:"dialogue"`
	Insights       int `json:"insights"`
	Episodes       int `json:"episodes"`
	Working        int `json:"working"`
	Documents      int `json:"documents"`
	Documented     int `json:"documented"` // entities that they speak of
	Sessions       int `json:"sessions"`   // captured, and stored by assistants
}

// CountInventory counts everything. Each number is read from an index or a statistics
// row, so the cost is that of walking the smallest index of each table.
func (tx *Tx) CountInventory() (t Inventory, err error) {
	err = tx.sql().Row(`SELECT (SELECT count(*) FROM entities),
			(SELECT count(*) FROM relations) - (SELECT count(*) FROM entities e JOIN relations r ON r.from_id = e.id WHERE e.kind <> 'plain' AND r.structural = 1 AND r.stated = 0),
			(SELECT count(*) FROM observations),
			(SELECT count(*) FROM entities) - (SELECT count(*) FROM entities WHERE kind <> 'plain'),
			(SELECT count(*) FROM charts WHERE parent_step_id IS NULL), (SELECT count(*) FROM steps), (SELECT count(completed_at) FROM steps), (SELECT count(*) FROM beats),
			(SELECT coalesce(sum(rows), 0) FROM memory_statistics WHERE source = 'l0'),
			(SELECT coalesce(sum(rows), 0) FROM memory_statistics WHERE source = 'l2') - (SELECT count(*) FROM l2_insights WHERE superseded_by IS NOT NULL OR deleted_at IS NOT NULL),
			(SELECT coalesce(sum(rows), 0) FROM memory_statistics WHERE source = 'episode'),
			(SELECT count(*) FROM working_memory),
			(SELECT count(*) FROM records) - (SELECT count(*) FROM record_parts) - (SELECT count(*) FROM record_types WHERE key = 'correction'), (SELECT count(*) FROM snapshots),
			(SELECT count(*) FROM capture_sessions) + (`+storedSessions+`)`).
		Scan(&t.Nodes, &t.Relations, &t.Observations, &t.Entities, &t.Charts, &t.Steps, &t.CompletedSteps, &t.Beats,
			&t.Dialogue, &t.Insights, &t.Episodes, &t.Working, &t.Documents, &t.Documented, &t.Sessions)
	return t, err
}

// storedSessions counts the sessions that assistants stored dialogue of and that were not
// captured. It goes from one session to the next in the index.
const storedSessions = `WITH RECURSIVE stored(id) AS (SELECT min(session_id) FROM l0_raw
		UNION ALL SELECT (SELECT min(d.session_id) FROM l0_raw d WHERE d.session_id > stored.id) FROM stored WHERE stored.id IS NOT NULL)
	SELECT count(*) FROM stored WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM capture_sessions c WHERE c.session_id = stored.id)`

// DocumentedTypes returns the types of entities that have a snapshot, the most
// frequent first.
func (tx *Tx) DocumentedTypes(limit int) ([]TypeCount, error) {
	return tx.typeCounts(`SELECT type, count(*) AS n, min(entity) FROM snapshots GROUP BY type ORDER BY n DESC, type LIMIT ?`, limit)
}

// SizeBytes is the size of the database without free pages.
func (tx *Tx) SizeBytes() (int64, error) {
	return query.Value[int64](tx.sql(), tx.sql().ForEngine(
		`SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
		`SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`))
}

// CountOrphans counts the nodes of the knowledge graph without a relation, and
// the entities of documents without a relationship. It looks at every node.
func (tx *Tx) CountOrphans() (graph, documents int64, err error) {
	err = tx.sql().Row(`SELECT (SELECT count(*) FROM entities e
			WHERE NOT EXISTS (SELECT 1 FROM relations WHERE from_id = e.id) AND NOT EXISTS (SELECT 1 FROM relations WHERE to_id = e.id)),
		(SELECT count(*) FROM truth_entities e WHERE e.root = e.seq
			AND NOT EXISTS (SELECT 1 FROM typed_relationships WHERE source_root = e.seq)
			AND NOT EXISTS (SELECT 1 FROM typed_relationships WHERE target_root = e.seq))`).Scan(&graph, &documents)
	return graph, documents, err
}

// TypeCount is how many things have a type, and the row of the first of them.
type TypeCount struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
	First int64  `json:"first"`
}

// EntityTypeCounts returns the types of the graph, the most frequent first.
func (tx *Tx) EntityTypeCounts(limit int) ([]TypeCount, error) {
	return tx.typeCounts(`SELECT type, count(*) AS n, min(id) FROM entities GROUP BY type ORDER BY n DESC, type LIMIT ?`, limit)
}

func (tx *Tx) typeCounts(statement string, limit int) ([]TypeCount, error) {
	return query.Select(tx.sql(), func(t *TypeCount) []any { return []any{&t.Type, &t.Count, &t.First} }, statement, limit)
}
