package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolkit/embed"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/search"
	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/store"
	memoryrows "toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools/memory"
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
	db := storetest.Open(t, b.db)
	b.search = memory.NewSearch(db, embed.Off())
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
	testenv.Write(b, path, content)
	return path
}

// source is what the store knows of a file.
func (b *bench) source(path string) sessions.Source {
	b.Helper()
	file, id, err := transcripts.File{Path: path}.Open()
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	s := storetest.ReadValue(b, b.Store, func(tx *store.Tx) (sessions.Source, error) { return sessions.In(tx).SourceByIdentity(id.Name) })
	return s
}

func (b *bench) capture(path string) *Result {
	b.Helper()
	f, err := transcripts.RecognizeFile(path)
	if err != nil {
		b.Fatal(err)
	}
	r, err := b.CaptureFile(b.Context(), f)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// stored is all dialogue, oldest row first.
func (b *bench) stored() (texts []string) {
	b.Helper()
	list := storetest.ReadValue(b, b.Store, func(tx *store.Tx) ([]memoryrows.Dialogue, error) {
		return memoryrows.In(tx).Dialogues(memoryrows.DialogueFilter{Oldest: true, Limit: 10_000})
	})
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
	found, err := b.search.Search(t.Context(), memory.Query{Text: "testify assertions", TopK: 3, Weights: search.DefaultWeights, Sources: []memoryrows.Source{memoryrows.SourceDialogue}})
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

func TestWhatTheUserDecidesInADialogIsStoredOnceAsHisTurn(t *testing.T) {
	b := newBench(t)
	line := func(id, speaker, blocks, more string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":%q,"sessionId":"s","timestamp":"2026-03-01T10:00:00Z","cwd":"/srv/shop","message":{"content":[%s]}%s}`, speaker, id, blocks, more) + "\n"
	}
	lines := []string{
		said("1", "s", "user", "one"),
		line("2", "assistant", `{"type":"tool_use","id":"q","name":"AskUserQuestion","input":{}}`, ""),
		line("3", "user", `{"type":"tool_result","tool_use_id":"q","content":"User has answered your questions: \"Which database?\"=\"Postgres\"."}`, `,"toolUseResult":{"questions":[{"question":"Which database?"}],"answers":{"Which database?":"Postgres <private>for Ulla</private>"}}`),
		line("4", "assistant", `{"type":"tool_use","id":"p","name":"Bash","input":{"command":"git push -f"}}`, ""),
		line("5", "user", `{"type":"tool_result","tool_use_id":"p","is_error":true,"content":"The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nWe decided to use SQLite for the billing."}`, `,"toolUseResult":"User rejected tool use"`),
		said("6", "s", "assistant", "two"),
	}
	content := ""
	for _, l := range lines {
		content += l
		b.capture(b.put("s.jsonl", content))
	}
	b.capture(b.put("copy.jsonl", content))
	b.expect("claude-code/s user: one", "claude-code/s user: Which database? Postgres [redacted: private]", "claude-code/s user: We decided to use SQLite for the billing.", "claude-code/s assistant: two")
	if diff := cmp.Diff([]string{"We decided to use SQLite for the billing"}, b.insights()); diff != "" {
		t.Error(diff)
	}
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
	for n := range testenv.Choose(1, 3)*batchTurns + 7 {
		content.WriteString(said(fmt.Sprint(n), "s", "user", fmt.Sprint("turn ", n)))
		want = append(want, fmt.Sprint("claude-code/s user: turn ", n))
	}
	f, err := transcripts.RecognizeFile(b.put("s.jsonl", content.String()))
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	for {
		ctx, cancel := context.WithCancel(t.Context())
		b.Progress = func(int64) { cancel() }
		_, err := b.CaptureFile(ctx, f)
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
	storetest.SkipUnlessSQLite(t, "its file is read or changed by hand")
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

func TestSecretsInNamesAreNeverStored(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "its file is read or changed by hand")
	b := newBench(t)
	key := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	line := func(command string) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":"3","sessionId":"s","gitBranch":"fix/%[1]s","cwd":"/srv/%[1]s","message":{"content":[{"type":"tool_use","name":"Write","input":{"file_path":"/srv/%[1]s.txt"}},`+
			`{"type":"tool_use","name":"Write","input":{"file_path":"/srv/<private>Zwetschge</private>.txt"}},{"type":"tool_use","name":"Bash","input":{"command":%[2]q}},{"type":"text","text":"Done"}]}}`, key, command) + "\n"
	}
	b.capture(b.put(key+".jsonl", line(strings.Repeat("y ", 85)+key)))
	b.capture(b.put("long.jsonl", strings.Replace(line(strings.Repeat("y ", 33<<10-16)+key), `"3"`, `"4"`, 1)))
	for _, name := range []string{b.db, b.db + "-wal"} {
		raw, err := os.ReadFile(name)
		if err != nil || bytes.Contains(raw, []byte(key[:12])) || bytes.Contains(raw, []byte("Zwetschge")) {
			t.Errorf("%s holds the secret, or: %v", filepath.Base(name), err)
		}
	}
	b.expect("claude-code/s assistant: Done", "claude-code/s assistant: Done")
}

// However the file is read and whoever told of it first.
func TestWhatIsMarkedPrivateStaysOutUntilItIsClosed(t *testing.T) {
	lines := []string{
		said("1", "s", "user", "begin <private>Zwetschge"), said("2", "s", "assistant", "A Zwetschge! </private>"), said("3", "other", "user", "in between"),
		said("4", "s", "user", "Zwetschge </private> end"), said("5", "s", "assistant", "The mark is <private> I think"), said("6", "s", "user", "more"),
	}
	want := []string{"claude-code/s user: begin [redacted: private]", "claude-code/s assistant: [redacted: private]", "claude-code/other user: in between",
		"claude-code/s user: [redacted: private] end", "claude-code/s assistant: The mark is [redacted: private]", "claude-code/s user: more"}
	for name, parts := range map[string][]string{"at once": {strings.Join(lines, "")}, "line by line": lines} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			content := ""
			for _, part := range parts {
				content += part
				b.capture(b.put("s.jsonl", content))
			}
			b.expect(want...)
			b.capture(b.put("copy.jsonl", content))
			b.expect(want...)
		})
	}
	t.Run("heard", func(t *testing.T) {
		b := newBench(t)
		b.hear(0, "user", "begin <private>Zwetschge")
		b.hear(1, "assistant", "A Zwetschge! </private>")
		b.capture(b.put("s.jsonl", strings.Join(lines[:2], "")))
		b.hear(2, "user", "Zwetschge </private> end")
		b.expect(want[0], want[1], want[3])
	})
}

