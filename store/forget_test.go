package store

import (
	"path/filepath"
	"slices"
	"testing"
)

// A table that comes later must say here what becomes of its texts when something
// is forgotten, or that it holds none of what is remembered.
func TestEveryTableHasForgettingRule(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "toolkit.db"))
	const removed, searched, none = "goes with its row", "is searched for the text", "holds no words of what is remembered"
	known := map[string]string{
		"entities": searched, "observations": searched, "relations": searched, "foreign_lines": searched, "beats": searched, "charts": removed, "steps": removed,
		"l0_raw": searched, "l0_tags": removed, "l2_insights": searched, "l2_sources": removed, "working_memory": searched, "stale_memory": searched,
		"episode_memory": searched, "ground_truth": searched, "golden_queries": searched, "golden_results": "quotes golden queries; the quotes go with them",
		"golden_query_results": removed, "judge_scores": removed, "memory_rows": removed, "memory_vectors": removed, "node_vectors": removed,
		"capture_sessions": searched, "capture_projects": searched, "capture_project_keys": removed, "capture_turns": removed, "capture_sources": searched, "capture_things": "hashes, which stay likewise", "capture_heard": "hashes, which stay so that nothing forgotten comes back", "capture_messages": "keys without words, which stay so that nothing forgotten comes back",
		"capture_places": "hashes", "capture_chains": "hashes, which stay so that nothing forgotten comes back",
		"capture_ended": "hashes, which stay likewise", "capture_unsaid": "hashes with a key, which stay likewise", "capture_key": "a random number",
		"hook_runs": none, "hook_shown": "hashes of sessions and fingerprints", "hook_sweeps": none,
		"records": searched, "record_types": removed, "record_values": removed, "record_vectors": removed, "record_blobs": removed, "record_parts": removed, "record_history": searched, "outdated_snapshots": none,
		"payloads": searched, "blobs": searched, "truth_entities": searched, "truth_observations": searched, "snapshots": "is computed again", "snapshot_values": "is computed again",
		"timeline_events": "is computed again", "typed_relationships": searched, "relationship_sources": removed, "invoice_status": "is computed again", "entity_parts": "hashes and ids",
		"change_sequence": none, "entity_changes": none, "memory_statistics": none, "memory_spaces": none, "memory_forgotten": none, "record_spaces": none, "merge_policies": none,
		"pocket_datasets": "provenance", "pocket_readings": searched, "pocket_outlets": searched, "pocket_ledger": searched,
		"pocket_attention": searched, "pocket_quality": searched, "pocket_predictions": "sealed for good, which the answer says",
		"import_documents": "fingerprints", "imported_items": "fingerprints", "import_runs": none, "plaid_items": "connections, which Plaid revokes",
		"telemetry_names": none, "telemetry_state": none, "metric_series": none, "metric_chunks": none, "call_events": none,
		"analytics_actors": none, "analytics_activity": none, "analytics_days": none,
		"access_tokens": none,
	}
	tables, err := readCatalog(t.Context(), db.reader)
	if err != nil {
		t.Fatal(err)
	}
	var merged []string
	for _, w := range wordIndexes {
		merged = append(merged, w.table)
	}
	for _, table := range tables {
		switch {
		case table.View:
		case table.Virtual && !slices.Contains(merged, table.Name):
			t.Errorf("the full-text index %s keeps the words of forgotten rows", table.Name)
		case !table.Virtual && known[table.Name] == "":
			t.Errorf("what becomes of the texts in %s when something is forgotten?", table.Name)
		}
	}
}

// Each row that goes is looked for in whatever may refer to it. Data sets of
// pockets never go.
func TestForgetQueriesUseIndexes(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "toolkit.db"))
	var unindexed []string
	must(t, db.Read(t.Context(), func(tx *Tx) (err error) {
		unindexed, err = tx.sql().Texts(`SELECT m.name || '.' || f."from" FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f
			WHERE m.type = 'table' AND f."table" <> 'pocket_datasets'
			AND NOT EXISTS (SELECT 1 FROM pragma_table_info(m.name) c WHERE c.name = f."from" AND c.pk = 1)
			AND NOT EXISTS (SELECT 1 FROM pragma_index_list(m.name) i JOIN pragma_index_info(i.name) c WHERE c.seqno = 0 AND c.name = f."from")`)
		return err
	}))
	if len(unindexed) > 0 {
		t.Errorf("forgetting walks through a whole table for each row because of %v", unindexed)
	}
}
