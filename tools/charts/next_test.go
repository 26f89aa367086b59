package charts

import (
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

// nextTitles are the titles of the next steps of all charts, in order.
func (b *bench) nextTitles() (titles []string) {
	b.T.Helper()
	storetest.Read(b.T, b.Store, func(tx *store.Tx) error {
		next, err := NextSteps(graph.In(tx))
		if err != nil {
			return err
		}
		placed, err := graph.In(tx).DescribeOpenSteps(next)
		for _, s := range placed {
			titles = append(titles, s.Title+" of "+s.Outcome)
		}
		return err
	})
	return titles
}

func TestNextStepIsTheSameWhereverItIsTold(t *testing.T) {
	b := newBench(t)
	podcast := b.chart("Create a podcast", "Pilot recorded", "Site online")
	pilot := b.telescoped("Pilot recorded", "Script written", "Guest invited")
	site := b.telescoped("Site online", "Host rented")
	b.Call(updateStepName, args{"actionStepName": "Host rented", "dueDate": "2026-01-05"})
	b.chart("Build a shed", "Boards bought")
	for _, c := range []struct {
		done string
		next []string // of all charts
		of   string   // next of the podcast
	}{
		{"", []string{"Host rented of Create a podcast", "Script written of Create a podcast", "Guest invited of Create a podcast", "Boards bought of Build a shed"}, site + "_action_1"},
		{"Host rented", []string{"Script written of Create a podcast", "Guest invited of Create a podcast", "Boards bought of Build a shed", "Site online of Create a podcast"}, pilot + "_action_1"},
		{"Pilot recorded", []string{"Script written of Create a podcast", "Guest invited of Create a podcast", "Boards bought of Build a shed", "Site online of Create a podcast"}, pilot + "_action_1"}, // the steps within it are open
		{"Script written", []string{"Guest invited of Create a podcast", "Boards bought of Build a shed", "Site online of Create a podcast"}, pilot + "_action_2"},
	} {
		if c.done != "" {
			b.complete(c.done)
		}
		same(t, "next of all after "+c.done, b.nextTitles(), c.next)
		same(t, "next action after "+c.done, b.progressOf(podcast)["nextAction"].(args)["id"], c.of)
		storetest.Read(t, b.Store, func(tx *store.Tx) error {
			chart, err := graph.In(tx).Chart(podcast)
			if err != nil {
				return err
			}
			open, err := NextSteps(graph.In(tx))
			if err != nil {
				return err
			}
			first, err := loadFirstStep(graph.In(tx), open)
			if err != nil {
				return err
			}
			same(t, "suggested by the list after "+c.done, first.ID, c.of)
			each, err := NextStepOfEachMasterChart(graph.In(tx))
			same(t, "next of the chart after "+c.done, each[chart.Row].ID, c.of)
			return err
		})
	}
}

func TestAbandonedSubChartLeavesItsStepNext(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	sub := b.telescoped("Pilot recorded", "Script written")
	b.Call(updateChartName, args{"chartId": sub, "status": "abandoned"})
	same(t, "next", b.progressOf(id)["nextAction"].(args)["title"], "Pilot recorded")
	same(t, "next of all", b.nextTitles(), []string{"Pilot recorded of Create a podcast"})
}

func TestNextStepIsOrderedByMomentAndNotByText(t *testing.T) {
	b := newBench(t)
	b.chart("Create a podcast", "Script written", "Guest invited", "Pilot recorded")
	for title, due := range map[string]string{"Script written": "2026-02-01", "Guest invited": "2026-02-01T08:00:00Z", "Pilot recorded": "2026-02-01T12:00:00+09:00"} {
		b.Call(updateStepName, args{"actionStepName": title, "dueDate": due})
	}
	same(t, "order", b.nextTitles(), []string{"Pilot recorded of Create a podcast", "Guest invited of Create a podcast", "Script written of Create a podcast"})
}

func TestChartWithOpenStepsBelowACompletedOneIsNotOfferedToBeClosed(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	b.telescoped("Pilot recorded", "Script written")
	b.complete("Pilot recorded")
	for _, r := range []*tools.Response{b.CallAllowingRefusal("get_chart_progress", args{"chartId": id}), b.CallAllowingRefusal(listName, args{})} {
		for _, a := range r.Hints.SuggestedNextActions {
			if a.Tool == updateChartName || a.Tool == momentName {
				t.Errorf("%s is suggested: %s", a.Tool, a.Description)
			}
		}
	}
	b.complete("Script written")
	b.Clock.Advance(time.Minute)
	same(t, "status after all", b.progressOf(id)["nextAction"], nil)
}

func TestADateAloneIsADayOfTheZone(t *testing.T) {
	for zone, want := range map[int]string{0: "2026-10-20T23:59:59Z", 9: "2026-10-20T14:59:59Z", -8: "2026-10-21T07:59:59Z"} {
		at, ok := ParseDueDateIn("2026-10-20", time.FixedZone("", zone*3600))
		if got := at.UTC().Format(time.RFC3339); !ok || got != want {
			t.Errorf("%d hours east it ends at %s, want %s", zone, got, want)
		}
	}
}
