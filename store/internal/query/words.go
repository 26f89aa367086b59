package query

import (
	"database/sql/driver"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"toolkit/internal/language"
)

// Match is an expression for the full-text index of a table, in FTS5's words, as an
// argument.
type Match struct{ Words, Expression string }

// Value is the expression as SQLite takes it.
func (m Match) Value() (driver.Value, error) { return m.Expression, nil }

// Matches is a list of such expressions, for json_each.
type Matches struct {
	Words       string
	Expressions []string
}

// Value is the list as SQLite takes it.
func (m Matches) Value() (driver.Value, error) {
	b, err := json.Marshal(m.Expressions)
	return string(b), err
}

// wordColumns are the columns of the full-text indexes, whose rows have the numbers of
// the rows they index.
var wordColumns = map[string][]string{
	"entity_words":         {"name", "type", "title", "body"},
	"observation_words":    {"content"},
	"memory_words_l0":      {"body", "day", "sources"},
	"memory_words_l2":      {"body", "day", "sources"},
	"memory_words_episode": {"body", "day", "sources"},
	"record_words":         {"type", "words"},
	"snapshot_words":       {"name", "words"},
}

// WordColumns are the columns of a full-text index.
func WordColumns(index string) []string { return wordColumns[index] }

// AddWords enters a new row into a full-text index, with a text for each column.
func (tx *Tx) AddWords(index string, row int64, texts ...string) error {
	if tx.SQLite() {
		return tx.writeWords(`INSERT INTO `, index, []int64{row}, [][]string{texts})
	}
	if err := tx.insertWords(index, row, texts, ""); err != nil || vocabularyTable(index) == "" {
		return err
	}
	if tx.uncounted == nil {
		tx.uncounted = map[string][]int64{}
	}
	tx.uncounted[index] = append(tx.uncounted[index], row)
	if len(tx.uncounted[index]) < maxUncountedRows {
		return nil
	}
	return tx.updateVocabularyCounts()
}

// AddManyWords enters new rows into a full-text index at once, each with a text for every
// column.
func (tx *Tx) AddManyWords(index string, rows []int64, texts [][]string) error {
	if tx.SQLite() {
		return tx.writeWords(`INSERT INTO `, index, rows, texts)
	}
	for i, row := range rows { // they are sent together anyway
		if err := tx.AddWords(index, row, texts[i]...); err != nil {
			return err
		}
	}
	return nil
}

// writeWords writes rows of a full-text index of SQLite.
func (tx *Tx) writeWords(insert, index string, rows []int64, texts [][]string) error {
	if len(rows) == 0 {
		return nil
	}
	columns := WordColumns(index)
	var values []any
	for i, row := range rows {
		values = append(values, row)
		for _, text := range prepareIndexTexts(index, texts[i]) {
			values = append(values, text)
		}
	}
	return tx.Exec(insert+index+`(rowid, `+strings.Join(columns, ", ")+`) `+Placeholders(len(columns)+1, len(rows)), values...)
}

// prepareIndexTexts returns texts as a full-text index takes them: terms of memory as they are.
func prepareIndexTexts(index string, texts []string) []string {
	if vocabularyTable(index) != "" {
		return texts
	}
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = language.PrepareIndexText(text)
	}
	return list
}

// vocabularyTable returns the table that tells in how many rows of a full-text index a term
// stands, where PostgreSQL has one.
func vocabularyTable(index string) string {
	source, memory := strings.CutPrefix(index, "memory_words_")
	if !memory {
		return ""
	}
	return "memory_vocabulary_" + source
}

// maxUncountedRows is how many new rows wait for their terms to be counted.
const maxUncountedRows = 1000

// updateVocabularyCounts counts the terms of rows that were added, each term once for all of them.
func (tx *Tx) updateVocabularyCounts() error {
	uncounted := tx.uncounted
	tx.uncounted = nil
	for _, words := range slices.Sorted(maps.Keys(uncounted)) {
		err := tx.Exec(`INSERT INTO `+vocabularyTable(words)+` AS v(term, col, doc)
			SELECT substr(u.lexeme, 2), CASE left(u.lexeme, 1) WHEN 'A' THEN 'body' WHEN 'B' THEN 'day' ELSE 'sources' END, count(*)
			FROM json_each(?1) j JOIN `+words+` w ON w.rowid = j.value, unnest(w.terms) u GROUP BY 1, 2
			ON CONFLICT (term, col) DO UPDATE SET doc = v.doc + excluded.doc`, List(uncounted[words]))
		if err != nil {
			return err
		}
	}
	return nil
}

