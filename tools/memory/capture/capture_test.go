package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolkit/embed"
	"toolkit/store"
	"toolkit/store/captures"
	"toolkit/store/memories"
	"toolkit/tools/engines/retrieval"
	"toolkit/tools/memory"
	"toolkit/tools/memory/transcripts"
)

// bench is a database and a home with transcripts in it.
type bench struct {
	*testing.T
	*Capture
	search *memory.Search
	db     string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{T: t, db: filepath.Join(t.TempDir(), "toolkit.db")}
	db, err := store.Open(t.Context(), store.Options{Path: b.db})
	if err != nil {
		t.Fatal(err)
	}
	b.search = memory.NewSearch(db, embed.Local())
	t.Cleanup(func() {
		b.search.Close()
		db.Close()
	})
	b.Capture = &Capture{Store: db, Search: b.search, Home: t.TempDir()}
	return b
}

// said is a line of Claude Code.
func said(id, session, speaker, text string) string {
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"sessionId":%q,"timestamp":"2026-03-01T10:00:00Z","cwd":"/srv/shop","message":{"content":%q}}`, speaker, id, session, text) + "\n"
}

func (b *bench) put(name, content string) string {
	b.Helper()
	path := filepath.Join(b.Home, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

func (b *bench) capture(path string) *Result {
	b.Helper()
	f, err := transcripts.Recognize(path)
	if err != nil {
		b.Fatal(err)
	}
	r, err := b.File(b.Context(), f)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// stored is all dialogue, oldest row first.
func (b *bench) stored() (texts []string) {
	b.Helper()
	list, err := store.ReadValue(b.Context(), b.Store, func(tx *store.Tx) ([]memories.Dialogue, error) {
		return memories.In(tx).Dialogues(memories.DialogueFilter{Oldest: true, Limit: 10_000})
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, d := range list {
		texts = append(texts, d.SessionID+" "+d.Speaker+": "+d.Content)
	}
	return texts
}

func (b *bench) expect(want ...string) {
	b.Helper()
	if diff := cmp.Diff(want, b.stored()); diff != "" {
		b.Error(diff)
	}
}

func TestWhatWasSaidIsFoundBySearch(t *testing.T) {
	b := newBench(t)
	r := b.capture(b.put("s.jsonl", said("1", "s", "user", "Which assertion library do we use?")+said("2", "s", "assistant", "We use testify for assertions.")))
	if r.Turns != 2 || r.Sessions["claude-code/s"] != 2 || r.Projects["shop"] != 2 || r.Error != "" {
		t.Errorf("%+v", r)
	}
	found, err := b.search.Search(t.Context(), memory.Query{Text: "testify assertions", TopK: 3, Weights: retrieval.DefaultWeights, Sources: []memories.Source{memories.SourceDialogue}})
	if err != nil || len(found.Hits) == 0 || found.Hits[0].Row.Content != "We use testify for assertions." {
		t.Errorf("%+v, %v", found.Hits, err)
	}
}

func TestCapturingAgainAddsNothing(t *testing.T) {
	b := newBench(t)
	content := said("1", "s", "user", "one") + said("2", "s", "assistant", "two")
	path := b.put("s.jsonl", content)
	b.capture(path)
	if r := b.capture(path); r.Turns != 0 || r.Bytes != 0 {
		t.Errorf("again: %+v", r)
	}
	// A compaction or a resumed session writes the same messages into another file.
	if r := b.capture(b.put("other.jsonl", strings.ReplaceAll(content, `"s"`, `"resumed"`)+said("3", "resumed", "user", "three"))); r.Turns != 1 || r.Known != 2 {
		t.Errorf("resumed: %+v", r)
	}
	b.expect("claude-code/s user: one", "claude-code/s assistant: two", "claude-code/resumed user: three")
}

func TestASessionThatGrowsIsReadOn(t *testing.T) {
	b := newBench(t)
	first := said("1", "s", "user", "one")
	path := b.put("s.jsonl", first+`{"type":"assistant","uu`)
	b.capture(path)
	b.put("s.jsonl", first+said("2", "s", "assistant", "two"))
	if r := b.capture(path); r.Turns != 1 || r.Known != 0 || r.Bad != 0 {
		t.Errorf("grown: %+v", r)
	}
	b.put("s.jsonl", said("9", "t", "user", "new")) // shrunk, by another session
	if r := b.capture(path); r.Turns != 1 {
		t.Errorf("replaced: %+v", r)
	}
	b.expect("claude-code/s user: one", "claude-code/s assistant: two", "claude-code/t user: new")
}

