package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Bad input never crashes and never half-writes: each line is answered as
// stated, and the call behind it still works. What the transport refuses by itself
// is a table of its own tests.
func TestBadInputIsAnsweredAndTheNextCallWorks(t *testing.T) {
	deep := strings.Repeat(`[`, 100_000) + strings.Repeat(`]`, 100_000)
	long := strings.Repeat("x", 10<<20)
	tests := map[string]struct {
		line string
		want string // part of the answer
	}{
		"arguments of another type": {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_entities","arguments":"x"}}`, `\"field\":\"arguments\"`},
		"nesting a parser can take": {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_entities","arguments":{"entities":` + deep[:5000] + deep[len(deep)-5000:] + `}}}`, `VALIDATION_ERROR`},
		"a line of 10 MB":           {callLine(1, "create_entities", oneEntity("long "+long))[:10<<20-1<<19], `-32700`},
		"a 10 MB argument":          {strings.TrimSuffix(callLine(1, "search_nodes", map[string]any{"query": long}), "\n"), `arguments of a call must have at most 4194304 bytes`},
		"a wrong type deep inside":  {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_entities","arguments":{"entities":[{"name":"ok","entityType":"t","observations":[]},{"name":"bad","entityType":"t","observations":[5]}]}}}`, `entities[1].observations[0]`},
		"a NUL character":           {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_nodes","arguments":{"query":"a\u0000b"}}}`, `"entities":[]`},
		"a lone surrogate":          {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_nodes","arguments":{"query":"\ud800"}}}`, `"entities":[]`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, code := run(t, tc.line+"\n"+callLine(2, "read_graph", map[string]any{}), "serve", "--stdio", "--db", database(t), "--log-level", "error")
			if code != 0 {
				t.Fatalf("exit code %d: %s", code, stderr)
			}
			lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
			first, last := lines[0], lines[len(lines)-1]
			for _, line := range lines {
				if !json.Valid([]byte(line)) {
					t.Fatalf("not JSON: %.200s", line)
				}
			}
			if !strings.Contains(last, `"id":2`) || !strings.Contains(last, `"entities":[]`) {
				first, last = last, first // the answers of reads may come in either order
			}
			if !strings.Contains(last, `"id":2`) || !strings.Contains(last, `"entities":[]`) {
				t.Errorf("the next call got %.300s", last)
			}
			if len(lines) != 2 || !strings.Contains(first, tc.want) {
				t.Errorf("got %.300s, want %s", first, tc.want)
			}
		})
	}
}

func TestADatabaseWithoutPermissionIsExplained(t *testing.T) {
	for name, tc := range map[string]struct {
		mode os.FileMode
		want string
	}{
		"unreadable": {0o000, "cannot be opened"},
		"read-only":  {0o444, "is read-only; toolkit needs to write it: change its permissions"},
	} {
		t.Run(name, func(t *testing.T) {
			_, programPath := ownFolder(t)
			db := filepath.Join(filepath.Dir(programPath), "toolkit.db")
			if err := os.Rename(emptyDatabase(t), db); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(db, tc.mode); err != nil {
				t.Fatal(err)
			}
			stdout, stderr, code := output(t, unprivileged(t, programPath, "serve", "--stdio", "--db", db))
			if code != exitFailure || stdout != "" || !strings.Contains(stderr, tc.want) {
				t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
			}
		})
	}
}

// The switches that guard what is stored must not open more than was meant.
func TestASwitchThatGuardsTheDataIsNeverMisread(t *testing.T) {
	write := []string{"call", "create_entities", `{"entities":[{"name":"W","entityType":"t","observations":[]}]}`}
	tests := map[string]struct {
		environment string
		flags       []string
		code        int
		stderr      string
	}{
		"yes means read-only":            {"TOOLKIT_READ_ONLY=yes", nil, exitFailure, "graph:create"},
		"on means read-only":             {"TOOLKIT_READ_ONLY= ON ", nil, exitFailure, "graph:create"},
		"0 means writable":               {"TOOLKIT_READ_ONLY=0", nil, exitOK, ""},
		"another word is refused":        {"TOOLKIT_READ_ONLY=maybe", nil, exitUsage, "TOOLKIT_READ_ONLY"},
		"the flag overrides":             {"TOOLKIT_READ_ONLY=1", []string{"--read-only=false"}, exitOK, ""},
		"an empty grant is refused":      {"", []string{"--grant", ""}, exitUsage, "--grant is empty"},
		"a grant of nothing known":       {"", []string{"--grant", "foo:read"}, exitUsage, "unknown resource"},
		"a grant that does not cover it": {"", []string{"--grant", "graph:read"}, exitFailure, "graph:create"},
		"a family that does not exist":   {"", []string{"--families", "nope"}, exitUsage, "unknown family"},
		"a grant from the environment":   {"TOOLKIT_GRANT=graph:read", nil, exitFailure, "graph:create"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			cmd := program(t, append(append(write, tc.flags...), "--db", emptyDatabase(t))...)
			cmd.Env = append(cmd.Env, tc.environment)
			var errs strings.Builder
			cmd.Stderr = &errs
			cmd.Run() //nolint:errcheck // the exit code is compared
			if code := cmd.ProcessState.ExitCode(); code != tc.code || !strings.Contains(errs.String(), tc.stderr) {
				t.Errorf("exit code %d, stderr %q", code, errs.String())
			}
		})
	}
}
