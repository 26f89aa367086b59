package doctor

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

// State is what a check found.
type State string

// States, from good to bad. Only a Problem makes an examination fail.
const (
	OK      State = "ok"
	Fixed   State = "fixed"   // was a note or a problem
	Note    State = "note"    // works, but worth knowing
	Skipped State = "skipped" // could not be checked, see why
	Problem State = "problem"
)

// Finding is one line of the report.
type Finding struct {
	Check   string   `json:"check"`
	State   State    `json:"state"`
	Says    string   `json:"says"`
	Do      string   `json:"do,omitempty"`      // what to do about it
	Details []string `json:"details,omitempty"` // the first few cases
}

// maxDetails bounds the cases that a finding lists.
const maxDetails = 10

func ok(format string, args ...any) []Finding {
	return []Finding{{State: OK, Says: fmt.Sprintf(format, args...)}}
}

// Options say what is examined and how. Database, Getenv and Now are required.
type Options struct {
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

// Report is the result of an examination.
type Report struct {
	Database string    `json:"database"`
	Problems int       `json:"problems"`
	Findings []Finding `json:"findings"`
}

// exam is an examination under way.
type exam struct {
	Options
	inspection *store.Inspection
	broken     bool // integrity failed: what reads rows would only repeat it
	unindexed  bool // a full-text index is damaged: what reads indexes would only repeat it
	outdated   bool // the schema is not this program's
	app        *app.App
}

// Examine runs every check. The error is the context's.
func Examine(ctx context.Context, o Options) (*Report, error) {
	e := &exam{Options: o}
	defer e.close()
	r := &Report{Database: store.DisplayName(o.Database), Findings: []Finding{}}
	for _, c := range checks {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		findings, err := e.perform(ctx, c)
		if err != nil {
			if ctx.Err() != nil {
				return r, ctx.Err()
			}
			findings = append(findings, Finding{State: Problem, Says: "it could not be checked: " + err.Error(), Do: e.advice(err)})
		}
		for _, f := range findings {
			f.Check = c.name
			if len(f.Details) > maxDetails {
				f.Details = append(f.Details[:maxDetails:maxDetails], fmt.Sprintf("and %d more", len(f.Details)-maxDetails))
			}
			if f.State == Problem {
				r.Problems++
			}
			r.Findings = append(r.Findings, f)
		}
	}
	return r, nil
}

func (e *exam) advice(err error) string {
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

func (e *exam) perform(ctx context.Context, c check) ([]Finding, error) {
	skip := func(why string) []Finding { return []Finding{{State: Skipped, Says: why}} }
	if store.IsPostgres(e.Database) && slices.Contains(ofFiles, c.name) {
		return skip("the database is no file, and its server sees to that"), nil
	}
	if c.needs >= file && e.inspection == nil {
		return skip("there is no database to look into"), nil
	}
	if c.needs >= whole && e.broken {
		return skip("the file is damaged"), nil
	}
	if c.needs == sound {
		switch {
		case e.unindexed:
			return skip("a full-text index is damaged"), nil
		case e.outdated:
			return skip("the schema is not that of this program"), nil
		}
		if err := e.open(ctx); err != nil {
			return nil, err
		}
	}
	return c.run(ctx, e)
}

// repair is a finding that --fix mends; mend reports whether nothing of it is
// left.
func (e *exam) repair(f Finding, mend func() (bool, error)) ([]Finding, error) {
	if !e.Fix {
		return []Finding{f}, nil
	}
	mended, err := mend()
	if err == nil && mended {
		f.State, f.Do = Fixed, ""
	}
	return []Finding{f}, err
}

// removal is repair by removing the files that the details name.
func (e *exam) removal(f Finding) ([]Finding, error) {
	return e.repair(f, func() (bool, error) {
		for _, path := range f.Details {
			if err := os.RemoveAll(path); err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

// reindex derives the full-text indexes again.
func (e *exam) reindex(ctx context.Context) error {
	if err := e.open(ctx); err != nil {
		return err
	}
	if err := app.Reindex(ctx, e.app.Store); err != nil {
		return err
	}
	return e.look(ctx)
}

// open gives checks of rules the app they are part of.
func (e *exam) open(ctx context.Context) error {
	if e.app != nil {
		return nil
	}
	// A reader keeps a file that has no log yet from getting one.
	if err := e.inspection.Close(); err != nil {
		return err
	}
	e.inspection = nil
	a, err := app.Open(ctx, app.Settings{DB: e.Database, Getenv: e.usableEnv})
	if err != nil {
		return err
	}
	e.app = a
	return e.look(ctx)
}

// usableEnv leaves out a misconfigured model: the check of settings has told,
// and the indexes can be checked without.
func (e *exam) usableEnv(name string) string {
	if len(settingFaults(e.Getenv)) > 0 {
		return ""
	}
	return e.Getenv(name)
}

// look renews the view of the file, which otherwise stays that of one moment.
func (e *exam) look(ctx context.Context) error {
	if e.inspection != nil {
		if err := e.inspection.Close(); err != nil {
			return err
		}
		e.inspection = nil
	}
	i, err := store.Inspect(ctx, e.Database)
	if err == nil {
		e.inspection = i
	}
	return err
}

// foreign reports whether the path holds something else than a database of
// toolkit, of which nothing is ours to change.
func (e *exam) foreign(ctx context.Context) bool {
	i, err := store.Inspect(ctx, e.Database)
	if err == nil {
		i.Close() //nolint:errcheck // it was only read
	}
	return errors.Is(err, store.ErrForeign)
}

func (e *exam) close() {
	if e.app != nil {
		e.app.Close() //nolint:errcheck // every repair is already on disk
	}
	if e.inspection != nil {
		e.inspection.Close() //nolint:errcheck // it was only read
	}
}

func (e *exam) folder() string { return filepath.Dir(e.Database) }

func (e *exam) progress(name string) func(done, all int) {
	return func(done, all int) {
		if e.Progress != nil {
			e.Progress(name, done, all)
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
