package capture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/embed"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/storetest"
	"toolkit/store"
	memoryrows "toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools/memory"
)

var ten = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

func clock(after time.Duration) string { return ten.Add(after).Format(time.RFC3339Nano) }

// saidAt is a line of Claude Code, some time after ten.
func saidAt(after time.Duration, id, speaker, text string) string {
	return strings.Replace(said(id, "s", speaker, text), "2026-03-01T10:00:00Z", clock(after), 1)
}

func (b *bench) hear(after time.Duration, speaker, text string) {
	b.Helper()
	err := b.StoreHookTurn(b.Context(), HookTurn{Client: transcripts.ClaudeCode, Session: "s", Folder: "/srv/shop", Speaker: speaker, Text: text, At: ten.Add(after)})
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) rows() []memoryrows.Dialogue {
	b.Helper()
	list := storetest.ReadValue(b, b.Store, func(tx *store.Tx) ([]memoryrows.Dialogue, error) {
		return memoryrows.In(tx).Dialogues(memoryrows.DialogueFilter{Oldest: true, Limit: 100})
	})
	return list
}

// step is a hook that fires, or, with an id, a line that the file of the session
// has from then on.
type step struct {
	after             time.Duration
	speaker, text, id string
}

// storeSteps returns what is stored after hooks and readings of the file.
func (b *bench) storeSteps(steps []step) (texts []string) {
	b.Helper()
	file := ""
	for _, s := range steps {
		if s.id == "" {
			b.hear(s.after, s.speaker, s.text)
			continue
		}
		file += saidAt(s.after, s.id, s.speaker, s.text)
		b.capture(b.put("s.jsonl", file))
	}
	for _, d := range b.rows() {
		texts = append(texts, d.Content)
	}
	return texts
}

