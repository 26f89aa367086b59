package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/capture"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/store"
	memoryrows "toolkit/store/memory"
	"toolkit/tools/memory"
	"toolkit/tools/recall"
)

// really has a bench store what it hears, except while failing says why not.
func really(b *bench) (failing *error) {
	failing = new(error)
	b.StoreTurn = func(ctx context.Context, c *capture.Capture, h capture.HookTurn) error {
		if *failing != nil {
			return *failing
		}
		return c.StoreHookTurn(ctx, h)
	}
	return failing
}

// said is what dialogue holds, in order.
func (b *bench) said() string {
	b.Helper()
	db := storetest.Open(b.T, b.Database)
	defer db.Close()
	list := storetest.ReadValue(b, db, func(tx *store.Tx) ([]memoryrows.Dialogue, error) {
		return memoryrows.In(tx).Dialogues(memoryrows.DialogueFilter{Oldest: true, Limit: 100})
	})
	var texts []string
	for _, d := range list {
		texts = append(texts, d.Content)
	}
	return strings.Join(texts, "; ")
}

func answer(session, text string) string {
	return fmt.Sprintf(`{"session_id":%q,"cwd":"/srv/bakery","hook_event_name":"Stop","last_assistant_message":%q}`, session, text)
}

func TestSpooledTurnIsStoredByLaterRun(t *testing.T) {
	for name, fault := range map[string]error{"busy": store.ErrBusy, "too slow": context.DeadlineExceeded, "ended": context.Canceled, "full": store.ErrFull} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			failing := really(b)
			*failing = fault
			b.send(prompt("s1", "Which flour? password: plumcake77"))
			b.send(answer("s1", "Rye <private>for Ann</private> flour."))
			files := listSpooledTurns(b.Database)
			if len(files) != 2 || b.said() != "" {
				t.Fatalf("%q waits, stored is %q", files, b.said())
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				info, fault := os.Stat(file)
				if err != nil || fault != nil || strings.Contains(string(text), "plumcake") || strings.Contains(string(text), "Ann") || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
					t.Errorf("%v, %v, %v: %s", err, fault, info.Mode(), text)
				}
			}
			kept := map[string][]byte{}
			for _, file := range files {
				kept[file], _ = os.ReadFile(file)
			}
			*failing = nil
			b.send(prompt("s1", "And salt?"))
			want := b.said()
			if strings.Count(want, ";") != 2 || !strings.HasPrefix(want, "Which flour? ") || len(listSpooledTurns(b.Database)) > 0 {
				t.Errorf("stored is %q, %q wait", want, listSpooledTurns(b.Database))
			}
			for file, text := range kept { // as if a run had been killed after it stored them
				testenv.Write(t, file, text)
			}
			b.Event, b.Client = BackgroundEvent, string(transcripts.ClaudeCode)
			if b.run(t.Context()); b.said() != want || len(listSpooledTurns(b.Database)) > 0 {
				t.Errorf("taken up twice: %q", b.said())
			}
		})
	}
}

func TestLongSpooledTurnIsStoredAsSpooled(t *testing.T) {
	b, other := newBench(t), newBench(t)
	really(other)
	failing := really(b)
	*failing = store.ErrBusy
	long := answer("s1", strings.Repeat("rye flour and salt ", 50_000))
	b.send(long)
	*failing = nil
	b.send(answer("s1", "Baked."))
	other.send(long)
	other.send(answer("s1", "Baked."))
	if got, want := b.said(), other.said(); got != want {
		t.Errorf("%d bytes, not %d: …%q", len(got), len(want), got[max(0, len(got)-100):])
	}
}

func TestDisabledTurnIsNotSpooled(t *testing.T) {
	b := newBench(t)
	*really(b) = store.ErrBusy
	makes := b.Capture
	b.Capture = func(db *store.DB, search *memory.Search) *capture.Capture {
		c := makes(db, search)
		c.Off = func(transcripts.Client, *transcripts.Project) bool { return true }
		return c
	}
	if b.send(prompt("s1", "Which flour?")); databaseExists(b.Database + store.SpoolFolder) {
		t.Error("it waits")
	}
}

func TestPromptIsStoredWhenRecallPanics(t *testing.T) {
	b := newBench(t)
	really(b)
	b.Recall = func(context.Context, *store.DB, recall.PromptRequest) (recall.Injection, error) { panic("plumcake") }
	b.send(prompt("s1", "Which flour?"))
	b.Event, b.Client = BackgroundEvent, string(transcripts.ClaudeCode)
	if b.run(t.Context()); b.said() != "Which flour?" {
		t.Errorf("stored is %q", b.said())
	}
}

func TestSpoolMakesNoFolderBesideAForeignFile(t *testing.T) {
	b := newBench(t)
	really(b)
	b.Database = filepath.Join(t.TempDir(), "notes.db")
	testenv.Write(t, b.Database, strings.Repeat("not a database ", 400))
	if b.send(prompt("s1", "Which flour?")); databaseExists(b.Database + store.SpoolFolder) {
		t.Error("it got one")
	}
}

