package store

import (
	"database/sql"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Databases of claude-mem hold columns of JSON that are empty, or no JSON.
func TestTheQueryForClaudeMemReadsEveryRow(t *testing.T) {
	page, err := os.ReadFile("../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?s)claude-mem\.db "(SELECT .*?)" > claude-mem\.jsonl`).FindSubmatch(page)
	if found == nil {
		t.Fatal("the page has no such query")
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // it is in memory
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`CREATE TABLE observations (id INTEGER PRIMARY KEY, project TEXT, type TEXT, title TEXT, subtitle TEXT, text TEXT, facts TEXT, narrative TEXT, created_at TEXT);
		INSERT INTO observations(project, type, title, facts, narrative, created_at) VALUES
			('shop', 'decision', 'Use Redis', '["two nodes"]', 'It is fast', '2026-03-01T10:00:00Z'),
			('shop', 'bugfix', '', '', 'Fixed', '2026-03-02T10:00:00Z'),
			('shop', 'bugfix', 'Broken facts', 'two nodes, one spare', 'Kept', '2026-03-03T10:00:00Z'),
			('shop', 'change', 'No facts', NULL, NULL, '2026-03-04T10:00:00Z')`); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query(strings.ReplaceAll(string(found[1]), `\$`, `$`))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close() //nolint:errcheck // rows.Err tells
	var lines []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"type":"entity","entityType":"decision","name":"Use Redis","observations":["two nodes","2026-03-01, shop: It is fast"]}`,
		`{"type":"entity","entityType":"bugfix","name":"observation 2","observations":["2026-03-02, shop: Fixed"]}`,
		`{"type":"entity","entityType":"bugfix","name":"Broken facts","observations":["two nodes, one spare","2026-03-03, shop: Kept"]}`,
		`{"type":"entity","entityType":"change","name":"No facts","observations":["2026-03-04, shop: "]}`,
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}
