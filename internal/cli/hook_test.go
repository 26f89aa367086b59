package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/store/sessions"
)

// home is where hooks run: HOME, with a database in it.
type home struct {
	*testing.T
	folder, db string
}

func newHome(t *testing.T) home {
	folder, err := os.MkdirTemp("", "toolkit-hooks-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // a process behind a hook may be closing its files, which takes away the logs
		for os.RemoveAll(folder) != nil {
			time.Sleep(time.Millisecond)
		}
	})
	return home{t, folder, filepath.Join(folder, "toolkit.db")}
}

// hook runs a hook as a client does. It must exit with 0, whatever happens, and
// complain nowhere.
func (h home) hook(input string, args ...string) string {
	h.Helper()
	cmd := program(h.T, append([]string{"hook", "--db", h.db}, args...)...)
	var out, errs strings.Builder
	cmd.Env = append(cmd.Env, "HOME="+h.folder, "USERPROFILE="+h.folder)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		h.Errorf("%q: %v, complains %q", args, err, errs.String())
	}
	return out.String()
}

// until waits for what a process behind a hook does.
func (h home) until(done func(tx *store.Tx) (bool, error)) {
	h.Helper()
	for {
		if exists(h.db) {
			db := storetest.Open(h.T, h.db)
			happened, err := store.ReadValue(h.Context(), db, done)
			db.Close()
			if err != nil {
				h.Fatal(err)
			}
			if happened {
				return
			}
		}
		select {
		case <-h.Context().Done():
			h.Fatal("it never happened")
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// ran says whether so many processes behind hooks came to their end.
func ran(n int) func(tx *store.Tx) (bool, error) {
	return func(tx *store.Tx) (bool, error) {
		runs, err := sessions.In(tx).ListHookRuns(1000)
		runs = slices.DeleteFunc(runs, func(r sessions.Run) bool { return r.Event != "capture" })
		return len(runs) >= n, err
	}
}

func TestASessionStartsWithWhatTheLastOneSaid(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	folder := filepath.Join(h.folder, ".claude", "projects", "-srv-bakery")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	event := func(session, name, more string) string {
		return fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":"/srv/bakery","hook_event_name":%q%s}`, session, filepath.Join(folder, session+".jsonl"), name, more)
	}
	if printed := h.hook(event("s1", "SessionStart", `,"source":"startup"`)); printed != "" {
		t.Errorf("without a past it prints %q", printed)
	}
	h.until(ran(1)) // the database is there
	said := `{"type":"user","uuid":"u1","sessionId":"s1","timestamp":"2026-03-01T10:00:00Z","cwd":"/srv/bakery","message":{"content":"We use rye flour from now on."}}` + "\n"
	testenv.Write(t, filepath.Join(folder, "s1.jsonl"), said)
	if printed := h.hook(event("s1", "Stop", `,"last_assistant_message":"Rye it is."`)); printed != "" {
		t.Errorf("Stop prints %q, with which the turn would go on", printed)
	}
	h.until(func(tx *store.Tx) (bool, error) {
		list, err := memory.In(tx).Dialogues(memory.DialogueFilter{SessionID: "claude-code/s1", Speaker: "user", Limit: 1})
		return len(list) == 1, err
	})
	if printed := h.hook(event("s1", "SessionStart", `,"source":"resume"`)); printed != "" {
		t.Errorf("a resumed session is briefed: %q", printed)
	}
	if printed := h.hook(event("s2", "SessionStart", `,"source":"startup"`)); !strings.Contains(printed, "We use rye flour from now on.") {
		t.Errorf("the next session begins with %q", printed)
	}
	h.until(ran(4))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestAHookNeverFails(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "config.toml")
	testenv.Write(t, broken, "db = [\n")
	foreign := filepath.Join(t.TempDir(), "toolkit.db")
	testenv.Write(t, foreign, strings.Repeat("not a database ", 400))
	tests := map[string]struct {
		input string
		args  []string
		env   string
	}{
		"no input":                   {"", []string{"Stop"}, ""},
		"garbage":                    {"\x00\xff{", []string{"Stop"}, ""},
		"a flag of a later version":  {"{}", []string{"Stop", "--sooner", "-x"}, ""},
		"a value where none belongs": {"{}", []string{"Stop", "--log-level", "loud"}, ""},
		"a client of a later one":    {"{}", []string{"Stop", "--client", "someone"}, ""},
		"a broken configuration":     {"{}", []string{"Stop"}, "TOOLKIT_CONFIG=" + broken},
		"a file that is no database": {`{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"Hi"}`, []string{"--db", foreign}, ""},
		"a folder in its place":      {`{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"Hi"}`, []string{"--db", t.TempDir()}, ""},
		"a patience of no number":    {`{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"Hi"}`, nil, "TOOLKIT_PATIENCE=much"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			cmd := program(t, append([]string{"hook", "--db", filepath.Join(t.TempDir(), "toolkit.db")}, tc.args...)...)
			var out strings.Builder
			cmd.Env = append(cmd.Env, tc.env)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(tc.input), &out, &out
			if err := cmd.Run(); err != nil || out.Len() > 0 {
				t.Errorf("%v, prints %q", err, out.String())
			}
		})
	}
}

func TestHooksDoNothingWhereTheyAreSwitchedOff(t *testing.T) {
	for _, value := range []string{"0", "false", "perhaps"} {
		db := emptyDatabase(t)
		cmd := program(t, "hook", "--db", db)
		cmd.Env = append(cmd.Env, "TOOLKIT_HOOKS="+value)
		cmd.Stdin = strings.NewReader(`{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"Hi"}`)
		if err := cmd.Run(); err != nil {
			t.Error(err)
		}
		storetest.Read(t, storetest.Open(t, db), func(tx *store.Tx) error {
			if runs, err := sessions.In(tx).ListHookRuns(1); len(runs) > 0 || err != nil {
				t.Errorf("TOOLKIT_HOOKS=%s: %+v, %v", value, runs, err)
			}
			return nil
		})
	}
}

// While another process writes, hooks give up; the next one stores what they heard,
// and forgetting finds it, too.
func TestHooksSpoolPromptsWhileAnotherProcessWrites(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	db := storetest.Open(t, h.db)
	const prompts = 4
	storetest.Write(t, db, func(*store.Tx) error {
		var all sync.WaitGroup
		for i := range prompts {
			all.Go(func() {
				cmd := program(t, "hook", "UserPromptSubmit", "--db", h.db)
				cmd.Env = append(cmd.Env, "TOOLKIT_PATIENCE=5") // enough to read the input
				cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s%d","cwd":"/srv/bakery","prompt":"Which flour, ZEBRA %d?"}`, i, i))
				if err := cmd.Run(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		return nil
	})
	if out, _, _ := run(t, "", "doctor", "--db", h.db); !strings.Contains(out, fmt.Sprintf("%d turns that were heard wait", prompts)) {
		t.Errorf("the doctor says %s", out)
	}
	if out, errs, code := run(t, "", "forget", "ZEBRA 0", "--yes", "--db", h.db); code != exitOK || !strings.Contains(out, "forgotten for good") {
		t.Errorf("what waits is not found to be forgotten: %s%s", out, errs)
	}
	h.hook(`{"session_id":"s9","cwd":"/srv/bakery","hook_event_name":"UserPromptSubmit","prompt":"Which salt?"}`)
	storetest.Read(t, db, func(tx *store.Tx) error {
		list, err := memory.In(tx).Dialogues(memory.DialogueFilter{Limit: 100})
		if len(list) != prompts {
			t.Errorf("%d turns are stored: %+v", len(list), list)
		}
		return err
	})
}
