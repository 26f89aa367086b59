package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// id is the client's own id of a session, as its hook at the prompt was told.
func (h *home) id(s *session, prompt string) string {
	h.t.Helper()
	for _, run := range h.hooked("prompt") {
		if in := run.told(); run.Begun > s.begun && in.Prompt == prompt {
			return in.Session
		}
	}
	h.t.Fatalf("no hook ran at the prompt %q\n%s", prompt, s.out.String())
	return ""
}

func TestTwoSessionsAtOnceAreEachStoredOnce(t *testing.T) {
	each(t, func(t *testing.T, h *home) {
		h.withHooks()
		const lamps, ferry = "The lamps in the shop are warm white.", "The ferry leaves at seven."
		a := h.start("", lamps, says("Warm white it is."))
		b := h.start("", ferry, says("At seven, then."))
		a.wait(t)
		b.wait(t)
		h.toolkit("capture", "--all")
		all := h.dialogue()
		h.check(of(h.id(a, lamps), all), "user", lamps, "assistant", "Warm white it is.")
		h.check(of(h.id(b, ferry), all), "user", ferry, "assistant", "At seven, then.")
		if len(all) != 4 {
			t.Errorf("%d turns are stored, 4 were said", len(all))
		}
		h.reportHooks()
	})
}

func TestAResumedSessionGoesOnInItsDialogue(t *testing.T) {
	each(t, func(t *testing.T, h *home) {
		h.withHooks()
		const first, second = "Anna takes over the bakery in May.", "And Peter the accounts in June."
		s := h.run("", first, says("Anna, in May."))
		id := h.id(s, first)
		s = h.run(id, second, says("Peter, in June."))
		if got := s.turns()[0]; !strings.Contains(got.all("user"), first) {
			t.Errorf("the session did not go on: %q", got.all("user"))
		}
		h.toolkit("capture", "--all")
		h.check(of(id, h.dialogue()), "user", first, "assistant", "Anna, in May.", "user", second, "assistant", "Peter, in June.")
		if n := len(h.dialogue()); n != 4 {
			t.Errorf("%d turns are stored, 4 were said", n)
		}
	})
}

func TestTheSummaryOfACompactionIsNotSomethingSaid(t *testing.T) {
	const first, reply, second = "The ovens are serviced by Berger and Sons.", "Berger and Sons, noted.", "Who else is a supplier?"
	for _, c := range []*assistant{claudeCode, codex} { // Gemini CLI compresses long histories only
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, c).withHooks()
			full := answer{text: reply}
			if c == codex { // it compacts before a prompt that would not fit
				full.tokens = 10_000_000
			}
			s := h.run("", first, []answer{full})
			id := h.id(s, first)
			if c == claudeCode {
				h.run(id, "/compact", says("<summary>The user said who services the ovens.</summary>"))
			}
			s = h.run(id, second, says("Nobody that you named."))
			if got := s.turns()[0]; strings.Contains(got.all("assistant"), reply) || !strings.Contains(got.all("user"), "summary") {
				t.Errorf("nothing was compacted: %q", got.heard)
			}
			h.toolkit("capture", "--all")
			h.check(h.dialogue(), "user", first, "assistant", reply, "user", second, "assistant", "Nobody that you named.")
			if len(h.hooked("pre-compact")) != 1 {
				t.Error("no hook ran before the compaction")
			}
			h.reportHooks()
		})
	}
}

func TestWhatAKilledSessionSaidIsSweptUpAtTheNextStart(t *testing.T) {
	each(t, func(t *testing.T, h *home) {
		h.withHooks()
		const question = "The cellar key hangs behind the flour."
		asked := make(chan struct{})
		s := h.start("", question, append(h.calls("ping", map[string]any{}), answer{stays: asked}))
		within(t, "the model is asked what the tool's result means", func() bool {
			select {
			case <-asked:
				return true
			default:
				return false
			}
		})
		id := h.id(s, question)
		within(t, "the client writes down what was said", func() bool {
			raw, err := os.ReadFile(h.hooked("prompt")[0].told().Transcript)
			return err == nil && strings.Contains(string(raw), question)
		})
		must(t, s.cmd.Cancel())
		s.cmd.Wait() //nolint:errcheck // it was killed
		h.run("", "Good morning.", says("Good morning."))
		h.check(of(id, h.dialogue()), "user", question)
	})
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

func TestHooksRunWhileAnotherProcessImports(t *testing.T) {
	const turns = 2_000
	each(t, func(t *testing.T, h *home) {
		h.withHooks()
		over, imports := make(chan struct{}), make(chan error)
		files := 0
		go func() { // one import after the other, as long as the session is there
			for {
				select {
				case <-over:
					imports <- nil
					return
				default:
				}
				file := fmt.Sprintf("long-%d.jsonl", files)
				err := os.WriteFile(filepath.Join(h.folder, file), longSession(files, turns), 0o600)
				if err == nil {
					_, err = h.try("capture", filepath.Join(h.folder, file))
				}
				if err != nil {
					imports <- err
					return
				}
				files++
			}
		}()
		const news = "The new mixer comes on Tuesday."
		s := h.run("", news, says("On Tuesday."))
		close(over)
		must(t, <-imports)
		h.toolkit("capture", "--all")
		all := h.dialogue()
		h.check(of(h.id(s, news), all), "user", news, "assistant", "On Tuesday.")
		if len(all) != files*turns+2 {
			t.Errorf("%d turns are stored, %d were said", len(all), files*turns+2)
		}
		t.Logf("%s: %d turns were imported beside the session", h.client.name, files*turns)
		h.reportHooks()
	})
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
