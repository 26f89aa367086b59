package toolstest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"toolkit/tools"
)

// Example is one of a tool's examples.
type Example = tools.Example[json.RawMessage, json.RawMessage]

// hintFields are those that hints have even when there is nothing to say.
var hintFields = []string{"confidence", "sourceQuality", "validityPeriod", "contextNeeded", "assumptions", "riskFactors", "dependencies",
	"estimatedImpact", "preferenceAlignment", "reasoning"}

// metadataFields are those of every response.
var metadataFields = []string{"toolVersion", "timestamp", "executionTime", "serviceVersion", "traceId", "correlationId", "cached"}

// CheckDefinition requires that a tool is found by its name in kebab-case too, that its
// schemas compile, and that its inputs are described.
func CheckDefinition(t testing.TB, r *tools.Registry, d *tools.Definition) {
	t.Helper()
	if r.Get(tools.Kebab(d.Name)) != d || !slices.Contains(r.ByCategory(d.Category), d) {
		t.Errorf("%s: neither its kebab-case name nor its category leads to it", d.Name)
	}
	requireDescriptions(t, d.Name, inputSchema(t, d))
	if _, err := d.OutputSchema(); err != nil {
		t.Errorf("%s: %v", d.Name, err)
	}
}

// RunExample makes the calls of an example, compares its result, and then makes a
// call that must be refused.
func RunExample(t testing.TB, p *tools.Pipeline, d *tools.Definition, e Example) {
	t.Helper()
	for _, step := range e.Setup {
		if r := sendCall(t, p, step.Tool, []byte(EncodeJSON(step.Params))); r.IsError {
			t.Errorf("%s: setup of example %q failed: %s", d.Name, e.Description, r.Text)
		}
	}
	r := sendCall(t, p, d.Name, e.Params)
	if r.IsError {
		t.Errorf("%s: example %q failed: %s", d.Name, e.Description, r.Text)
		return
	}
	if problem := findDifference(decodeExactly(t, e.Result), decodeExactly(t, r.Data), "", e.Varies); problem != "" {
		t.Errorf("%s: example %q: %s", d.Name, e.Description, problem)
	}
	structured, _ := decodeExactly(t, r.Structured).(Args)
	delete(structured, "agentHints")
	if problem := findDifference(decodeExactly(t, r.Data), any(structured), "", nil); problem != "" {
		t.Errorf("%s: structuredContent differs from the data: %s", d.Name, problem)
	}
	refusal := sendCall(t, p, d.Name, []byte(`[]`))
	if !refusal.IsError || refusal.Err.Kind != tools.Validation || refusal.Text == "" {
		t.Errorf("%s: impossible arguments were not refused as a validation error", d.Name)
	}
	for _, response := range []*tools.Response{r, refusal} {
		requireCompleteHints(t, d, response)
	}
}

// requireCompleteHints requires hints and metadata with all their fields.
func requireCompleteHints(t testing.TB, d *tools.Definition, r *tools.Response) {
	t.Helper()
	var hints map[string]json.RawMessage
	if r.Hints != nil {
		Decode(t, []byte(EncodeJSON(r.Hints)), &hints)
	}
	for _, field := range hintFields {
		if value := string(hints[field]); value == "" || value == "null" || value == `""` {
			t.Errorf("%s: agentHints.%s is missing", d.Name, field)
		}
	}
	metadata, _ := r.Meta["metadata"].(map[string]any)
	for _, field := range metadataFields {
		if value, ok := metadata[field]; !ok || value == "" {
			t.Errorf("%s: the metadata's %s is missing", d.Name, field)
		}
	}
}

func sendCall(t testing.TB, p *tools.Pipeline, tool string, arguments []byte) *tools.Response {
	t.Helper()
	r, err := p.Call(t.Context(), tools.Request{Tool: tool, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// decodeExactly returns JSON with its numbers as they are written.
func decodeExactly(t testing.TB, raw []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return value
}

// findDifference names the first place where got differs from want; fields named in
// varies only have to be present.
func findDifference(want, got any, path string, varies []string) string {
	switch w := want.(type) {
	case Args:
		g, ok := got.(Args)
		if !ok {
			return fmt.Sprintf("%s: want an object, got %v", path, got)
		}
		for key := range g {
			if _, expected := w[key]; !expected {
				return fmt.Sprintf("%s.%s was not expected", path, key)
			}
		}
		for key, inner := range w {
			other, present := g[key]
			if !present {
				return fmt.Sprintf("%s.%s is missing", path, key)
			}
			if slices.Contains(varies, key) {
				continue
			}
			if problem := findDifference(inner, other, path+"."+key, varies); problem != "" {
				return problem
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%s: want %d item(s), got %v", path, len(w), got)
		}
		for i := range w {
			if problem := findDifference(w[i], g[i], fmt.Sprintf("%s[%d]", path, i), varies); problem != "" {
				return problem
			}
		}
		return ""
	}
	if fmt.Sprint(want) != fmt.Sprint(got) {
		return fmt.Sprintf("%s: want %v, got %v", strings.TrimPrefix(path, "."), want, got)
	}
	return ""
}
