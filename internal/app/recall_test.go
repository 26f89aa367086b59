package app

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"toolkit/internal/search"
	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/sessions"
	"toolkit/tools"
	"toolkit/tools/recall"
)

// bakery is an invoice as a bakery gets one.
const bakery = `INVOICE
Invoice number: B-1042
Date: 2026-03-02
Vendor: Northwind Mill

Description        Quantity   Amount
Flour type 550     20 kg      24.00
Yeast, fresh        2 kg       9.50
Total: EUR 33.50
`

// remembered fills a database with something of every kind.
func remembered(t *testing.T) *App {
	t.Helper()
	a := newApp(t)
	say := func(session string, turns ...string) {
		for i := 0; i+1 < len(turns); i += 2 {
			callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": session, "speaker": turns[i], "content": turns[i+1], "metadata": map[string]any{"date": "2026-02-03T10:00:00Z"}})
		}
	}
	say("monday", "user", "Please keep the answers short", "user", "I am allergic to peanuts and shellfish", "assistant", "Noted, I will leave both out of recipes",
		"user", "Which assertion library do we use?", "assistant", "The team settled on go-cmp last spring", "user", "Thanks, go on")
	say("tuesday", "Melanie", "We saw a fox near the lighthouse yesterday", "Caroline", "My grandmother's necklace came from Sweden", "Melanie", "The kids loved the dinosaur exhibit",
		"Caroline", "I want to adopt a rescue greyhound next year", "user", "The staging cluster runs on port 8443", "user", "No, deploys happen on Thursday, not on Friday")
	insights := []string{
		"The user prefers tabs over spaces in Go code", "Releases are cut from the main branch every second Thursday", "The user's sister Veronika lives in Gdansk",
		"The garage door code was changed after the burglary", "The payment service retries three times with exponential backoff", "The user is allergic to peanuts and shellfish",
	}
	for i, text := range insights {
		sources := []int{}
		if i == 5 {
			sources = []int{2}
		}
		callTool(t, a, "compress_to_l2_insight", map[string]any{"content": text, "source_ids": sources})
	}
	callTool(t, a, "compress_to_l2_insight", map[string]any{"content": "The office wifi network is called Bluebird", "source_ids": []int{}})
	callTool(t, a, "update_insight", map[string]any{"id": 7, "content": "The office wifi network is called Kingfisher", "reason": "renamed"})
	callTool(t, a, "store_episode", map[string]any{"query": "migrate the orders table without downtime", "reward": -0.6, "reflection": "Problem: the lock was held for minutes. Lesson: backfill in batches."})
	callTool(t, a, "update_working_memory", map[string]any{"content": "Waiting for the landlord's answer about the radiator", "importance": 0.5})
	entity := func(name, kind string, observations ...string) map[string]any {
		return map[string]any{"name": name, "entityType": kind, "observations": observations}
	}
	callTool(t, a, "create_entities", map[string]any{"entities": []any{
		entity("Ada Kowalska", "person", "drinks jasmine tea", "plays the cello", "birthday on 14 June"), entity("Apollo", "project", "written in Rust", "due in autumn"),
		entity("Bruno Tavares", "person", "repairs bicycles", "lives above the pharmacy"), entity("Halcyon", "company", "sells sailing boats"),
	}})
	callTool(t, a, "create_relations", map[string]any{"relations": []any{map[string]any{"from": "Bruno Tavares", "to": "Apollo", "relationType": "maintains"}, map[string]any{"from": "Ada Kowalska", "to": "Halcyon", "relationType": "works_at"}}})
	callTool(t, a, "create_structural_tension_chart", map[string]any{"desiredOutcome": "A published podcast about beekeeping", "currentReality": "A microphone and two rough recordings exist",
		"dueDate": "2031-05-01T00:00:00Z", "actionSteps": []string{"Interview with the apiary recorded", "Cover artwork drawn"}})
	submit := func(capability string, body map[string]any) map[string]any {
		return callTool(t, a, "submit_payload", map[string]any{"capability_id": capability, "body": body,
			"provenance": map[string]any{"source_refs": []string{}, "extracted_at": "2026-01-15T10:30:00Z", "extractor_version": "test:v1"}})
	}
	submit("neotoma:store_invoice:v1", map[string]any{"invoice_number": "INV-7781", "amount": 1500, "vendor_name": "Umbra Optics", "customer_name": "Lens House", "date": "2026-01-15"})
	submit("neotoma:store_invoice:v1", map[string]any{"invoice_number": "INV-7782", "amount": 1500, "vendor_name": "Umbra Optics", "customer_name": "Lens House", "date": "2026-01-16"})
	contact := callTool(t, a, "store_record", map[string]any{"type": "contact", "properties": map[string]any{"name": "Priya Raman", "email": "priya@raman.example", "city": "Lisbon"}})
	callTool(t, a, "store_record", map[string]any{"type": "note", "properties": map[string]any{"title": "Boiler manual", "content": strings.Repeat("General remarks on heating. ", 300) + "Bleed the radiators before the pump's pressure is raised above 1.8 bar. " + strings.Repeat("Further remarks on heating. ", 300)}})
	file := filepath.Join(t.TempDir(), "bakery.txt")
	testenv.Write(t, file, bakery)
	callTool(t, a, "upload_file", map[string]any{"file_path": file})
	found := callTool(t, a, "find_entities", map[string]any{"name": contact["properties"].(map[string]any)["name"]})
	callTool(t, a, "correct_field", map[string]any{"entity_id": found["entities"].([]any)[0].(map[string]any)["entity_id"], "field": "city", "value": "Porto"})
	return a
}

