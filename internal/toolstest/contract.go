// Package toolstest holds what the tests of every family of tools do alike.
package toolstest

import (
	"encoding/json"
	"testing"

	"toolkit/tools"
)

// Checklist walks the contract's checklist for every tool, running each example
// on a database of its own.
func Checklist(t *testing.T, r *tools.Registry, fresh func() (tools.ServerOptions, func(), error)) {
	t.Helper()
	checks, err := tools.Verify(t.Context(), r, fresh)
	if err != nil {
		t.Fatal(err)
	}
	if len(checks) == 0 {
		t.Fatal("nothing was checked")
	}
	for _, c := range checks {
		if !c.OK {
			t.Errorf("%s: %s: %s", c.Tool, c.Line, c.Problem)
		}
	}
}

// Suggestions requires that what a tool's hints suggest exists and takes the
// arguments given. It returns how many suggestions were seen.
func Suggestions(t *testing.T, r *tools.Registry, tool string, hints *tools.Hints) (seen int) {
	t.Helper()
	for _, a := range hints.SuggestedNextActions {
		d := r.Get(a.Action)
		if d == nil {
			t.Errorf("%s suggests %s, which is no tool", tool, a.Action)
			continue
		}
		seen++
		var schema struct{ Properties map[string]any }
		raw, err := d.InputSchema()
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &schema); err != nil {
			t.Fatal(err)
		}
		for key := range a.Data {
			if schema.Properties[key] == nil {
				t.Errorf("%s suggests %s with %s, which it does not take", tool, a.Action, key)
			}
		}
	}
	return seen
}
