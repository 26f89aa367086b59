package doctor

import "context"

// need is what a check cannot do without.
type need int

const (
	nothing need = iota
	file         // a database file that can be opened, however damaged
	whole        // one that is not damaged
	sound        // a sound database of the present schema
)

// check is one thing that is looked at.
type check struct {
	name  string
	needs need
	run   func(ctx context.Context, e *exam) ([]Finding, error)
}

// checks run in this order. Later ones rely on earlier ones only through need.
var checks = []check{
	{"environment", nothing, environment},
	{"settings", nothing, settings},
	{"services", nothing, services},
	{"disk space", nothing, diskSpace},
	{"permissions", nothing, permissions},
	{"leftovers", nothing, leftovers},
	{"database", nothing, database},
	{"schema", file, schema},
	{"integrity", file, integrity},
	{"references", whole, references},
	{"write-ahead log", file, writeAheadLog},
	{"litestream", file, litestream},
	{"free pages", file, freePages},
	{"files", whole, files},
	{"key files", file, keyFiles},
	{"full-text indexes", sound, words},
	{"memory indexes", sound, memoryIndexes},
	{"snapshots", sound, snapshots},
	{"hooks", sound, examineHooks},
}

// ofFiles are the checks of a database that is a file. PostgreSQL sees to its pages,
// references and log itself.
var ofFiles = []string{"disk space", "permissions", "leftovers", "integrity", "references", "write-ahead log", "litestream", "free pages", "files", "key files", "full-text indexes"}
