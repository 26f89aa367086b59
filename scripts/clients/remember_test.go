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

		for question, fact := range map[string]string{
			"Who must not eat hazelnuts?":            "Ingrid is allergic to hazelnuts",
			"How hot is the oven for the rye bread?": "230 degrees",
		} {
			s := h.run("", question, says("As you said."))
			if got := h.injected(s, "prompt", mostAtPrompt); !strings.Contains(got, fact) {
				t.Errorf("asked %q, the model was not told that %s: %q", question, fact, got)
			}
			h.injected(s, "session-start", mostAtStart)
		}
		s := h.run("", "Run the tests.", says("They pass."))
		if got := h.injected(s, "prompt", mostAtPrompt); got != "" {
			t.Errorf("recalled where nothing was asked: %q", got)
		}
		h.reportHooks()
	})
}

// injected is what the hook of an event put before the model in a session of one
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
		h.t.Logf("%s: injected %d characters at %s", h.client.name, len(text), event)
		texts = append(texts, text)
	}
	return strings.Join(texts, "\n")
}
