package query

import (
	"database/sql/driver"
	"encoding/json"
	"strings"
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
func WordColumns(words string) []string { return wordColumns[words] }

// AddWords enters a new row into a full-text index, with a text for each column.
func (tx *Tx) AddWords(words string, row int64, texts ...string) error {
	return tx.putWords(`INSERT INTO `, words, row, texts)
}

// PutWords replaces a row of a full-text index, or adds it.
func (tx *Tx) PutWords(words string, row int64, texts ...string) error {
	return tx.putWords(`INSERT OR REPLACE INTO `, words, row, texts)
}

func (tx *Tx) putWords(insert, words string, row int64, texts []string) error {
	if d := tx.database.Dialect; d != nil {
		return tx.Exec(`INSERT INTO `+words+`(rowid, terms) VALUES(?, CAST(? AS tsvector)) ON CONFLICT (rowid) DO UPDATE SET terms = excluded.terms`, row, d.Terms(words, texts))
	}
	args := []any{row}
	for _, text := range texts {
		args = append(args, text)
	}
	columns := WordColumns(words)
	return tx.Exec(insert+words+`(rowid, `+strings.Join(columns, ", ")+`) VALUES(?`+strings.Repeat(", ?", len(columns))+`)`, args...)
}

// wordBatch is how many rows FillWords reads at a time.
const wordBatch = 500

// FillWords enters all rows of a table into a full-text index; the first of the
// columns is their number, which is called id.
func (tx *Tx) FillWords(words, columns, rows string) error {
	if tx.SQLite() {
		return tx.Exec(`INSERT INTO ` + words + `(rowid, ` + strings.Join(WordColumns(words), ", ") + `) SELECT ` + columns + ` FROM ` + rows)
	}
	for last := int64(0); ; {
		type row struct {
			id    int64
			texts []string
		}
		batch, err := All(tx, func(scan Scan) (r row, err error) {
			r.texts = make([]string, len(WordColumns(words)))
			into := []any{&r.id}
			for i := range r.texts {
				into = append(into, &r.texts[i])
			}
			err = scan(into...)
			return r, err
		}, `SELECT `+columns+` FROM `+rows+` WHERE id > ? ORDER BY id LIMIT ?`, last, wordBatch)
		if err != nil || len(batch) == 0 {
			return err
		}
		for _, r := range batch {
			if err := tx.AddWords(words, r.id, r.texts...); err != nil {
				return err
			}
			last = r.id
		}
	}
}
