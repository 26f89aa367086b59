// Package testdb lets tests open other databases than the files they name, so that the
// same tests run on every engine. Package store asks it; only internal/storetest sets it.
package testdb

// Redirect gives the address and the space that stand for a file; nil: files are files.
var Redirect func(path string) (address, space string)

// NewFile makes a database where there is no file, as opening one there would; false: it
// is made by opening it. nil: always.
var NewFile func(path string) bool
