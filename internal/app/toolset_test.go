package app

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/tools"
)

// coreBudget is what the small toolset may take of every request, in bytes; with what Gemini CLI
// adds to each tool it is 12 KB.
const coreBudget = 8_000

// openCore opens an app with the small toolset and the sentence model, or without one.
func openCore(t *testing.T, access tools.Access, embedder string) *App {
	t.Helper()
	access.Toolset = tools.CoreTools
	getenv := func(name string) string { return map[string]string{"TOOLKIT_EMBEDDER": embedder}[name] }
	return openWith(t, Settings{Access: access, Getenv: getenv})
}

func TestTheSmallToolsetIsListedWithinItsBudget(t *testing.T) {
	a := openCore(t, tools.Access{}, "off")
	list, err := a.Server.ListTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	size := 0
	for _, entry := range list {
		names = append(names, entry.Name)
		size += len(toolstest.EncodeJSON(arguments{"name": entry.Name, "description": entry.Description, "inputSchema": json.RawMessage(entry.RawInputSchema)}))
	}
	want := []string{"create_structural_tension_chart", "list_active_charts", "mark_action_complete", "create_entities", "create_relations", "add_observations",
		"search_nodes", "open_nodes", "remember", "upload_file", "recall", "forget", "find_tools", "call_tool", "call_read_tool"}
	slices.Sort(names)
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("listed are %v", names)
	}
	t.Logf("%d tools take %d bytes", len(list), size)
	if size > coreBudget {
		t.Errorf("the small toolset takes %d bytes, more than %d", size, coreBudget)
	}
}

func TestDoorsAreListedInTheSmallToolsetAlone(t *testing.T) {
	a := openWith(t, Settings{})
	for _, d := range a.Server.Pipeline.ListVisibleTools() {
		if d.Door {
			t.Errorf("%s is listed beside all that it leads to", d.Name)
		}
	}
}

// The result is the one that a tool gives when it is called itself.
func TestEveryToolIsReachedThroughTheDoors(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	registry := allTools(t)
	for _, d := range testenv.Sample(registry.All(), 8) {
		if d.Door {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			example := d.Examples()[0]
			var texts []string
			for _, through := range []bool{false, true} {
				s := withBank()
				s.Access.Toolset = tools.CoreTools
				options, a, err := fresh(t.Context(), s, t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				defer a.Close()
				p, err := tools.NewPipeline(options)
				if err != nil {
					t.Fatal(err)
				}
				for _, step := range example.Setup {
					p.Call(t.Context(), tools.Request{Tool: step.Tool, Arguments: []byte(toolstest.EncodeJSON(step.Params))})
				}
				r := tools.Request{Tool: d.Name, Arguments: example.Params}
				if through {
					door := "call_read_tool"
					if d.Writes() {
						door = "call_tool"
						refused, err := p.Call(t.Context(), tools.Request{Tool: "call_read_tool", Arguments: []byte(toolstest.EncodeJSON(arguments{"name": d.Name, "arguments": example.Params}))})
						if err != nil || !refused.IsError || refused.Err.Code != tools.CodePermission {
							t.Errorf("call_read_tool calls a tool that writes: %v, %v", refused, err)
						}
					}
					r = tools.Request{Tool: door, Arguments: []byte(toolstest.EncodeJSON(arguments{"name": d.Name, "arguments": example.Params}))}
				}
				result, err := p.Call(t.Context(), r)
				if err != nil || result.IsError {
					t.Fatalf("%v, %v", err, result.Text)
				}
				if version := result.Meta["metadata"].(map[string]any)["toolVersion"]; version != d.Version {
					t.Errorf("the result is of version %v", version)
				}
				texts = append(texts, strings.Join(keysOf(t, result.Structured), " "))
			}
			if texts[0] != texts[1] {
				t.Errorf("itself it gives %s, through the door %s", texts[0], texts[1])
			}
		})
	}
}

