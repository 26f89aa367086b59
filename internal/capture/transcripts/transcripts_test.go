package transcripts

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"toolkit/internal/testenv"

	"github.com/google/go-cmp/cmp"
)

// Small transcripts of each client, made for these tests.
const (
	claudeSession = `{"type":"summary","summary":"Older","leafUuid":"x"}
{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/srv/shop","gitBranch":"main","message":{"role":"user","content":"Use testify for assertions.<system-reminder>be brief</system-reminder>"}}
{"type":"user","isMeta":true,"uuid":"m1","sessionId":"s1","message":{"role":"user","content":"Caveat"}}
{"type":"user","uuid":"c1","sessionId":"s1","message":{"role":"user","content":"<command-name>/clear</command-name>"}}
{"type":"assistant","uuid":"a0","parentUuid":"u1","sessionId":"s1","timestamp":"2026-03-01T10:00:01.000Z","cwd":"/srv/shop","message":{"model":"m","content":[{"type":"thinking","thinking":"secret thought"}]}}
{"type":"assistant","uuid":"a1","parentUuid":"a0","sessionId":"s1","timestamp":"2026-03-01T10:00:02.000Z","cwd":"/srv/shop","message":{"model":"m","content":[{"type":"tool_use","name":"Edit","input":{"file_path":"/srv/shop/a.go"}},{"type":"tool_use","name":"Bash","input":{"command":"go test ./..."}}]}}
{"type":"user","uuid":"r1","parentUuid":"a1","sessionId":"s1","message":{"role":"user","content":[{"type":"tool_result","content":"ok shop 0.1s"}]}}
{"type":"user","uuid":"side1","sessionId":"s1","isSidechain":true,"agentId":"ag","timestamp":"2026-03-01T10:00:03.000Z","cwd":"/srv/shop","message":{"role":"user","content":"Look for tests"}}
{"type":"assistant","uuid":"a2","parentUuid":"r1","sessionId":"s1","timestamp":"2026-03-01T10:00:04.000Z","cwd":"/srv/shop","gitBranch":"main","message":{"model":"m","content":[{"type":"text","text":"Done, the tests use testify."}]}}
not json
{"type":"novelty","uuid":"n1","sessionId":"s1"}
{"type":"api-request","sessionId":"s1"}
{"type":"api-request-blob","sessionId":"s1"}
{"type":"api-request-shape","sessionId":"s1"}
{"type":"atis-latch","sessionId":"s1"}
{"type":"cost-state","sessionId":"s1"}
{"type":"tools-used","sessionId":"s1"}
{"type":"user","uuid":"u2","parentUuid":null,"logicalParentUuid":"a2","sessionId":"s1","isCompactSummary":true,"timestamp":"2026-03-01T11:00:00.000Z","message":{"role":"user","content":"This session is being continued from a previous one"}}
{"type":"user","uuid":"u3","parentUuid":"u2","sessionId":"s1","timestamp":"2026-03-01T11:00:01.000Z","message":{"role":"user","content":[{"type":"text","text":"<toolkit-recall>old notes</toolkit-recall>&lt;toolkit-recall&gt;more&lt;/toolkit-recall&gt; And flour?"},{"type":"image","source":{}}]}}
`
	codexSession = `{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","payload":{"id":"c1","cwd":"/srv/shop","git":{"branch":"dev"},"source":"cli"}}
{"timestamp":"2026-03-02T09:00:00.000Z","type":"turn_context","payload":{"cwd":"/srv/shop"}}
{"timestamp":"2026-03-02T09:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x</environment_context>"}]}}
{"timestamp":"2026-03-02T09:00:01.000Z","type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","id":"i1","content":[{"type":"text","text":"Rename the package"}]}}}
{"timestamp":"2026-03-02T09:00:01.100Z","type":"event_msg","payload":{"type":"user_message","message":"Rename the package"}}
{"timestamp":"2026-03-02T09:00:02.000Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"git mv a b\"]}"}}
{"timestamp":"2026-03-02T09:00:03.000Z","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch\n*** Update File: b/b.go\n@@"}}
{"timestamp":"2026-03-02T09:00:03.100Z","type":"event_msg","payload":{"type":"item_completed","item":{"type":"FileChange","id":"c1","changes":{"/srv/shop/b/b.go":{"type":"update"},"/srv/shop/c.go":{"type":"add"}},"status":"completed"}}}
{"timestamp":"2026-03-02T09:00:03.200Z","type":"event_msg","payload":{"type":"item_completed","item":{"type":"FileChange","id":"c2","changes":{"/srv/shop/d.go":{"type":"add"}},"status":"failed"}}}
{"timestamp":"2026-03-02T09:00:03.300Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"apply_patch <<'EOF'\\n*** Begin Patch\"}"}}
{"timestamp":"2026-03-02T09:00:04.000Z","type":"event_msg","payload":{"type":"agent_message","message":"Renamed."}}
{"timestamp":"2026-03-02T09:00:05.000Z","type":"event_msg","payload":{"type":"token_count"}}
{"timestamp":"2026-03-02T09:00:05.000Z","type":"token_usage_record","payload":{"total":7}}
{"timestamp":"2026-03-02T09:00:05.000Z","type":"world_state","payload":{"message":"Nothing said"}}
{"timestamp":"2026-03-02T09:00:06.000Z","type":"session_meta","payload":{"id":"parent","cwd":"/elsewhere"}}
`
	geminiLog = `{"sessionId":"g1","projectHash":"h","startTime":"2026-03-03T08:00:00.000Z"}
{"id":"m0","timestamp":"2026-03-03T08:00:00.000Z","type":"user","content":[{"text":"<session_context>\nToday is a Tuesday.\n</session_context>"}]}
{"id":"m1","timestamp":"2026-03-03T08:00:01.000Z","type":"user","content":[{"text":"What is due?"},{"text":"<hook_context>&lt;toolkit-recall&gt;notes&lt;/toolkit-recall&gt;</hook_context>"}]}
{"id":"m2","timestamp":"2026-03-03T08:00:02.000Z","type":"gemini","content":"","toolCalls":[{"name":"run_shell_command","args":{"command":"ls"}}]}
{"id":"m3","timestamp":"2026-03-03T08:00:03.000Z","type":"gemini","content":"The"}
{"id":"m3","timestamp":"2026-03-03T08:00:03.000Z","type":"gemini","content":"The invoice."}
{"id":"m4","timestamp":"2026-03-03T08:00:04.000Z","type":"info","content":"Update available"}
{"$set":{"lastUpdated":"2026-03-03T08:00:05.000Z"}}
`
	chatGPTExport = `[{"title":"Bread","conversation_id":"k1","current_node":"n3","mapping":{
"n0":{"parent":null,"message":null},
"n1":{"parent":"n0","message":{"id":"n1","author":{"role":"user"},"create_time":1772000000.5,"recipient":"all","content":{"content_type":"text","parts":["How much yeast?"]}}},
"nx":{"parent":"n1","message":{"id":"nx","author":{"role":"assistant"},"content":{"content_type":"text","parts":["Other branch"]}}},
"n2":{"parent":"n1","message":{"id":"n2","author":{"role":"tool"},"content":{"content_type":"text","parts":["tool says"]}}},
"n3":{"parent":"n2","message":{"id":"n3","author":{"role":"assistant"},"create_time":1772000001,"recipient":"all","content":{"content_type":"multimodal_text","parts":["Seven grams.",{"content_type":"image_asset_pointer"}]}}}}},
{"strange":1}, 7 ]`
	claudeExport = `[{"uuid":"e1","name":"Trip","chat_messages":[
{"uuid":"p1","sender":"human","created_at":"2026-03-04T07:00:00Z","text":"I am allergic to nuts","content":[{"type":"text","text":"I am allergic to nuts"}]},
{"uuid":"p2","sender":"assistant","created_at":"2026-03-04T07:00:01Z","text":"Noted.","content":[]},
{"uuid":"p3","sender":"robot","text":"?"}]}]`
)

