package charts

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"toolkit/internal/orientation"
	"toolkit/tools"
)

// TestTwoProcessesShareOneFile stands two handles for two processes.
func TestTwoProcessesShareOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared.db")
	one, two := openBench(t, path, orientation.Standard), openBench(t, path, orientation.Standard)
	first, second := one.chart("Create a podcast", "Pilot recorded"), two.chart("Create a book")
	if first == second {
		t.Fatalf("both processes made %s", first)
	}
	same(t, "what the first sees", one.active(), []string{first, second})
	same(t, "what the second sees", two.active(), []string{first, second})
	two.Call(addName, addArgs(first, "Site online"))
	same(t, "ids", []any{one.Call(addName, addArgs(first, "Trailer published"))["chartId"]}, []string{first + "_action_3"})
	one.refuse(addName, addArgs(first, "SITE online"), "DUPLICATE_KEY", "actionStepTitle")
	two.complete("Pilot recorded")
	same(t, "reality", one.realityOf(first), "Have a desk; Completed: Pilot recorded")
	same(t, "completed again by the other", one.complete("Pilot recorded"), two.complete("Pilot recorded"))
}

// TestManyCallersAtOnce makes charts, steps and completions from several
// goroutines over two handles; every id is made once and nothing is lost.
func TestManyCallersAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared.db")
	handles := []*bench{openBench(t, path, orientation.Standard), openBench(t, path, orientation.Standard)}
	shared := handles[0].chart("Create a podcast")
	const callers, rounds = 4, 6
	ids := make(chan string, 2*callers*rounds)
	var all sync.WaitGroup
	for caller := range callers {
		all.Add(1)
		go func() {
			defer all.Done()
			b := handles[caller%2]
			for round := range rounds {
				name := fmt.Sprintf("Part %d of %d made", round, caller)
				for _, c := range []struct {
					tool string
					in   args
				}{
					{createName, args{"desiredOutcome": "Create a book", "currentReality": "x", "dueDate": "2027-01-01T00:00:00Z"}},
					{addName, addArgs(shared, name)},
					{"mark_action_complete", args{"actionStepName": name}},
					{"get_chart_progress", args{"chartId": shared}},
					{"list_active_charts", args{"limit": 3}},
				} {
					raw, _ := json.Marshal(c.in)
					r, err := b.Pipeline.Call(context.Background(), tools.Request{Tool: c.tool, Arguments: raw})
					if err != nil || r.IsError {
						t.Errorf("%s failed: %v %s", c.tool, err, r.Text)
						continue
					}
					var out struct{ ChartID string }
					if err := json.Unmarshal(r.Data, &out); err == nil && (c.tool == createName || c.tool == addName) {
						ids <- out.ChartID
					}
				}
			}
		}()
	}
	all.Wait()
	close(ids)
	seen := map[string]bool{}
	for id := range ids {
		if seen[id] {
			t.Errorf("%s was made twice", id)
		}
		seen[id] = true
	}
	same(t, "ids", len(seen), 2*callers*rounds)
	out := handles[1].progressOf(shared)
	same(t, "counts", []any{out["completedActions"], out["totalActions"]}, []int{callers * rounds, callers * rounds})
}
