package admin

import "context"

// checkNeed is what a check cannot do without.
type checkNeed int

const (
	needsNothing checkNeed = iota
	needsFile              // a database file that can be opened, however damaged
	needsWhole             // one that is not damaged
	needsSound             // a sound database of the present schema
)

// databaseCheck is one thing that is looked at.
type databaseCheck struct {
	name  string
	needs checkNeed
	run   func(ctx context.Context, e *databaseExam) ([]CheckFinding, error)
}

// databaseChecks run in this order. Later ones rely on earlier ones only through need.
var databaseChecks = []databaseCheck{
	{"environment", needsNothing, checkEnvironment},
	{"settings", needsNothing, checkSettings},
	{"services", needsNothing, checkServices},
	{"disk space", needsNothing, checkDiskSpace},
	{"permissions", needsNothing, checkPermissions},
	{"leftovers", needsNothing, checkLeftovers},
	{"database", needsNothing, checkDatabase},
	{"schema", needsFile, checkSchema},
	{"integrity", needsFile, checkIntegrity},
	{"references", needsWhole, checkReferences},
	{"write-ahead log", needsFile, checkWriteAheadLog},
	{"litestream", needsFile, checkLitestream},
	{"free pages", needsFile, checkFreePages},
	{"files", needsWhole, checkFiles},
	{"key files", needsFile, checkKeyFiles},
	{"full-text indexes", needsSound, checkWords},
	{"memory indexes", needsSound, checkMemoryIndexes},
	{"snapshots", needsSound, checkSnapshots},
	{"hooks", needsSound, checkHooks},
}

// checksOfFiles are the checks of a database that is a file. PostgreSQL sees to its pages,
// references and log itself.
var checksOfFiles = []string{"disk space", "permissions", "leftovers", "integrity", "references", "write-ahead log", "litestream", "free pages", "files", "key files", "full-text indexes"}
