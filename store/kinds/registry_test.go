package kinds

import (
	"slices"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/internal/plantest"
)

// Rows that rows of other kinds need.
const (
	twoNodes    = `INSERT INTO entities(id, name, type, kind, title, folded_title, body, created_at, updated_at) VALUES(1, 'a', 'x', 'plain', '', '', '', 1, 1), (2, 'b', 'x', 'plain', '', '', '', 1, 1)`
	twoEntities = `INSERT INTO truth_entities(seq, id, type, name, name_key, root, created_at) VALUES(1, 'e1', 'x', 'a', 'a', 1, 1), (2, 'e2', 'x', 'b', 'b', 2, 1)`
	dataset     = `INSERT INTO pocket_datasets(seq, name, source, source_url, license, license_url, attribution_required, synthetic, created_at) VALUES(1, 'd', '', '', '', '', 0, 1, 1)`
)

// TestEachKindIsFoundAndDeleted stores a row of each kind with a word, finds it by the
// word and by its id, and deletes it.
func TestEachKindIsFoundAndDeleted(t *testing.T) {
	tests := map[string]struct {
		id   string
		rows []string
	}{
		Entity:          {"canary", []string{`INSERT INTO entities(id, name, type, kind, title, folded_title, body, created_at, updated_at) VALUES(1, 'canary', 'x', 'plain', '', '', '', 1, 1)`}},
		Observation:     {"1", []string{twoNodes, `INSERT INTO observations(id, entity_id, content, created_at) VALUES(1, 1, 'a canary', 1)`}},
		Relation:        {"1", []string{twoNodes, `INSERT INTO relations(id, from_id, to_id, type, created_at) VALUES(1, 1, 2, 'is a canary of', 1)`}},
		Line:            {"1", []string{`INSERT INTO foreign_lines(id, raw) VALUES(1, '{"canary":1}')`}},
		Insight:         {"1", []string{`INSERT INTO l2_insights(id, root_id, version, content, source_ids, fidelity_score, metadata, created_at) VALUES(1, 1, 1, 'a canary', '[]', 1, '{}', 1)`}},
		Dialogue:        {"1", []string{`INSERT INTO l0_raw(id, session_id, speaker, content, occurred_at, created_at) VALUES(1, 's', 'user', 'a canary', 1, 1)`}},
		Episode:         {"1", []string{`INSERT INTO episode_memory(id, query, reward, reflection, created_at) VALUES(1, 'canary', 1, 'x', 1)`}},
		Working:         {"1", []string{`INSERT INTO working_memory(id, content, importance, last_accessed, access_seq, created_at) VALUES(1, 'canary', 1, 1, 1, 1)`}},
		Stale:           {"1", []string{`INSERT INTO stale_memory(id, working_memory_id, original_content, importance, reason, archived_at) VALUES(1, 1, 'canary', 1, 'LRU_EVICTION', 1)`}},
		GoldenQuery:     {"1", []string{`INSERT INTO golden_queries(id, query, word_count, created_at) VALUES(1, 'canary', 1, 1)`}},
		GroundTruth:     {"1", []string{`INSERT INTO ground_truth(id, query, created_at) VALUES(1, 'canary', 1)`}},
		Session:         {"c/s", []string{`INSERT INTO capture_sessions(session_id, client, branch, side_chain, title, started_at, ended_at) VALUES('c/s', 'c', '', 0, 'canary', 1, 1)`}},
		Project:         {"1", []string{`INSERT INTO capture_projects(id, key, name, root, remote, created_at) VALUES(1, 'k', 'canary', '/srv', '', 1)`}},
		Transcript:      {"1", []string{`INSERT INTO capture_sources(id, identity, path, client, head, head_length, position, turns, bad, last_run, last_error) VALUES(1, 'i', '/canary', 'c', '', 0, 0, 0, 0, 1, '')`}},
		Record:          {"r", []string{`INSERT INTO records(seq, id, type, properties, created_at, updated_at) VALUES(1, 'r', 'note', '{"title":"canary"}', 1, 1)`}},
		TruthEntity:     {"e", []string{`INSERT INTO truth_entities(seq, id, type, name, name_key, root, created_at) VALUES(1, 'e', 'x', 'canary', 'canary', 1, 1)`}},
		Relationship:    {"r", []string{twoEntities, `INSERT INTO typed_relationships(id, type, source, target, source_root, target_root, created_at) VALUES('r', 'canary', 1, 2, 1, 2, 1)`}},
		PocketOutlet:    {"o", []string{dataset, `INSERT INTO pocket_outlets(id, dataset, pocket, name, unit, category, opens_at, closes_at, active, dna) VALUES('o', 1, 'p', 'canary', '', '', '', '', 1, '{}')`}},
		PocketReading:   {"p 5", []string{dataset, `INSERT INTO pocket_readings(pocket, captured_at, dataset, stress, calm, social_energy, productive, primary_state, anomaly) VALUES('p', 5, 1, 0, 0, 0, 0, 'canary', 0)`}},
		PocketLedger:    {`["p",5,"","canary"]`, []string{dataset, `INSERT INTO pocket_ledger(pocket, occurred_at, outlet, entry, dataset) VALUES('p', 5, '', 'canary', 1)`}},
		PocketAttention: {`["p",5,"surfaced","canary","",""]`, []string{dataset, `INSERT INTO pocket_attention(pocket, occurred_at, kind, "user", outlet, event, dataset) VALUES('p', 5, 'surfaced', 'canary', '', '', 1)`}},
		PocketQuality:   {"p 5", []string{dataset, `INSERT INTO pocket_quality(pocket, computed_at, dataset, computed, usefulness, urgency, calmness, merchant_fit, user_need, neutral) VALUES('p', 5, 1, 0, 0, 0, 0, 0, 0, '["canary"]')`}},
	}
	for _, kind := range Names() {
		t.Run(kind, func(t *testing.T) {
			test, known := tests[kind]
			if !known {
				t.Fatal("the kind has no row here")
			}
			db := storetest.Open(t)
			err := db.Forget(t.Context(), func(tx *store.Tx) error {
				rows := In(tx)
				for _, statement := range test.rows {
					if err := rows.sql.Exec(statement); err != nil {
						return err
					}
				}
				id := test.id
				if !rows.sql.SQLite() && strings.HasPrefix(id, "[") {
					id = strings.ReplaceAll(id, ",", ", ") // as PostgreSQL writes lists
				}
				expect := func(how string, count int, found []Row, err error) {
					t.Helper()
					if err != nil || len(found) != count || count > 0 && found[0].Ref() != kind+":"+id {
						t.Errorf("%s: %+v, %v", how, found, err)
					}
				}
				found, err := rows.FindContaining(kind, []string{"Canary"}, 10)
				expect("by a word", 1, found, err)
				found, err = rows.Find(kind, id)
				expect("by its id", 1, found, err)
				found, err = rows.Find(kind, "4711")
				expect("by an id that is not there", 0, found, err)
				if strings.HasPrefix(kind, "pocket_") {
					found, err = rows.Find(GroupPocket, "p")
					expect("by its pocket", 1, found, err)
				}
				if err := rows.Delete(kind, []string{id}); err != nil {
					return err
				}
				found, err = rows.Find(kind, id)
				expect("after its deletion", 0, found, err)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDependentsAreWhatGoesAlongAndWhatWasMade(t *testing.T) {
	tests := map[string]struct {
		rows           []string
		from           Row
		parts, derived string
	}{
		"an entity with an observation and a relation": {[]string{twoNodes,
			`INSERT INTO observations(id, entity_id, content, created_at) VALUES(1, 1, 'a canary', 1), (2, 2, 'another', 1)`,
			`INSERT INTO relations(id, from_id, to_id, type, created_at) VALUES(1, 2, 1, 'knows', 1)`},
			Row{Kind: Entity, ID: "a"}, "entity:a observation:1 relation:1", ""},
		"a turn with its query and an insight": {[]string{
			`INSERT INTO l0_raw(id, session_id, speaker, content, occurred_at, created_at) VALUES(1, 's', 'user', 'a canary', 1, 1)`,
			`INSERT INTO golden_queries(id, query, word_count, created_at) VALUES(1, 'a canary', 1, 1), (2, 'another', 1, 1)`,
			`INSERT INTO l2_insights(id, root_id, version, content, source_ids, fidelity_score, metadata, created_at) VALUES(1, 1, 1, 'birds', '[1]', 1, '{}', 1)`,
			`INSERT INTO l2_sources(insight_id, position, l0_id) VALUES(1, 0, 1)`},
			Row{Kind: Dialogue, ID: "1"}, "golden_query:1", "insight:1"},
		"a turn whose words an insight is": {[]string{
			`INSERT INTO l0_raw(id, session_id, speaker, content, occurred_at, created_at) VALUES(1, 's', 'user', 'a canary', 1, 1)`,
			`INSERT INTO l2_insights(id, root_id, version, content, source_ids, fidelity_score, metadata, created_at) VALUES(1, 1, 1, 'a canary', '[1]', 1, '{"extracted":"fact"}', 1)`,
			`INSERT INTO l2_sources(insight_id, position, l0_id) VALUES(1, 0, 1)`},
			Row{Kind: Dialogue, ID: "1"}, "insight:1", "insight:1"},
		"a file with an item": {[]string{
			`INSERT INTO records(seq, id, type, properties, created_at, updated_at) VALUES(1, 'file', 'document', '{}', 1, 1), (2, 'item', 'note', '{}', 1, 1)`,
			`INSERT INTO record_parts(part, parent, number) VALUES(2, 1, 1)`},
			Row{Kind: Record, ID: "file"}, "record:item", ""},
		"a working item": {[]string{`INSERT INTO working_memory(id, content, importance, last_accessed, access_seq, created_at) VALUES(1, 'canary', 1, 1, 1, 1)`},
			Row{Kind: Working, ID: "1"}, "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			db := storetest.Open(t)
			storetest.Write(t, db, func(tx *store.Tx) error {
				rows := In(tx)
				for _, statement := range test.rows {
					if err := rows.sql.Exec(statement); err != nil {
						return err
					}
				}
				parts, derived, err := rows.Dependents([]Row{test.from})
				if refs(parts) != test.parts || refs(derived) != test.derived {
					t.Errorf("parts are %q and made of it is %q, not %q and %q", refs(parts), refs(derived), test.parts, test.derived)
				}
				return err
			})
		})
	}
}

func refs(rows []Row) string {
	list := make([]string, len(rows))
	for i, row := range rows {
		list[i] = row.Ref()
	}
	return strings.Join(list, " ")
}

// A table of two thousand rows is one file: what else is known of it is read once, not for
// every row.
func TestTheStatementsOfAFileAreReadOnceForAllItsItems(t *testing.T) {
	plan := plantest.ExplainPlan(t, storetest.Open(t), `SELECT t.id FROM records t WHERE `+partOfRecords)
	at := func(beginning string) int {
		return slices.IndexFunc(plan, func(detail string) bool { return strings.HasPrefix(detail, beginning) })
	}
	item, statement := at("SEARCH b "), at("SEARCH q ")
	if item < 0 || statement < item || !slices.ContainsFunc(plan[item:statement], func(detail string) bool { return strings.HasPrefix(detail, "LIST SUBQUERY") }) {
		t.Errorf("statements are read for every item:\n%s", strings.Join(plan, "\n"))
	}
}
