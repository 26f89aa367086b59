package soaktest

import (
	"math"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/internal/app"
	"toolkit/internal/care/doctor"
)

// loaded is a database under the load of all families, without server processes.
func loaded(t *testing.T, s app.Settings, steps int) (*app.App, *Journal) {
	t.Helper()
	s.DB, s.Patience = filepath.Join(t.TempDir(), "toolkit.db"), 60
	a, err := app.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	w := NewWorker(7, 3, 11, NewJournal())
	w.Call = ByPipeline(a.Server.Pipeline)
	if err := Fill(t.Context(), w, steps); err != nil {
		t.Fatal(err)
	}
	return a, w.Journal
}

func TestEveryLoadStoresWhatItsJournalSays(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	a, journal := loaded(t, app.Settings{}, 300)
	lost, rows, err := journal.Compare(t.Context(), a.Store.Path())
	if err != nil || len(lost) > 0 {
		t.Errorf("%v, lost %v", err, lost)
	}
	if journal.Acknowledged() < 500 || rows < 1500 || len(journal.removed) < 20 {
		t.Errorf("%d acknowledged, %d removed, %d rows", journal.Acknowledged(), len(journal.removed), rows)
	}
}

// A check that cannot fail proves nothing.
func TestTheJournalNoticesWhatIsMissingAndWhatIsBack(t *testing.T) {
	a, journal := loaded(t, app.Settings{}, 20)
	journal.Stored("tk9w9n1z", "entities")
	for token := range journal.stored {
		if token != "tk9w9n1z" {
			journal.Removed(nil, token, journal.stored[token]...)
			break
		}
	}
	lost, _, err := journal.Compare(t.Context(), a.Store.Path())
	if err != nil || len(lost) != 2 || !strings.Contains(lost[0], "tk9w9n1z was acknowledged") || !strings.Contains(lost[1], "was removed and is in") {
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
	lost, _, err := journal.Compare(t.Context(), a.Store.Path())
	if err != nil || len(lost) > 0 {
		t.Errorf("%v, lost %v", err, lost)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := doctor.Examine(t.Context(), doctor.Options{Database: a.Store.Path(), Given: true, Deep: true, Getenv: func(string) string { return "" }, Now: time.Now})
	if err != nil || r.Problems > 0 {
		t.Errorf("%v: %+v", err, r)
	}
}

func TestMemoryThatGrowsHasASlope(t *testing.T) {
	var flat, growing []sample
	for second := range 600 {
		at := time.Duration(second) * time.Second
		flat = append(flat, sample{at, 50e6})
		growing = append(growing, sample{at, 50e6 + int64(second)*1e6/60})
	}
	if m := memoryOf(flat); math.Abs(m.Slope) > 1e-9 || m.Start != 50 || m.End != 50 {
		t.Errorf("flat: %+v", m)
	}
	if m := memoryOf(growing); m.Slope < 0.99 || m.Slope > 1.01 || m.End-m.Start < 7 {
		t.Errorf("growing: %+v", m)
	}
	if memoryOf(flat[:5]) != nil {
		t.Error("five samples say something")
	}
}

func TestEveryFamilyThatIsServedHasALoadOrIsNamed(t *testing.T) {
	registry, err := app.Registry()
	if err != nil {
		t.Fatal(err)
	}
	loads, unloaded := loadsOf(registry.Families())
	if len(loads) < len(Loads) {
		t.Errorf("%d loads serve %d families", len(Loads), len(loads))
	}
	for _, l := range Loads {
		for _, name := range unloaded {
			if l.Family == name {
				t.Errorf("%s has a load and is said to have none", name)
			}
		}
	}
}
