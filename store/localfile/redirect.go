package localfile

// Redirect lets tests open other databases than the files they name, so that the same tests run on
// every engine: it gives the address and the space that stand for a file. nil: files are files. Only
// tests set it.
var Redirect func(path string) (address, space string)

// NewFile makes a database where there is no file, as opening one there would; false: it
// is made by opening it. nil: always. Only tests set it.
var NewFile func(path string) bool