func TestImplausibleTimesAreReplacedByFileTime(t *testing.T) {
	b := newBench(t)
	path := b.put("s.jsonl", strings.Replace(said("1", "s", "user", "for ever"), "2026-03-01", "9999-12-31", 1)+strings.Replace(said("2", "s", "user", "long ago"), "2026-03-01", "1999-12-31", 1)+said("3", "s", "user", "then"))
	changed := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(path, changed, changed); err != nil {
		t.Fatal(err)
	}
	b.capture(path)
	for _, d := range b.rows() {
		want := changed
		if d.Content == "then" {
			want = ten
		}
		if !d.At.Equal(want) {
			t.Errorf("%s: %v", d.Content, d.At)
		}
	}
	b.hear(1<<62, "user", "in three hundred years")
	for _, d := range b.rows() {
		if d.At.After(time.Now()) {
			t.Errorf("%s: %v", d.Content, d.At)
		}
	}
}

func TestAMessageThatIsWrittenAgainReplacesWhatItSaid(t *testing.T) {
	b := newBench(t)
	chat := func(text string) string {
		return `{"sessionId":"g","projectHash":"h"}` + "\n" + `{"id":"1","type":"user","timestamp":"2026-03-01T10:00:00Z","content":"What is due?"}` + "\n" +
			fmt.Sprintf(`{"id":"2","type":"gemini","timestamp":"2026-03-01T10:00:01Z","content":%q}`, text) + "\n"
	}
	for _, text := range []string{"The", "The invoice of the bakery"} {
		b.capture(b.put("session-1.jsonl", chat(text)))
	}
	b.expect("gemini-cli/g user: What is due?", "gemini-cli/g assistant: The invoice of the bakery")
	found, err := b.search.Search(t.Context(), memory.Query{Text: "invoice of the bakery", TopK: 3, Weights: search.DefaultWeights, Sources: []memoryrows.Source{memoryrows.SourceDialogue}})
	if err != nil || len(found.Hits) == 0 || found.Hits[0].Row.Content != "The invoice of the bakery" {
		t.Errorf("%+v, %v", found.Hits, err)
	}
	changed := b.rows()[1]
	changed.Content = "The invoice, set right by hand"
	storetest.Write(t, b.Store, func(tx *store.Tx) error { return memoryrows.In(tx).ReplaceDialogue(changed) })
	b.capture(b.put("session-1.jsonl", chat("The invoice of the bakery.")))
	b.expect("gemini-cli/g user: What is due?", "gemini-cli/g assistant: The invoice, set right by hand")
}

