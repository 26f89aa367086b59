package postgres

import (
	"fmt"
	"strings"
	"testing"

	"toolkit/store/internal/query"
)

func TestRewriteStatement(t *testing.T) {
	d := &Dialect{}
	for _, c := range []struct {
		sqlite string
		args   []any
		want   string
	}{
		{`SELECT a FROM b WHERE c = ? AND d = ?`, []any{1, "x"}, `SELECT a FROM b WHERE c = $1::bigint AND d = $2::text`},
		{`SELECT a FROM b WHERE c = '?' AND d = ?2 AND e = ?1 LIMIT ?1`, []any{1, 2}, `SELECT a FROM b WHERE c = '?' AND d = $1::bigint AND e = $2::bigint LIMIT nullif($2::bigint, -1)`},
		{`SELECT value FROM json_each(?)`, []any{query.List([]int64{1})}, `SELECT value FROM json_numbers($1::text)`},
		{`SELECT a FROM (SELECT b FROM c) WHERE d`, nil, `SELECT a FROM (SELECT b FROM c) AS s1 WHERE d`},
		{`INSERT OR IGNORE INTO a(b) VALUES(?)`, []any{"x"}, `INSERT INTO a(b) VALUES($1::text) ON CONFLICT DO NOTHING`},
		{`INSERT OR REPLACE INTO entity_changes(entity_id) VALUES(?)`, []any{1}, `INSERT INTO entity_changes(entity_id) VALUES($1::bigint) ON CONFLICT (entity_id) DO UPDATE SET seq = DEFAULT`},
		// The second table is looked up for each row of the first, as SQLite does.
		{`SELECT a FROM b CROSS JOIN c ON c.id = b.id WHERE c.d`, nil, `SELECT a FROM b CROSS JOIN LATERAL (SELECT * FROM c c WHERE c.id = b.id OFFSET 0) AS c WHERE c.d`},
		{`SELECT a FROM b CROSS JOIN c AS x ON x.id IN (SELECT id FROM d WHERE e) AND x.f JOIN g ON g.id = x.id`, nil,
			`SELECT a FROM b CROSS JOIN LATERAL (SELECT * FROM c x WHERE x.id IN (SELECT id FROM d WHERE e) AND x.f OFFSET 0) AS x JOIN g ON g.id = x.id`},
		{`SELECT a IN (SELECT b FROM c CROSS JOIN d e ON e.id = c.id) FROM f`, nil, `SELECT a IN (SELECT b FROM c CROSS JOIN LATERAL (SELECT * FROM d e WHERE e.id = c.id OFFSET 0) AS e ) FROM f`},
		{`SELECT a FROM b CROSS JOIN c ON c.id = b.id CROSS JOIN d e ON e.id = c.id ORDER BY a`, nil,
			`SELECT a FROM b CROSS JOIN LATERAL (SELECT * FROM c c WHERE c.id = b.id OFFSET 0) AS c CROSS JOIN LATERAL (SELECT * FROM d e WHERE e.id = c.id OFFSET 0) AS e ORDER BY a`},
	} {
		got, _ := d.Rewrite(c.sqlite, c.args)
		if strings.Join(strings.Fields(got), " ") != c.want {
			t.Errorf("%s\nis said    %s\ninstead of %s", c.sqlite, got, c.want)
		}
	}
}

func TestAStatementThatRanksReadsRankedRows(t *testing.T) {
	d := &Dialect{}
	match := query.Match{Words: "entity_words", Expression: `"otter" OR "lake" AND "boat"`}
	for _, c := range []struct{ sqlite, begins, ends string }{
		{`SELECT w.rowid FROM entity_words w WHERE w.entity_words MATCH ? ORDER BY w.rank, w.rowid DESC LIMIT ?`,
			`SELECT w.rowid FROM (SELECT rowid, sum(weight)::real AS rank FROM (`, ` ORDER BY rank, rowid DESC) w WHERE TRUE ORDER BY w.rank, w.rowid DESC LIMIT nullif($2::bigint, -1)`},
		{`SELECT e.id FROM entity_words w JOIN entities e ON e.id = w.rowid WHERE w.entity_words MATCH ?1 AND e.seq > ?2 ORDER BY w.rank`,
			`SELECT e.id FROM (SELECT rowid, `, `, rowid DESC) w JOIN entities e ON e.id = w.rowid WHERE TRUE AND e.seq > $2::bigint ORDER BY w.rank`},
	} {
		got, args := d.Rewrite(c.sqlite, []any{match, 5})
		got = strings.Join(strings.Fields(got), " ")
		const each = `FROM entity_words WHERE entity_words.terms @@ j.value::tsquery OFFSET 0 ) m )`
		if !strings.HasPrefix(got, c.begins) || !strings.Contains(got, each) || !strings.HasSuffix(got, c.ends) {
			t.Errorf("%s\nis said %s", c.sqlite, got)
		}
		if want := `["'otter'","'lake' \u0026 'boat'"]`; args[0] != want {
			t.Errorf("it takes %q instead of %q", args[0], want)
		}
	}
}

