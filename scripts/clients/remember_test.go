package clients

import (
	"strings"
	"testing"

	"toolkit/tools/memory/transcripts"
)

// What the issue allows our text to take of a model's context, in characters of
// four to a token.
const (
	mostAtPrompt = 4 * 400
	mostAtStart  = 4 * 600
)

func TestAConversationIsRecalledInTheNextSessionWithoutAToolCall(t *testing.T) {
	each(t, func(t *testing.T, h *home) {
		h.withHooks()
		h.run("", "We decided to bake the rye bread at 230 degrees in the Norwegian oven. My sister Ingrid is allergic to hazelnuts.", says("Noted."))
		h.run("", "The invoice of the flour mill comes on the first of each month.", says("I will keep that in mind."))

		var asked *session
		var question string
		for fact, other := range map[string]string{
			"Ingrid is allergic to hazelnuts": "Who must not eat hazelnuts?",
			"230 degrees":                     "How hot is the oven for the rye bread?",
		} {
			question, asked = other, h.run("", other, says("As you said."))
			start, prompt := h.injected(asked, "session-start", mostAtStart), h.injected(asked, "prompt", h.mostAtFirstPrompt())
			if !strings.Contains(prompt, fact) {
				t.Errorf("asked %q, the model was not told that %s: %q", question, fact, prompt)
			}
			if !h.standIn && !strings.Contains(start+prompt, "Last session") {
				t.Errorf("no briefing began the session: %q", start)
			}
		}
		later := h.run(h.id(asked, question), "Run the tests.", says("They pass."))
		if got := h.injected(later, "session-start", mostAtStart) + h.injected(later, "prompt", mostAtPrompt); got != "" {
			t.Errorf("recalled where nothing was asked: %q", got)
		}
		h.toolkit("capture", "--all")
		for _, turn := range h.dialogue() {
			if strings.Contains(turn.Content, transcripts.Tag) {
				t.Errorf("what we put into a session was taken for something said: %v", turn)
			}
		}
		if n := len(h.dialogue()); n != 10 {
			t.Errorf("%d turns are stored, 10 were said: %v", n, h.dialogue())
		}
		h.reportHooks()
	})
}

// mostAtFirstPrompt is more for Gemini CLI, whose first prompt brings the briefing
// too: what its hook at the start of a session answers would become part of the
// prompt.
func (h *home) mostAtFirstPrompt() int {
	if h.client == gemini {
		return mostAtStart + mostAtPrompt
	}
	return mostAtPrompt
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