func TestAFileThatWasRewrittenBehindItsHeadIsReadAgain(t *testing.T) {
	b := newBench(t)
	var head, old, rewritten strings.Builder
	for n := range 60 {
		line := said(fmt.Sprint(n), "s", "user", fmt.Sprint("turn ", n))
		if n < 40 {
			head.WriteString(line)
		} else {
			old.WriteString(line)
		}
		rewritten.WriteString(said(fmt.Sprint("again", n), "s", "user", fmt.Sprint("another turn ", n)))
	}
	b.capture(b.put("s.jsonl", head.String()+old.String()))
	if r := b.capture(b.put("s.jsonl", head.String()+rewritten.String())); r.Turns != 60 || r.Bad != 0 {
		t.Errorf("%d turns, %d bad", r.Turns, r.Bad)
	}
}

// Whichever is read first, a fork has only what its parent did not say before it.
func TestCaptureStoresOnlyTheNewTurnsOfAFork(t *testing.T) {
	event := func(at, kind, text string) string {
		return fmt.Sprintf(`{"timestamp":"2026-03-02T09:00:%sZ","type":"event_msg","payload":{"type":%q,"message":%q}}`, at, kind, text) + "\n"
	}
	head := func(id, fork string) string {
		return fmt.Sprintf(`{"timestamp":"2026-03-02T09:00:00Z","type":"session_meta","payload":{"id":%q,"forked_from_id":%q,"cwd":"/srv/shop"}}`, id, fork) + "\n"
	}
	repeated := event("30", "user_message", "ok") + event("31", "agent_message", "answer")
	files := map[string][]string{ // each as it grows
		"p": {head("p", "") + event("01", "user_message", "ok") + event("02", "agent_message", "answer"), event("03", "user_message", "the parent goes on")},
		"f": {head("f", "p") + head("p", "") + repeated, event("40", "user_message", "ok") + event("41", "agent_message", "other answer")},
		"g": {head("g", "p") + head("p", "") + repeated, event("42", "user_message", "a second fork")},
		"h": {head("h", "f") + head("f", "p") + repeated + event("50", "user_message", "ok"), event("51", "user_message", "a fork of a fork")},
	}
	want := []string{"codex/f assistant: other answer", "codex/f user: ok", "codex/g user: a second fork", "codex/h user: a fork of a fork",
		"codex/p assistant: answer", "codex/p user: ok", "codex/p user: the parent goes on"}
	for _, order := range []string{"pfgh", "fpgh", "fgph", "pgfh", "gfph"} {
		t.Run(order, func(t *testing.T) {
			b := newBench(t)
			for _, name := range strings.Split(order, "") {
				content := ""
				for _, part := range files[name] {
					content += part
					b.capture(b.put("rollout-"+name+".jsonl", content))
				}
			}
			got := b.stored()
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			found, err := b.search.Search(t.Context(), memory.Query{Text: "answer", TopK: 5, Weights: search.DefaultWeights, Sources: []memoryrows.Source{memoryrows.SourceDialogue}, Filter: memoryrows.Filter{SessionID: "codex/p"}})
			if err != nil || len(found.Hits) == 0 {
				t.Errorf("the parent's answer is not found in its session: %+v, %v", found.Hits, err)
			}
		})
	}
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

func TestCaptureReportsAndStoresProblemsOfAFile(t *testing.T) {
	b := newBench(t)
	half, archive := b.put("s.jsonl", said("1", "s", "user", "one")+"broken\n"+said("2", "s", "user", "two")), b.put("x.zip", "PK\x03\x04 cut off")
	r := b.capture(half)
	if r.Turns != 2 || r.Bad != 1 || len(r.Problems) != 1 {
		t.Errorf("%+v", r)
	}
	if r := b.capture(archive); r.Error == "" {
		t.Errorf("%+v", r)
	}
	gone, err := b.CaptureFile(t.Context(), transcripts.File{Path: filepath.Join(b.Home, "gone.jsonl")})
	if err != nil || gone.Error == "" || strings.Contains(gone.Error, b.Home) {
		t.Errorf("%+v, %v", gone, err)
	}
	if s := b.source(half); s.Turns != 2 || s.Bad != 1 || s.LastError != "" {
		t.Errorf("%+v", s)
	}
	if s := b.source(archive); s.LastError == "" {
		t.Errorf("%+v", s)
	}
}

func TestSummariesOfCompactionsAreNotDialogueButMarkTheirPlace(t *testing.T) {
	b := newBench(t)
	one, summary, two := said("1", "s", "user", "one"), said("2", "s", "user", "This session is being continued from a previous conversation that ran out of context: one"), said("3", "s", "assistant", "two")
	for _, file := range []string{one + summary, one + summary + two} { // a reading often ends at a summary
		b.capture(b.put("s.jsonl", file))
	}
	list, err := store.ReadValue(t.Context(), b.Store, func(tx *store.Tx) ([]memoryrows.Dialogue, error) {
		return memoryrows.In(tx).Dialogues(memoryrows.DialogueFilter{Oldest: true, Limit: 10})
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
	b.capture(b.put("s.jsonl", said("1", "s", "user", "log: "+strings.Repeat("é", maxTextLength))))
	if got := b.stored()[0]; !strings.HasSuffix(got, "more bytes]") || len(got) > maxTextLength+100 {
		t.Errorf("%d bytes, %.40q", len(got), got)
	}
}

func TestFilesAndBranchAreStoredWithATurn(t *testing.T) {
	b := newBench(t)
	b.capture(b.put("s.jsonl", `{"type":"assistant","uuid":"3","sessionId":"s","gitBranch":"dev","cwd":"/srv/shop","timestamp":"2026-03-01T10:00:00Z","message":{"content":[{"type":"tool_use","name":"Edit","input":{"file_path":"a.go"}},{"type":"text","text":"Done"}]}}`+"\n"))
	list := storetest.ReadValue(t, b.Store, func(tx *store.Tx) ([]memoryrows.Dialogue, error) {
		return memoryrows.In(tx).Dialogues(memoryrows.DialogueFilter{Limit: 1})
	})
	var f facts
	toolstest.Decode(t, list[0].Metadata, &f)
	want := facts{Date: "2026-03-01T10:00:00Z", Client: "claude-code", Message: "3", Project: "shop", Branch: "dev", Files: []string{"a.go"}}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Error(diff)
	}
}
