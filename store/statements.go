package store

import (
	"database/sql"
)

// What the rows of the families need, until they have packages of their own.

func (tx *Tx) exec(query string, args ...any) error { return tx.sql().Exec(query, args...) }

func (tx *Tx) change(query string, args ...any) (int64, error) {
	return tx.sql().Change(query, args...)
}

func (tx *Tx) insert(query string, args ...any) (int64, error) {
	return tx.sql().Insert(query, args...)
}

func (tx *Tx) row(query string, args ...any) *sql.Row { return tx.sql().Row(query, args...) }

func (tx *Tx) each(f func(scan func(...any) error) error, query string, args ...any) error {
	return tx.sql().Each(f, query, args...)
}

func (tx *Tx) ids(query string, args ...any) ([]int64, error) { return tx.sql().IDs(query, args...) }

func (tx *Tx) texts(query string, args ...any) ([]string, error) {
	return tx.sql().Texts(query, args...)
}

func (tx *Tx) touch(topics ...Topic) { tx.sql().Touch(topics...) }

func (tx *Tx) now() int64 { return tx.sql().Now() }

func (tx *Tx) writes() bool { return tx.sql().Writes() }

func (tx *Tx) emptyWords(table string) error { return tx.sql().EmptyWords(table) }
