package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestADatabaseWithoutPermissionIsExplained(t *testing.T) {
	t.Parallel()
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
func TestReadOnlyAndGrantsAreReadStrictly(t *testing.T) {
	t.Parallel()
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
