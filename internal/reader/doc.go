// Package reader turns a file's bytes into text, tables and structured fields. It knows
// no store, no protocol and no network.
//
// The way of a file:
//
//	Sniff    head and name        → Type, or ErrUnsupported
//	Extract  bytes                → Content: text, pages of lines and cells, tables, records
//	Classify Content              → what kind of document, how sure, and why
//	Fields   Content and its kind → named values, and where each was found
//
// Extract is made for hostile input: it bounds bytes, pages, rows, nesting and time, and a
// failure of any reader becomes an error. Fields prefers silence to a guess: a value that is
// a label, a heading or the neighbour's value is no value.
package reader
