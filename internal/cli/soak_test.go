package cli

import (
	"io"
	"slices"
	"testing"

	"toolkit/internal/app"
	"toolkit/internal/soaktest"
)

func TestServersUnderLoadAndKillsLoseNothingAndStaySound(t *testing.T) {
	registry, err := app.Registry()
	if err != nil {
		t.Fatal(err)
	}
	const steps = 1000
	r, err := soaktest.Run(t.Context(), soaktest.Options{
		Program: program(t).Path, Database: database(t), Families: registry.Families(), Processes: 4, Steps: steps, KillSteps: steps / 11, Seed: 1, Errors: io.Discard,
	})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Sound() || r.Kills < 5 || r.Acknowledged < 400 || r.Rows < 1000 || r.Calls < 800 {
		t.Errorf("%d kills, %d acknowledged, %d rows, %d calls, lost %v, failures %v", r.Kills, r.Acknowledged, r.Rows, r.Calls, r.Lost, r.Failures)
	}
	for _, tool := range []string{"create_entities", "create_structural_tension_chart", "store_raw_dialogue", "submit_payload"} {
		if !slices.ContainsFunc(r.Tools, func(l soaktest.Latency) bool { return l.Tool == tool }) {
			t.Errorf("%s was not called", tool)
		}
	}
}
