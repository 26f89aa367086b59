package postgres

import (
	"regexp"
	"strings"

	"toolkit/store/internal/query"
)

// ranking is how a statement names the rank of the rows of a full-text index.
var ranking = regexp.MustCompile(`\b\w+\.rank\b`)

// ranked reads the rows of a full-text index that match any of a list of queries, best
// first. They are ranked as FTS5's BM25 ranks them: a query counts for more the fewer rows
// match it, and for more in a short row than in a long one. How often a row holds a word
// is not counted. The newest of equal rows comes first.
//
// The GIN index finds the rows of each query separately, so that they are counted on the
// way, nothing else of the table is read, and no tsvector has to be unpacked.
const ranked = `(SELECT rowid, sum(weight)::real AS rank FROM (
		SELECT m.rowid, -greatest(ln(((SELECT max(rowid)::float8 FROM ${words}) + 0.5 - m.matching) / (m.matching + 0.5)), 0.000001)
			/ (1 + 1.2 * (0.25 + 0.75 * m.size / avg(m.size) OVER ())) AS weight
		FROM json_each(${list}) j CROSS JOIN LATERAL (
			SELECT rowid, pg_column_size(terms)::float8 AS size, count(*) OVER ()::float8 AS matching FROM ${words} WHERE ${words} MATCH j.value OFFSET 0
		) m
	) weighed GROUP BY rowid ORDER BY rank, rowid DESC)`

// readRanked makes a statement that orders the rows of a full-text index by their rank read
// them from [ranked] instead.
func readRanked(s string) string {
	found := matching.FindStringSubmatch(s)
	if found == nil {
		return s
	}
	alias, words, list := found[1], found[2], found[3]
	from := strings.NewReplacer("${words}", words, "${list}", list).Replace(ranked)
	s = strings.Replace(s, found[0], "TRUE", 1)
	return strings.Replace(s, "FROM "+words+" "+alias, "FROM "+from+" "+alias, 1)
}

// splitAlternatives splits an expression at its outer ORs into a list of queries. The list is
// empty if the expression cannot be read.
func splitAlternatives(m query.Match) any {
	p := parser{table: m.Words, rest: m.Expression}
	list := p.parseList("")
	if p.token() != "" {
		list = nil // it finds nothing
	}
	return argument(query.List(list))
}