// rewrite is a statement in the words of the engine, before which the terms of new rows are
// counted if it may look at them.
func (tx *Tx) rewrite(statement string, args []any) (string, []any, error) {
	if len(tx.uncounted) > 0 && (strings.Contains(statement, "memory_words_") || strings.Contains(statement, "memory_vocabulary_")) {
		if err := tx.updateVocabularyCounts(); err != nil {
			return "", nil, err
		}
	}
	rewritten, args := tx.database.Dialect.Rewrite(statement, args)
	return rewritten, args, nil
}

// InsertWithWords runs the INSERT of a row and enters its texts into a full-text index.
func (tx *Tx) InsertWithWords(index string, texts []string, insertion string, args ...any) error {
	if tx.SQLite() {
		id, err := tx.Insert(insertion, args...)
		if err != nil {
			return err
		}
		return tx.AddWords(index, id, texts...)
	}
	if err := tx.Exec(insertion, args...); err != nil {
		return err
	}
	return tx.Exec(`INSERT INTO `+index+`(rowid, terms) VALUES(lastval(), CAST(? AS tsvector))`, tx.database.Dialect.IndexTerms(index, prepareIndexTexts(index, texts)))
}

// PutWords replaces a row of a full-text index, or adds it.
func (tx *Tx) PutWords(index string, row int64, texts ...string) error {
	if tx.SQLite() {
		return tx.writeWords(`INSERT OR REPLACE INTO `, index, []int64{row}, [][]string{texts})
	}
	if vocabularyTable(index) == "" {
		return tx.insertWords(index, row, texts, ` ON CONFLICT (rowid) DO UPDATE SET terms = excluded.terms`)
	}
	if err := tx.Exec(`DELETE FROM `+index+` WHERE rowid = ?`, row); err != nil {
		return err
	}
	return tx.AddWords(index, row, texts...)
}

// insertWords puts a row into a full-text index of another engine than SQLite.
func (tx *Tx) insertWords(index string, row int64, texts []string, conflict string) error {
	d := tx.database.Dialect
	return tx.queueStatement(d.Rewrite(`INSERT INTO `+index+`(rowid, terms) VALUES(?, CAST(? AS tsvector))`+conflict, []any{row, d.IndexTerms(index, prepareIndexTexts(index, texts))}))
}

// newestRowsScanned is how many rows of a full-text index are looked at before the index is.
const newestRowsScanned = 5000

// NewestRowsTable returns the newest rows of a full-text index, to be looked at one after the other.
func NewestRowsTable(index string) string {
	return `(SELECT rowid, terms FROM ` + index + ` ORDER BY rowid DESC LIMIT ` + strconv.Itoa(newestRowsScanned) + `)`
}

// FindNewestInIndex runs a query for up to limit rows of a full-text index, the newest first:
// it reads FROM the index as w and ends in ORDER BY w.rowid DESC LIMIT. The index of
// PostgreSQL knows no order. What many rows hold is found among the newest; what few
// rows hold is quickly sorted.
func (tx *Tx) FindNewestInIndex(index string, limit int, statement string, args ...any) ([]int64, error) {
	if tx.SQLite() {
		return tx.IDs(statement, args...)
	}
	ids, err := tx.IDs(strings.Replace(statement, `FROM `+index+` w`, `FROM `+NewestRowsTable(index)+` w`, 1), args...)
	if err != nil || len(ids) >= limit {
		return ids, err
	}
	return tx.IDs(strings.Replace(statement, `ORDER BY w.rowid DESC`, `ORDER BY w.rowid + 0 DESC`, 1), args...)
}

// wordBatch is how many rows FillWordIndex reads at a time.
const wordBatch = 500

// FillWordIndex enters all rows of a table into a full-text index; the first of the
// columns is their number, which is called id.
func (tx *Tx) FillWordIndex(index, columns, rows string) error {
	if tx.SQLite() && vocabularyTable(index) != "" { // its terms are ready
		return tx.Exec(`INSERT INTO ` + index + `(rowid, ` + strings.Join(WordColumns(index), ", ") + `) SELECT ` + columns + ` FROM ` + rows)
	}
	for last := int64(0); ; {
		var ids []int64
		var batch [][]string
		err := tx.Each(func(scan Scan) error {
			texts := make([]string, len(WordColumns(index)))
			into := []any{&last}
			for i := range texts {
				into = append(into, &texts[i])
			}
			err := scan(into...)
			ids, batch = append(ids, last), append(batch, texts)
			return err
		}, `SELECT `+columns+` FROM `+rows+` WHERE id > ? ORDER BY id LIMIT ?`, last, wordBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := tx.AddManyWords(index, ids, batch); err != nil {
			return err
		}
	}
}
