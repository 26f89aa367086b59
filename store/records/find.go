package records

import (
	"strings"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Filter narrows records down; empty fields do not.
type Filter struct {
	Type   string  // one of Index.Types
	Values []int64 // all of them must be among Index.Values
}

// fromClause returns where the records r that pass the filter come from, with their order, newest
// first, then by id. Its arguments are those of [Filter.arguments].
func (f Filter) fromClause() (from, order string) {
	switch {
	case len(f.Values) > 0:
		return `record_values v JOIN records r ON r.seq = v.record WHERE v.key = ?1 AND ` + hasValues + ` AND ` + hasType, newestFirst
	case f.Type != "": // the index has the order
		return `record_types t JOIN records r ON r.seq = t.record WHERE t.key = ?3`, `t.created_at DESC, t.id`
	}
	return `records r`, newestFirst
}

const newestFirst = `r.created_at DESC, r.id`

func (f Filter) bindArguments() []any {
	if len(f.Values) == 0 {
		return []any{0, `[]`, f.Type}
	}
	return []any{f.Values[0], query.List(f.Values[1:]), f.Type}
}

// Find returns records that pass the filter, newest first, then by id,
// and how many there are in all.
func (tx Rows) Find(f Filter, limit int) ([]Record, int, error) {
	from, order := f.fromClause()
	return tx.recordsAndCount(from, order, limit, f.bindArguments()...)
}

// Filter returns up to limit rows of records that pass the filter, newest
// first.
func (tx Rows) Filter(f Filter, limit int) ([]int64, error) {
	from, order := f.fromClause()
	return tx.sql.IDs(`SELECT r.seq FROM `+from+` ORDER BY `+order+` LIMIT ?4`, append(f.bindArguments(), limit)...)
}

// Conditions on records r: ?2 lists value hashes, ?3 is a type or empty.
const (
	hasValues = `NOT EXISTS (SELECT 1 FROM json_each(?2) k WHERE NOT EXISTS (SELECT 1 FROM record_values w WHERE w.key = k.value AND w.record = r.seq))`
	hasType   = `(?3 = '' OR EXISTS (SELECT 1 FROM record_types t WHERE t.record = r.seq AND t.key = ?3))`
)

// byRelevance is the order of a search: a word in the type counts most.
const byRelevance = `bm25(record_words, 4, 1), r.created_at DESC, r.id`

// maxRankedMatches is up to how many matches are ranked: a word that more have tells little,
// and ranking them would cost the index more than a microsecond each.
const maxRankedMatches = 4000

// Search returns records that pass the filter and contain one of the
// terms (all words of it), best first by BM25, then newest first, then by id,
// or where very many match the newest; and how many there are in all.
func (tx Rows) Search(terms []string, f Filter, limit int) ([]Record, int, error) {
	expression := matchAnyTerm(terms)
	if expression.Expression == "" {
		return nil, 0, nil
	}
	from := `record_words JOIN records r ON r.seq = record_words.rowid WHERE record_words MATCH ?1 AND ` + hasValues + ` AND ` + hasType
	return tx.recordsAndCount(from, byRelevance, limit, expression, query.List(f.Values), f.Type)
}

// Match is a record as far as its place in a list depends on it.
type Match struct {
	Seq       int64
	ID        string
	CreatedAt int64
	Keyword   bool // it contains one of the terms
}

// MatchAmong returns those of the records named by row that pass the filter, in
// no particular order, and says which of them contain one of the terms.
func (tx Rows) MatchAmong(rows []int64, terms []string, f Filter) ([]Match, error) {
	list := query.List(rows)
	var keyword map[int64]bool
	if expression := matchAnyTerm(terms); expression.Expression != "" && len(rows) > 0 {
		// The plus sign keeps SQLite from looking each row up in the full-text
		// index, which costs more than reading all matches from a hundred on.
		matching, err := tx.sql.IDs(`SELECT rowid FROM record_words WHERE record_words MATCH ?2 AND +rowid IN (SELECT value FROM json_each(?1))`, list, expression)
		if err != nil {
			return nil, err
		}
		keyword = make(map[int64]bool, len(matching))
		for _, id := range matching {
			keyword[id] = true
		}
	}
	matches, err := query.Select(tx.sql, func(m *Match) []any { return []any{&m.Seq, &m.ID, &m.CreatedAt} }, `SELECT r.seq, r.id, r.created_at FROM json_each(?1) i CROSS JOIN records r ON r.seq = i.value WHERE `+hasValues+` AND `+hasType, list, query.List(f.Values), f.Type)
	for i, m := range matches {
		matches[i].Keyword = keyword[m.Seq]
	}
	return matches, err
}

// ByRows returns records in the order of the given rows; those that do not
// exist are left out.
func (tx Rows) ByRows(rows []int64) ([]Record, error) {
	return query.Select(tx.sql, (*Record).fields, `SELECT `+recordColumns+` FROM json_each(?) i CROSS JOIN records r ON r.seq = i.value ORDER BY i.key`, query.List(rows))
}

func (tx Rows) recordsAndCount(from, order string, limit int, args ...any) ([]Record, int, error) {
	total := 0
	// Naming each argument keeps their number the same whatever the conditions.
	if err := tx.sql.Row(`SELECT count(*), ?1, ?2, ?3 FROM `+from, args...).Scan(&total, new(any), new(any), new(any)); err != nil || total == 0 {
		return nil, 0, err
	}
	if order == byRelevance && total > maxRankedMatches {
		order = `record_words.rowid DESC` // as the index has them
	}
	list, err := query.Select(tx.sql, (*Record).fields, `SELECT `+recordColumns+` FROM `+from+` ORDER BY `+order+` LIMIT ?4`, append(args, limit)...)
	return list, total, err
}

// matchAnyTerm returns the full-text statement for texts that contain every word of one of the
// terms; empty when no term has a word.
func matchAnyTerm(terms []string) query.Match {
	var parts []string
	for _, term := range terms {
		if q := store.MatchAllWords(term, ""); q != "" {
			parts = append(parts, "("+q+")")
		}
	}
	return query.Match{Words: "record_words", Expression: strings.Join(parts, " OR ")}
}
