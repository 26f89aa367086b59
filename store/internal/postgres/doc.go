// Package postgres lets a store lie in PostgreSQL: it says the statements of the
// store, which are written in SQLite's words, in those of PostgreSQL.
//
// Little has to be said differently, for both understand most of what is written:
// placeholders have numbers and types, lists are taken apart by functions of their
// type, and full-text expressions become conditions on a tsvector. Functions of
// SQLite that PostgreSQL lacks are made with the schema, in schema.sql.
package postgres