func keysOf(t *testing.T, object []byte) (keys []string) {
	t.Helper()
	var in map[string]json.RawMessage
	toolstest.Decode(t, object, &in)
	for key := range in {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func TestADoorRefusesWhatItMustNotReach(t *testing.T) {
	for name, tc := range map[string]struct {
		access     tools.Access
		rights     tools.Rights
		door, tool string
		in         any
		code       string
	}{
		"itself":                     {tools.Access{}, tools.AllRights, "call_tool", "call_tool", arguments{"name": "ping"}, tools.CodeInvalid},
		"the other door":             {tools.Access{}, tools.AllRights, "call_tool", "call-read-tool", arguments{"name": "ping"}, tools.CodeInvalid},
		"a tool that there is not":   {tools.Access{}, tools.AllRights, "call_tool", "make_coffee", arguments{}, tools.CodeNotFound},
		"a tool of another family":   {tools.Access{Families: []string{"charts"}}, tools.AllRights, "call_read_tool", "read_graph", arguments{}, tools.CodeNotFound},
		"an excluded tool":           {tools.Access{Exclude: []string{"read_graph"}}, tools.AllRights, "call_read_tool", "read_graph", arguments{}, tools.CodeNotFound},
		"what is not granted":        {tools.Access{Grants: []string{"charts:read"}}, tools.AllRights, "call_read_tool", "read_graph", arguments{}, tools.CodePermission},
		"a write where none is":      {tools.Access{ReadOnly: true}, tools.AllRights, "call_tool", "store_episode", arguments{}, tools.CodePermission},
		"a write without the right":  {tools.Access{}, tools.MayRead, "call_tool", "store_episode", arguments{}, tools.CodePermission},
		"forgetting without a right": {tools.Access{}, tools.MayRead | tools.MayWrite, "call_tool", "forget", arguments{"text": "x"}, tools.CodePermission},
		"arguments that do not fit":  {tools.Access{}, tools.AllRights, "call_tool", "store_episode", arguments{"reward": 3}, tools.CodeMissing},
		"arguments beside the name":  {tools.Access{}, tools.AllRights, "call_read_tool", "", nil, tools.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			a := openCore(t, tc.access, "off")
			in := arguments{"name": tc.tool, "arguments": tc.in}
			if tc.in == nil {
				in = arguments{"name": "get_chart_progress", "chartId": "chart_1"}
			}
			r, err := a.Server.Pipeline.Call(tools.WithRights(t.Context(), tc.rights), tools.Request{Tool: tc.door, Arguments: []byte(toolstest.EncodeJSON(in))})
			if err != nil {
				t.Fatal(err)
			}
			if !r.IsError || r.Err.Code != tc.code {
				t.Errorf("it answers %s", r.Text)
			}
		})
	}
}

// wantedTools are what people ask for, in their words, with a tool that does it.
var wantedTools = []struct{ query, tool string }{
	{"fix a wrong field of an invoice", "correct_field"},
	{"undo a correction", "withdraw_correction"},
	{"the same company is stored twice", "merge_entities"},
	{"delete an insight that was wrong", "delete_insight"},
	{"change what an insight says", "update_insight"},
	{"what did this insight say before", "get_insight_history"},
	{"save what the user said word for word", "store_raw_dialogue"},
	{"import my mail archive", "sync_provider_imports"},
	{"connect my bank account", "plaid_create_link_token"},
	{"fetch new bank transactions", "plaid_sync"},
	{"which banks are connected", "plaid_list_items"},
	{"break a step into smaller steps", "telescope_action_step"},
	{"rename an action step", "update_action_step"},
	{"close a chart", "update_chart"},
	{"how far is my project", "get_chart_progress"},
	{"delete a person from the graph", "delete_entities"},
	{"remove a relation", "delete_relations"},
	{"show the whole knowledge graph", "read_graph"},
	{"due dates of contracts", "list_timeline_events"},
	{"where does this value come from", "get_field_provenance"},
	{"download a stored file", "get_file_url"},
	{"how slow are the tools", "get_technical_metrics"},
	{"usage and retention of the product", "get_product_analytics"},
	{"is it quiet in the neighbourhood now", "get_pocket_moment"},
	{"may I interrupt the user here", "score_legitimacy"},
	{"turning point of a story", "create_narrative_beat"},
	{"lesson from feedback on an answer", "store_episode"},
	{"keep this in working memory", "update_working_memory"},
	{"store an invoice", "submit_payload"},
	{"find a vendor by name", "find_entities"},
	{"Rechnung korrigieren", "correct_field"},
	{"Einen Schritt umbenennen", "update_action_step"},
	{"Welche Banken sind verbunden?", "plaid_list_items"},
	{"supprimer une relation", "delete_relations"},
	{"search old conversations by meaning", "hybrid_search"},
	{"two entities were merged by mistake", "unmerge_entities"},
}

func TestFindToolsNamesTheToolForWhatIsWanted(t *testing.T) {
	for _, tc := range []struct {
		embedder    string
		first, five float64 // shares that must be reached
	}{{"", 0.75, 0.9}, {"off", 0.5, 0.75}} {
		a := openCore(t, tools.Access{}, tc.embedder)
		first, five := 0, 0
		for _, w := range wantedTools {
			var out struct {
				Tools []struct{ Name, Call string }
			}
			toolstest.Decode(t, call(t, a, "find_tools", toolstest.EncodeJSON(arguments{"query": w.query})), &out)
			at := slices.IndexFunc(out.Tools, func(f struct{ Name, Call string }) bool { return f.Name == w.tool })
			if at == 0 {
				first++
			}
			if at >= 0 {
				five++
			}
			if at != 0 {
				t.Logf("%q (embedder %q): %s is at %d of %v", w.query, tc.embedder, w.tool, at, out.Tools)
			}
		}
		n := float64(len(wantedTools))
		t.Logf("embedder %q: first %.2f, among five %.2f", tc.embedder, float64(first)/n, float64(five)/n)
		if float64(first)/n < tc.first || float64(five)/n < tc.five {
			t.Errorf("embedder %q finds %d first and %d among five, of %d", tc.embedder, first, five, len(wantedTools))
		}
	}
}

func TestFindToolsGivesTheToolOfANameFirst(t *testing.T) {
	all := allTools(t).All()
	for embedder, list := range map[string][]*tools.Definition{"": testenv.Sample(all, 6), "off": testenv.Sample(all, 2)} {
		a := openCore(t, tools.Access{}, embedder)
		for _, d := range list {
			if d.Door {
				continue
			}
			for _, query := range []string{d.Name, tools.Kebab(d.Name), "`" + d.Name + "`, please"} {
				if !strings.Contains(d.Name, "_") && query != d.Name {
					continue // "forget, please" is no name
				}
				var out struct {
					Tools   []struct{ Name string }
					Message string
				}
				toolstest.Decode(t, call(t, a, "find_tools", toolstest.EncodeJSON(arguments{"query": query, "limit": 1})), &out)
				if out.Tools[0].Name != d.Name || out.Message != "" {
					t.Errorf("%q: %v", query, out)
				}
			}
		}
	}
}

// A client that lists few tools refuses calls of others before they reach the server.
func TestInTheSmallToolsetWhatIsNotListedIsSuggestedThroughADoor(t *testing.T) {
	a := openCore(t, tools.Access{}, "")
	listed := map[string]bool{}
	for _, d := range a.Server.Pipeline.ListVisibleTools() {
		listed[d.Name] = true
	}
	chart := field(t, call(t, a, "create_structural_tension_chart", `{"desiredOutcome":"Create a calm podcast","currentReality":"`+strings.Repeat("Have a desk and a quiet room; ", 12)+`","dueDate":"2030-05-01","actionSteps":["Script written"]}`), "chartId")
	call(t, a, "remember", `{"text":"We use Stripe for payments in the shop."}`)
	for _, tc := range []struct {
		tool string
		in   arguments
		says string
	}{
		{"list_active_charts", arguments{}, ""},
		{"mark_action_complete", arguments{"actionStepName": "Script"}, ""},
		{"create_entities", arguments{"entities": []arguments{{"name": "Ada", "entityType": "person", "observations": []string{"tea"}}}}, ""},
		{"search_nodes", arguments{"query": "Ada"}, ""},
		{"recall", arguments{"query": "the calm podcast"}, `"tool":"call_read_tool","arguments":{"arguments":{"chartId":"` + chart + `"},"name":"get_chart_progress"}`},
		{"remember", arguments{"text": "We moved to Mollie for payments."}, "delete_insight (by call_tool)"},
		{"call_read_tool", arguments{"name": "get_chart_progress", "arguments": arguments{"chartId": "chart_9"}}, ""},
		{"call_tool", arguments{"name": "store_episode", "arguments": arguments{"query": "x"}}, ""},
	} {
		r := respond(t, a, tc.tool, tc.in)
		if !strings.Contains(r.Text, tc.says) {
			t.Errorf("%s does not say %s: %s", tc.tool, tc.says, r.Text)
		}
		for _, action := range r.Hints.SuggestedNextActions {
			if !listed[action.Tool] || strings.ReplaceAll(action.Action, "-", "_") != action.Tool {
				t.Errorf("%s suggests %+v", tc.tool, action)
			}
		}
	}
}

func TestFindToolsSaysWhenNothingFits(t *testing.T) {
	for _, embedder := range []string{"", "off"} {
		a := openCore(t, tools.Access{}, embedder)
		for query, fits := range map[string]bool{
			"order a pizza": false, "weather in Paris tomorrow": false, "what is the capital of Peru": false, "book a flight to Rome": false, "generate a password": false,
			"merge two entities": true, "store an invoice": true, "link a bank account": true, "archive working memory": true,
		} {
			var out struct {
				Tools   []struct{ Name string }
				Message string
			}
			toolstest.Decode(t, call(t, a, "find_tools", toolstest.EncodeJSON(arguments{"query": query, "limit": 20})), &out)
			if said := strings.HasPrefix(out.Message, "No tool fits"); said == fits || !fits && len(out.Tools) > 3 {
				t.Errorf("%q (embedder %q) gets %d tools and %q", query, embedder, len(out.Tools), out.Message)
			}
		}
	}
}
