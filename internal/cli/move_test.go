package cli

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
)

func TestMoveOfAnOlderSchemaNamesTheCommandThatBringsItUp(t *testing.T) {
	for schema, want := range map[string]string{"35": "toolkit doctor --fix --db ", "34": "too old (schema 34"} {
		path := emptyDatabase(t)
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = db.ExecContext(t.Context(), `UPDATE goose_db_version SET version_id = `+schema)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, errs, code := inProcess(nothingSet, "move", path, filepath.Join(t.TempDir(), "new.db")); code != exitFailure || !strings.Contains(errs, want) {
			t.Errorf("schema %s: exit code %d, %q", schema, code, errs)
		}
	}
}
