package admin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"toolkit/internal/app"
	"toolkit/store"
)

// CheckState is what a check found.
type CheckState string

// States, from good to bad. Only a Problem makes an examination fail.
const (
	CheckOK      CheckState = "ok"
	CheckFixed   CheckState = "fixed"   // was a note or a problem
	CheckNote    CheckState = "note"    // works, but worth knowing
	CheckSkipped CheckState = "skipped" // could not be checked, see why
	CheckProblem CheckState = "problem"
)

// CheckFinding is one line of the report.
type CheckFinding struct {
	Check   string     `json:"check"`
	State   CheckState `json:"state"`
	Says    string     `json:"says"`
	Do      string     `json:"do,omitempty"`      // what to do about it
	Details []string   `json:"details,omitempty"` // the first few cases
}

// maxFindingDetails bounds the cases that a finding lists.
const maxFindingDetails = 10

func okFinding(format string, args ...any) []CheckFinding {
	return []CheckFinding{{State: CheckOK, Says: fmt.Sprintf(format, args...)}}
}

// ExamineOptions say what is examined and how. Database, Getenv and Now are required.
type ExamineOptions struct {
	Database string // path, absolute
	Given    bool   // somebody named it, so it should be there
	Default  bool   // it lies where toolkit puts it
	Deep     bool   // also what reads every index
	Fix      bool   // repair what can be repaired safely
	Getenv   func(string) string
	Environ  []string // NAME=value, to find misspelt names
	Faults   []error  // settings of a server that mean nothing, as its command line found
	Now      func() time.Time
	Progress func(check string, done, all int) // may be nil
}

// ExamineReport is the result of an examination.
type ExamineReport struct {
	Database string         `json:"database"`
	Problems int            `json:"problems"`
	Findings []CheckFinding `json:"findings"`
}

// databaseExam is an examination under way.
type databaseExam struct {
	ExamineOptions
	inspection *store.Inspection
	broken     bool // integrity failed: what reads rows would only repeat it
	unindexed  bool // a full-text index is damaged: what reads indexes would only repeat it
	outdated   bool // the schema is not this program's
	app        *app.App
}

// ExamineDatabase runs every check. The error is the context's.
func ExamineDatabase(ctx context.Context, o ExamineOptions) (*ExamineReport, error) {
	e := &databaseExam{ExamineOptions: o}
	defer e.close()
	r := &ExamineReport{Database: store.DisplayName(o.Database), Findings: []CheckFinding{}}
	for _, c := range databaseChecks {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		findings, err := e.runCheck(ctx, c)
		if err != nil {
			if ctx.Err() != nil {
				return r, ctx.Err()
			}
			findings = append(findings, CheckFinding{State: CheckProblem, Says: "it could not be checked: " + err.Error(), Do: e.adviseOnError(err)})
		}
		for _, f := range findings {
			f.Check = c.name
			if len(f.Details) > maxFindingDetails {
				f.Details = append(f.Details[:maxFindingDetails:maxFindingDetails], fmt.Sprintf("and %d more", len(f.Details)-maxFindingDetails))
			}
			if f.State == CheckProblem {
				r.Problems++
			}
			r.Findings = append(r.Findings, f)
		}
	}
	return r, nil
}

func (e *databaseExam) adviseOnError(err error) string {
	switch {
	case errors.Is(err, store.ErrDamaged):
		return e.restoreAdvice()
	case errors.Is(err, store.ErrBusy):
		return "another process was writing for long; run doctor again"
	case errors.Is(err, store.ErrUnreadable):
		return "check the disk and the permissions of the file and its folder"
	}
	return ""
}

func (e *databaseExam) runCheck(ctx context.Context, c databaseCheck) ([]CheckFinding, error) {
	skip := func(why string) []CheckFinding { return []CheckFinding{{State: CheckSkipped, Says: why}} }
	if store.IsPostgres(e.Database) && slices.Contains(checksOfFiles, c.name) {
		return skip("the database is no file, and its server sees to that"), nil
	}
	if c.needs >= needsFile && e.inspection == nil {
		return skip("there is no database to look into"), nil
	}
	if c.needs >= needsWhole && e.broken {
		return skip("the file is damaged"), nil
	}
	if c.needs == needsSound {
		switch {
		case e.unindexed:
			return skip("a full-text index is damaged"), nil
		case e.outdated:
			return skip("the schema is not that of this program"), nil
		}
		if err := e.openApp(ctx); err != nil {
			return nil, err
		}
	}
	return c.run(ctx, e)
}