func TestSpoolKeepsAtMostItsLimit(t *testing.T) {
	b := newBench(t)
	*really(b) = store.ErrBusy
	folder := b.Database + store.SpoolFolder
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range maxSpooledTurns {
		testenv.Write(t, filepath.Join(folder, fmt.Sprintf("%d.json", i)), "{}")
	}
	b.send(prompt("s1", "Which flour?"))
	if runs := readLog(b.Database); len(listSpooledTurns(b.Database)) != maxSpooledTurns || len(runs)+len(b.runs()) != 1 {
		t.Errorf("%d wait, %+v", len(listSpooledTurns(b.Database)), runs)
	}
}

func TestSpooledTurnIsRedactedAgain(t *testing.T) {
	b := newBench(t)
	really(b)
	folder := b.Database + store.SpoolFolder
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{
		`{"Client":"evil","Session":"s","Speaker":"user","Text":"one","Aside":{}}`, `{"Client":"codex","Session":"s","Speaker":"root","Text":"two","Aside":{}}`, `{"Client":"codex","Speaker":"user","Text":"three","Aside":{}}`,
		`{"Client":"codex","Session":"s","Speaker":"user","Text":"my password is plumcake77","Aside":{}}`,
	} {
		testenv.Write(t, filepath.Join(folder, fmt.Sprint(i, ".json")), text)
	}
	b.send(prompt("s1", "Which flour?"))
	if got := b.said(); got != "Which flour?; my password is [redacted: password]" || len(listSpooledTurns(b.Database)) > 0 {
		t.Errorf("stored is %q, %q waits", got, listSpooledTurns(b.Database))
	}
}

func TestSpoolLeavesAHardLinkedFileUnchanged(t *testing.T) {
	b := newBench(t)
	really(b)
	theirs, folder := filepath.Join(t.TempDir(), "notes.txt"), b.Database+store.SpoolFolder
	if err := errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(theirs, []byte("plumcake"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(theirs, filepath.Join(folder, "1.json")); err != nil || os.PathSeparator != '/' {
		t.Skip("no second names here: ", err)
	}
	b.send(prompt("s1", "Which flour?"))
	if text, err := os.ReadFile(theirs); err != nil || string(text) != "plumcake" || len(listSpooledTurns(b.Database)) > 0 {
		t.Errorf("%q, %v, %q waits", text, err, listSpooledTurns(b.Database))
	}
}

func TestSpoolWritesNothingThroughALink(t *testing.T) {
	b := newBench(t)
	*really(b) = store.ErrBusy
	theirs := t.TempDir()
	if err := os.Symlink(theirs, b.Database+store.SpoolFolder); err != nil {
		t.Skip("no links here: ", err)
	}
	b.send(prompt("s1", "Which flour?"))
	if entries, err := os.ReadDir(theirs); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestHealthCountsSpooledTurnsAndPastFailures(t *testing.T) {
	b := newBench(t)
	failing := really(b)
	for i, fault := range []error{store.ErrBusy, nil, store.ErrBusy, errors.New("plumcake"), nil} {
		*failing = fault
		b.send(prompt("s1", fmt.Sprint("Which flour? ", i)))
	}
	*failing = store.ErrBusy
	b.StoreTurn = func(context.Context, *capture.Capture, capture.HookTurn) error { return store.ErrBusy }
	b.send(prompt("s1", "And salt?"))
	db := storetest.Open(t, b.Database)
	defer db.Close()
	h, err := store.ReadValue(t.Context(), db, func(tx *store.Tx) (Health, error) { return ReadHealth(tx, b.Database) })
	if err != nil || h.Failures != 1 || h.Recent != 4 || h.Spooled != 1 || h.Reason != "the database was busy" || h.IsFailing() {
		t.Errorf("%+v, %v", h, err)
	}
	var waits capture.HookTurn
	text, err := os.ReadFile(listSpooledTurns(b.Database)[0])
	if err != nil || json.Unmarshal(text, &waits) != nil || waits.Text != "And salt?" {
		t.Errorf("%s, %v", text, err)
	}
}

func TestHealthCountsPromptsForWhichNothingCouldBeRecalled(t *testing.T) {
	b := newBench(t)
	b.Recall = func(context.Context, *store.DB, recall.PromptRequest) (recall.Injection, error) {
		return recall.Injection{}, context.DeadlineExceeded
	}
	b.send(prompt("s1", "Which flour?"))
	b.send(answer("s1", "Rye."))
	db := storetest.Open(t, b.Database)
	defer db.Close()
	h, err := store.ReadValue(t.Context(), db, func(tx *store.Tx) (Health, error) { return ReadHealth(tx, b.Database) })
	if err != nil || h.Unhelped != 1 || h.Recent != 0 {
		t.Errorf("%+v, %v", h, err)
	}
}
