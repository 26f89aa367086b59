package transcripts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Lines of a session of Claude Code, a second apart.
func claudeSaid(second int, speaker, text string) string {
	return fmt.Sprintf(`{"type":%q,"uuid":"m%d","sessionId":"s","timestamp":"2026-03-01T10:00:%02d.000Z","cwd":"/srv/shop","gitBranch":"main","message":{"content":%q}}`, speaker, second, second, text) + "\n"
}

func claudeQueue(second int, operation, text string) string {
	content := ""
	if text != "" {
		content = fmt.Sprintf(`,"content":%q`, text)
	}
	return fmt.Sprintf(`{"type":"queue-operation","operation":%q,"sessionId":"s","timestamp":"2026-03-01T10:00:%02d.000Z"%s}`, operation, second, content) + "\n"
}

func claudeAttached(second int, more, text string) string {
	return fmt.Sprintf(`{"type":"attachment","uuid":"m%d","sessionId":"s","timestamp":"2026-03-01T10:00:%02d.000Z","cwd":"/srv/shop","attachment":{"type":"queued_command","prompt":%q%s}}`, second, second, text, more) + "\n"
}

func TestPromptTypedWhileTheAssistantWorksIsReadOnce(t *testing.T) {
	ask, answer := claudeSaid(1, User, "Bake bread"), claudeSaid(9, Assistant, "Baked.")
	for name, tc := range map[string]struct {
		content string
		want    []string // besides the first prompt
	}{
		"only in the queue":               {claudeQueue(2, "enqueue", "With rye"), []string{"user: With rye"}},
		"taken, never a message":          {claudeQueue(2, "enqueue", "With rye") + claudeQueue(3, "remove", "With rye") + answer, []string{"user: With rye", "assistant: Baked."}},
		"waits, the assistant goes on":    {claudeQueue(2, "enqueue", "With rye") + answer, []string{"assistant: Baked.", "user: With rye"}},
		"an attachment alone":             {claudeAttached(3, `,"commandMode":"prompt","origin":{"kind":"human"}`, "With rye") + answer, []string{"user: With rye", "assistant: Baked."}},
		"queue and attachment":            {claudeQueue(2, "enqueue", "With rye") + claudeQueue(3, "remove", "With rye") + claudeAttached(3, `,"commandMode":"prompt"`, "With rye") + answer, []string{"user: With rye", "assistant: Baked."}},
		"attachment before its removal":   {claudeQueue(2, "enqueue", "With rye") + claudeAttached(3, "", "With rye") + claudeQueue(3, "remove", "") + answer, []string{"user: With rye", "assistant: Baked."}},
		"queue and message":               {claudeQueue(2, "enqueue", "With rye") + answer + claudeQueue(10, "dequeue", "") + claudeSaid(11, User, "With rye"), []string{"assistant: Baked.", "user: With rye"}},
		"queue, answer, then message":     {claudeQueue(2, "enqueue", "With rye") + claudeQueue(3, "dequeue", "") + answer + claudeSaid(11, User, "With rye"), []string{"user: With rye", "assistant: Baked."}},
		"two in one message":              {claudeQueue(2, "enqueue", "With rye") + claudeQueue(3, "enqueue", "And salt") + answer + claudeSaid(11, User, "With rye\nAnd salt"), []string{"assistant: Baked.", "user: With rye\nAnd salt"}},
		"the same words twice":            {claudeQueue(2, "enqueue", "go on") + claudeQueue(3, "enqueue", "go on") + answer + claudeSaid(11, User, "go on") + claudeSaid(12, User, "go on"), []string{"assistant: Baked.", "user: go on", "user: go on"}},
		"taken back to be changed":        {claudeQueue(2, "enqueue", "With rey") + claudeQueue(3, "popAll", "With rey") + claudeSaid(11, User, "With rye"), []string{"user: With rye"}},
		"a notification":                  {claudeQueue(2, "enqueue", "<task-notification>\nrye\n</task-notification>") + claudeAttached(3, `,"commandMode":"task-notification"`, "rye"), nil},
		"of another session":              {claudeAttached(3, `,"origin":{"kind":"peer"}`, "rye"), nil},
		"a message of another session":    {strings.Replace(claudeSaid(3, User, "rye"), `"type":"user"`, `"type":"user","origin":{"kind":"coordinator"}`, 1), nil},
		"a message whose origin is human": {strings.Replace(claudeSaid(3, User, "With rye"), `"type":"user"`, `"type":"user","origin":{"kind":"human"}`, 1), []string{"user: With rye"}},
		"a command in the queue":          {claudeQueue(2, "enqueue", "/compact"), nil},
		"an attachment of another kind":   {`{"type":"attachment","uuid":"x","sessionId":"s","attachment":{"type":"file","prompt":"rye"}}` + "\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			content := ask + tc.content
			turns, report := readAll(t, write(t, "s.jsonl", []byte(content)), 0)
			var got []string
			for _, turn := range turns {
				got = append(got, turn.Speaker+": "+turn.Text)
				if turn.Folder != "/srv/shop" || turn.ID == "" {
					t.Errorf("%+v", turn)
				}
			}
			if diff := cmp.Diff(append([]string{"user: Bake bread"}, tc.want...), got); diff != "" {
				t.Errorf("%s%+v", diff, report)
			}
		})
	}
}

// Wherever a reading ends, the prompt and its message name the same id.
func TestQueuedPromptKeepsItsIDWhereverAReadingEnds(t *testing.T) {
	lines := []string{claudeSaid(1, User, "Bake bread"), claudeQueue(2, "enqueue", "With rye"), claudeSaid(3, Assistant, "Baked."), claudeQueue(4, "dequeue", ""), claudeSaid(5, User, "With rye"), claudeSaid(6, Assistant, "Rye it is.")}
	for n := 1; n <= len(lines); n++ {
		path := write(t, "s.jsonl", []byte(strings.Join(lines[:n], "")))
		first, report := readAll(t, path, 0)
		path = write(t, "s.jsonl", []byte(strings.Join(lines, "")))
		rest, _ := readAll(t, path, report.Offset)
		known, got := map[string]bool{}, []string{}
		for _, turn := range append(first, rest...) {
			again := known[turn.ID]
			for _, id := range turn.Queued {
				again = again || known[id]
			}
			if known[turn.ID] = true; !again {
				got = append(got, turn.Text)
			}
			if turn.Folder != "/srv/shop" {
				t.Errorf("%+v", turn)
			}
		}
		if len(got) != 4 || strings.Count(strings.Join(got, ";"), "With rye") != 1 {
			t.Errorf("after %d lines: %q", n, got)
		}
	}
}
