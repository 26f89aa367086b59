package store

import (
	"database/sql"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A gap never names fewer rows than were lost.
func TestAGapWithoutAReadableEndIsOpen(t *testing.T) {
	for name, c := range map[string]struct {
		rows int
		last bool // wipe the last page rather than the root
	}{
		"a table whose only page is lost":  {rows: 5},
		"a table whose last page is lost":  {rows: 400, last: true},
		"a table whose upper page is lost": {rows: 400},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.db")
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close() //nolint:errcheck // a temporary file
			var root, pages int64
			for _, statement := range []string{
				"CREATE TABLE things (id INTEGER PRIMARY KEY, text TEXT)",
				"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < " + strconv.Itoa(c.rows) + ") INSERT INTO things SELECT i, hex(zeroblob(50)) FROM n",
			} {
				if _, err := db.ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			if err := db.QueryRowContext(t.Context(), "SELECT rootpage, (SELECT page_count FROM pragma_page_count) FROM sqlite_master").Scan(&root, &pages); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if c.last {
				root = pages
			}
			wipePage(t, path, root)
			if db, err = sql.Open("sqlite", path); err != nil {
				t.Fatal(err)
			}
			read := 0
			s := &salvage{ctx: t.Context(), conn: db, table: Table{Name: "things", Columns: []string{"id", "text"}, RowID: true},
				f: func([]any) error { read++; return nil }}
			if err := s.run(); err != nil {
				t.Fatal(err)
			}
			if len(s.gaps) != 1 || s.gaps[0].First != int64(read)+1 || s.gaps[0].Last != 0 {
				t.Fatalf("%d rows read, %+v", read, s.gaps)
			}
			if says := s.gaps[0].String(); !strings.Contains(says, "rows of things from "+strconv.Itoa(read+1)+" on could not be read") {
				t.Error(says)
			}
		})
	}
}

func wipePage(t *testing.T, path string, page int64) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // a failed write shows before
	if _, err := file.WriteAt(make([]byte, 4096), (page-1)*4096); err != nil {
		t.Fatal(err)
	}
}