func write(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	testenv.Write(t, path, content)
	return path
}

// readAll reads a file as capture does.
func readAll(t testing.TB, path string, from int64) ([]Turn, Report) {
	t.Helper()
	f, err := RecognizeFile(path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	file, id, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var turns []Turn
	report, err := f.ReadTurns(t.Context(), file, from, id.Size, func(turn Turn) error {
		turns = append(turns, turn)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return turns, report
}

// line is what a test compares of a turn.
func line(t Turn) string {
	text := fmt.Sprintf("%s %s %s: %s", t.Client, t.Session, t.Speaker, t.Text)
	for _, mark := range []struct {
		set  bool
		text string
	}{
		{t.Title != "", " title=" + t.Title}, {t.Folder != "", " in " + t.Folder}, {t.Branch != "", "@" + t.Branch}, {t.SideChain, " side"}, {t.Summary, " summary"},
		{len(t.Files) > 0, fmt.Sprint(" files=", t.Files)}, {len(t.Commands) > 0, fmt.Sprint(" commands=", t.Commands)}, {!t.At.IsZero(), " " + t.At.Format("2006-01-02T15:04:05")},
	} {
		if mark.set {
			text += mark.text
		}
	}
	return text
}

func TestADamagedFileLosesNoMessageThatIsWhole(t *testing.T) {
	message := func(id string) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"sessionId":"s","message":{"content":%q}}`, id, "Words of "+id)
	}
	one, two := message("one"), message("two")
	for name, tc := range map[string]struct {
		content string
		want    int
		skipped int
	}{
		"it begins with a mark":         {"\uFEFF" + one + "\n" + two + "\n", 2, 0},
		"zeros before a message":        {one + "\n" + strings.Repeat("\x00", 5000) + two + "\n", 2, 0},
		"zeros at the end":              {one + "\n" + two + "\n" + strings.Repeat("\x00", 5000), 2, 1},
		"the last line is whole":        {one + "\n" + two, 2, 0},
		"the last line is half":         {one + "\n" + two[:len(two)-1], 1, 1},
		"the last line is only a brace": {one + "\n{", 1, 1},
	} {
		path := write(t, "s.jsonl", []byte(tc.content))
		turns, report := readAll(t, path, 0)
		if len(turns) != tc.want || report.Skipped["a last line that is not whole yet"] != tc.skipped {
			t.Errorf("%s: %+v, %+v", name, turns, report)
		}
		if again, report := readAll(t, path, report.Offset); len(again) > 0 {
			t.Errorf("%s: %d turns are read twice, %+v", name, len(again), report)
		}
		testenv.Write(t, path, tc.content[:report.Offset]+"\n"+message("three")+"\n")
		if more, _ := readAll(t, path, report.Offset); len(more) != 1 || more[0].ID != "three" {
			t.Errorf("%s: then %+v", name, more)
		}
	}
}

func TestWhatWasSaidIsReadAndNothingElse(t *testing.T) {
	tests := map[string]struct {
		file, content string
		want          []string
		skipped       map[string]int
		bad           int
	}{
		"a session of Claude Code": {"s1.jsonl", claudeSession, []string{
			"claude-code s1 user: Use testify for assertions. in /srv/shop@main 2026-03-01T10:00:00",
			"claude-code s1/ag assistant: Look for tests in /srv/shop side 2026-03-01T10:00:03",
			"claude-code s1 assistant: Done, the tests use testify. in /srv/shop@main files=[/srv/shop/a.go] commands=[go test ./...] 2026-03-01T10:00:04",
			"claude-code s1 user: This session is being continued from a previous one summary 2026-03-01T11:00:00",
			"claude-code s1 user: And flour? 2026-03-01T11:00:01",
		}, map[string]int{"parts of messages that nobody said": 2, "lines of type summary": 1, "lines of type api-request": 1, "lines of type api-request-blob": 1, "lines of type api-request-shape": 1, "lines of type atis-latch": 1, "lines of type cost-state": 1, "lines of type tools-used": 1, "messages of the client itself": 1, "commands and reminders": 1, "thinking": 1, "tool results": 1, "lines of unknown type novelty": 1, "images and documents": 1}, 1},
		"a rollout of Codex": {"rollout-1.jsonl", codexSession, []string{
			"codex c1 user: Rename the package in /srv/shop@dev 2026-03-02T09:00:01",
			"codex c1 assistant: Renamed. in /srv/shop@dev files=[/srv/shop/b/b.go /srv/shop/c.go] commands=[git mv a b] 2026-03-02T09:00:04",
		}, map[string]int{"lines of type session_meta": 2, "lines of type turn_context": 1, "lines of type token_usage_record": 1, "lines of type world_state": 1, "items of the model: message": 1, "events token_count": 1}, 0},
		"a chat of Gemini CLI in lines": {"session-1.jsonl", geminiLog, []string{
			"gemini-cli g1 user: What is due? 2026-03-03T08:00:01",
			"gemini-cli g1 assistant: The invoice. commands=[ls] 2026-03-03T08:00:03",
		}, map[string]int{"commands and reminders": 1, "messages of type info": 1, "parts of messages that nobody said": 1}, 0},
		"a chat whose messages are all replaced": {"session-2.jsonl", geminiLog + `{"$set":{"messages":[{"id":"z","type":"user","content":"Only this"}]}}` + "\n", []string{
			"gemini-cli g1 user: Only this"}, map[string]int{"commands and reminders": 1, "messages of type info": 1, "parts of messages that nobody said": 1}, 0},
		"a chat in which the user went back": {"session-3.jsonl", geminiLog + `{"$rewindTo":"m2"}` + "\n", []string{
			"gemini-cli g1 user: What is due? 2026-03-03T08:00:01"}, map[string]int{"commands and reminders": 1, "messages of type info": 1, "parts of messages that nobody said": 1}, 0},
		"a chat of Gemini CLI as one value": {"session-4.json", "{\n \"sessionId\": \"g2\",\n \"projectHash\": \"h\",\n \"messages\": [{\"id\":\"q\",\"type\":\"user\",\"content\":\"Hello\"}]\n}", []string{
			"gemini-cli g2 user: Hello"}, nil, 0},
		"an export of ChatGPT": {"conversations.json", chatGPTExport, []string{
			"chatgpt k1 user: How much yeast? title=Bread 2026-02-25T06:13:20",
			"chatgpt k1 assistant: Seven grams. title=Bread 2026-02-25T06:13:21",
		}, map[string]int{"messages of other branches": 1, "messages of the system and of tools": 1}, 2},
		"an export of Claude": {"conversations.json", claudeExport, []string{
			"claude e1 user: I am allergic to nuts title=Trip 2026-03-04T07:00:00",
			"claude e1 assistant: Noted. title=Trip 2026-03-04T07:00:01",
		}, map[string]int{"messages of robot": 1}, 0},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			turns, report := readAll(t, write(t, tc.file, []byte(tc.content)), 0)
			var got []string
			for _, turn := range turns {
				if turn.ID == "" {
					t.Errorf("a turn without an id: %+v", turn)
				}
				got = append(got, line(turn))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
			if !maps.Equal(report.Skipped, tc.skipped) || report.Bad != tc.bad || len(report.Problems) != tc.bad || report.Turns != len(turns) {
				t.Errorf("%+v", report)
			}
			if report.Offset != int64(len(tc.content)) {
				t.Errorf("read to %d of %d", report.Offset, len(tc.content))
			}
		})
	}
}

func TestShardsOfAnExportAreReadInsideTheArchive(t *testing.T) {
	var raw bytes.Buffer
	archive := zip.NewWriter(&raw)
	for name, content := range map[string]string{"x/conversations-000.json": chatGPTExport, "conversations-001.json": claudeExport, "user.json": "[1]"} {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, content) //nolint:errcheck // into memory
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	turns, _ := readAll(t, write(t, "export.zip", raw.Bytes()), 0)
	if len(turns) != 4 {
		t.Errorf("%d turns", len(turns))
	}
}

func TestAnArchiveWithoutConversationsSaysSo(t *testing.T) {
	var raw bytes.Buffer
	archive := zip.NewWriter(&raw)
	archive.Create("other.json") //nolint:errcheck // into memory
	archive.Close()              //nolint:errcheck // into memory
	for name, content := range map[string][]byte{"empty.zip": raw.Bytes(), "cut.zip": raw.Bytes()[:30]} {
		f, err := RecognizeFile(write(t, name, content))
		if err != nil {
			t.Fatal(err)
		}
		file, id, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.ReadTurns(t.Context(), file, 0, id.Size, func(Turn) error { return nil }); err == nil {
			t.Errorf("%s: no error", name)
		}
		file.Close()
	}
}

func TestAFileOfNobodyIsNoTranscript(t *testing.T) {
	for _, content := range []string{"", "hello", `{"a":1}`, "\x7fELF", `{"type":"entity","name":"Ada"}`} {
		if f, err := RecognizeFile(write(t, "x.jsonl", []byte(content))); !errors.Is(err, ErrUnknown) {
			t.Errorf("%q: %v, %v", content, f, err)
		}
	}
}

// Wherever a reading ended, the next one goes on as if nothing had been between.
func TestReadingInTwoPartsIsReadingAtOnce(t *testing.T) {
	for name, content := range map[string]string{"claude": claudeSession, "codex": codexSession} {
		whole, _ := readAll(t, write(t, "s.jsonl", []byte(content)), 0)
		least := strings.Index(content, "\n") + 1 // a rollout without its head is nobody's
		path := write(t, "s.jsonl", nil)
		for part := least; part <= len(content); part++ {
			if end := content[max(0, part-3):min(len(content), part+3)]; part%11 > 0 && !strings.Contains(end, "\n") {
				continue // each end of a line is tried, and every eleventh place within one
			}
			testenv.Write(t, path, content[:part])
			first, report := readAll(t, path, 0)
			testenv.Write(t, path, content)
			second, _ := readAll(t, path, report.Offset)
			if diff := cmp.Diff(lines(whole), lines(first, second)); diff != "" {
				t.Fatalf("%s, ended at %d, read on at %d:\n%s", name, part, report.Offset, diff)
			}
		}
	}
}

// Each turn says from where to read on: what comes then is what follows it.
func TestReadingOnFromATurnGivesTheTurnsBehindIt(t *testing.T) {
	for name, content := range map[string]string{"claude": claudeSession, "codex": codexSession} {
		path := write(t, "s.jsonl", []byte(content))
		whole, _ := readAll(t, path, 0)
		for n, turn := range whole {
			rest, _ := readAll(t, path, turn.End)
			if diff := cmp.Diff(lines(whole), lines(whole[:n+1], rest)); diff != "" {
				t.Errorf("%s, turn %d: %s", name, n, diff)
			}
		}
	}
}

// lines are the turns of several readings, each once.
func lines(readings ...[]Turn) []string {
	var all []string
	seen := map[string]bool{}
	for _, turns := range readings {
		for _, turn := range turns {
			if !seen[turn.ID] {
				seen[turn.ID] = true
				all = append(all, turn.ID+" "+line(turn))
			}
		}
	}
	return all
}

func TestALongLineIsSkippedAndCounted(t *testing.T) {
	long := `{"type":"user","uuid":"big","sessionId":"s1","message":{"content":"` + strings.Repeat("x", maxLineBytes+1) + `"}}` + "\n"
	turns, report := readAll(t, write(t, "s.jsonl", []byte(claudeSession+long+claudeSession)), 0)
	if len(turns) != 10 || report.Bad != 3 {
		t.Errorf("%d turns, %+v", len(turns), report.Problems)
	}
}

func TestALongConversationIsSkippedAndCounted(t *testing.T) {
	element := `{"uuid":"e0","chat_messages":[{"uuid":"b","sender":"human","text":"` + strings.Repeat("x", maxConversationBytes) + `"}]},`
	long := `{"uuid":"e2","chat_messages":[{"uuid":"l","sender":"human","text":"years of talk","content":[{"type":"tool_result","text":"` + strings.Repeat("x", maxLineBytes+1) + `"}]}]},`
	turns, report := readAll(t, write(t, "conversations.json", []byte(`[`+element+long+claudeExport[1:])), 0)
	if len(turns) != 3 || report.Bad != 1 {
		t.Errorf("%d turns, %+v", len(turns), report.Problems)
	}
}

func TestAFileIsKnownWhileItGrows(t *testing.T) {
	const head, offset = 100, 20_000
	line := "a line of a session\n"
	content := strings.Repeat(line, 2000)
	mark := func(content string) string {
		t.Helper()
		text, err := FingerprintReadPart(strings.NewReader(content), head, offset)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	known := mark(content)
	if mark(content+line) != known {
		t.Error("it only grew")
	}
	for name, other := range map[string]string{
		"another beginning": "X" + content[1:], "a rest that was rewritten": content[:offset-5] + strings.Repeat("X", 10) + content[offset+5:], "shorter": content[:offset-1],
	} {
		if mark(other) == known {
			t.Errorf("%s was not seen", name)
		}
	}
}

func TestAReadingEndsWhenItIsCancelled(t *testing.T) {
	for name, content := range map[string]string{"s.jsonl": claudeSession, "conversations.json": claudeExport} {
		f, err := RecognizeFile(write(t, name, []byte(content)))
		if err != nil {
			t.Fatal(err)
		}
		file, id, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := f.ReadTurns(ctx, file, 0, id.Size, func(Turn) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// endless is a session of a given length that is made while it is read.
type endless struct {
	left int64
	rest string
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	if e.rest == "" {
		e.rest = claudeSession + `{"type":"user","uuid":"r","sessionId":"s1","message":{"content":[{"type":"tool_result","content":"` + strings.Repeat("output ", 1<<16) + `"}]}}` + "\n"
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	e.left -= int64(n)
	return n, nil
}

func TestMemoryDoesNotGrowWithTheFile(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	size := testenv.Choose[int64](20, 50) // MB
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	rd := &transcriptReader{emit: func(Turn) error { return nil }}
	if err := readClaudeCode(t.Context(), &endless{left: size << 20}, 0, rd); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if after.HeapAlloc > before.HeapAlloc+uint64(size)<<20*2/5 || rd.Turns < int(10*size) {
		t.Errorf("%d turns, %d MB more held", rd.Turns, (after.HeapAlloc-before.HeapAlloc)>>20)
	}
}

func TestTheClientsOnAMachineAreFound(t *testing.T) {
	home := t.TempDir()
	for name, content := range map[string]string{
		".claude/projects/-work-shop/s1.jsonl":              claudeSession,
		".claude/projects/-work-shop/notes.txt":             "no",
		".claude/projects/-work-shop/s1/subagents/ag.jsonl": claudeSession,
		".codex/sessions/2026/03/02/rollout-1.jsonl":        codexSession,
		".codex/history.jsonl":                              "{}",
		".gemini/tmp/shop/chats/session-1.jsonl":            geminiLog,
		".gemini/tmp/shop/.project_root":                    "/srv/shop\n",
		".gemini/tmp/shop/logs.json":                        "[]",
	} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		testenv.Write(t, path, content)
	}
	var got []string
	for _, place := range SessionFolders(home, func(string) string { return "" }) {
		err := FindTranscripts(t.Context(), place, func(f File) error {
			got = append(got, string(f.Client)+" "+filepath.Base(f.Path))
			if f.Client == Gemini {
				if turns, _ := readAll(t, f.Path, 0); turns[0].Folder != "/srv/shop" {
					t.Errorf("a chat in %q", turns[0].Folder)
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "projects")
	if err := os.Symlink(filepath.Join(home, ".claude", "projects"), link); err != nil {
		t.Skip("no links here")
	}
	behind := 0
	if err := FindTranscripts(t.Context(), link, func(File) error { behind++; return nil }); err != nil || behind != 2 {
		t.Errorf("%d files behind a link, %v", behind, err)
	}
	if places := SessionFolders(home, func(name string) string { return map[string]string{"CLAUDE_CONFIG_DIR": filepath.Dir(link)}[name] }); places[2] == link {
		t.Errorf("%s is a link", places[2])
	}
	if diff := cmp.Diff([]string{"claude-code ag.jsonl", "claude-code s1.jsonl", "codex rollout-1.jsonl", "gemini-cli session-1.jsonl"}, got); diff != "" {
		t.Error(diff)
	}
}
