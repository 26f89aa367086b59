package clients

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// of are the turns of one session in what is stored.
func of(session string, all []said) []said {
	var some []said
	for _, s := range all {
		if strings.HasSuffix(s.Session, session) {
			some = append(some, s)
		}
	}
	return some
}

// told is what the hook at a prompt was told in a run of a client.
func (h *home) told(s *session, prompt string) told {
	h.t.Helper()
	for _, run := range h.hooked("prompt") {
		if in := run.told(); run.Begun > s.begun && in.Prompt == prompt {
			return in
		}
	}
	h.t.Fatalf("no hook ran at the prompt %q\n%s", prompt, s.out.String())
	return told{}
}

func TestTwoSessionsAtOnceBesideAnImportAreEachStoredOnceAndOneGoesOn(t *testing.T) {
	each(t, func(t *testing.T, h *home) {
		h.beside = " beside an import"
		imported := h.importing()
		const lamps, ferry, order = "The lamps in the shop are warm white.", "The ferry leaves at seven.", "Run the tests."
		// The second begins its turn while the model of the first thinks. Begun
		// in the same instant in a new home, Gemini CLI makes of one folder two projects.
		first, second := make(chan struct{}), make(chan struct{})
		a := h.start("", lamps, []answer{{text: "Warm white it is.", asked: first, until: second}})
		within(t, "the model of the first is asked", closed(first))
		b := h.start("", ferry, []answer{{text: "At seven, then.", asked: second}})
		a.wait(t)
		b.wait(t)
		turns := imported()

		id := h.told(a, lamps).Session
		again := h.run(id, order, says("They pass."))
		if got := again.turns()[0]; !strings.Contains(got.all("user"), lamps) {
			t.Errorf("the session did not go on: %q", got.all("user"))
		}
		if got := h.injected(again, "session-start", 0) + h.injected(again, "prompt", 0); got != "" {
			t.Errorf("recalled where nothing was asked: %q", got)
		}
		h.toolkit("capture", "--all")
		all := h.dialogue()
		h.check(of(id, all), "user", lamps, "assistant", "Warm white it is.", "user", order, "assistant", "They pass.")
		h.check(of(h.told(b, ferry).Session, all), "user", ferry, "assistant", "At seven, then.")
		if len(all) != turns+6 {
			t.Errorf("%d turns are stored, %d were said", len(all), turns+6)
		}
		t.Logf("%s: %d turns were imported beside the sessions", h.client.name, turns)
	})
}

// importing imports one long session after the other in another process, until the
// returned function is called, which tells how many turns these were.
func (h *home) importing() func() int {
	const turns = 2_000
	over, done := make(chan struct{}), make(chan error)
	files := 0
	go func() {
		for {
			select {
			case <-over:
				done <- nil
				return
			default:
			}
			file := filepath.Join(h.folder, fmt.Sprintf("long-%d.jsonl", files))
			err := os.WriteFile(file, longSession(files, turns), 0o600)
			if err == nil {
				_, err = h.try("capture", file)
			}
			if err != nil {
				done <- err
				return
			}
			files++
		}
	}()
	return func() int {
		close(over)
		must(h.t, <-done)
		return files * turns
	}
}