// recallOf asks and returns the answer with its size as a client gets it.
func recallOf(t *testing.T, a *App, in map[string]any) (out recall.Output, text string) {
	t.Helper()
	r := accept(t, a, recall.Name, in)
	toolstest.Decode(t, []byte(r.Text), &out)
	return out, r.Text
}

func TestRecallAnswersFirstOrIsSilent(t *testing.T) {
	a := remembered(t)
	for question, want := range map[string]string{ // a part of the first text; empty: silence
		"what am I allergic to":                                 "allergic to peanuts",
		"which assertion library":                               "go-cmp",
		"Which assertion library do we use?":                    "go-cmp",
		"flour and yeast invoice":                               "Northwind Mill",
		"the invoice with flour":                                "Northwind Mill",
		"who drinks jasmine tea?":                               "Ada Kowalska",
		"Ada Kowalsky":                                          "Ada Kowalska",
		"Kowalska":                                              "Ada Kowalska",
		"what does Bruno Tavarez repair":                        "repairs bicycles",
		"who maintains Apollo?":                                 "Bruno Tavares maintains Apollo",
		"where does Ada work":                                   "works_at Halcyon",
		"who works at Halcyon":                                  "Ada Kowalska works_at Halcyon",
		"who sells sailing boats":                               "Halcyon",
		"tabs or spaces":                                        "tabs over spaces",
		"when are releases cut":                                 "every second Thursday",
		"on which day do deploys happen":                        "Thursday, not on Friday",
		"where does Veronika live":                              "Gdansk",
		"what is the office wifi called":                        "Kingfisher",
		"garage door code":                                      "garage door",
		"how often does the payment service retry":              "three times",
		"how to migrate the orders table":                       "backfill in batches",
		"zero downtime migration of orders":                     "backfill in batches",
		"what about the radiator and the landlord":              "landlord's answer",
		"beekeeping podcast":                                    "podcast about beekeeping",
		"how is my podcast on beekeeping coming along?":         "podcast about beekeeping",
		"interview with the apiary":                             "apiary",
		"cover artwork":                                         "Cover artwork",
		"INV-7781":                                              "7781",
		"invoice INV-7782 of Umbra Optics":                      "7782",
		"Umbra Optics":                                          "Umbra Optics",
		"where is Priya Raman":                                  "Porto",
		"priya@raman.example":                                   "Priya Raman",
		"pump pressure of the boiler":                           "1.8 bar",
		"fox near the lighthouse":                               "fox",
		"where did Caroline's grandmother's necklace come from": "Sweden",
		"which dog does Caroline want to adopt":                 "greyhound",
		"port of the staging cluster":                           "8443",
		"dinosaur exhibit":                                      "dinosaur",
		`"NEAR(* OR -":^`:                                       "near the lighthouse", // nearly nothing else is asked
		"Ada's birthday":                                        "14 June",
		"who plays the cello":                                   "Ada Kowalska",
		"the pharmacy":                                          "above the pharmacy",
		"Nortwind Mill":                                         "Northwind Mill",

		"run the tests":                            "",
		"ok, go on":                                "",
		"what is the weather on Mars":              "",
		"the harbour of Zanzibar":                  "",
		"fix the failing build":                    "",
		"who won the chess championship":           "",
		"invoice for the helicopter from Zanzibar": "",
		"annulations":                              "", // its stem is shorter than five eighths of it
		"???":                                      "",
		"the and of":                               "",
		`"AND(* OR -":^`:                           "",
	} {
		out, text := recallOf(t, a, map[string]any{"query": question})
		switch {
		case want == "" && (len(out.Found) > 0 || !out.NothingFits):
			t.Errorf("%q is answered: %s", question, text)
		case want != "" && (len(out.Found) == 0 || !strings.Contains(out.Found[0].Text, want)):
			t.Errorf("%q: %q is not in the first of %s", question, want, text)
		}
	}
}

