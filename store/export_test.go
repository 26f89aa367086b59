package store

import (
	"testing"
)

// What the tests of package store_test need to see.
const StaleAfter = staleAfter

// Path is where the copy lies.
func (b *StagedBlob) Path() string { return b.path }

// Count reads one number.
func Count(t *testing.T, db *DB, query string) int { return count(t, db, query) }

// Must ends a test that cannot go on.
func Must(t *testing.T, err error) { t.Helper(); must(t, err) }
