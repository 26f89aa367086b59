package kinds

import (
	"fmt"
	"strconv"

	"toolkit/store/internal/query"
)

// WordIndex is a full-text index by the rows of a table.
type WordIndex struct{ words, of, id string }

// The indexes of the graph's nodes, of their observations, of records and of the
// snapshots of what documents speak of.
var (
	EntityWords      = WordIndex{"entity_words", "entities", "id"}
	ObservationWords = WordIndex{"observation_words", "observations", "id"}
	RecordWords      = WordIndex{"record_words", "records", "seq"}
	SnapshotWords    = WordIndex{"snapshot_words", "truth_entities", "seq"}
)

// maxCountedRows is up to how many rows are counted; a word that stands in more is
// common, and about how common is enough to know.
const maxCountedRows = 200

// CountMatchingRows is about how many rows an index has, 0 without expressions, and how many hold each
// of some FTS5 expressions: counted when they are few, else estimated by how far back the newest
// of them reach.
func (tx Rows) CountMatchingRows(index WordIndex, expressions []string) (all int, rows []int, err error) {
	err = tx.sql.Each(func(scan query.Scan) error {
		var found string
		var n, oldest int
		if err := scan(&all, &found); err != nil {
			return err
		}
		if _, err := fmt.Sscan(found, &n, &oldest); err != nil {
			return err
		}
		if n == maxCountedRows {
			n = max(n, n*all/max(1, all-oldest+1))
		}
		rows = append(rows, n)
		return nil
	}, fmt.Sprintf(`SELECT (SELECT coalesce(max(%s), 0) FROM %s), (%s) FROM json_each(?) j ORDER BY j.key`, index.id, index.of, tx.countNewestStatement(index)), query.Matches{Words: index.words, Expressions: expressions})
	return all, rows, err
}

// countNewestStatement returns the query for how many of the newest rows match, and which is the oldest
// of them; see [query.Tx.FindNewestInIndex].
func (tx Rows) countNewestStatement(index WordIndex) string {
	count := func(from, order string) string {
		return fmt.Sprintf(`SELECT count(*) AS n, coalesce(min(rowid), 0) AS oldest FROM (SELECT w.rowid FROM %s w WHERE w.%s MATCH j.value %s LIMIT %d)`, from, index.words, order, maxCountedRows)
	}
	if tx.sql.SQLite() {
		return `SELECT n || ' ' || oldest FROM (` + count(index.words, `ORDER BY w.rowid DESC`) + `)`
	}
	return `SELECT CASE n WHEN ` + strconv.Itoa(maxCountedRows) + ` THEN n || ' ' || oldest ELSE (SELECT n || ' ' || oldest FROM (` + count(index.words, `ORDER BY w.rowid + 0 DESC`) + `)) END FROM (` + count(query.NewestRowsTable(index.words), ``) + `)`
}

// MatchWords returns up to limit rows that match an FTS5 expression: best first by
// BM25, or the newest, which costs nothing however many match.
func (tx Rows) MatchWords(index WordIndex, expression string, newest bool, limit int) ([]int64, error) {
	match := query.Match{Words: index.words, Expression: expression}
	statement := fmt.Sprintf(`SELECT w.rowid FROM %[1]s w WHERE w.%[1]s MATCH ? ORDER BY `, index.words)
	if newest {
		return tx.sql.FindNewestInIndex(index.words, limit, statement+`w.rowid DESC LIMIT ?`, match, limit)
	}
	return tx.sql.IDs(statement+`w.rank, w.rowid DESC LIMIT ?`, match, limit)
}