func TestRecallStaysWithinItsTokens(t *testing.T) {
	a := remembered(t)
	for i := range 60 {
		callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "long", "speaker": "user", "content": "Sparrow number " + string(rune('a'+i%26)) + strings.Repeat("x", i) + " \"sat\" on the \\ wire and sang until the evening"})
	}
	shown := 0
	for _, question := range []string{"sparrow", "invoice of Umbra Optics", "what am I allergic to", "boiler pump", "nothing of this kind"} {
		for _, most := range []int{50, 51, 60, 75, 100, 150, 200, 300, 500, 800, 1500, 4000} {
			out, text := recallOf(t, a, map[string]any{"query": question, "max_tokens": most, "limit": 100})
			if tools.EstimateTokens(len(text)) > most {
				t.Errorf("%q in %d tokens takes %d: %s", question, most, tools.EstimateTokens(len(text)), text)
			}
			total := len(out.Found) + len(out.Lines)
			for _, n := range out.More {
				total += n
			}
			if !out.NothingFits && total == 0 || question == "sparrow" && total < 25 {
				t.Errorf("%q in %d tokens accounts for %d: %s", question, most, total, text)
			}
			if question == "sparrow" {
				if n := len(out.Found); n < shown && most > 50 {
					t.Errorf("%d tokens show %d, fewer than less did", most, n)
				}
				shown = len(out.Found)
			}
		}
	}
	if shown < 15 {
		t.Errorf("4000 tokens show only %d", shown)
	}
}

func TestRecallMergesHitsThatSayTheSame(t *testing.T) {
	a := remembered(t)
	out, text := recallOf(t, a, map[string]any{"query": "what am I allergic to"})
	if strings.Count(text, "peanuts") != 1 || out.Found[0].Kind != "insight" || !slices.Contains(out.Found[0].Also, "dialogue:2") {
		t.Errorf("an insight and the turn it came from are %s", text)
	}
	out, text = recallOf(t, a, map[string]any{"query": "invoice INV-7781 Umbra Optics", "kinds": []string{"truth_entity", "record"}})
	var numbers []string
	for _, h := range out.Found {
		if strings.Contains(h.Text, "INV-778") {
			numbers = append(numbers, h.Kind)
		}
	}
	if len(numbers) != 2 || len(out.Found[0].Also) != 1 {
		t.Errorf("two invoices that differ in their numbers, each with its record, are %s", text)
	}
}

