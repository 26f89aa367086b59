package store

import (
	"compress/gzip"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"toolkit/store/internal/query"
)

// earlierDatabase is a file that toolkit 0.1.0 wrote at schema 35, made by 35 migrations.
func earlierDatabase(t *testing.T) string {
	t.Helper()
	packed, err := os.Open("testdata/schema-35.db.gz")
	must(t, err)
	defer packed.Close()
	content, err := gzip.NewReader(packed)
	must(t, err)
	path := filepath.Join(t.TempDir(), "toolkit.db")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	must(t, err)
	_, err = io.Copy(file, content)
	must(t, err)
	must(t, file.Close())
	return path
}

func TestDatabaseOfSchema35KeepsEveryRow(t *testing.T) {
	path := earlierDatabase(t)
	before := countRows(t, path)
	db := open(t, path)
	must(t, db.CheckReady(t.Context()))
	if n := count(t, db, `SELECT count(*) FROM observation_words('maple') w JOIN observations o ON o.id = w.rowid WHERE o.content = 'likes maple trees'`); n != 1 {
		t.Errorf("a word finds %d of its rows", n)
	}
	must(t, db.Write(t.Context(), func(tx *Tx) error { return insertEntity(tx, "Grace", "a") }))
	if n := count(t, db, `SELECT count(*) FROM entities WHERE name IN ('Ada', 'Engine', 'Grace')`); n != 3 {
		t.Errorf("%d entities", n)
	}
	must(t, db.Close())
	after := countRows(t, path)
	for table, rows := range before {
		if table != "staged_words" && table != "sqlite_schema" && after[table] < rows {
			t.Errorf("%s had %d rows and has %d", table, rows, after[table])
		}
	}
	if before["l2_insights"] != 1 || before["records"] != 1 || before["charts"] != 1 {
		t.Errorf("the file does not hold what it should: %v", before)
	}
}

func TestPromptsOfSubagentsBecomeTheAssistants(t *testing.T) {
	path := earlierDatabase(t)
	for session, sideChain := range map[string]int{"claude-code/a": 0, "claude-code/a/helper": 1} {
		raw(t, path, fmt.Sprintf(`INSERT INTO capture_sessions(session_id, client, branch, side_chain, title, started_at, ended_at) VALUES('%s', 'claude-code', '', %d, '', 0, 0)`, session, sideChain))
		raw(t, path, fmt.Sprintf(`INSERT INTO l0_raw(session_id, speaker, content, occurred_at, created_at) VALUES('%s', 'user', 'Use rye', 0, 0)`, session))
	}
	raw(t, path, `INSERT INTO memory_rows(source, row_id, session, position, speaker, created, retired, terms, day, source_terms)
		SELECT 'l0', id, session_id, 1, speaker, 0, 0, '', '', '' FROM l0_raw WHERE session_id LIKE 'claude-code/a%'`)
	must(t, open(t, path).Close())
	want := []string{"claude-code/a user user", "claude-code/a/helper assistant assistant"}
	got := readTexts(t, path, `SELECT d.session_id || ' ' || d.speaker || ' ' || m.speaker FROM l0_raw d JOIN memory_rows m ON m.source = 'l0' AND m.row_id = d.id WHERE d.session_id LIKE 'claude-code/a%' ORDER BY 1`)
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestWordsOfAKilledImportAreRemoved(t *testing.T) {
	path := earlierDatabase(t)
	raw(t, path, `INSERT INTO observation_words(rowid, content) VALUES(101, 'maple')`)
	raw(t, path, `INSERT INTO staged_words(first_entity, last_entity, first_observation, last_observation, held_until) VALUES(1, 9, 1, 101, 0)`)
	must(t, open(t, path).Close())
	i, err := OpenInspection(t.Context(), path)
	must(t, err)
	defer i.Close()
	if faults, err := i.CountWordIndexFaults(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("the full-text indexes have faults: %v, %v", faults, err)
	}
	if n := len(readTexts(t, path, `SELECT 'row' FROM observation_words_docsize`)); n != 4 {
		t.Errorf("%d rows have words", n)
	}
}

func TestSchemaOfNewDatabaseIsThatOfAnEarlierOne(t *testing.T) {
	earlier := earlierDatabase(t)
	must(t, open(t, earlier).Close())
	fresh := filepath.Join(t.TempDir(), "toolkit.db")
	must(t, open(t, fresh).Close())
	want, got := describeSchema(t, earlier), describeSchema(t, fresh)
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("a new database lacks %s", line)
		}
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("an earlier database lacks %s", line)
		}
	}
	if len(want) < 500 {
		t.Errorf("only %d parts were compared", len(want))
	}
}

func TestDatabaseOfOlderSchemaIsRefused(t *testing.T) {
	path := earlierDatabase(t)
	raw(t, path, `DELETE FROM goose_db_version WHERE version_id > 34`)
	_, err := Open(t.Context(), Options{Path: path})
	if err == nil || !strings.Contains(err.Error(), "schema 34") || !strings.Contains(err.Error(), "toolkit doctor --fix") {
		t.Errorf("it says %v", err)
	}
}

// describeSchema lists the columns, references, indexes and triggers of a file.
func describeSchema(t *testing.T, path string) []string {
	t.Helper()
	const tables = `(SELECT l.name AS tbl FROM pragma_table_list l WHERE l.schema = 'main' AND l.type IN ('table', 'virtual') AND l.name NOT LIKE 'sqlite\_%' ESCAPE '\') t`
	return slices.Concat(
		readTexts(t, path, `SELECT tbl || '.' || c.cid || ' ' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || coalesce(c.dflt_value, '') || ' ' || c.pk FROM `+tables+` JOIN pragma_table_xinfo(t.tbl) c`),
		readTexts(t, path, `SELECT tbl || '.' || f."from" || ' ' || f."table" || '.' || f."to" || ' ' || f.on_delete FROM `+tables+` JOIN pragma_foreign_key_list(t.tbl) f`),
		readTexts(t, path, `SELECT sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL OR sql LIKE 'CREATE VIRTUAL %'`),
		readTexts(t, path, `SELECT name || ' checks ' || (length(sql) - length(replace(sql, 'CHECK (', 'CHECK'))) || ' rowid ' || (sql LIKE '%WITHOUT ROWID%') || ' autoincrement ' || (sql LIKE '%AUTOINCREMENT%') FROM sqlite_master WHERE type = 'table'`),
	)
}

func countRows(t *testing.T, path string) map[string]int {
	t.Helper()
	rows := map[string]int{}
	for _, table := range readTexts(t, path, `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')`) {
		n, err := strconv.Atoi(readTexts(t, path, `SELECT CAST(count(*) AS TEXT) FROM `+quoteName(table))[0])
		must(t, err)
		rows[table] = n
	}
	return rows
}

func readTexts(t *testing.T, path, statement string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	texts, err := query.Select(rawReader{t.Context(), db}, query.Column[string], statement)
	must(t, err)
	return texts
}
