package query

import (
	"database/sql"
)

// Dialect is how an engine other than SQLite wants its statements, which are written
// in SQLite's words.
type Dialect interface {
	// Say gives a statement and its arguments in the words of the engine.
	Rewrite(statement string, args []any) (string, []any)
	// Decode turns texts that were scanned into what was given, DecodeText one of them.
	Decode(into []any)
	DecodeText(stored string) string
	// IndexTerms is what the full-text index of a table keeps of the texts of its columns.
	IndexTerms(words string, texts []string) string
	// AddReturning makes an INSERT give the number of its row.
	AddReturning(insertion string) string
	// NextNumberStatement and ReserveNumbersStatement are the statements for the numbers of rows.
	NextNumberStatement(table string) string
	ReserveNumbersStatement(table string) string
	// AddStatementToError names the statement in an error; nil for nil.
	AddStatementToError(statement string, err error) error
}

// NextNumber is the number that the next row of a table is to have; it stands in the
// INSERT.
func (tx *Tx) NextNumber(table string) (int64, error) {
	if d := tx.database.Dialect; d != nil {
		return Value[int64](tx, d.NextNumberStatement(table))
	}
	return Value[int64](tx, `SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = ?`, table)
}

// SetLastNumber keeps a table from giving numbers up to n.
func (tx *Tx) SetLastNumber(table string, n int64) error {
	if d := tx.database.Dialect; d != nil {
		return tx.Row(d.ReserveNumbersStatement(table), n).Scan(new(sql.NullInt64))
	}
	if err := tx.Exec(`DELETE FROM sqlite_sequence WHERE name = ?`, table); err != nil {
		return err
	}
	return tx.Exec(`INSERT INTO sqlite_sequence(name, seq) VALUES(?, ?)`, table, n)
}

// ForEngine is the statement for SQLite or the one for PostgreSQL, where the two have no
// words in common.
func (tx *Tx) ForEngine(sqlite, postgres string) string {
	if tx.SQLite() {
		return sqlite
	}
	return postgres
}

// SQLite reports whether the database is SQLite's own, whose indexes have more to be
// said to.
func (tx *Tx) SQLite() bool { return tx.database.Dialect == nil }
