package transfer_test

import (
	"bytes"
	"database/sql"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/internal/transfer"
	"toolkit/store"
)

// strange are values that a text format is likely to get wrong.
var strange = []any{
	"", "plain", "Grüße, 世界 🎻", "line\nbreak\r\n\ttab", `quotes " and \ and </script>`, "a\x00b", "\xff\xfe not UTF-8", "\u2028\u2029", "null", `{"$blob":"x"}`,
	int64(0), int64(1), int64(2), int64(math.MaxInt64), int64(math.MinInt64), int64(1<<53 + 1),
	0.5, 1e300, -1e-300, math.Inf(1), math.Inf(-1), 0.1, 3.0,
	[]byte{}, []byte{0, 1, 2, 255}, []byte("text as bytes"),
}

var (
	literal = regexp.MustCompile(`'([^']*)'`)
	comment = regexp.MustCompile(`--.*`)
)

// fillAtRandom puts rows of strange values into every table, guided by nothing
// but the schema, so that tables of any family are covered. typed values are those that
// the column was declared for, as PostgreSQL requires.
func fillAtRandom(t *testing.T, path string, random *rand.Rand, typed bool) {
	t.Helper()
	ctx := t.Context()
	open := storetest.Open(t, path)
	if err := open.Close(); err != nil {
		t.Fatal(err)
	}
	i, err := store.OpenInspection(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := i.Tables(ctx)
	if err != nil {
		t.Fatal(err)
	}
	i.Close()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`BEGIN`); err != nil {
		t.Fatal(err)
	}
	defer db.Exec(`COMMIT`) //nolint:errcheck // the comparison tells
	for _, table := range tables {
		if table.Virtual {
			continue
		}
		parents, required, types := parentsOf(t, db, table.Name), requiredOf(t, db, table.Name), typesOf(t, db, table.Name)
		var declared string
		if err := db.QueryRow(`SELECT sql FROM sqlite_master WHERE name = ?`, table.Name).Scan(&declared); err != nil {
			t.Fatal(err)
		}
		choices := append([]any{}, strange...)
		for range 5 {
			choices = append(choices, random.Int64(), random.NormFloat64(), randomText(random), []byte(randomText(random)))
		}
		for _, m := range literal.FindAllStringSubmatch(comment.ReplaceAllString(declared, ""), -1) {
			choices = append(choices, m[1], m[1], m[1], m[1])
		}
		rows := 0
		for try := 0; try < 200 || rows == 0 && try < 20_000; try++ { // some tables admit few values
			values := make([]any, len(table.Columns))
			for c, column := range table.Columns {
				values[c] = choices[random.IntN(len(choices))]
				for typed && !fits(values[c], types[column]) {
					values[c] = choices[random.IntN(len(choices))]
				}
				if random.IntN(6) == 0 && !required[column] {
					values[c] = nil
				}
				if p, refers := parents[column]; refers {
					values[c] = p(random)
				}
			}
			db.Exec(`INSERT OR IGNORE INTO "`+table.Name+`" VALUES(?`+strings.Repeat(", ?", len(values)-1)+`)`, values...) //nolint:errcheck // many are refused
			if try%50 < 49 {
				continue
			}
			if err := db.QueryRow(`SELECT count(*) FROM "` + table.Name + `"`).Scan(&rows); err != nil {
				t.Fatal(err)
			}
		}
		if rows == 0 {
			t.Errorf("no row of %s could be made; give its columns values that its constraints admit", table.Name)
		}
	}
}

// randomText is valid UTF-8 of any planes, with a NUL now and then.
func randomText(random *rand.Rand) string {
	text := make([]rune, random.IntN(40))
	for i := range text {
		text[i] = []rune("aZ0 \x00\n\"'\\\u00e9\u4e16\U0001f3bb\U0010ffff")[random.IntN(13)]
	}
	return string(text)
}

// fits reports whether a column of a declared type keeps a value as it is on either engine.
func fits(value any, declared string) bool {
	switch v := value.(type) {
	case int64:
		return declared == "INTEGER"
	case float64:
		return declared == "REAL"
	case string:
		return declared == "TEXT" && utf8.ValidString(v)
	}
	return declared == "BLOB"
}