// reportOrRepair returns a finding that --fix mends; mend reports whether nothing of it is
// left.
func (e *databaseExam) reportOrRepair(f CheckFinding, mend func() (bool, error)) ([]CheckFinding, error) {
	if !e.Fix {
		return []CheckFinding{f}, nil
	}
	mended, err := mend()
	if err == nil && mended {
		f.State, f.Do = CheckFixed, ""
	}
	return []CheckFinding{f}, err
}

// reportOrRemoveFiles is reportOrRepair by removing the files that the details name.
func (e *databaseExam) reportOrRemoveFiles(f CheckFinding) ([]CheckFinding, error) {
	return e.reportOrRepair(f, func() (bool, error) {
		for _, path := range f.Details {
			if err := os.RemoveAll(path); err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

// reindex derives the full-text indexes again.
func (e *databaseExam) reindex(ctx context.Context) error {
	if err := e.openApp(ctx); err != nil {
		return err
	}
	if err := app.Reindex(ctx, e.app.Store); err != nil {
		return err
	}
	return e.reopenInspection(ctx)
}

// openApp gives checks of rules the app they are part of.
func (e *databaseExam) openApp(ctx context.Context) error {
	if e.app != nil {
		return nil
	}
	// A reader keeps a file that has no log yet from getting one.
	if err := e.inspection.Close(); err != nil {
		return err
	}
	e.inspection = nil
	a, err := app.Open(ctx, app.Settings{DB: e.Database, Getenv: e.getenvUnlessSettingsFaulty})
	if err != nil {
		return err
	}
	e.app = a
	return e.reopenInspection(ctx)
}

// getenvUnlessSettingsFaulty leaves out a misconfigured model: the check of settings has told,
// and the indexes can be checked without.
func (e *databaseExam) getenvUnlessSettingsFaulty(name string) string {
	if len(findSettingFaults(e.Getenv)) > 0 {
		return ""
	}
	return e.Getenv(name)
}

// reopenInspection renews the view of the file, which otherwise stays that of one moment.
func (e *databaseExam) reopenInspection(ctx context.Context) error {
	if e.inspection != nil {
		if err := e.inspection.Close(); err != nil {
			return err
		}
		e.inspection = nil
	}
	i, err := store.OpenInspection(ctx, e.Database)
	if err == nil {
		e.inspection = i
	}
	return err
}

// isForeign reports whether the path holds something else than a database of
// toolkit, of which nothing is ours to change.
func (e *databaseExam) isForeign(ctx context.Context) bool {
	i, err := store.OpenInspection(ctx, e.Database)
	if err == nil {
		i.Close() //nolint:errcheck // it was only read
	}
	return errors.Is(err, store.ErrForeign)
}

func (e *databaseExam) close() {
	if e.app != nil {
		e.app.Close() //nolint:errcheck // every repair is already on disk
	}
	if e.inspection != nil {
		e.inspection.Close() //nolint:errcheck // it was only read
	}
}

func (e *databaseExam) folder() string { return filepath.Dir(e.Database) }

func (e *databaseExam) progress(name string) func(done, all int) {
	return func(done, all int) {
		if e.Progress != nil {
			e.Progress(name, done, all)
		}
	}
}

func fileExists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

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
	{"environment", needsNothing, checkVariableNames},
	{"settings", needsNothing, checkSettings},
	{"services", needsNothing, checkServicesAnswer},
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
	{"files", needsWhole, checkStoredFiles},
	{"key files", needsFile, checkKeyFiles},
	{"full-text indexes", needsSound, checkFullTextIndexes},
	{"memory indexes", needsSound, checkMemoryIndexes},
	{"snapshots", needsSound, checkSnapshots},
	{"hooks", needsSound, checkHooks},
	{"moved folder", needsSound, checkMovedFolder},
}

// checksOfFiles are the checks of a database that is a file. PostgreSQL sees to its pages,
// references and log itself.
var checksOfFiles = []string{"disk space", "permissions", "leftovers", "integrity", "references", "write-ahead log", "litestream", "free pages", "files", "key files", "full-text indexes"}
