package soaktest

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/internal/admin"
	"toolkit/internal/app"
)

// loaded is a database under the load of all families, without server processes.
func loaded(t *testing.T, s app.Settings, steps int) (*app.App, Journal) {
	t.Helper()
	s.DB, s.TimeoutFactor = filepath.Join(t.TempDir(), "toolkit.db"), 60
	a, err := app.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	w := NewWorker(3, 11, NewPipelineCaller(a.Server.Pipeline))
	if err := w.CallEveryLoad(t.Context(), steps); err != nil {
		t.Fatal(err)
	}
	return a, w.Journal
}

func TestEveryLoadStoresWhatItsJournalSays(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	a, journal := loaded(t, app.Settings{}, 300)
	lost, rows, err := journal.FindLost(t.Context(), a.Store.Path())
	if err != nil || len(lost) > 0 {
		t.Errorf("%v, lost %v", err, lost)
	}
	removed := 0
	for _, a := range journal {
		if a.removed {
			removed++
		}
	}
	if len(journal) < 500 || rows < 1500 || removed < 20 {
		t.Errorf("%d acknowledged, %d removed, %d rows", len(journal), removed, rows)
	}
}

// A check that cannot fail proves nothing.
func TestTheJournalNoticesWhatIsMissingAndWhatIsBack(t *testing.T) {
	a, journal := loaded(t, app.Settings{}, 20)
	for token, a := range journal {
		if !a.removed {
			journal.markRemovedOrForget(token, nil)
			break
		}
	}
	journal["tk9n1z"] = acknowledgement{tables: []string{"entities"}}
	lost, _, err := journal.FindLost(t.Context(), a.Store.Path())
	slices.Sort(lost)
	if err != nil || len(lost) != 2 || !strings.Contains(lost[0], "was removed and is in") || !strings.Contains(lost[1], "tk9n1z was acknowledged") {
		t.Errorf("%v, %v", lost, err)
	}
}

// Clocks are set back: by the user, by the network, in a virtual machine.
func TestAClockThatJumpsBackHarmsNoFamily(t *testing.T) {
	at, calls := time.Date(2026, 3, 29, 3, 0, 0, 0, time.UTC), 0
	var mu sync.Mutex
	now := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		if calls++; calls%7 == 0 {
			at = at.Add(-40 * time.Minute) // further back than all steps forward
		}
		at = at.Add(3 * time.Second)
		return at
	}
	a, journal := loaded(t, app.Settings{Now: now}, 120)
	lost, _, err := journal.FindLost(t.Context(), a.Store.Path())
	if err != nil || len(lost) > 0 {
		t.Errorf("%v, lost %v", err, lost)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := admin.ExamineDatabase(t.Context(), admin.ExamineOptions{Database: a.Store.Path(), Given: true, Deep: true, Getenv: func(string) string { return "" }, Now: time.Now})
	if err != nil || r.Problems > 0 {
		t.Errorf("%v: %+v", err, r)
	}
}