func TestRecallMarksCorrectionsAndLeavesOutWhatIsSuperseded(t *testing.T) {
	a := remembered(t)
	out, text := recallOf(t, a, map[string]any{"query": "in which city is Priya Raman"})
	if len(out.Found) == 0 || !strings.Contains(out.Found[0].Note, "city") || strings.Contains(out.Found[0].Text, "Lisbon") {
		t.Errorf("a corrected city is told as %s", text)
	}
	out, text = recallOf(t, a, map[string]any{"query": "Bluebird wifi"})
	if strings.Contains(text, "called Bluebird") {
		t.Errorf("a superseded insight is told: %s", text)
	}
}

func TestRecallReturnsSessionTurnDocumentAndChart(t *testing.T) {
	a := remembered(t)
	for question, want := range map[string]tools.Place{
		"fox near the lighthouse": {Session: "tuesday", Turn: 1},
		"what am I allergic to":   {Session: "monday", Turn: 2},
	} {
		out, text := recallOf(t, a, map[string]any{"query": question})
		if len(out.Found) == 0 || out.Found[0].Where == nil || *out.Found[0].Where != want {
			t.Errorf("%q stands at %s, want %+v", question, text, want)
		}
	}
	out, text := recallOf(t, a, map[string]any{"query": "invoice B-1042 from Northwind Mill", "kinds": []string{"document"}})
	if len(out.Found) == 0 || out.Found[0].Where == nil || !strings.Contains(out.Found[0].Where.Document, "bakery") || out.Found[0].Where.Line == 0 || out.Found[0].Next.Tool != "get_file_url" {
		t.Errorf("the invoice stands at %s", text)
	}
	out, text = recallOf(t, a, map[string]any{"query": "interview with the apiary"})
	if len(out.Found) == 0 || out.Found[0].Kind != "step" && out.Found[0].Kind != "chart" || out.Found[0].Where.Chart == "" {
		t.Errorf("the step stands at %s", text)
	}
}

func TestTheRecallPromptQuotesItsHits(t *testing.T) {
	a := remembered(t)
	prompt := recall.New(recall.Deps{Store: a.Store, SearchProviders: SearchProviders()}).Prompts[0]
	for topic, parts := range map[string][]string{
		"who drinks jasmine tea?": {`"who drinks jasmine tea?"`, "Ada Kowalska (person): drinks jasmine tea", "not instructions"},
		"Zanzibar":                {"Nothing that is remembered fits", "do not guess"},
	} {
		text, err := prompt.Render(t.Context(), map[string]string{"topic": topic})
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%q is missing in\n%s", part, text)
			}
		}
	}
}

func TestRecallDoesNotDependOnTheOrderOfKinds(t *testing.T) {
	a := remembered(t)
	kinds := []string{"insight", "dialogue", "entity", "chart", "step", "document", "record", "truth_entity", "working", "episode", "beat"}
	for _, question := range []string{"Umbra Optics", "who works at Halcyon", "podcast", "deploys on Thursday"} {
		_, want := recallOf(t, a, map[string]any{"query": question})
		for range 3 {
			kinds = append(kinds[4:], kinds[:4]...)
			if _, got := recallOf(t, a, map[string]any{"query": question, "kinds": kinds}); got != want {
				t.Errorf("%q with kinds %v gives\n%s\nwant\n%s", question, kinds, got, want)
			}
		}
		all, _ := recallOf(t, a, map[string]any{"query": question, "max_tokens": 4000})
		for _, h := range all.Found {
			only, text := recallOf(t, a, map[string]any{"query": question, "kinds": []string{h.Kind}, "max_tokens": 4000})
			if i := slices.IndexFunc(only.Found, func(o recall.Hit) bool { return o.ID == h.ID }); i < 0 || only.Found[i].Relevance != h.Relevance {
				t.Errorf("%q: %s is as relevant alone as among others, but %s", question, h.ID, text)
			}
		}
	}
	if _, text := recallOf(t, a, map[string]any{"query": "fox near the lighthouse", "session_id": "monday"}); strings.Contains(text, "fox") && !strings.Contains(text, "nothing_fits") {
		t.Errorf("another session answers: %s", text)
	}
}

// intruder writes while others are asked.
type intruder struct{ write func() }

func (intruder) Kinds() []string { return []string{"intrusion"} }

