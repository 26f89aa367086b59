package app

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"toolkit/internal/capture/notice"
	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/tools/recall"
)

// thing is something remembered, with a question that shares no word of content with it.
// A question of kind "none" is about nothing that is.
type thing struct {
	Kind, Question    string
	Name, Type        string
	Observations      []string
	Query, Reflection string
	Reward            float64
	Properties        map[string]any
}

func readThings(t *testing.T, name string) (list []thing) {
	t.Helper()
	raw := testenv.Read(t, filepath.Join("testdata", name))
	for line := range strings.Lines(string(raw)) {
		var th thing
		toolstest.Decode(t, []byte(line), &th)
		list = append(list, th)
	}
	return list
}

// store stores a thing and returns its ref.
func (th thing) store(t *testing.T, a *App) string {
	t.Helper()
	switch th.Kind {
	case "entity":
		callTool(t, a, "create_entities", map[string]any{"entities": []any{map[string]any{"name": th.Name, "entityType": th.Type, "observations": th.Observations}}})
		return "entity:" + th.Name
	case "episode":
		id := callTool(t, a, "store_episode", map[string]any{"query": th.Query, "reward": th.Reward, "reflection": th.Reflection})["id"]
		return fmt.Sprint("episode:", id)
	case "record":
		return fmt.Sprint("record:", callTool(t, a, "store_record", map[string]any{"type": th.Type, "properties": th.Properties})["id"])
	}
	return ""
}

// What contains a text comes alone; where nothing does, the nearest in meaning follow,
// and the result says so. The official server's rules know no meanings.
func TestSearchNodesFindsByMeaningOnlyWhereNoTextFits(t *testing.T) {
	a := vectorsOn(t, filepath.Join(t.TempDir(), "t.db"))
	for name, observation := range map[string]string{"Rex": "an old dog that barks at night", "Hillside": "where we keep our savings account", "Emma": "rides her bike daily", "Jonas": "works as a physician", "Paul": "has two daughters", "Kohl": "飼い猫が二匹いる"} {
		thing{Kind: "entity", Name: name, Type: "thing", Observations: []string{observation}}.store(t, a)
	}
	for query, want := range map[string]struct{ first, reason string }{
		"barks":                             {"Rex", "1 entity contains this text"},
		"who looks after our money?":        {"Hillside", "nearest in meaning"},
		"which animal is loud in the dark?": {"Rex", "nearest in meaning"},
		"bicycle":                           {"Emma", "nearest in meaning"},
		"Fahrrad":                           {"Emma", "nearest in meaning"},
		"vélo":                              {"Emma", "nearest in meaning"},
		"doctor":                            {"Jonas", "nearest in meaning"},
		"children":                          {"Paul", "nearest in meaning"},
		"Bike":                              {"Emma", "1 entity contains this text"},
	} {
		r := accept(t, a, "search_nodes", map[string]any{"query": query})
		var out struct{ Entities []struct{ Name string } }
		toolstest.Decode(t, r.Data, &out)
		if len(out.Entities) == 0 || out.Entities[0].Name != want.first {
			t.Errorf("%q: %s", query, r.Data)
		}
		if hints := toolstest.EncodeJSON(r.Hints); !strings.Contains(hints, want.reason) {
			t.Errorf("%q: %s", query, hints)
		}
	}
	for _, query := range []string{"Zanzibar", "Kowalski", "Shakespeare", "Claudia", "parliament", "ABC-123", "xyzzy"} { // of one word, only what is surely meant
		if out := callTool(t, a, "search_nodes", map[string]any{"query": query}); len(out["entities"].([]any)) > 0 {
			t.Errorf("%q finds %v", query, out["entities"])
		}
	}
}

func TestRecallFindsThingsWithoutASharedWord(t *testing.T) {
	for _, name := range testenv.Sample([]string{"things-held-out.jsonl", "things-chosen-on.jsonl"}, 2) {
		t.Run(name, func(t *testing.T) {
			a := vectorsOn(t, filepath.Join(t.TempDir(), "t.db"))
			list := readThings(t, name)
			refs := make([]string, len(list))
			for i, th := range list {
				refs[i] = th.store(t, a)
			}
			total, first, told, none, silent := 0, 0, 0, 0, 0
			for i, th := range list {
				raw := []byte(toolstest.EncodeJSON(callTool(t, a, "recall", map[string]any{"query": th.Question})))
				var out recall.Output
				toolstest.Decode(t, raw, &out)
				if th.Kind == "none" {
					none++
					if out.NothingFits {
						silent++
					}
					continue
				}
				total++
				place := -1
				for n, hit := range out.Found {
					if hit.Kind+":"+hit.ID == refs[i] && place < 0 {
						place = n
					}
				}
				for n, line := range out.Lines {
					if strings.HasPrefix(line, refs[i]+" ") && place < 0 {
						place = len(out.Found) + n
					}
				}
				if place == 0 {
					first++
				}
				if place >= 0 {
					told++
				}
			}
			t.Logf("%d of %d told, %d first; %d of %d others fit nothing", told, total, first, silent, none)
			if told*100 < total*75 || silent*100 < none*85 {
				t.Error("fewer than .75 are told, or more than .15 of the others seem to fit something")
			}
		})
	}
}

