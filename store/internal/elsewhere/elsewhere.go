// Package elsewhere lets tests open other databases than the files they name: the same
// tests run on every engine. Only packages below store can import it.
package elsewhere

// Of gives the address and the space that stand for a file; nil: files are files.
var Of func(path string) (address, space string)

// Make makes a database where there is no file, as opening one there would; false: it is
// made by opening it. nil: always.
var Make func(path string) bool
