// Package store keeps everything toolkit remembers in one SQLite file.
//
// It knows SQL and no rules: what a row may say is decided by the families under
// tools. Open prepares the file (folder, permissions, pragmas, schema) and
// returns a DB with two visible handles: one writer connection and a small pool of
// readers. Work happens inside DB.Read and DB.Write, which hand out a Tx; one Write
// is one transaction and advances the change sequence of the topics it touched, so
// that caches and indexes in this and in every other process notice.
//
// This package is the engine: it opens, migrates, inspects, copies and loads
// files, and keeps the bytes of files beside them. Rows are read and
// written by the packages below it, each with a type Rows that its function In
// makes of a transaction; one transaction serves several of them:
//
//	db.Write(ctx, func(tx *store.Tx) error {
//		chart, err := graph.In(tx).Chart("chart_1")
//		...
//	})
//
// They run their SQL through store/internal/query, which nobody else can import.
// Pragmas and the making of full-text indexes stay in this package, their MATCH in
// nodes, memories, records, truth and kept; the rest is SQL that PostgreSQL would
// take too.
package store
