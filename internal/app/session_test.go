package app

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/toolstest"
	"toolkit/tools"
)

// sessionHints is how many bytes the hints of a call may add at the median of a
// working session.
const sessionHints = 450

// session is forty calls of all families, as an assistant makes them in an hour
// of work, and their responses.
func session(t *testing.T) map[string][]*tools.Response {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	a, company := openApp(t, 0), ""
	responses := map[string][]*tools.Response{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var call struct {
			Tool      string
			Arguments json.RawMessage
		}
		toolstest.Decode(t, []byte(strings.ReplaceAll(lines.Text(), "$hive", company)), &call)
		r := respond(t, a, call.Tool, call.Arguments)
		if r.IsError {
			t.Fatalf("%s failed: %s", call.Tool, r.Text)
		}
		responses[call.Tool] = append(responses[call.Tool], r)
		if call.Tool == "find_entities" {
			company = firstEntity(t, r)
		}
	}
	return responses
}

func firstEntity(t *testing.T, r *tools.Response) string {
	t.Helper()
	var found struct {
		Entities []struct {
			ID string `json:"entity_id"`
		}
	}
	if err := json.Unmarshal(r.Data, &found); err != nil || len(found.Entities) == 0 {
		t.Fatalf("nothing was found in %s, %v", r.Data, err)
	}
	return found.Entities[0].ID
}

func TestHintsCostLittleOverASession(t *testing.T) {
	var sizes []int
	for _, responses := range session(t) {
		for _, r := range responses {
			hints := []byte(toolstest.EncodeJSON(r.Hints))
			sizes = append(sizes, len(hints))
		}
	}
	if len(sizes) != 40 {
		t.Errorf("the session has %d calls", len(sizes))
	}
	slices.Sort(sizes)
	if median := sizes[len(sizes)/2]; median > sessionHints {
		t.Errorf("hints take %d bytes at the median, more than %d", median, sessionHints)
	}
}

// Confidence and impact are derived, so they differ where the facts do.
func TestHintsOfASessionDifferWithTheFacts(t *testing.T) {
	confidences, impacts, certain := map[float64]bool{}, map[[2]float64]bool{}, 0
	for _, responses := range session(t) {
		for _, r := range responses {
			i := r.Hints.EstimatedImpact
			confidences[r.Hints.Confidence] = true
			impacts[[2]float64{i.Benefit, i.Effort}] = true
			if r.Hints.Confidence == 1 {
				certain++
			}
		}
	}
	if len(confidences) < 8 || len(impacts) < 15 || certain > 20 {
		t.Errorf("%d confidences, %d impacts, %d of 40 certain", len(confidences), len(impacts), certain)
	}
}
