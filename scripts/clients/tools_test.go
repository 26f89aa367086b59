package clients

import (
	"encoding/json"
	"os"
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
		turns := s.turns()
		first, last := turns[0], turns[len(turns)-1]
		tools := h.listed()
		for _, tool := range tools { // Claude Code asks before a server that is slow to start has told of its tools
			if name := h.client.ours(tool); !first.offers(name) && !last.offers(name) {
				t.Errorf("the model is not told of %s", name)
			}
		}
		definitions := first.definitions()
		if definitions > h.client.most {
			t.Errorf("our definitions take %d bytes of a request, more than %d", definitions, h.client.most)
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
		t.Logf("%d tools of ours in %d bytes; first request %d bytes, last %d", len(tools), definitions, first.bytes, last.bytes)
	})
}

// A task of each family is done by a model that is told of few tools.
func TestEveryFamilyIsReachedThroughTheDoors(t *testing.T) {
	t.Parallel()
	tasks := []struct {
		door, tool string
		arguments  map[string]any
		says       string // in what the model is given
	}{
		{"call_tool", "store_episode", map[string]any{"query": "How is dough kept?", "reward": 0.5, "reflection": "Problem: it dried. Lesson: cover it."}, "embedding_status"},
		{"call_read_tool", "read_graph", map[string]any{"limit": 5}, "fed every evening"},
		{"call_read_tool", "init_llm_guidance", map[string]any{}, "tension"},
		{"call_read_tool", "find_entities", map[string]any{"name": "Acme"}, "entities"},
		{"call_read_tool", "list_pockets", map[string]any{}, "pockets"},
		{"call_read_tool", "list_provider_catalog", map[string]any{}, "providers"},
	}
	for _, c := range assistants {
		if c.load != "" { // it is told of all tools
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, c)
			h.toolkit("call", "create_entities", `{"entities":[{"name":"Rye starter","entityType":"thing","observations":["fed every evening"]}]}`)
			script := h.calls("find_tools", map[string]any{"query": "store what was learned from an answer", "limit": 3})
			for _, task := range tasks {
				script = append(script, h.calls(task.door, map[string]any{"name": task.tool, "arguments": task.arguments})...)
			}
			turns := h.run("", "Do it all.", append(script, says("Done.")...)).turns()
			given := turns[len(turns)-1].all("tool")
			if !strings.Contains(given, "store_episode") || !strings.Contains(given, "input_schema") {
				t.Errorf("find_tools gave %.800q", given)
			}
			for _, task := range tasks {
				if task.door == "call_tool" && c == codex { // it asks its user before anything that may delete
					task.says = "requires approval"
				}
				if !strings.Contains(given, task.says) {
					t.Errorf("%s did not reach the model: %.4000q", task.tool, given)
				}
			}
			h.toolkit("install", c.name, "--uninstall")
			h.leftNothing()
		})
	}
}

// leftNothing fails where a client still has toolkit by the list of those that have, or its files
// still name the program.
func (h *home) leftNothing() {
	h.t.Helper()
	listed, files := h.toolkit("install"), 0
	for line := range strings.Lines(listed) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[0] != h.client.name {
			continue
		}
		files++
		if !strings.Contains(line, "not installed") && !strings.Contains(line, "no configuration yet") {
			h.t.Errorf("after it was taken out: %s", listed)
		}
		if text, err := os.ReadFile(fields[len(fields)-1]); err == nil && strings.Contains(string(text), h.program) {
			h.t.Errorf("%s still names the program: %s", fields[len(fields)-1], text)
		}
	}
	if files == 0 {
		h.t.Errorf("%s is not listed: %s", h.client.name, listed)
	}
}

// small are the tools that a client is told of which sends all it knows.
var small = []string{
	"create_structural_tension_chart", "list_active_charts", "mark_action_complete", "create_entities", "create_relations", "add_observations",
	"search_nodes", "open_nodes", "upload_file", "recall", "remember", "forget", "find_tools", "call_tool", "call_read_tool",
}

// listed are the tools of ours that the client is told of.
func (h *home) listed() (names []string) {
	h.t.Helper()
	if h.client.load == "" {
		return small
	}
	var tools []struct{ Name, Family string }
	must(h.t, json.Unmarshal([]byte(h.toolkit("tools", "--json")), &tools))
	for _, tool := range tools {
		if tool.Family != "toolset" {
			names = append(names, tool.Name)
		}
	}
	return names
}

// definitions is how many bytes of a request define tools of ours.
func (r request) definitions() (bytes int) {
	for _, o := range r.tools {
		if strings.Contains(o.namespace+o.Name, "toolkit") {
			bytes += o.bytes
		}
	}
	return bytes
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
