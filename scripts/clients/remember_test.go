package clients

import (
	"strings"
	"testing"

	"toolkit/internal/capture/transcripts"
)

// What our text may take of a model's context, in characters of
// four to a token.
const (
	maxPromptBytes = 4 * 400
	maxStartBytes  = 4 * 600
)

func TestAConversationIsRecalledInTheNextSessionWithoutAToolCall(t *testing.T) {
	each(t, func(t *testing.T, h *home) {
		h.run("", "We decided to bake the rye bread at 230 degrees in the Norwegian oven. My sister Ingrid is allergic to hazelnuts.", says("Noted."))

		h.run("", "Rasmus brings the green tent poles for the picnic on the hill.", says("Good."))

		const first, second = "Who must not eat hazelnuts?", "Who brings the tent poles for the picnic?"
		s := h.run("", first, says("Your sister."))
		start, prompt := h.injected(s, "session-start", maxStartBytes), h.injected(s, "prompt", h.mostAtFirstPrompt())
		if strings.Count(start+prompt, "Ingrid is allergic to hazelnuts") != 1 { // once: what the briefing tells is not told again
			t.Errorf("the model was not told who must not: %q, %q", start, prompt)
		}
		if !strings.Contains(start+prompt, "Last session") {
			t.Errorf("no briefing began the session: %q", start)
		}
		before := start + prompt

		s = h.run(h.told(s, first).Session, second, says("Rasmus."))
		start, prompt = h.injected(s, "session-start", maxStartBytes), h.injected(s, "prompt", maxPromptBytes)
		if start != "" || !strings.Contains(before+prompt, "Rasmus brings the green tent poles") || strings.Contains(prompt, "Last session") {
			t.Errorf("the resumed session was told before %q, at its start %q, at the prompt %q", before, start, prompt)
		}
		h.toolkit("capture", "--all")
		for _, turn := range h.dialogue() {
			if strings.Contains(turn.Content, transcripts.Tag) {
				t.Errorf("what we put into a session was taken for something said: %v", turn)
			}
		}
		if n := len(h.dialogue()); n != 8 {
			t.Errorf("%d turns are stored, 8 were said: %v", n, h.dialogue())
		}
	})
}

// mostAtFirstPrompt is more for Gemini CLI, whose first prompt brings the briefing
// too: what its hook at the start of a session answers would become part of the
// prompt.
func (h *home) mostAtFirstPrompt() int {
	if h.client == gemini {
		return maxStartBytes + maxPromptBytes
	}
	return maxPromptBytes
}

// injected is what the hook of an event put before the model in a run of one
// prompt. It stands in the model's first request, between our tags, and is no
// longer than most.
func (h *home) injected(s *session, event string, most int) string {
	h.t.Helper()
	first := s.turns()[0]
	var texts []string
	for _, run := range h.hooked(event) {
		if run.Begun < s.begun || run.Output == "" {
			continue
		}
		text := run.injects(h.t)
		switch {
		case !strings.Contains(first.all("system")+first.all("user"), text) && !strings.Contains(first.all("user"), escaped.Replace(text)):
			h.t.Errorf("what the hook at %s answered did not reach the model: %q", event, text)
		case !strings.HasPrefix(text, "<"+transcripts.Tag) || !strings.HasSuffix(strings.TrimSpace(text), "</"+transcripts.Tag+">"):
			h.t.Errorf("what the hook at %s answered stands outside our tags: %q", event, text)
		case len(text) > most:
			h.t.Errorf("the hook at %s answered %d characters, more than %d: %q", event, len(text), most, text)
		}
		role := "system"
		if !strings.Contains(first.all(role), text) {
			role = "user"
		}
		h.t.Logf("%s: injected %d characters at %s, as %s", h.client.name, len(text), event, role)
		texts = append(texts, text)
	}
	return strings.Join(texts, "\n")
}