func TestTurnFromHookAndFileIsStoredOnce(t *testing.T) {
	const second = time.Second
	ask, yes := step{0, "user", "Shall I?", ""}, step{2 * second, "assistant", "yes", ""}
	inFile := func(s step, late time.Duration, id string) step { return step{s.after + late, s.speaker, s.text, id} }
	for name, test := range map[string]struct {
		steps []step
		want  []string
	}{
		"only heard":                         {[]step{ask, yes}, []string{"Shall I?", "yes"}},
		"heard, then in the file":            {[]step{ask, yes, inFile(ask, 50*time.Millisecond, "1"), inFile(yes, -second, "2")}, []string{"Shall I?", "yes"}},
		"in the file, then heard":            {[]step{inFile(ask, 0, "1"), inFile(yes, -second, "2"), ask, yes}, []string{"Shall I?", "yes"}},
		"question first, answer in the file": {[]step{ask, inFile(ask, 0, "1"), inFile(yes, 0, "2"), yes}, []string{"Shall I?", "yes"}},
		"the hook is set up twice":           {[]step{ask, ask, yes, {3 * second, "assistant", "yes", ""}}, []string{"Shall I?", "yes"}},
		"set up twice after the file":        {[]step{inFile(ask, 0, "1"), ask, ask}, []string{"Shall I?"}},
		"the same answer twice":              {[]step{{0, "user", "yes", ""}, {second, "assistant", "And that?", ""}, {2 * second, "user", "yes", ""}}, []string{"yes", "And that?", "yes"}},
		"the same answer twice, and later in the file": {
			[]step{{0, "user", "yes", ""}, {second, "assistant", "And that?", ""}, {2 * second, "user", "yes", ""}, {0, "user", "yes", "1"}, {second, "assistant", "And that?", "2"}, {2 * second, "user", "yes", "3"}},
			[]string{"yes", "And that?", "yes"}},
		"the same answer twice, first in the file": {
			[]step{{0, "user", "yes", "1"}, {second, "assistant", "And that?", "2"}, {2 * second, "user", "yes", "3"}, {0, "user", "yes", ""}, {second, "assistant", "And that?", ""}, {2 * second, "user", "yes", ""}},
			[]string{"yes", "And that?", "yes"}},
		"the same answer twice, one of them heard": {
			[]step{{2 * second, "user", "yes", ""}, {0, "user", "yes", "1"}, {2 * second, "user", "yes", "3"}}, []string{"yes", "yes"}},
		"by another clock":              {[]step{{0, "user", "go on", ""}, {3 * time.Hour, "user", "go on", "1"}}, []string{"go on"}},
		"the same words two days later": {[]step{{0, "user", "go on", ""}, {48 * time.Hour, "user", "go on", "1"}}, []string{"go on", "go on"}},
		"other line ends, spaces and composed letters": {
			[]step{{0, "user", "Café\r\n\r\nand  bread ", ""}, {0, "user", "Cafe\u0301\n\nand bread", "1"}, {second, "assistant", "Tee\r\n", "2"}, {second, "assistant", "Tee", ""}}, []string{"Café\r\n\r\nand  bread", "Tee"}},
		"an answer that the file holds in parts": {
			[]step{{0, "assistant", "First.\n\nSecond.\nThird.", ""}, {-second, "assistant", "First.", "1"}, {0, "assistant", "Second.\nThird.", "2"}}, []string{"First.\n\nSecond.\nThird."}},
		"an answer in parts, first in the file": {
			[]step{{-2 * second, "assistant", "Hm.", "0"}, {-second, "assistant", "First.", "1"}, {0, "assistant", "Second.", "2"}, {0, "assistant", "First.\n\nSecond.", ""}}, []string{"Hm.", "First.", "Second."}},
		"only the beginning of a line is no part": {
			[]step{{0, "assistant", "First things first", ""}, {0, "assistant", "First", "1"}}, []string{"First things first", "First"}},
		"what is asked is never a part": {
			[]step{{0, "user", "First.\n\nSecond.", ""}, {0, "user", "First.", "1"}}, []string{"First.\n\nSecond.", "First."}},
	} {
		t.Run(name, func(t *testing.T) {
			got := newBench(t).storeSteps(test.steps)
			if fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestHookTurnAndItsInsightOfOneTextBothGetTheirVector(t *testing.T) {
	b := newBench(t)
	search := memory.NewSearch(b.Store, embed.BuiltIn())
	t.Cleanup(search.Close)
	b.Search = search
	b.hear(0, "user", "We decided to use SQLite for the billing.")
	if len(b.insights()) != 1 {
		t.Fatalf("insights are %q", b.insights())
	}
	if pending, err := search.CountPending(t.Context()); err != nil || pending != 0 {
		t.Errorf("%d rows have no vector, %v", pending, err)
	}
}

// A client may run in a machine of its own, with a clock ahead of ours.
func TestTurnsOfClockAheadKeepTheirOrderAndAreStoredOnce(t *testing.T) {
	b := newBench(t)
	start := time.Now().Add(time.Hour)
	at := func(after time.Duration, id, speaker, text string) string {
		return strings.Replace(said(id, "s", speaker, text), "2026-03-01T10:00:00Z", start.Add(after).UTC().Format(time.RFC3339Nano), 1)
	}
	b.capture(b.put("s.jsonl", at(0, "1", "user", "what did we pay")+at(time.Minute, "2", "assistant", "632.20 USD")))
	b.hear(time.Until(ten)*-1+time.Hour, "user", "what did we pay")
	rows := b.rows()
	if len(rows) != 2 || rows[0].Speaker != "user" || !rows[1].At.Equal(rows[0].At.Add(time.Minute)) {
		t.Errorf("%+v", rows)
	}
}

func TestFileCompletesHookTurn(t *testing.T) {
	b := newBench(t)
	b.hear(3*time.Second, "assistant", "Done")
	var before, after facts
	if err := json.Unmarshal(b.rows()[0].Metadata, &before); err != nil || before.Project != "shop" || before.Message != "" {
		t.Errorf("%+v, %v", before, err)
	}
	b.capture(b.put("s.jsonl", `{"type":"assistant","uuid":"3","sessionId":"s","gitBranch":"dev","cwd":"/srv/shop","timestamp":"2026-03-01T10:00:00Z",`+
		`"message":{"content":[{"type":"tool_use","name":"Edit","input":{"file_path":"a.go"}},{"type":"text","text":"Done"}]}}`+"\n"))
	rows := b.rows()
	if err := json.Unmarshal(rows[0].Metadata, &after); err != nil || after.Message != "3" || len(after.Files) != 1 || after.Branch != "dev" {
		t.Errorf("%+v, %v", after, err)
	}
	if len(rows) != 1 || !rows[0].At.Equal(ten) {
		t.Errorf("%d rows, at %v", len(rows), rows[0].At)
	}
}

func TestHookTurnIsRedactedLikeFileTurn(t *testing.T) {
	b := newBench(t)
	for n, text := range []string{
		"<" + transcripts.Tag + ">notes</" + transcripts.Tag + "> hello", "my password is Zwetschgen77 ok", "<private>house</private> rest",
		"<system-reminder>x</system-reminder>", "<command-name>/clear</command-name>", "/compact", "/recall the invoice", "  ", "/srv/shop/a.go is broken",
	} {
		b.hear(time.Duration(n)*time.Minute, "user", text)
	}
	b.expect("claude-code/s user: hello", "claude-code/s user: my password is [redacted: password] ok", "claude-code/s user: [redacted: private] rest",
		"claude-code/s user: /recall the invoice", "claude-code/s user: /srv/shop/a.go is broken")
}

func TestFactsOfDisabledProjectAreRemoved(t *testing.T) {
	b := newBench(t)
	b.Off = func(_ transcripts.Client, p *transcripts.Project) bool {
		return p != nil && (strings.HasPrefix(p.Folder, "/srv/secret") || strings.HasPrefix(p.Folder, filepath.Join(b.Home, "diary")))
	}
	commands := []string{"go test ./...", "cd /srv/secret && ls plans", "cat ../secret/plan.txt", "cat '/srv/secret/a b.txt'", "ls ~/diary", "cd secretary", "git -C=/srv/secret log", "ls /srv/other"}
	blocks := `{"type":"tool_use","name":"Write","input":{"file_path":"/srv/secret/plan.txt"}},{"type":"tool_use","name":"Write","input":{"file_path":"/srv/shop/a.go"}}`
	for _, command := range commands {
		blocks += fmt.Sprintf(`,{"type":"tool_use","name":"Bash","input":{"command":%q}}`, command)
	}
	b.capture(b.put("s.jsonl", `{"type":"assistant","uuid":"1","sessionId":"s","timestamp":"2026-03-01T10:00:00Z","cwd":"/srv/shop","message":{"content":[`+blocks+`,{"type":"text","text":"Done"}]}}`+"\n"))
	var got facts
	if rows := b.rows(); len(rows) != 1 || json.Unmarshal(rows[0].Metadata, &got) != nil {
		t.Fatalf("%+v", rows)
	}
	if want := []string{"go test ./...", "cd secretary", "ls /srv/other"}; !slices.Equal(got.Commands, want) || !slices.Equal(got.Files, []string{"/srv/shop/a.go"}) {
		t.Errorf("%q, %q", got.Commands, got.Files)
	}
}

func TestDisabledTurnsAreSkippedAndCounted(t *testing.T) {
	b := newBench(t)
	b.Off = func(client transcripts.Client, p *transcripts.Project) bool {
		return client == transcripts.ClaudeCode && p != nil && p.Name == "shop"
	}
	b.hear(0, "user", "one")
	r := b.capture(b.put("s.jsonl", said("1", "s", "user", "one")+strings.ReplaceAll(said("2", "s", "user", "two"), "/srv/shop", "/srv/bakery")))
	if r.Turns != 1 || r.Skipped["turns of what is turned off"] != 1 {
		t.Errorf("%+v", r)
	}
	b.expect("claude-code/s user: two")
}

// What a hook hears has to be stored in a fraction of a second, so that only the
// beginning of what was pasted is read, and half a secret at its end goes.
func TestLongHookTurnIsTruncated(t *testing.T) {
	const key = "ghp_" + "k3JdT9wQ2mX7bLr5Zy8HnV4cPs6AfE1oG0uR"
	within := strings.Repeat("The key is "+key+" now. ", maxReadLength/50)
	across := within[:(maxReadLength/10-1)*10] // any place within a key will do
	for name, tc := range map[string]struct{ text, has, lacks string }{
		"an ordinary text":                    {strings.Repeat("rye flour ", 700_000), "rye flour ", key},
		"secrets after what is read":          {strings.Repeat("rye flour ", maxReadLength/10) + within, "rye flour ", key},
		"a secret across the end":             {strings.Repeat("rye flour ", maxReadLength/10-1) + key + within, "rye flour ", key[:9]},
		"so many that little is left":         {across + within + within, "The key is ", key[:9]},
		"one private part, to the end and on": {"rye <private>" + strings.Repeat("flour ", maxReadLength), "", "flour"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			r := b.newRun("", transcripts.ClaudeCode)
			said, _ := r.convertHookTurn(HookTurn{Client: transcripts.ClaudeCode, Session: "s", Speaker: "user", Text: tc.text, At: ten})
			made, taken, err := r.prepareTurn(t.Context(), said)
			if err != nil || !taken || len(made.Text) > maxTextLength+100 || !strings.Contains(made.Text, tc.has) || strings.Contains(made.Text, tc.lacks) {
				t.Errorf("%v, %d bytes: %.200s … %s", taken, len(made.Text), made.Text, made.Text[max(0, len(made.Text)-200):])
			}
			if !strings.HasSuffix(made.Text, " more bytes]") {
				t.Errorf("it does not say that there was more: %s", made.Text[max(0, len(made.Text)-100):])
			}
			n := 0
			for _, found := range r.Redacted {
				n += found
			}
			if n > maxReadLength/50+1 {
				t.Errorf("%d secrets were looked for", n)
			}
		})
	}
}

func TestLongTurnIsTruncatedEquallyInFileAndHook(t *testing.T) {
	long := strings.Repeat("rye flour ", maxReadLength/10)
	b := newBench(t)
	b.hear(0, "user", long+"and salt")
	r := b.capture(b.put("s.jsonl", said("1", "s", "user", long+"and salt")+said("2", "s", "assistant", "Done")+said("3", "s", "user", long+"</private> and salt")))
	if got := b.stored(); len(got) != 3 || r.Known != 1 || !strings.HasSuffix(got[0], " more bytes]") || strings.Contains(got[2], "flour") {
		t.Errorf("%d turns, %d known: %.300q", len(got), r.Known, got)
	}
}

func TestRunUntilDoneReturnsWhenContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	forever := make(chan bool)
	t.Cleanup(func() { close(forever) })
	if err := abandonWorkOnCancel(ctx, func() error { <-forever; return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := abandonWorkOnCancel(t.Context(), func() error { return io.EOF }); !errors.Is(err, io.EOF) {
		t.Errorf("%v", err)
	}
	defer func() {
		if fault := recover(); fault != "broken" {
			t.Errorf("it is not told that it broke down: %v", fault)
		}
	}()
	abandonWorkOnCancel(t.Context(), func() error { panic("broken") }) //nolint:errcheck // it does not return
}

// Whether an earlier turn left something private open is known only when a turn that
// waited is stored.
func TestSpooledTurnIsHiddenWhilePrivateBlockIsOpen(t *testing.T) {
	b := newBench(t)
	var waiting []HookTurn
	for i, said := range []string{"rye <private>for Ann", "and for Bert", "only</private> and salt", "water"} {
		h, taken, err := b.RedactForSpool(t.Context(), HookTurn{Client: transcripts.ClaudeCode, Session: "s", Folder: "/srv/shop", Speaker: "user", Text: said, At: ten.Add(time.Duration(i) * time.Minute)})
		if !taken || err != nil {
			t.Errorf("%q is not taken", said)
		}
		waiting = append(waiting, h)
	}
	for _, h := range waiting {
		if err := b.StoreHookTurn(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	b.hear(5*time.Minute, "user", "yeast")
	var texts string
	for _, row := range b.rows() {
		texts += row.Content + "; "
	}
	for _, secret := range []string{"Ann", "Bert", "only"} {
		if strings.Contains(texts, secret) {
			t.Errorf("%s is stored: %s", secret, texts)
		}
	}
	for _, word := range []string{"rye", "salt", "water", "yeast"} {
		if !strings.Contains(texts, word) {
			t.Errorf("%s is lost: %s", word, texts)
		}
	}
}

// A prompt that is typed while the assistant works stands in the queue, may be heard, and
// becomes a message later, in any order, with a reading of the file after each line.
func TestQueuedPromptIsStoredOnce(t *testing.T) {
	queued := func(at int, operation, more string) string {
		return fmt.Sprintf(`{"type":"queue-operation","operation":%q,"sessionId":"s","timestamp":%q%s}`, operation, clock(time.Duration(at)*time.Second), more) + "\n"
	}
	first := saidAt(0, "1", "user", "Bake bread")
	enqueue, dequeue := queued(1, "enqueue", `,"content":"With rye"`), queued(5, "dequeue", "")
	answer, message := saidAt(4*time.Second, "2", "assistant", "Baked."), saidAt(6*time.Second, "3", "user", "With rye")
	attached := strings.Replace(strings.Replace(saidAt(2*time.Second, "3", "attachment", ""), `"message":{"content":""}`, `"attachment":{"type":"queued_command","prompt":"With rye","commandMode":"prompt"}`, 1), "\r", "", 1)
	const hook = "hook"
	for name, steps := range map[string][]string{
		"queue only": {enqueue, answer}, "queue and message": {enqueue, answer, dequeue, message}, "queue and attachment": {enqueue, queued(2, "remove", ""), attached, answer},
		"attachment only": {attached, answer}, "heard first": {hook, enqueue, answer, dequeue, message}, "heard after the queue": {enqueue, hook, answer, dequeue, message}, "heard last": {enqueue, answer, dequeue, message, hook},
	} {
		t.Run(name, func(t *testing.T) {
			for _, often := range []bool{true, false} {
				b := newBench(t)
				content := first
				for _, s := range steps {
					if s == hook {
						b.hear(1500*time.Millisecond, "user", "With rye")
					} else {
						content += s
					}
					if often {
						b.capture(b.put("s.jsonl", content))
					}
				}
				b.capture(b.put("s.jsonl", content))
				b.capture(b.put("s.jsonl", content+saidAt(9*time.Second, "4", "assistant", "Done.")))
				var rye, all int
				for _, d := range b.rows() {
					all++
					if d.Content == "With rye" && d.Speaker == "user" {
						rye++
					}
				}
				if rye != 1 || all != 4 {
					t.Errorf("read often: %v: %q", often, b.stored())
				}
			}
		})
	}
}

func TestSessionIsNamedAfterFirstWordsOfItsUser(t *testing.T) {
	b := newBench(t)
	b.hear(0, "assistant", "632.20 USD")
	b.hear(time.Second, "user", "hi")
	b.hear(2*time.Second, "user", "what did we pay for the server")
	id := DialogueSessionID(transcripts.ClaudeCode, "s")
	names := storetest.ReadValue(b, b.Store, func(tx *store.Tx) (map[string]sessions.SessionName, error) {
		return sessions.In(tx).FindSessionNames([]string{id})
	})
	summary := storetest.ReadValue(b, b.Store, func(tx *store.Tx) (sessions.SessionSummary, error) {
		s, _, err := sessions.In(tx).FindSessionSummary(id)
		return s, err
	})
	if want := "what did we pay for the server"; names[id].Begins != want || summary.Begins != want {
		t.Errorf("it begins with %q, in the list with %q", names[id].Begins, summary.Begins)
	}
}