func (i intruder) Count(*store.Tx, *tools.Question) (search.Statistics, error) {
	i.write()
	return search.Statistics{}, nil
}

func (intruder) Search(context.Context, *store.Tx, *tools.Question) ([]tools.Candidate, error) {
	return nil, nil
}

func TestRecallIgnoresWritesMadeWhileItAnswers(t *testing.T) {
	a := remembered(t)
	write := func() {
		callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "later", "speaker": "user", "content": "I am allergic to quinces"})
		callTool(t, a, "create_entities", map[string]any{"entities": []any{map[string]any{"name": "Quince", "entityType": "fruit", "observations": []string{"somebody is allergic to it"}}}})
	}
	lent := append(SearchProviders()[:1], intruder{write})
	prompt := recall.New(recall.Deps{Store: a.Store, SearchProviders: append(lent, SearchProviders()[1:]...)}).Prompts[0]
	text, err := prompt.Render(t.Context(), map[string]string{"topic": "what am I allergic to"})
	if err != nil || !strings.Contains(text, "peanuts") || strings.Contains(strings.ToLower(text), "quince") {
		t.Errorf("%v; what was written meanwhile is in\n%s", err, text)
	}
}

func TestRecallPrefersTheProjectAtHandAndKeepsToTheOneAskedFor(t *testing.T) {
	a := remembered(t)
	for i, p := range []sessions.Project{{Key: "git:example.org/ann/shop", Name: "shop"}, {Key: "git:example.org/ann/blog", Name: "blog"}, {Key: "folder:/srv/blog", Name: "blog"}} {
		session := "claude-code/" + p.Key
		storetest.Write(t, a.Store, func(tx *store.Tx) error {
			id, err := sessions.In(tx).EnsureProject(p)
			if err != nil {
				return err
			}
			return sessions.In(tx).SaveSession(sessions.Session{ID: session, Client: "claude-code", Project: id})
		})
		callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": session, "speaker": "user", "content": "The certificates of the gateway are renewed by " + []string{"certbot", "lego", "acme"}[i]})
	}
	first := func(ctx context.Context, in string) (recall.Output, error) {
		r, err := a.Server.Pipeline.Call(ctx, tools.Request{Tool: recall.Name, Arguments: json.RawMessage(in)})
		var out recall.Output
		if err == nil && r.IsError {
			return out, r.Err
		}
		return out, cmp.Or(err, json.Unmarshal(r.Data, &out))
	}
	const question = `{"query": "who renews the certificates of the gateway?"`
	for key, want := range map[string]string{"git:example.org/ann/shop": "certbot", "git:example.org/ann/blog": "lego", "folder:/srv/blog": "acme"} {
		at, err := first(recall.WithProject(t.Context(), key), question+"}")
		if err != nil || len(at.Found) == 0 || !strings.Contains(at.Found[0].Text, want) {
			t.Errorf("in %s: %v, %+v", key, err, at.Found)
		}
		if told := forPrompt(t, a, recall.PromptRequest{Prompt: "who renews the certificates of the gateway?", Project: []string{key}}).Text; !strings.Contains(firstNote(told), want) {
			t.Errorf("in %s a prompt is told\n%s", key, told)
		}
		only, err := first(t.Context(), question+`, "project": "`+key+`"}`)
		if err != nil || len(only.Found) != 1 || !strings.Contains(only.Found[0].Text, want) {
			t.Errorf("only %s: %v, %+v", key, err, only.Found)
		}
	}
	if only, err := first(t.Context(), question+`, "project": "Shop"}`); err != nil || len(only.Found) != 1 {
		t.Errorf("by name: %v, %+v", err, only.Found)
	}
	if _, err := first(t.Context(), question+`, "project": "blog"}`); err == nil || !strings.Contains(err.Error(), "folder:/srv/blog") {
		t.Errorf("two projects of a name: %v", err)
	}
	if _, err := first(t.Context(), question+`, "project": "nowhere"}`); err == nil {
		t.Error("an unknown project is searched")
	}
}

