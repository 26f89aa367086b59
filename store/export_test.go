package store

import (
	"context"
	"testing"
)

// What the tests of package store_test need to see.
const (
	WordBatch  = wordBatch
	WordHold   = wordHold
	StaleAfter = staleAfter
)

// Path is where the copy lies.
func (b *StagedBlob) Path() string { return b.path }

// Count reads one number.
func Count(t *testing.T, db *DB, query string) int { return count(t, db, query) }

// Must ends a test that cannot go on.
func Must(t *testing.T, err error) { t.Helper(); must(t, err) }

// KillAfterWords makes a staged write that ends before its rows come.
func KillAfterWords(t *testing.T, db *DB, f func(*Tx) error) {
	t.Helper()
	ctx := context.Background()
	s, err := db.newStage(ctx, StagedGraph)
	must(t, err)
	defer s.copy.Close()
	must(t, s.fill(ctx))
	must(t, s.copy.Write(ctx, f))
	conn, err := db.writer.Conn(ctx)
	must(t, err)
	defer conn.Close()
	_, err = conn.ExecContext(ctx, `ATTACH ? AS staged`, s.name)
	must(t, err)
	must(t, db.writeOn(ctx, conn, s.reserve))
	must(t, s.moveWords(ctx, conn))
	_, err = conn.ExecContext(ctx, `DETACH staged`)
	must(t, err)
}
