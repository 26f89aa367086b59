package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"toolkit/internal/measure/soak"
)

func TestServersUnderLoadAndKillsLoseNothingAndStaySound(t *testing.T) {
	stdout, stderr, code := run(t, "", "bench", "soak", "--processes", "4", "--steps", "1000", "--json")
	if code != 0 {
		t.Fatalf("exit code %d: %s %s", code, stdout, stderr)
	}
	var r soak.Report
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	if !r.Sound() || r.Kills < 5 || r.Acknowledged < 400 || r.Rows < 1000 || r.Calls < 800 {
		t.Errorf("%d kills, %d acknowledged, %d rows, %d calls, lost %v, failures %v", r.Kills, r.Acknowledged, r.Rows, r.Calls, r.Lost, r.Failures)
	}
	for _, family := range []string{"create_entities", "create_structural_tension_chart", "store_raw_dialogue", "submit_payload"} {
		if !strings.Contains(stdout, `"`+family+`"`) {
			t.Errorf("%s was not called", family)
		}
	}
}