// However often it is ended, nothing is lost and nothing comes twice.
func TestACaptureThatWasEndedGoesOn(t *testing.T) {
	b := newBench(t)
	var content strings.Builder
	var want []string
	for n := range 3*batch + 7 {
		content.WriteString(said(fmt.Sprint(n), "s", "user", fmt.Sprint("turn ", n)))
		want = append(want, fmt.Sprint("claude-code/s user: turn ", n))
	}
	f, err := transcripts.Recognize(b.put("s.jsonl", content.String()))
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	for {
		ctx, cancel := context.WithCancel(t.Context())
		b.Progress = func(int64) { cancel() }
		_, err := b.File(ctx, f)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if ended++; ended > 10 {
			t.Fatal("it does not get on")
		}
	}
	if ended == 0 {
		t.Error("it was never ended")
	}
	b.expect(want...)
}

func TestSecretsAreNeverStored(t *testing.T) {
	b := newBench(t)
	secret := "Zwetschgen77"
	lines := said("1", "s", "user", "my password is "+secret+" ok") + said("2", "s", "user", "<private>"+secret+"</private> rest") +
		`{"type":"assistant","uuid":"3","sessionId":"s","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"mysql --password=` + secret + ` shop"}},{"type":"text","text":"Done"}]}}` + "\n"
	if r := b.capture(b.put("s.jsonl", lines)); r.Turns != 3 || r.Redacted["password"] != 2 || r.Redacted["private"] != 1 {
		t.Errorf("%+v", r)
	}
	b.expect("claude-code/s user: my password is [redacted: password] ok", "claude-code/s user: [redacted: private] rest", "claude-code/s assistant: Done")
	for _, name := range []string{b.db, b.db + "-wal"} {
		raw, err := os.ReadFile(name)
		if err != nil || bytes.Contains(bytes.ToLower(raw), []byte(strings.ToLower(secret))) {
			t.Errorf("%s holds the secret, or: %v", filepath.Base(name), err)
		}
	}
}

