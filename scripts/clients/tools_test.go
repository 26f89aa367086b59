package clients

import (
	"encoding/json"
	"strings"
	"testing"
)

// each runs a test for every client, side by side.
func each(t *testing.T, test func(t *testing.T, h *home)) {
	t.Parallel()
	for _, c := range assistants {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, c)
			test(t, h)
			h.checkHooks()
		})
	}
}

func TestAClientCallsToolsOfOursAndOnlyWhatWasSaidIsCaptured(t *testing.T) {
	each(t, func(t *testing.T, h *home) {
		h.toolkit("call", "create_entities", `{"entities":[{"name":"Rye starter","entityType":"thing","observations":["fed every evening"]}]}`)
		const question, reply = "How is the starter kept alive?", "With flour and water, in the evening."
		s := h.run("", question, append(h.calls("search_nodes", map[string]any{"query": "starter"}), says(reply)...))
		var tools []struct{ Name string }
		must(t, json.Unmarshal([]byte(h.toolkit("tools", "--json")), &tools))
		turns := s.turns()
		first, last := turns[0], turns[len(turns)-1]
		for _, tool := range tools { // Claude Code asks before a server that is slow to start has told of its tools
			if name := h.client.ours(tool.Name); !first.offers(name) && !last.offers(name) {
				t.Errorf("the model is not told of %s", name)
			}
		}
		if got := last.all("tool"); !strings.Contains(got, "Rye starter") || !strings.Contains(got, "fed every evening") {
			t.Errorf("the result did not reach the model: %.800q", got)
		}
		if !strings.Contains(first.all("system")+last.all("system")+first.all("user"), "durable local memory") {
			t.Error("the model does not read our instructions")
		}
		for range 2 {
			h.toolkit("capture", "--all")
			h.check(h.dialogue(), "user", question, "assistant", reply)
		}
		h.checkTranscript()
		t.Logf("%d tools of ours; first request %d bytes, last %d", len(tools), first.bytes, last.bytes)
	})
}

// offers reports whether a request tells the model of a tool: by its definition,
// or in a list of names whose definitions it can ask for.
func (r request) offers(name string) bool {
	for _, o := range r.tools {
		if o.Name == name {
			return true
		}
	}
	return strings.Contains("\n"+r.all("system")+"\n", "\n"+name+"\n")
}
