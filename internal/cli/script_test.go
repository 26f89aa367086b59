package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts type what a user would. TOOLKIT_DB is a new file in each.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("TOOLKIT_DB", filepath.Join(e.WorkDir, "data", "toolkit.db"))
			e.Setenv("GOGC", os.Getenv("GOGC"))
			e.Setenv("TOOLKIT_PATIENCE", "60")               // however loaded the machine is
			if cache, err := os.UserCacheDir(); err == nil { // with the PDF engine, which takes seconds to compile
				e.Setenv("XDG_CACHE_HOME", cache)
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
	})
}

// exits runs a program and requires an exit code: exits 2 toolkit nonsense
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
