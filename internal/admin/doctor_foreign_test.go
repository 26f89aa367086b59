package admin_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"toolkit/internal/admin"
)

func TestWhatIsNoDatabaseOfToolkitIsLeftAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes mean nothing on Windows")
	}
	folder := filepath.Join(t.TempDir(), "Documents")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(t.TempDir(), "other.db")
	db, err := sql.Open("sqlite", foreign)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE theirs(a)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	for _, path := range []string{folder, foreign} {
		chmod(t, path, 0o755)
		r := examine(t, path, fix)
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%s has mode %v now, %v", path, info.Mode(), err)
		}
		if got := states(r, "database"); got != "problem" {
			t.Errorf("the database is %s", got)
		}
		for _, f := range r.Findings {
			if strings.Contains(f.Do, "restore") || strings.Contains(f.Do, "chmod") || f.State == admin.CheckFixed {
				t.Errorf("%+v", f)
			}
		}
	}
}

func TestAMissingIndexOrTriggerIsFound(t *testing.T) {
	path := filled(t)
	alter(t, path, "DROP INDEX relations_to", "DROP TRIGGER pocket_predictions_not_replaced")
	r := examine(t, path, nil)
	if got := states(r, "schema"); got != "problem" {
		t.Errorf("the schema is %s", got)
	}
	for _, f := range r.Findings {
		if f.Check == "schema" && strings.Join(f.Details, ", ") != "index relations_to, trigger pocket_predictions_not_replaced" {
			t.Errorf("the parts are %v", f.Details)
		}
	}
}

// Whoever cannot open the file is not told to replace it.
func TestABackupIsAdvisedOnlyForADamagedFile(t *testing.T) {
	for name, tc := range map[string]struct {
		harm    func(t *testing.T, path string)
		advised bool
	}{
		"a log that cannot be opened": {func(t *testing.T, path string) {
			if err := os.Mkdir(path+"-wal", 0o700); err != nil {
				t.Fatal(err)
			}
		}, false},
		"a file without its second half": {func(t *testing.T, path string) {
			if err := os.Truncate(path, 200_000); err != nil {
				t.Fatal(err)
			}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filled(t)
			tc.harm(t, path)
			r := examine(t, path, nil)
			advised := false
			for _, f := range r.Findings {
				advised = advised || strings.Contains(f.Do, "toolkit restore")
			}
			if r.Problems == 0 || advised != tc.advised {
				t.Errorf("advised %v: %+v", advised, r.Findings)
			}
		})
	}
}