func TestACompactionIsNotSomethingSaidAndTheSessionIsToldAgain(t *testing.T) {
	const first, reply, second = "Who must not eat hazelnuts?", "Ingrid, as you told me.", "Who else must not eat hazelnuts?"
	const fact = "Ingrid is allergic to hazelnuts"
	each(t, func(t *testing.T, h *home) {
		if h.client == gemini {
			t.Skip("it compresses long histories only")
		}
		h.toolkit("remember", "My sister "+fact+".")
		full := answer{text: reply}
		if h.client == codex { // it compacts before a prompt that would not fit
			full.tokens = 10_000_000
		}
		s := h.run("", first, []answer{full})
		if got := s.turns()[0].all("system"); !strings.Contains(got, fact) { // by the briefing or beside the prompt
			t.Errorf("the model was not told that %s: %q", fact, got)
		}
		id := h.told(s, first).Session
		if h.client == claudeCode {
			h.run(id, "/compact", says("<summary>The user asked who must not eat nuts.</summary>"))
		}
		s = h.run(id, second, says("Nobody that you named."))
		if got := s.turns()[0]; strings.Contains(got.all("assistant"), reply) || !strings.Contains(got.all("user"), "summary") {
			t.Errorf("nothing was compacted: %q", got.heard)
		}
		if got := s.turns()[0].all("system"); !strings.Contains(got, fact) {
			t.Errorf("after the compaction the model was not told again that %s: %q", fact, got)
		}
		briefed := slices.IndexFunc(h.hooked("session-start"), func(run hooked) bool { return run.told().Source == "compact" })
		if briefed < 0 {
			t.Error("no hook began the session again after the compaction")
		} else if text := h.hooked("session-start")[briefed].injects(t); !strings.Contains(s.turns()[0].all("system"), text) {
			t.Errorf("the briefing after the compaction did not reach the model: %q", text)
		}
		h.toolkit("capture", "--all")
		h.check(h.dialogue(), "user", first, "assistant", reply, "user", second, "assistant", "Nobody that you named.")
		if before, after := len(h.hooked("pre-compact")), len(h.hooked("post-compact")); before != 1 || after != 1 {
			t.Errorf("%d hooks ran before the compaction, %d after it", before, after)
		}
	})
}

func TestAKilledSessionLosesNothingThatWasSaid(t *testing.T) {
	each(t, func(t *testing.T, h *home) {
		const key, ladder, look = "The cellar key hangs behind the flour.", "The ladder stands in the yard.", "Let me have a look."
		first, later, never := make(chan struct{}), make(chan struct{}), make(chan struct{})
		a := h.start("", key, []answer{{asked: first, until: never}})
		within(t, "the model of the first is asked", closed(first))
		kill(t, a)
		// As if it had not come to write it: what was said is in the hook at the prompt.
		if err := os.Remove(h.told(a, key).Transcript); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		h.check(of(h.told(a, key).Session, h.dialogue()), "user", key)

		b := h.start("", ladder, append(h.saysAndCalls(look, "ping", map[string]any{}), answer{asked: later, until: never}))
		within(t, "the model of the second is asked what the tool's result means", closed(later))
		within(t, "the second writes down what was said", func() bool {
			raw, err := os.ReadFile(h.told(b, ladder).Transcript)
			return err == nil && strings.Contains(string(raw), look)
		})
		kill(t, b)
		h.run("", "Good morning.", says("Good morning."))
		id := h.told(b, ladder).Session
		within(t, "the next start has swept up what was said", func() bool { return len(of(id, h.dialogue())) > 1 })
		h.check(of(id, h.dialogue()), "user", ladder, "assistant", look)
		h.check(of(h.told(a, key).Session, h.dialogue()), "user", key)
	})
}

func closed(c chan struct{}) func() bool {
	return func() bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
}

func kill(t *testing.T, s *session) {
	t.Helper()
	must(t, s.cmd.Cancel())
	s.cmd.Wait() //nolint:errcheck // it was killed
}

// within waits until something is so.
func within(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// longSession is the n-th of sessions of Claude Code with many turns.
func longSession(n, turns int) []byte {
	var lines bytes.Buffer
	at := time.Date(2026, 3, 1+n, 8, 0, 0, 0, time.UTC)
	for i := range turns {
		speaker := []string{"user", "assistant"}[i%2]
		json.NewEncoder(&lines).Encode(map[string]any{ //nolint:errcheck // into memory
			"type": speaker, "uuid": fmt.Sprintf("turn-%d-%d", n, i), "sessionId": fmt.Sprint("long-", n), "cwd": "/srv/bakery", "timestamp": at.Add(time.Duration(i) * time.Second).Format(time.RFC3339),
			"message": map[string]any{"role": speaker, "content": fmt.Sprintf("Batch %d of week %d went into oven %d and came out well.", i, n, i%7)},
		})
	}
	return lines.Bytes()
}
