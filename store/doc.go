// Package store keeps everything toolkit remembers in one SQLite file.
//
// It knows SQL and rows and no rules: what a row may say is decided by the
// families under tools. Open prepares the file (folder, permissions, pragmas,
// migrations) and returns a DB with two visible handles: one writer connection
// and a small pool of readers. Work happens inside DB.Read and DB.Write, which
// hand out a Tx; one Write is one transaction and advances the change sequence
// of the topics it touched, so that caches and indexes in this and in every
// other process notice.
//
// One file per family holds its queries: graph.go and graph_*.go, charts.go and
// charts_*.go. Pragmas, full-text search and other SQLite particulars stay in
// open.go, migrate.go, graph_search.go and charts_nearest.go; the rest is SQL
// that PostgreSQL would take too.
package store
