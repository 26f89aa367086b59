package store_test

import (
	"path/filepath"
	"testing"

	"toolkit/store"
	"toolkit/store/records"
	"toolkit/store/storetest"
	"toolkit/store/truth"
)

// TestAnEarlierDatabaseKeepsItsRowsAndKnowsWhatIsOutdated opens a database of the
// schema before priority decided first.
func TestAnEarlierDatabaseKeepsItsRowsAndKnowsWhatIsOutdated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.db")
	store.MakeEarlier(t, path, 9,
		`INSERT INTO records(seq, id, type, properties, created_at, updated_at) VALUES(1, 'r', 'invoice', '{"a":1}', 1, 1)`,
		`INSERT INTO truth_entities(seq, id, type, name, name_key, root, created_at) VALUES(1, 'ent_a', 'company', 'A', 'a', 1, 1), (2, 'ent_b', 'company', 'B', 'b', 2, 1)`,
		`INSERT INTO truth_observations(id, entity, origin, record, source, observed_at, created_at, specificity_score, source_priority, digest, fields)
			VALUES('o1', 1, 1, 1, 'record', 1, 1, 0.8, 0, '', '{}'), ('o2', 2, 2, 1, 'correction', 1, 1, 1, 1000, '', '{"name":"C"}')`)
	db := storetest.Open(t, path)
	storetest.Read(t, db, func(tx *store.Tx) error {
		r, known, err := records.In(tx).ByID("r")
		if err != nil || !known || string(r.Properties) != `{"a":1}` {
			t.Errorf("the record is %+v, %v", r, err)
		}
		outdated, err := truth.In(tx).OutdatedSnapshots(10)
		if err != nil || len(outdated) != 1 || outdated[0] != 2 {
			t.Errorf("outdated are %v, %v", outdated, err)
		}
		weighty, err := truth.In(tx).ObservationsFrom(2, 1000)
		if err != nil || len(weighty) != 1 || weighty[0].ID != "o2" {
			t.Errorf("the corrections are %v, %v", weighty, err)
		}
		return err
	})
}

// TestAnEarlierDatabaseKeepsTheVectorsOfModels opens a database of the schema that
// stored lexical vectors too.
func TestAnEarlierDatabaseKeepsTheVectorsOfModels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.db")
	store.MakeEarlier(t, path, 27,
		`INSERT INTO memory_rows(id, source, row_id, position, speaker, created, retired, terms, day, source_terms) VALUES(1, 'l0', 1, 1, '', 1, 0, 'birch', '', ''), (2, 'l0', 2, 2, '', 1, 0, 'oak', '', '')`,
		`INSERT INTO memory_spaces(id, model) VALUES(1, 'local-hash-v1'), (2, 'openai:small')`,
		`INSERT INTO memory_vectors(seq, space, memory_id, source, vector) VALUES(1, 1, 1, 'l0', x'01'), (2, 2, 1, 'l0', x'02'), (3, 1, 2, 'l0', x'03'), (7, 1, 1, 'l0', x'04') ON CONFLICT DO NOTHING`,
		`UPDATE sqlite_sequence SET seq = 9 WHERE name = 'memory_vectors'`)
	db := storetest.Open(t, path)
	for query, want := range map[string]int{
		`SELECT count(*) FROM memory_rows`:                                                                                              2,
		`SELECT count(*) FROM memory_vectors WHERE seq = 2 AND space = 2 AND vector = x'02'`:                                            1,
		`SELECT count(*) FROM memory_vectors`:                                                                                           1,
		`SELECT count(*) FROM memory_spaces`:                                                                                            1,
		`SELECT seq FROM sqlite_sequence WHERE name = 'memory_vectors'`:                                                                 9,
		`SELECT count(*) FROM sqlite_sequence WHERE name LIKE 'memory_vectors%'`:                                                        1,
		`SELECT count(*) FROM sqlite_master WHERE name IN ('memory_vectors_feed') OR name LIKE '%kept' AND name LIKE 'memory_vectors%'`: 1,
	} {
		if got := store.Count(t, db, query); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
}
