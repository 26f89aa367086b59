package doctor

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"toolkit/internal/app"
	"toolkit/internal/care/backup"
	"toolkit/store"
)

// derivedAnew derives every full-text index again on a copy of the database and
// compares the result with what is stored, word by word.
func derivedAnew(ctx context.Context, e *exam) ([]Finding, error) {
	if !e.Deep {
		return []Finding{{State: Skipped, Says: "--deep compares them word by word on a copy of the database"}}, nil
	}
	differing, err := e.differing(ctx)
	if err != nil || len(differing) == 0 {
		return ok("every index is what its rows say, word by word"), err
	}
	f := Finding{State: Problem, Says: "indexes do not say what their rows say", Do: "toolkit doctor --deep --fix derives them again", Details: differing}
	return e.repair(f, func() (bool, error) {
		if err := e.reindex(ctx); err != nil {
			return false, err
		}
		again, err := e.differing(ctx)
		return len(again) == 0, err
	})
}

func (e *exam) differing(ctx context.Context) (tables []string, err error) {
	stage, err := os.MkdirTemp(e.folder(), ".toolkit-doctor-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(stage) //nolint:errcheck // the check of leftovers finds it
	copied := filepath.Join(stage, "toolkit.db")
	if err := store.Copy(ctx, e.Database, copied); err != nil {
		return nil, err
	}
	before, err := fingerprints(ctx, copied)
	if err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, store.Options{Path: copied})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(app.Derive(ctx, db), db.Close()); err != nil {
		return nil, err
	}
	after, err := fingerprints(ctx, copied)
	if err != nil {
		return nil, err
	}
	for _, table := range slices.Sorted(maps.Keys(before)) {
		if after[table] != before[table] {
			tables = append(tables, table)
		}
	}
	return tables, nil
}

func fingerprints(ctx context.Context, path string) (map[string]string, error) {
	i, err := store.Inspect(ctx, path)
	if err != nil {
		return nil, err
	}
	defer i.Close() //nolint:errcheck // it was only read
	return i.Fingerprints(ctx)
}

func hashKept(database, sha256Of string) (string, error) {
	in, _, err := store.OpenKept(database, sha256Of)
	if err != nil {
		return "", err
	}
	defer in.Close() //nolint:errcheck // it was only read
	sum, _, err := backup.Sum(in)
	return sum, err
}
