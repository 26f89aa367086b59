// Package transfer copies everything that toolkit remembers.
//
// A copy is one stream: a header that names the tables, their rows, the bytes of files,
// keys, and an end by which a stream that was cut short is known. A [Source] sends it: a
// database of either engine, or a file of 'toolkit export'. A [Destination] takes it. It
// knows no table by name: what is sent follows the schema, so a new table is covered from
// the day it exists. Full-text indexes are derived again where the stream arrives.
//
//	Export   database ─► file
//	Import   file     ─► database
//	Move     database ─► database, on either engine
//
// A backup is SQLite's own copy of a file with the files and keys of the stream in one
// archive. Restore unpacks it: its rows come as pages, with their indexes, which is why
// they are no stream of rows.
//
// Whatever arrives is compared with what was sent before it is kept. A database file is
// made in a stage, a folder beside its place, and a space of PostgreSQL in one
// transaction, so that a copy that fails or is killed leaves what was there.
//
// # Exchange with other programs
//
// The knowledge graph also moves between the store and the memory files of the official
// memory server and of coaia-narrative: [ReadExchange] makes an [ExchangeFile] of JSON
// lines, [ImportExchange] applies it, and [ExportExchange] writes what is stored.
//
// What has no column stays in the columns metadata (keys of "metadata"), extra (members of
// the line) and origin (the parts of a chart that have no row). An incomplete chart, and a
// step or beat without chart, become plain entities. A relation with a missing end and a
// line of an unknown type become foreign lines. Dates come back in UTC, and keys and lines
// in the order of this program.
package transfer
