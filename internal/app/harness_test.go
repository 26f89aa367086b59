package app

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"toolkit/internal/toolstest"
	"toolkit/tools"
)

// openWith opens an app that closes with the test, on a new database unless settings name one.
func openWith(t testing.TB, s Settings) *App {
	t.Helper()
	if s.DB == "" {
		s.DB = filepath.Join(t.TempDir(), "toolkit.db")
	}
	a, err := Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() }) //nolint:errcheck // the test is over
	return a
}

// newApp opens an app on a new database that lies in a folder with files to upload.
func newApp(t *testing.T) *App { return appOn(t, filepath.Join(t.TempDir(), "t.db")) }

// respond makes a call, which may be refused.
func respond(t testing.TB, a *App, tool string, in any) *tools.Response {
	t.Helper()
	r, err := a.Server.Pipeline.Call(t.Context(), tools.Request{Tool: tool, Arguments: []byte(toolstest.EncodeJSON(in))})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// accept makes a call that must succeed.
func accept(t testing.TB, a *App, tool string, in any) *tools.Response {
	t.Helper()
	r := respond(t, a, tool, in)
	if r.IsError {
		t.Fatalf("%s: %s", tool, r.Text)
	}
	return r
}

// callTool makes a call that must succeed and returns its result.
func callTool(t testing.TB, a *App, tool string, in any) (out map[string]any) {
	t.Helper()
	toolstest.Decode(t, accept(t, a, tool, in).Data, &out)
	return out
}

// call makes a call that must succeed with arguments as JSON and returns its text.
func call(t testing.TB, a *App, tool, in string) json.RawMessage {
	t.Helper()
	return json.RawMessage(accept(t, a, tool, json.RawMessage(in)).Text)
}

// allTools are those that the program registers.
func allTools(t testing.TB) *tools.Registry {
	t.Helper()
	registry, err := BuildRegistry()
	if err != nil {
		t.Fatal(err)
	}
	return registry
}