// What is said in few words may seem to hold for the day only, so that nothing is
// noticed in it, and answers a prompt all the same.
func TestAPromptGetsATurnByItsMeaningAlone(t *testing.T) {
	a := vectorsOn(t, filepath.Join(t.TempDir(), "t.db"))
	const said = "gave the cello back. piano now"
	captured(t, a, filepath.Join(t.TempDir(), "s.jsonl"), "s", "/srv/music", said, "run the tests again", "what does this regex do?")
	if _, err := a.Search.EmbedAll(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if noticed, err := notice.FindStatements(t.Context(), said); err != nil || len(noticed) > 0 {
		t.Fatalf("%v is noticed, %v", noticed, err)
	}
	got := forPrompt(t, a, recall.PromptRequest{Prompt: "which instrument am I learning these days?", Project: []string{"folder:/srv/music"}})
	if !strings.Contains(got.Text, said) || strings.Contains(got.Text, "run the tests") {
		t.Errorf("beside the prompt stands %q", got.Text)
	}
	if other := forPrompt(t, a, recall.PromptRequest{Prompt: "which instrument am I learning these days?", Project: []string{"folder:/srv/other"}}); other.Text != "" {
		t.Errorf("in another project stands %q", other.Text)
	}
}

func TestAPreferenceAboutTheWorkNamesItsProjectElsewhere(t *testing.T) {
	a := vectorsOn(t, filepath.Join(t.TempDir(), "t.db"))
	const said = "I prefer real databases over mocks for integration tests."
	captured(t, a, filepath.Join(t.TempDir(), "s.jsonl"), "s", "/srv/beacon", said)
	if _, err := a.Search.EmbedAll(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if noticed, err := notice.FindStatements(t.Context(), said); err != nil || len(noticed) != 1 || noticed[0].Kind != notice.Preference {
		t.Fatalf("%v is noticed, %v", noticed, err)
	}
	for project, want := range map[string]string{"/srv/beacon": said, "/srv/shop": "(project “beacon”)"} {
		got := forPrompt(t, a, recall.PromptRequest{Prompt: "do I prefer real databases or mocks for integration tests?", Project: []string{"folder:" + project}})
		if !strings.Contains(got.Text, said) || !strings.Contains(got.Text, want) {
			t.Errorf("in %s: %q", project, got.Text)
		}
	}
}

// Who asks what holds is told the newest statement first, also where an older one has more
// of the words.
func TestTheNewestStatementOnATopicIsRecalledFirst(t *testing.T) {
	for question, said := range map[string][2]string{
		"which database does the shop use?":    {"The shop uses Postgres as its database", "the shop's database is MariaDB now"},
		"when do we deploy?":                   {"We deploy on Fridays after lunch", "deployment is on Tuesdays, before lunch"},
		"who is the landlord of the workshop?": {"The landlord of the workshop is Mr Keller", "our workshop's landlord is Mrs Okafor"},
	} {
		for _, speakers := range [][2]string{{"user", "user"}, {"Ann", "Ben"}} {
			a := vectorsOn(t, filepath.Join(t.TempDir(), "t.db"))
			for i, text := range said {
				callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": text, "speaker": speakers[i], "content": text, "metadata": map[string]any{"date": "2026-0" + strconv.Itoa(i+1) + "-01T10:00:00Z"}})
			}
			callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "other", "speaker": "user", "content": "The bakery closes at noon"})
			if _, err := a.Search.EmbedAll(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			_, text := recallOf(t, a, map[string]any{"query": question})
			older, newer := strings.Index(text, said[0]), strings.Index(text, said[1])
			if older < 0 || newer < 0 || speakers[0] == speakers[1] && newer > older {
				t.Errorf("%v are asked %q: %s", speakers, question, text)
			}
		}
	}
}
