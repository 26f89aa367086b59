package store

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
)

// TestAnEarlierDatabaseKeepsItsRowsAndKnowsWhatIsOutdated opens a database of the
// schema before priority decided first.
func TestAnEarlierDatabaseKeepsItsRowsAndKnowsWhatIsOutdated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old, err := sql.Open("sqlite", dsn(path, 0, false))
	if err != nil {
		t.Fatal(err)
	}
	if err := (&DB{path: path}).claim(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	if err := migrateTo(t.Context(), old, 9); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`INSERT INTO records(seq, id, type, properties, created_at, updated_at) VALUES(1, 'r', 'invoice', '{"a":1}', 1, 1)`,
		`INSERT INTO truth_entities(seq, id, type, name, name_key, root, created_at) VALUES(1, 'ent_a', 'company', 'A', 'a', 1, 1), (2, 'ent_b', 'company', 'B', 'b', 2, 1)`,
		`INSERT INTO truth_observations(id, entity, origin, record, source, observed_at, created_at, specificity_score, source_priority, digest, fields)
			VALUES('o1', 1, 1, 1, 'record', 1, 1, 0.8, 0, '', '{}'), ('o2', 2, 2, 1, 'correction', 1, 1, 1, 1000, '', '{"name":"C"}')`,
	} {
		if _, err := old.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	reading(t, db, func(tx *Tx) error {
		r, known, err := tx.RecordByID("r")
		if err != nil || !known || string(r.Properties) != `{"a":1}` {
			t.Errorf("the record is %+v, %v", r, err)
		}
		outdated, err := tx.OutdatedSnapshots(10)
		if err != nil || len(outdated) != 1 || outdated[0] != 2 {
			t.Errorf("outdated are %v, %v", outdated, err)
		}
		weighty, err := tx.TruthObservationsFrom(2, 1000)
		if err != nil || len(weighty) != 1 || weighty[0].ID != "o2" {
			t.Errorf("the corrections are %v, %v", weighty, err)
		}
		return err
	})
}

func TestTheDatabaseKeepsWhatAnUpdateReplaces(t *testing.T) {
	db := openMemory(t)
	inWrite(t, db, func(tx *Tx) error {
		r := Record{ID: "r", Type: "note", Properties: []byte(`{"a":1}`), FileURLs: []string{"f"}, CreatedAt: 1, UpdatedAt: 1}
		var err error
		if r.Seq, err = tx.InsertRecord(r, RecordIndex{}); err != nil {
			return err
		}
		for at, properties := range []string{`{"a":1}`, `{"a":2}`, `{"a":2}`, `{"a":3}`} {
			r.Properties, r.UpdatedAt = []byte(properties), int64(10+at)
			if err := tx.UpdateRecord(r, RecordIndex{}, RecordIndex{}); err != nil {
				return err
			}
		}
		r.Type, r.FileURLs, r.UpdatedAt = "letter", nil, 20
		if err := tx.UpdateRecord(r, RecordIndex{}, RecordIndex{}); err != nil {
			return err
		}
		history, err := tx.RecordHistory(r.Seq, 10)
		if err != nil || len(history) != 3 {
			t.Fatalf("the history is %+v, %v", history, err)
		}
		first, last := history[2], history[0]
		if first.ReplacedAt != 11 || string(first.Properties) != `{"a":1}` || last.Type != "note" || len(last.FileURLs) != 1 || last.ReplacedAt != 20 {
			t.Errorf("the history is %+v", history)
		}
		if err := tx.DeleteRecord(r, RecordIndex{}); err != nil {
			return err
		}
		if history, err = tx.RecordHistory(r.Seq, 10); err != nil || len(history) != 0 {
			t.Errorf("after the record is deleted, %+v, %v", history, err)
		}
		return nil
	})
}