func TestWhatWasForgottenDoesNotComeBack(t *testing.T) {
	b := newBench(t)
	content := said("1", "s", "user", "I live in Zwetschgen Lane") + said("2", "s", "user", "Hello")
	b.capture(b.put("s.jsonl", content))
	keeper := memory.Keeper()
	err := b.Store.Forget(t.Context(), func(tx *store.Tx) error {
		rows, err := keeper.Find(tx, "session", "claude-code/s") // with the file that is named after it
		if err != nil || len(rows) != 4 {
			return fmt.Errorf("%v, %w", rows, err)
		}
		return keeper.Forget(tx, rows)
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := b.capture(b.put("copy.jsonl", content)); r.Turns != 0 || r.Known != 2 {
		t.Errorf("%+v", r)
	}
	b.expect()
}

func TestAProjectIsForgottenWithItsSessions(t *testing.T) {
	b := newBench(t)
	b.capture(b.put("s.jsonl", said("1", "s", "user", "one")+strings.ReplaceAll(said("2", "t", "user", "two"), "/srv/shop", "/srv/bakery")))
	keeper := memory.Keeper()
	err := b.Store.Forget(t.Context(), func(tx *store.Tx) error {
		rows, err := keeper.Find(tx, "project", "shop")
		if err != nil || len(rows) != 4 {
			return fmt.Errorf("%v, %w", rows, err)
		}
		return keeper.Forget(tx, rows)
	})
	if err != nil {
		t.Fatal(err)
	}
	b.expect("claude-code/t user: two")
	sessions, err := store.ReadValue(t.Context(), b.Store, func(tx *store.Tx) ([]captures.Session, error) { return captures.In(tx).Sessions(0, 10) })
	if err != nil || len(sessions) != 1 || sessions[0].ID != "claude-code/t" {
		t.Errorf("%+v, %v", sessions, err)
	}
}

func TestAForkBringsOnlyWhatItsParentDoesNotHave(t *testing.T) {
	b := newBench(t)
	event := func(at, kind, text string) string {
		return fmt.Sprintf(`{"timestamp":"2026-03-02T09:00:%sZ","type":"event_msg","payload":{"type":%q,"message":%q}}`, at, kind, text) + "\n"
	}
	parent := `{"timestamp":"2026-03-02T09:00:00Z","type":"session_meta","payload":{"id":"p","cwd":"/srv/shop"}}` + "\n"
	fork := `{"timestamp":"2026-03-02T10:00:00Z","type":"session_meta","payload":{"id":"f","forked_from_id":"p","cwd":"/srv/shop"}}` + "\n"
	b.capture(b.put("rollout-1.jsonl", parent+event("01", "user_message", "question")+event("02", "agent_message", "answer")))
	b.capture(b.put("rollout-2.jsonl", fork+parent+event("30", "user_message", "question")+event("30", "agent_message", "answer")+event("40", "user_message", "another")))
	b.expect("codex/p user: question", "codex/p assistant: answer", "codex/f user: another")
}

func TestADryRunSaysTheSameAndWritesNothing(t *testing.T) {
	b := newBench(t)
	path := b.put("s.jsonl", said("1", "s", "user", "one")+said("1", "s", "user", "one")+said("2", "s", "assistant", "token AKIA"))
	b.DryRun = true
	dry := b.capture(path)
	b.expect()
	b.DryRun = false
	if diff := cmp.Diff(b.capture(path), dry); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsWrongWithAFileIsKeptAndTold(t *testing.T) {
	b := newBench(t)
	r := b.capture(b.put("s.jsonl", said("1", "s", "user", "one")+"broken\n"+said("2", "s", "user", "two")))
	if r.Turns != 2 || r.Bad != 1 || len(r.Problems) != 1 {
		t.Errorf("%+v", r)
	}
	if r := b.capture(b.put("x.zip", "PK\x03\x04 cut off")); r.Error == "" {
		t.Errorf("%+v", r)
	}
	gone, err := b.File(t.Context(), transcripts.File{Path: filepath.Join(b.Home, "gone.jsonl")})
	if err != nil || gone.Error == "" || strings.Contains(gone.Error, b.Home) {
		t.Errorf("%+v, %v", gone, err)
	}
	sources, err := store.ReadValue(t.Context(), b.Store, func(tx *store.Tx) ([]captures.Source, error) { return captures.In(tx).Sources() })
	if err != nil || len(sources) != 2 || sources[0].LastError == "" || sources[1].Turns != 2 || sources[1].Bad != 1 {
		t.Errorf("%+v, %v", sources, err)
	}
}

func TestSummariesOfCompactionsAreNotDialogueButMarkTheirPlace(t *testing.T) {
	b := newBench(t)
	one, summary, two := said("1", "s", "user", "one"), said("2", "s", "user", "This session is being continued from another: one"), said("3", "s", "assistant", "two")
	for _, file := range []string{one + summary, one + summary + two} { // a reading often ends at a summary
		b.capture(b.put("s.jsonl", file))
	}
	list, err := store.ReadValue(t.Context(), b.Store, func(tx *store.Tx) ([]memories.Dialogue, error) {
		return memories.In(tx).Dialogues(memories.DialogueFilter{Oldest: true, Limit: 10})
	})
	if err != nil || len(list) != 2 {
		t.Fatalf("%d turns, %v", len(list), err)
	}
	for i, want := range []bool{true, false} {
		if got := strings.Contains(string(list[i].Metadata), `"compacted":true`); got != want {
			t.Errorf("%s: marked %v", list[i].Content, got)
		}
	}
}

func TestALongTurnIsCutAndSaysSo(t *testing.T) {
	b := newBench(t)
	b.capture(b.put("s.jsonl", said("1", "s", "user", "log: "+strings.Repeat("é", mostText))))
	if got := b.stored()[0]; !strings.HasSuffix(got, "more bytes]") || len(got) > mostText+100 {
		t.Errorf("%d bytes, %.40q", len(got), got)
	}
}

func TestWhatWasDoneIsAFactOfTheTurn(t *testing.T) {
	b := newBench(t)
	b.capture(b.put("s.jsonl", `{"type":"assistant","uuid":"3","sessionId":"s","gitBranch":"dev","cwd":"/srv/shop","timestamp":"2026-03-01T10:00:00Z","message":{"content":[{"type":"tool_use","name":"Edit","input":{"file_path":"a.go"}},{"type":"text","text":"Done"}]}}`+"\n"))
	list, err := store.ReadValue(t.Context(), b.Store, func(tx *store.Tx) ([]memories.Dialogue, error) {
		return memories.In(tx).Dialogues(memories.DialogueFilter{Limit: 1})
	})
	if err != nil {
		t.Fatal(err)
	}
	var f facts
	if err := json.Unmarshal(list[0].Metadata, &f); err != nil {
		t.Fatal(err)
	}
	want := facts{Date: "2026-03-01T10:00:00Z", Client: "claude-code", Message: "3", Project: "shop", Branch: "dev", Files: []string{"a.go"}}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Error(diff)
	}
}
