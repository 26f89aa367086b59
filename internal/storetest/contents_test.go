package storetest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toolkit/store"
	"toolkit/store/memory"
)

// listener hears complaints instead of failing.
type listener struct {
	testing.TB
	complaints []string
}

func (l *listener) Helper() {}

func (l *listener) Errorf(format string, args ...any) {
	l.complaints = append(l.complaints, fmt.Sprintf(format, args...))
}

func TestADifferenceIsNoticedAndNamed(t *testing.T) {
	SkipUnlessSQLite(t, "its file is changed by hand")
	path := filepath.Join(t.TempDir(), "test.db")
	db, err := store.Open(t.Context(), store.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	before := FingerprintTables(t, path)
	RequireSameContents(t, FingerprintTables(t, path), before)
	if err := db.Write(t.Context(), func(tx *store.Tx) error {
		_, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: "An otter", SourceIDs: []int64{}, Fidelity: 1, Metadata: []byte("{}")})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	l := &listener{TB: t}
	RequireSameContents(l, FingerprintTables(t, path), before)
	slices.Sort(l.complaints)
	if said := strings.Join(l.complaints, "\n"); !strings.Contains(said, "l2_insights is not as it was") || !strings.Contains(said, "sequences is not as it was") {
		t.Errorf("a new row is not noticed: %s", said)
	}
	l.complaints = nil
	fewer := FingerprintTables(t, path)
	delete(fewer, "l2_insights")
	RequireSameContents(l, FingerprintTables(t, path), fewer)
	RequireSameContents(l, map[string]string{}, map[string]string{})
	if len(l.complaints) != 2 {
		t.Errorf("a table more, and no tables: %q", l.complaints)
	}
}
