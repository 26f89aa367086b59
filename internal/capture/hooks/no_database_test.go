package hooks

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/capture"
	"toolkit/internal/capture/transcripts"
	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/tools/memory"
)

func TestHookWithoutDatabaseSpoolsWhatWasSaid(t *testing.T) {
	missing := `,"transcript_path":"/nowhere/s1.jsonl"}`
	for name, tc := range map[string]struct {
		events []string
		want   string
	}{
		"prompt":            {[]string{prompt("s1", "Which flour? password: plumcake77")}, "Which flour? password: [redacted: password]"},
		"answer":            {[]string{answer("s1", "Rye.")}, "Rye."},
		"no transcript":     {[]string{prompt("s1", "Which flour?"), strings.TrimSuffix(answer("s1", "Rye."), "}") + missing}, "Which flour?; Rye."},
		"start and prompt":  {[]string{start("s1", "startup"), prompt("s1", "Which flour?"), answer("s1", "Rye.")}, "Which flour?; Rye."},
		"answer of Gemini":  {[]string{`{"session_id":"g","cwd":"/srv/bakery","hook_event_name":"AfterAgent","prompt_response":"Rye."}`}, "Rye."},
		"prompt and secret": {[]string{prompt("s1", "Salt <private>for Ann</private> please")}, "Salt [redacted: private] please"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			really(b)
			b.Database = filepath.Join(t.TempDir(), "none", "toolkit.db")
			for _, event := range tc.events {
				if printed := b.send(event); printed != "" || databaseExists(b.Database) {
					t.Errorf("%s: it prints %q", event, printed)
				}
			}
			if len(b.detached) == 0 {
				t.Error("nobody makes the database")
			}
			for _, file := range listSpooledTurns(b.Database) {
				text, err := os.ReadFile(file)
				info, fault := os.Stat(file)
				if errors.Join(err, fault) != nil || strings.Contains(string(text), "plumcake") || strings.Contains(string(text), "Ann") || os.PathSeparator == '/' && info.Mode().Perm() != 0o600 {
					t.Errorf("%v, %v: %s", err, fault, text)
				}
			}
			b.Event, b.Client = BackgroundEvent, string(transcripts.ClaudeCode)
			if b.run(t.Context()); b.said() != tc.want || len(listSpooledTurns(b.Database)) > 0 {
				t.Errorf("stored is %q, want %q; %d wait", b.said(), tc.want, len(listSpooledTurns(b.Database)))
			}
		})
	}
}

func TestHookWithoutDatabaseKeepsNothingWhereCaptureIsOff(t *testing.T) {
	b := newBench(t)
	b.Database = filepath.Join(t.TempDir(), "none", "toolkit.db")
	makes := b.Capture
	b.Capture = func(db *store.DB, search *memory.Search) *capture.Capture {
		c := makes(db, search)
		c.Off = func(transcripts.Client, *transcripts.Project) bool { return true }
		return c
	}
	b.send(prompt("s1", "Which flour?"))
	b.send(answer("s1", "Rye."))
	if databaseExists(filepath.Dir(b.Database)) || len(b.detached) > 0 {
		t.Errorf("something was kept, %q", b.detached)
	}
}

func TestAnswerWithoutTranscriptIsStoredOrRecordedAsError(t *testing.T) {
	const stop = `{"session_id":"s1","cwd":"/srv/bakery/worktree","hook_event_name":"Stop","transcript_path":"/nowhere/s1.jsonl"`
	for name, tc := range map[string]struct {
		event, said, fault string
	}{
		"the event holds it": {stop + `,"last_assistant_message":"Rye."}`, "Rye.", ""},
		"nothing holds it":   {stop + `}`, "", errNoAnswer.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			really(b)
			b.send(tc.event)
			if runs := b.runs(); b.said() != tc.said || len(runs) != 1 || runs[0].Error != tc.fault {
				t.Errorf("stored is %q, runs are %+v", b.said(), runs)
			}
		})
	}
}

// Claude Code names a file in the folder of the worktree and writes in another one.
func TestTranscriptOfWorktreeIsFoundInFolderOfItsSession(t *testing.T) {
	b := newBench(t)
	really(b)
	place := filepath.Join(b.Home, ".claude", "projects", "-srv-bakery")
	if err := errors.Join(os.MkdirAll(place, 0o700), os.WriteFile(filepath.Join(place, "s1.jsonl"), []byte(transcriptLine("s1", "Use rye")), 0o600)); err != nil {
		t.Fatal(err)
	}
	named := filepath.Join(localfile.ResolveLinks(filepath.Dir(place)), "-srv-bakery-worktree", "s1.jsonl")
	b.send(`{"session_id":"s1","cwd":"/srv/bakery","hook_event_name":"Stop","transcript_path":"` + filepath.ToSlash(named) + `"}`)
	if runs := b.runs(); len(runs) != 1 || runs[0].Error != "" {
		t.Errorf("runs are %+v", runs)
	}
	b.Event, b.Client, b.Transcript = BackgroundEvent, string(transcripts.ClaudeCode), named
	if b.run(t.Context()); b.said() != "Use rye" {
		t.Errorf("stored is %q", b.said())
	}
}