func typesOf(t *testing.T, db *sql.DB, table string) map[string]string {
	t.Helper()
	rows, err := db.Query(`SELECT name, type FROM pragma_table_info(?)`, table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	types := map[string]string{}
	for rows.Next() {
		var column, declared string
		if err := rows.Scan(&column, &declared); err != nil {
			t.Fatal(err)
		}
		types[column] = declared
	}
	return types
}

// requiredOf are the columns that take no null, and those of keys: a null would be no
// parent of any row, and behind the greatest id there is none to give.
func requiredOf(t *testing.T, db *sql.DB, table string) map[string]bool {
	t.Helper()
	rows, err := db.Query(`SELECT name FROM pragma_table_info(?) WHERE "notnull" OR pk > 0`, table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	required := map[string]bool{}
	for rows.Next() {
		var column string
		if err := rows.Scan(&column); err != nil {
			t.Fatal(err)
		}
		required[column] = true
	}
	return required
}

// parentsOf chooses values for columns that refer to other rows.
func parentsOf(t *testing.T, db *sql.DB, table string) map[string]func(*rand.Rand) any {
	t.Helper()
	rows, err := db.Query(`SELECT f."from", f."table", coalesce(f."to", (SELECT name FROM pragma_table_info(f."table") WHERE pk = 1)) FROM pragma_foreign_key_list(?) f`, table)
	if err != nil {
		t.Fatal(err)
	}
	type reference struct{ column, parent, key string }
	var references []reference
	for rows.Next() {
		var r reference
		if err := rows.Scan(&r.column, &r.parent, &r.key); err != nil {
			t.Fatal(err)
		}
		references = append(references, r)
	}
	rows.Close()
	parents := map[string]func(*rand.Rand) any{}
	for _, r := range references {
		var keys []any
		found, err := db.Query(`SELECT "` + r.key + `" FROM "` + r.parent + `" WHERE "` + r.key + `" IS NOT NULL LIMIT 50`)
		if err != nil {
			t.Fatal(err)
		}
		for found.Next() {
			var key any
			if err := found.Scan(&key); err != nil {
				t.Fatal(err)
			}
			keys = append(keys, key)
		}
		found.Close()
		parents[r.column] = func(random *rand.Rand) any {
			if len(keys) == 0 {
				return nil
			}
			return keys[random.IntN(len(keys))]
		}
	}
	return parents
}

func TestStrangeValuesInEveryTableComeBackEqual(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	for seed := range toolstest.RoundCount(1) {
		source := filepath.Join(t.TempDir(), "toolkit.db")
		fillAtRandom(t, source, rand.New(rand.NewPCG(seed, 1)), false)
		file, written := write(t, source, transfer.ExportOptions{LeaveFiles: true})
		if !bytes.Contains(file, []byte(`"$blob"`)) || !bytes.Contains(file, []byte(`"$text"`)) || !bytes.Contains(file, []byte(`"$real"`)) {
			t.Error("the values are not strange enough")
		}
		target := filepath.Join(t.TempDir(), "toolkit.db")
		// The rows mean nothing, so nothing can be derived of them.
		noDerivation := func(*store.Tx) error { return nil }
		result, err := read(t, file, transfer.Target{Database: target, Derive: noDerivation})
		if err != nil {
			t.Fatal(err)
		}
		if result.Rows != written.Rows || written.Rows < 500 {
			t.Errorf("%d rows came back of %d", result.Rows, written.Rows)
		}
		storetest.RequireSameContents(t, storetest.FingerprintTables(t, target), storetest.FingerprintTables(t, source))
	}
}

// Files travel inside on request, and lost or damaged ones are named.
func TestFilesOfRecordsTravelWhenEmbedded(t *testing.T) {
	source := fillEverything(t, 1, 3)
	db, err := sql.Open("sqlite", source)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	big := bytes.Repeat([]byte("0123456789"), 200_000) // several pieces
	kept := map[string][]byte{}
	for n, text := range [][]byte{big, {}, []byte("small"), []byte("lost"), []byte("damaged")} {
		hash := sumOf(text)
		if _, err := db.Exec(`INSERT INTO blobs(sha256, size, mime, name, created_at) VALUES(?, ?, 'text/plain', 'a.txt', 0)`, hash, len(text)); err != nil {
			t.Fatal(err)
		}
		place := filepath.Join(filepath.Dir(source), filepath.FromSlash(store.FilePlace(hash)))
		if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
			t.Fatal(err)
		}
		switch n {
		case 3:
		case 4:
			testenv.Write(t, place, "damabed")
		default:
			kept[hash] = text
			testenv.Write(t, place, text)
		}
	}
	file, written := write(t, source, transfer.ExportOptions{})
	if len(written.Missing) != 2 || written.Files != 3 {
		t.Errorf("%+v", written)
	}
	target := filepath.Join(t.TempDir(), "toolkit.db")
	result, err := read(t, file, transfer.Target{Database: target})
	if err != nil || result.Files != 3 {
		t.Fatalf("%+v, %v", result, err)
	}
	for hash, text := range kept {
		came, err := os.ReadFile(filepath.Join(filepath.Dir(target), filepath.FromSlash(store.FilePlace(hash))))
		if err != nil || !bytes.Equal(came, text) {
			t.Errorf("%s: %d bytes, %v", hash, len(came), err)
		}
	}
}
