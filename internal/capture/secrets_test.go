package capture

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// What one process of a hook took out, another must not store, nor the one that reads
// the file.
func TestASecretIsStoredNowhereInItsSession(t *testing.T) {
	const second = time.Second
	secrets := step{0, "user", "The wifi password is Sonnenblume!2026, thanks", ""}
	answer := step{2 * second, "assistant", "Welcome! Wifi: Sonnenblume!2026", ""}
	inFile := func(s step, id string) step { return step{s.after, s.speaker, s.text, id} }
	clean := []string{"The wifi password is [redacted: password], thanks", "Welcome! Wifi: [redacted: repeated]"}
	early, late := step{0, "user", "Try Sonnenblume!2026", ""}, step{2 * second, "assistant", "The password is Sonnenblume!2026", ""}
	for name, test := range map[string]struct {
		steps []step
		want  []string
	}{
		"heard by two hooks":                         {[]step{secrets, answer}, clean},
		"read in a file":                             {[]step{inFile(secrets, "1"), inFile(answer, "2")}, clean},
		"heard, then read":                           {[]step{secrets, answer, inFile(secrets, "1"), inFile(answer, "2")}, clean},
		"read, then heard":                           {[]step{inFile(secrets, "1"), inFile(answer, "2"), secrets, answer}, clean},
		"told in the file, repeated to a hook":       {[]step{inFile(secrets, "1"), answer}, clean},
		"told to a hook, repeated in the file":       {[]step{secrets, inFile(answer, "2")}, clean},
		"repeated before it is known to be a secret": {[]step{early, late, inFile(early, "1"), inFile(late, "2")}, []string{"Try [redacted: repeated]", "The password is [redacted: password]"}},
		"private": {
			[]step{{0, "user", "<private>the codename is BLUEHERON</private> make it", ""}, {second, "assistant", "Made the folder BLUEHERON.", ""}},
			[]string{"[redacted: private] make it", "Made the folder [redacted: repeated]."}},
		"an answer in parts, heard before it was known": {
			[]step{early, {2 * second, "assistant", "The password is Sonnenblume!2026.\n\nI set Sonnenblume!2026.", ""}, {2 * second, "assistant", "The password is Sonnenblume!2026.", "2"}, {3 * second, "assistant", "I set Sonnenblume!2026.", "3"}},
			[]string{"Try [redacted: repeated]", "The password is [redacted: password]\n\nI set [redacted: repeated]."}},
		"heard and read before it is known": {[]step{early, inFile(early, "1"), late}, []string{"Try [redacted: repeated]", "The password is [redacted: password]"}},
		"read before it is known, then heard once more": {
			[]step{inFile(early, "1"), inFile(late, "2"), early, late}, []string{"Try [redacted: repeated]", "The password is [redacted: password]"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := newBench(t).storeSteps(test.steps)
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestSecretOfSpooledTurnIsRedactedLater(t *testing.T) {
	b := newBench(t)
	for _, h := range []HookTurn{
		{Client: "claude-code", Session: "s", Speaker: "user", Text: "password: Sonnenblume!2026", At: ten},
		{Client: "claude-code", Session: "s", Speaker: "user", Text: "set an ordinary curfew", At: ten.Add(time.Second)},
	} {
		aside, taken, err := b.RedactForSpool(b.Context(), h)
		if err != nil || !taken {
			t.Fatal(taken, err)
		}
		file, err := json.Marshal(aside)
		if err != nil || strings.Contains(string(file), "Sonnenblume") {
			t.Fatalf("%s, %v", file, err)
		}
		if err := b.StoreHookTurn(b.Context(), aside); err != nil {
			t.Fatal(err)
		}
	}
	b.hear(2*time.Second, "assistant", "Done: Sonnenblume!2026, after the curfew")
	b.expect("claude-code/s user: password: [redacted: password]", "claude-code/s user: set an ordinary curfew", "claude-code/s assistant: Done: [redacted: repeated], after the curfew")
}

func TestSecretsAreRedactedInCommandsAndFileNames(t *testing.T) {
	b := newBench(t)
	call := `{"type":"assistant","uuid":"2","sessionId":"s","cwd":"/srv/shop","timestamp":"2026-03-01T10:00:01Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"mkdir Sonnenblume!2026"}},{"type":"tool_use","id":"u","name":"Write","input":{"file_path":"/srv/shop/Sonnenblume!2026.txt","content":"x"}}]}}` + "\n"
	b.capture(b.put("s.jsonl", said("1", "s", "user", "password: Sonnenblume!2026")+call+said("3", "s", "assistant", "Made it.")))
	rows := b.rows()
	if done := string(rows[len(rows)-1].Metadata); strings.Contains(done, "Sonnenblume") || !strings.Contains(done, "mkdir [redacted: repeated]") || !strings.Contains(done, "/srv/shop/[redacted: repeated].txt") {
		t.Errorf("%s", done)
	}
}

func TestSecretIsTakenOutOfEarlierCommandsAndInsights(t *testing.T) {
	b := newBench(t)
	call := `{"type":"assistant","uuid":"2","sessionId":"s","cwd":"/srv/shop","timestamp":"2026-03-01T10:00:01Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"mkdir Sonnenblume88xx"}},{"type":"text","text":"Made it."}]}}` + "\n"
	b.capture(b.put("s.jsonl", said("1", "s", "user", "We decided to use Sonnenblume88xx for the billing.")+call))
	if got := b.insights(); len(got) != 1 || !strings.Contains(got[0], "Sonnenblume88xx") {
		t.Fatalf("insights are %q", got)
	}
	b.hear(time.Minute, "user", "my login password is Sonnenblume88xx")
	for _, d := range b.rows() {
		if strings.Contains(d.Content+string(d.Metadata), "Sonnenblume") {
			t.Errorf("%s %s", d.Content, d.Metadata)
		}
	}
	if got := b.insights(); strings.Contains(fmt.Sprint(got), "Sonnenblume") {
		t.Errorf("insights are %q", got)
	}
}

func TestSecretOfAnotherSessionStaysInEarlierTurns(t *testing.T) {
	b := newBench(t)
	b.capture(b.put("t.jsonl", said("1", "t", "user", "Try Sonnenblume88xx")))
	b.hear(time.Minute, "user", "my login password is Sonnenblume88xx")
	b.expect("claude-code/t user: Try Sonnenblume88xx", "claude-code/s user: my login password is [redacted: password]")
}
