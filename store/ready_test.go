package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestADatabaseThatCannotServeIsNotReady(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(t *testing.T, db *DB)
		is    error
		says  string
	}{
		"as it should be": {func(*testing.T, *DB) {}, nil, ""},
		"replaced": {func(t *testing.T, db *DB) {
			must(t, Copy(t.Context(), db.Path(), db.Path()+".copy"))
			must(t, os.Rename(db.Path()+".copy", db.Path()))
		}, ErrMoved, ""},
		"written by another program for long": {func(t *testing.T, db *DB) {
			other := open(t, db.Path())
			tx, err := other.writer.BeginTx(context.WithoutCancel(t.Context()), nil)
			must(t, err)
			t.Cleanup(func() { tx.Rollback() }) //nolint:errcheck // nothing was written
		}, ErrBusy, ""},
		"of a newer program": {func(t *testing.T, db *DB) {
			raw(t, db.Path(), `INSERT INTO goose_db_version(version_id, is_applied) VALUES(99999, 1)`)
		}, nil, "start the newer program"},
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t, filepath.Join(t.TempDir(), "toolkit.db"))
			before, err := readMark(t.Context(), db.reader)
			must(t, err)
			test.spoil(t, db)
			ctx := t.Context()
			if test.is == ErrBusy { // which takes all the time there is
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
				defer cancel()
			}
			err = db.CheckReady(ctx)
			switch {
			case test.is == nil && test.says == "":
				must(t, err)
				if after, err := readMark(t.Context(), db.reader); err != nil || after != before {
					t.Errorf("asking has written: %v", err)
				}
			case test.is != nil && !errors.Is(err, test.is), err == nil, !strings.Contains(err.Error(), test.says):
				t.Errorf("it says %v", err)
			}
		})
	}
}
