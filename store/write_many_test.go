package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

func TestWriteManyReleasesLockBetweenBatches(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toolkit.db")
	db, other := open(t, path), open(t, path)
	between := make(chan error, 1)
	parts := 0
	must(t, WriteMany(t.Context(), db, make([]int, 2*maxRowsPerWrite+1), func(tx *Tx, part []int) error {
		switch parts++; parts {
		case 1:
			go func() {
				between <- other.Write(t.Context(), func(tx *Tx) error { return insertEntity(tx, "other", "a") })
			}()
			time.Sleep(10 * busyPause) // until it waits for the lock
		case 3:
			if len(part) != 1 {
				t.Errorf("the last part has %d rows", len(part))
			}
			var n int
			must(t, tx.sql().Row(`SELECT count(*) FROM entities WHERE name = 'other'`).Scan(&n))
			if n != 1 {
				t.Error("the other write did not get its turn")
			}
		}
		return insertEntity(tx, fmt.Sprint("part ", parts), "a")
	}))
	must(t, <-between)
	if parts != 3 {
		t.Errorf("%d parts", parts)
	}
}

func TestFailedWriteManyKeepsCommittedBatches(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "toolkit.db"))
	refused := errors.New("refused")
	written := 0
	err := WriteMany(t.Context(), db, make([]int, 2*maxRowsPerWrite), func(tx *Tx, part []int) error {
		for range part {
			if written++; written == maxRowsPerWrite+10 {
				return refused
			}
			if err := insertEntity(tx, fmt.Sprint(written), "a"); err != nil {
				return err
			}
		}
		return nil
	})
	if n := count(t, db, `SELECT count(*) FROM entities`); !errors.Is(err, refused) || n != maxRowsPerWrite {
		t.Errorf("%d entities, %v", n, err)
	}
}
