package search

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"toolkit/internal/language"
)

func TestIncomplete(t *testing.T) {
	statistics := Statistics{Rows: 10, Words: 30, Body: map[string]int{"dog": 3}}
	for query, want := range map[string]bool{"the dog": false, "the dgo": true, "dog and cat": true, "?": true} {
		if got := NewScorer(AnalyseQuery(query), statistics).HasUnknownTerms(); got != want {
			t.Errorf("%q: %v", query, got)
		}
	}
}

func index(t testing.TB) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	if _, err := db.Exec(`CREATE VIRTUAL TABLE rows USING fts5 (body, day, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0")`); err != nil {
		t.Fatal(err)
	}
	return db
}

// everyTerm looks for all terms of a text, as if they were rare.
func everyTerm(text string) []Candidate {
	var candidates []Candidate
	for _, term := range AnalyseQuery(text).Terms {
		for _, form := range term.Forms {
			candidates = append(candidates, Candidate{BodyColumn, form}, Candidate{DayColumn, form})
		}
	}
	return candidates
}

func TestARowIsFoundByItsOwnText(t *testing.T) {
	db := index(t)
	texts := []string{
		"She went to the museum", "don't parseHTTPRequest", "Straße und Größe", "東京都に行く", "Привет мир", "v1.60.1 on 2023-05-03", "NEAR(a, b) AND NOT c*", "x",
	}
	for i, text := range texts {
		if _, err := db.Exec(`INSERT INTO rows (rowid, body) VALUES (?, ?)`, i+1, strings.Join(language.Terms(text), " ")); err != nil {
			t.Fatal(err)
		}
	}
	for i, text := range texts {
		var ids []int
		rows, err := db.Query(`SELECT rowid FROM rows WHERE rows MATCH ? ORDER BY rank`, BuildMatchExpression(everyTerm(text)))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		for rows.Next() {
			var id int
			if err := rows.Scan(&id); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		if err := rows.Err(); err != nil || !slices.Contains(ids, i+1) {
			t.Errorf("%q finds %v, %v", text, ids, err)
		}
	}
}

func FuzzMatchExpression(f *testing.F) {
	for _, text := range []string{`"`, `*`, `NEAR(`, `a AND`, `body : x`, `{a b} : c`, `^a`, "a\x00b", "\xff", `'; DROP`, "（ａ）", "\U0001e922", "née + -x", "AND OR NOT"} {
		f.Add(text)
	}
	db := index(f)
	f.Fuzz(func(t *testing.T, text string) {
		expression := BuildMatchExpression(everyTerm(text))
		if expression == "" {
			return
		}
		rows, err := db.Query(`SELECT rowid FROM rows WHERE rows MATCH ? ORDER BY rank LIMIT 5`, expression)
		if err != nil {
			t.Fatalf("%q gives %s: %v", text, expression, err)
		}
		for rows.Next() {
			t.Error("an empty index finds something")
		}
		if err := rows.Close(); err != nil {
			t.Fatalf("%q gives %s: %v", text, expression, err)
		}
		if err := rows.Err(); err != nil {
			t.Fatalf("%q gives %s: %v", text, expression, err)
		}
	})
}