func TestAnExpressionIsSplitAtItsOuterORs(t *testing.T) {
	for _, c := range []struct{ table, expression, want string }{
		{"entity_words", `"fine"`, `["'fine'"]`},
		{"entity_words", `"red wine" OR name : tea* OR ("cup" AND ("pot" OR "tea"))`, `["('red' \u003c-\u003e 'wine')","'tea':*A","('cup' \u0026 ('pot' | 'tea'))"]`},
		{"memory_words_l2", `body : "tea" OR day : "monday"`, `["'Atea'","'Bmonday'"]`},
		{"entity_words", `"a" ) OR "b"`, `[]`},
	} {
		if got := splitAlternatives(query.Match{Words: c.table, Expression: c.expression}); got != c.want {
			t.Errorf("%s in %s: %s instead of %s", c.expression, c.table, got, c.want)
		}
	}
}

func TestTsqueryOfFTS5Expression(t *testing.T) {
	for _, c := range []struct{ table, expression, want string }{
		{"entity_words", `"fine" AND "days"`, `'fine' & 'dai'`},
		{"entity_words", `{name title} : ("fin"*)`, `('fin':*AC)`},
		{"entity_words", `"red wine" OR name : tea`, `('red' <-> 'wine') | 'tea':A`},
		{"entity_words", `"it's"`, `('it' <-> 's')`},
		{"entity_words", `"!"`, noWord},
		{"entity_words", `"a" ) "b"`, noWord},
		// The words of memory have their column before them.
		{"memory_words_l2", `body : "tea"`, `'Atea'`},
		{"memory_words_l2", `{body sources} : "tea" AND day : "monday"`, `('Atea' | 'Ctea') & 'Bmonday'`},
		{"memory_words_l2", `"tea pot"`, `(('Atea' <-> 'Apot') | ('Btea' <-> 'Bpot') | ('Ctea' <-> 'Cpot'))`},
		{"memory_words_l2", `body : "te"*`, `'Ate':*`},
	} {
		if got := translateToTSQuery(c.table, c.expression); got != c.want {
			t.Errorf("%s in %s: %s instead of %s", c.expression, c.table, got, c.want)
		}
	}
}

func TestTermsOfRow(t *testing.T) {
	d := &Dialect{}
	for _, c := range []struct {
		table string
		texts []string
		want  string
	}{
		{"entity_words", []string{"Ann's tea", "person", "", "Tea"}, `'ann':1A 's':2A 'tea':3A,8D 'person':5B `},
		{"memory_words_l2", []string{"tea pot", "monday", "tea"}, `'Atea':1D 'Apot':2D 'Bmonday':4D 'Ctea':6D `},
		{"observation_words", []string{"Días"}, `'dia':1A `},
		{"observation_words", []string{`a\b`}, `'a':1A 'b':2A `},
		// Endings go as FTS5 takes them off: from words of any letters, and of digits.
		{"observation_words", []string{"1990s mp3s größe größes ΣΟΦΟΣ σοφος"}, `'1990':1A 'mp3':2A 'groß':3A,4A 'σοφοσ':5A,6A `},
		{"observation_words", []string{strings.Repeat("x", 63) + "s " + strings.Repeat("x", 64) + "s"}, `'` + strings.Repeat("x", 63) + `':1A '` + strings.Repeat("x", 64) + `s':2A `},
	} {
		if got := d.IndexTerms(c.table, c.texts); got != c.want {
			t.Errorf("%q in %s: %s instead of %s", c.texts, c.table, got, c.want)
		}
	}
}

// A long text keeps fewer places of its words before it loses words.
func TestTermsOfLongTextStayBelowLimit(t *testing.T) {
	var b strings.Builder
	for i := range 400_000 {
		fmt.Fprintf(&b, "w%d tea ", i%40_000)
	}
	terms := (&Dialect{}).IndexTerms("entity_words", []string{"tea", "", "", b.String()})
	for _, word := range []string{"'w0':", "'w39999':"} {
		if !strings.Contains(terms, word) {
			t.Errorf("%s is not among the words", word)
		}
	}
	if tea, _, _ := strings.Cut(terms, " "); !strings.HasPrefix(tea, "'tea':1A,") || !strings.HasSuffix(tea, "D") {
		t.Errorf("tea stands at %q", tea)
	}
}

// FuzzExpression has any text read as an expression of FTS5: what cannot be read finds
// nothing, and nothing of it stands outside of quotes.
func FuzzExpression(f *testing.F) {
	for _, seed := range []string{`"fine"* AND {name title} : ("day" OR x)`, `"`, `((`, `a : b : c`, `{`, `"a""b"*`, `OR OR`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		for _, table := range []string{"entity_words", "memory_words_l0"} {
			translated := translateToTSQuery(table, expression)
			outside := strings.Join(everyOther(strings.Split(translated, "'")), "")
			if i := strings.IndexFunc(outside, func(r rune) bool { return !strings.ContainsRune("()|&<->:*ABCD ", r) }); i >= 0 {
				t.Errorf("%q: %s", expression, translated)
			}
		}
	})
}

func everyOther(list []string) (every []string) {
	for i := 0; i < len(list); i += 2 {
		every = append(every, list[i])
	}
	return every
}