func TestRecallMarksATurnWhoseInsightWasReplaced(t *testing.T) {
	a := newApp(t)
	for i, said := range []string{"Our launch date is June 5", "Go live on July 9, moved by the board", "The office address is Mill Lane 4", "Parking costs nothing there"} {
		callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "plans", "speaker": "Ann", "content": said, "metadata": map[string]any{"date": "2026-02-0" + strconv.Itoa(i+1) + "T10:00:00Z"}})
	}
	callTool(t, a, "compress_to_l2_insight", map[string]any{"content": "The launch is on June 5", "source_ids": []int{1}})
	callTool(t, a, "update_insight", map[string]any{"id": 1, "content": "It goes live on July 9", "source_ids": []int{2}, "reason": "moved"})
	callTool(t, a, "compress_to_l2_insight", map[string]any{"content": "The office is at Mill Lane 4", "source_ids": []int{3}})
	callTool(t, a, "delete_insight", map[string]any{"id": 3, "reason": "they moved out"})
	for question, want := range map[string]string{"what is our launch date?": "July 9", "what is the office address?": "they moved out"} {
		out, text := recallOf(t, a, map[string]any{"query": question})
		if len(out.Found) == 0 || !strings.Contains(out.Found[0].Note, want) && !strings.Contains(out.Found[0].Text, want) {
			t.Errorf("%q is answered without %q: %s", question, want, text)
		}
	}
	if out, text := recallOf(t, a, map[string]any{"query": "what does parking cost?"}); len(out.Found) == 0 || out.Found[0].Note != "" {
		t.Errorf("what nothing was learned from is marked: %s", text)
	}
}

func TestRecallFindsOrdersByTheirWords(t *testing.T) {
	a := newApp(t)
	for _, said := range []string{"run make lint before every commit", "Where do we meet for the concert?", "Soup is ready", "fix the login bug in auth.go", "Commit messages are in English from today on", "delete the old files, please"} {
		callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": said, "speaker": "user", "content": said, "metadata": map[string]any{"date": "2026-02-01T10:00:00Z"}})
	}
	for question, want := range map[string]string{"make lint before commit": "make lint", "fix the login bug in auth.go": "login bug", "Where do we meet for the concert?": "concert", "Commit messages are in English from today on": "Commit messages", "delete the old files, please": "old files"} {
		out, text := recallOf(t, a, map[string]any{"query": question})
		if out.NothingFits != strings.HasSuffix(question, "?") || len(out.Found) == 0 || !strings.Contains(out.Found[0].Text, want) {
			t.Errorf("%q finds %s", question, text)
		}
	}
	callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "now", "speaker": "user", "content": "deploy the shop to staging"})
	in := []byte(`{"query": "deploy the shop to staging"}`)
	if r, err := a.Server.Pipeline.Call(recall.WithWholeHits(t.Context()), tools.Request{Tool: recall.Name, Arguments: in}); err != nil || !strings.Contains(toolstest.EncodeJSON(r.Data), "staging") {
		t.Errorf("a person does not find the order of a minute ago: %v %+v", err, r)
	}
	callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "now", "speaker": "user", "content": "Which colour does the fence have?"})
	if out, text := recallOf(t, a, map[string]any{"query": "Which colour does the fence have?"}); len(out.Found) != 0 {
		t.Errorf("the question that is being answered answers itself: %s", text)
	}
}

func TestMatchedWordsStandInTheText(t *testing.T) {
	a := remembered(t)
	for _, question := range []string{"which assertion library was settled on", "leave peanuts out of recipes", "keep answers short and thanks"} {
		out, _ := recallOf(t, a, map[string]any{"query": question, "max_tokens": 4000, "kinds": []string{"dialogue"}})
		if len(out.Found) == 0 {
			t.Errorf("%q finds nothing", question)
		}
		for _, h := range out.Found {
			for _, word := range h.Matched {
				if !strings.Contains(strings.ToLower(h.Text), strings.TrimPrefix(word, "~")) {
					t.Errorf("%q: %q is told to have %q", question, h.Text, word)
				}
			}
		}
	}
}
