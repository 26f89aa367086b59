package graph

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/toolstest"
	"toolkit/tools"
)

func TestReadingReturnsTheWholeGraphInOrder(t *testing.T) {
	b := newBench(t)
	same(t, "empty", b.text("read_graph", nil), `{"entities":[],"relations":[]}`)
	b.create(NewEntity{Name: "z", Observations: []string{"2", "1"}}, NewEntity{Name: "a"})
	b.relate(Relation{"z", "a", "x"}, Relation{"a", "z", "b"})
	want := `{"entities":[{"name":"z","entityType":"thing","observations":["2","1"]},{"name":"a","entityType":"thing","observations":[]}],` +
		`"relations":[{"from":"z","to":"a","relationType":"x"},{"from":"a","to":"z","relationType":"b"}]}`
	same(t, "all", b.text("read_graph", nil), want)
	text, err := New(b.family.Deps).Resources[0].Read(context.Background(), &url.URL{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "resource", text, want)
	for _, blank := range []string{"", " \t\n"} {
		same(t, "a blank query", b.text("search_nodes", args{"query": blank}), want)
	}
}

func TestOptionalInputsLimitWhatIsRead(t *testing.T) {
	b := newBench(t)
	for i := range 5 {
		kind := "odd"
		if i%2 == 0 {
			kind = "Even"
		}
		b.create(NewEntity{Name: fmt.Sprintf("n%d", i), EntityType: kind, Observations: []string{"old", "middle", "new"}})
	}
	b.relate(Relation{"n0", "n1", "next"}, Relation{"n1", "n2", "next"}, Relation{"n3", "n4", "next"})
	for _, test := range []struct {
		in        args
		names     []string
		relations int
	}{
		{args{"limit": 2}, []string{"n0", "n1"}, 2},
		{args{"limit": 2, "offset": 4}, []string{"n4"}, 1},
		{args{"offset": 3}, []string{"n3", "n4"}, 1},
		{args{"offset": 9}, []string{}, 0},
		{args{"entityTypes": []string{"even"}}, []string{"n0", "n2", "n4"}, 3},
		{args{"entityTypes": []string{"EVEN ", "odd"}, "limit": 1, "offset": 1}, []string{"n1"}, 2},
		{args{"entityTypes": []string{"prime"}}, []string{}, 0},
		{args{"entityTypes": []string{}}, []string{"n0", "n1", "n2", "n3", "n4"}, 3},
	} {
		for tool, in := range map[string]args{"read_graph": {}, "search_nodes": {"query": "N"}, "open_nodes": {"names": []string{"n4", "n3", "n2", "n1", "n0", "n0"}}} {
			for key, value := range test.in {
				in[key] = value
			}
			g := b.graph(tool, in)
			names := []string{}
			for _, e := range g.Entities {
				names = append(names, e.Name)
			}
			if !slices.Equal(names, test.names) || len(g.Relations) != test.relations {
				t.Errorf("%s %v: %q and %d relations, want %q and %d", tool, test.in, names, len(g.Relations), test.names, test.relations)
			}
		}
	}
	first := func(in args) []string { return b.graph("read_graph", in).Entities[0].Observations }
	same(t, "without observations", first(args{"includeObservations": false, "observationLimit": 2}), []string{})
	same(t, "the newest two", first(args{"observationLimit": 2}), []string{"middle", "new"})
	same(t, "more than there are", first(args{"observationLimit": 9, "includeObservations": true}), []string{"old", "middle", "new"})
	b.chart()
	g := b.graph("open_nodes", args{"names": []string{"chart_1"}, "observationLimit": 1})
	same(t, "the first a chart shows", g.Entities[0].Observations, []string{"Create a podcast"})
}

func TestOpeningNodes(t *testing.T) {
	b := newBench(t)
	b.create(NewEntity{Name: "first"}, NewEntity{Name: "second"}, NewEntity{Name: "third"})
	b.relate(Relation{"first", "second", "x"}, Relation{"third", "first", "y"}, Relation{"second", "third", "z"})
	same(t, "no names", b.text("open_nodes", args{"names": []string{}}), `{"entities":[],"relations":[]}`)
	same(t, "order of creation, each once", b.names("open_nodes", args{"names": []string{"second", "first", "second"}}), []string{"first", "second"})
	same(t, "relations at either end", b.graph("open_nodes", args{"names": []string{"first"}}).Relations, []Relation{{"first", "second", "x"}, {"third", "first", "y"}})
	r := b.CallAllowingRefusal("open_nodes", args{"names": []string{"frist", "second", "nothing like it"}})
	if r.IsError {
		t.Fatal(r.Text)
	}
	h := r.Hints
	if len(h.Warnings) != 1 || !strings.Contains(h.Warnings[0].Message, `"frist", "nothing like it"`) || h.SuggestedNextActions[0].Action != "open-nodes" ||
		fmt.Sprint(h.SuggestedNextActions[0].Data["names"]) != "[first]" || h.Confidence >= 0.5 {
		t.Errorf("hints are %+v", h)
	}
}

func TestAChartShowsItsMetadataInTheGraph(t *testing.T) {
	b := newBench(t)
	b.chart()
	b.create(NewEntity{Name: "plain"})
	text := b.text("open_nodes", args{"names": []string{"chart_1", "plain"}})
	for _, part := range []string{`"entityType":"structural_tension_chart"`, `"metadata":{"chartId":"chart_1","desiredOutcome":"Create a podcast"`, `{"name":"plain","entityType":"thing","observations":[]}`} {
		if !strings.Contains(text, part) {
			t.Errorf("%s is missing in %s", part, text)
		}
	}
}

func TestSearchRanksByWhereTheTextStands(t *testing.T) {
	b := newBench(t)
	b.create(
		NewEntity{Name: "observation inside", Observations: []string{"decoffeed"}},
		NewEntity{Name: "observation word", Observations: []string{"drinks coffee"}},
		NewEntity{Name: "by type", EntityType: "coffeehouse"},
		NewEntity{Name: "uncoffee"},
		NewEntity{Name: "Best coffee"},
		NewEntity{Name: "Coffee bar and more"},
		NewEntity{Name: "Coffee bar"},
		NewEntity{Name: "COFFEE"},
		NewEntity{Name: "unrelated"},
	)
	same(t, "ranks", b.names("search_nodes", args{"query": "Coffee"}), []string{
		"COFFEE", "Coffee bar", "Coffee bar and more", "Best coffee", "uncoffee", "by type", "observation word", "observation inside",
	})
}

func TestSearchFindsWordsInAnyInflection(t *testing.T) {
	b := newBench(t)
	b.create(
		NewEntity{Name: "Ada", EntityType: "person", Observations: []string{"Brews pour-over every morning", "Lives in Lisbon"}},
		NewEntity{Name: "Bo", EntityType: "person", Observations: []string{"Lives in Oslo", "Plays the cello"}},
		NewEntity{Name: "Café Orfeu", EntityType: "place", Observations: []string{"Opened by two sisters"}},
		NewEntity{Name: "Orchard", EntityType: "project", Observations: []string{"Migrates the billing database to PostgreSQL"}},
	)
	for query, want := range map[string]string{
		"brewing":                                "Ada",
		"where does Ada live?":                   "Ada",
		"lisbon ada":                             "Ada", // words of different fields
		"Who plays cellos?":                      "Bo",
		"cafe":                                   "Café Orfeu",
		"Which database is billing migrating to": "Orchard",
		"what do we know about the orchards":     "Orchard",
		"person living in oslo":                  "Bo",
		"   brewed   ":                           "Ada",
		"what is the name of the sisters' place \"": "Café Orfeu",
	} {
		got := b.names("search_nodes", args{"query": query})
		if len(got) == 0 || got[0] != want {
			t.Errorf("%q finds %q, want %q first", query, got, want)
		}
	}
	same(t, "words of a type that is left out", b.names("search_nodes", args{"query": "living", "entityTypes": []string{"place"}}), []string{})
}

func TestEntitiesWithAllWordsComeFirstEvenWhenTheWordsAreFrequent(t *testing.T) {
	b := newBench(t)
	var entities []NewEntity
	for i := range 400 {
		entities = append(entities, NewEntity{Name: fmt.Sprintf("n%d", i), Observations: []string{"a harbour"}})
	}
	entities[3].Observations = []string{"harbours", "the lighthouse keeper"} // old: beyond the rows read for its frequent word
	b.create(entities...)
	got := b.names("search_nodes", args{"query": "harbour lighthouses"})
	if len(got) != maxByWords || got[0] != "n3" {
		t.Errorf("found %d, first %q", len(got), got[:min(len(got), 1)])
	}
}

func TestBehindThoseThatContainAQueryComeThoseWithAllItsWords(t *testing.T) {
	b := newBench(t)
	var entities []NewEntity
	for i := range 100 {
		entities = append(entities, NewEntity{Name: fmt.Sprintf("n%d", i), Observations: []string{"a harbour"}})
	}
	entities[3].Observations = []string{"by the river", "has harbours"} // in two observations
	entities[4] = NewEntity{Name: "Rivers", Observations: []string{"no harbour"}}
	entities[5].Observations = []string{"by the river"}
	entities[6].Observations = []string{"the river harbour"}
	b.create(entities...)
	got := b.names("search_nodes", args{"query": "river harbour"})
	if len(got) != 3 || got[0] != "n6" || !slices.Contains(got, "n3") || !slices.Contains(got, "Rivers") {
		t.Errorf("found %q", got)
	}
}

func TestSearchAcceptsAnyQueryText(t *testing.T) {
	b := newBench(t)
	b.create(NewEntity{Name: "x", Observations: []string{`"quoted" (text) AND NEAR(a b) * ^ : {-} + ?`}})
	for _, query := range []string{
		`"`, `""`, `'`, `*`, `a*`, `NEAR(`, `NEAR(a b, 5)`, `AND`, `OR NOT`, `name:x`, `-x`, `+`, `^x`, `{name} : x`, `(`, `)`, `;--`, `%`, `_`, `\`, "\x00", "a\x00b",
		"?!…", "🎉", "é", "\u0301", "中文", strings.Repeat("word ", 1999), strings.Repeat("x", 9998), "\ufffd",
	} {
		for _, in := range []args{{"query": query}, {"query": query + " x"}, {"query": "x " + query, "entityTypes": []string{query[:min(len(query), 1000)]}}} {
			if r := b.CallAllowingRefusal("search_nodes", in); r.IsError {
				t.Errorf("%.40q: %s", query, r.Text)
			}
		}
	}
	same(t, "operators are text", b.names("search_nodes", args{"query": "AND NEAR(a"}), []string{"x"})
}

// official is the memory server of the protocol's authors, as a model.
type official struct {
	entities  []Entity
	relations []Relation
}

func (o *official) at(name string) int {
	return slices.IndexFunc(o.entities, func(e Entity) bool { return e.Name == name })
}

func (o *official) touching(names []string) []Relation {
	filtered := []Relation{}
	for _, r := range o.relations {
		if slices.Contains(names, r.From) || slices.Contains(names, r.To) {
			filtered = append(filtered, r)
		}
	}
	return filtered
}

func (o *official) search(query string) []string {
	q := strings.ToLower(query)
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), q) }
	names := []string{}
	for _, e := range o.entities {
		if has(e.Name) || has(e.EntityType) || slices.ContainsFunc(e.Observations, has) {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return names
}

// delete drops entities with their relations.
func (o *official) delete(name string) {
	o.entities = slices.DeleteFunc(o.entities, func(e Entity) bool { return e.Name == name })
	o.relations = slices.DeleteFunc(o.relations, func(r Relation) bool { return r.From == name || r.To == name })
}

func TestInCompatibilityEveryOperationDoesWhatTheOfficialServerDoes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	b := openBench(t, "", true)
	o := &official{}
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	name := func() string { return pick("Ada", "ada", "Bo Li", "C", "Dé", "é\n", "\"q\"") }
	fact := func() string { return pick("likes Tea", "LIKES tea", "lives in Köln", "x", "tea, no sugar", "ß") }
	for range toolstest.RoundCount(200) {
		n, m, f := name(), name(), fact()
		known := o.at(n)
		switch r.IntN(8) {
		case 0, 1:
			b.text("create_entities", CreateEntitiesInput{[]NewEntity{{n, "person", []string{f}}}})
			if known < 0 {
				o.entities = append(o.entities, Entity{Name: n, EntityType: "person", Observations: []string{f}})
			}
		case 2:
			relation := Relation{n, m, pick("knows", "likes")} // of names that may not exist
			b.relate(relation)
			if !slices.Contains(o.relations, relation) {
				o.relations = append(o.relations, relation)
			}
		case 3:
			in := args{"observations": []args{{"entityName": n, "contents": []string{f}}}}
			if known < 0 {
				if e := b.refuse("add_observations", in); e.Message != "Entity with name "+n+" not found" {
					t.Fatal(e)
				}
				continue
			}
			b.text("add_observations", in)
			if e := &o.entities[known]; !slices.Contains(e.Observations, f) {
				e.Observations = append(e.Observations, f)
			}
		case 4:
			same(t, "confirmation", b.text("delete_observations", args{"deletions": []args{{"entityName": n, "observations": []string{f}}}}), "Observations deleted successfully")
			if known >= 0 {
				e := &o.entities[known]
				e.Observations = slices.DeleteFunc(e.Observations, func(s string) bool { return s == f })
			}
		case 5:
			relation := Relation{n, m, "knows"}
			same(t, "confirmation", b.text("delete_relations", args{"relations": []Relation{relation}}), "Relations deleted successfully")
			o.relations = slices.DeleteFunc(o.relations, func(r Relation) bool { return r == relation })
		case 6:
			if r.IntN(3) == 0 {
				same(t, "confirmation", b.text("delete_entities", args{"entityNames": []string{n}}), "Entities deleted successfully")
				o.delete(n)
			}
		case 7:
			query := pick("tea", "TEA", "a", "person", "é", "köln", "Q\"", "zzz", ", no")
			found := b.graph("search_nodes", args{"query": query})
			names := []string{}
			for _, e := range found.Entities {
				names = append(names, e.Name)
			}
			slices.Sort(names)
			same(t, "search "+query, names, o.search(query))
			same(t, "relations of "+query, found.Relations, o.touching(names))
		}
		g := b.graph("read_graph", nil)
		same(t, "entities", g.Entities, append([]Entity{}, o.entities...))
		same(t, "relations", g.Relations, append([]Relation{}, o.relations...))
		opened := b.graph("open_nodes", args{"names": []string{n, m}})
		found := slices.DeleteFunc([]string{n, m}, func(name string) bool { return o.at(name) < 0 })
		same(t, "opened relations", opened.Relations, o.touching(found))
		if t.Failed() {
			t.FailNow()
		}
	}
}

func TestALargeResultSaysSo(t *testing.T) {
	b := newBench(t)
	b.create(NewEntity{Name: "big", Observations: []string{strings.Repeat("word ", largeResultTokens)}})
	for tool, in := range map[string]args{"read_graph": {}, "search_nodes": {"query": "word"}, "open_nodes": {"names": []string{"big"}}} {
		h := b.CallAllowingRefusal(tool, in).Hints
		if len(h.Warnings) != 1 || h.Warnings[0].Type != "performance" || len(h.RiskFactors) != 1 {
			t.Errorf("%s: warnings %+v, risks %+v", tool, h.Warnings, h.RiskFactors)
		}
		in["includeObservations"] = false
		if h := b.CallAllowingRefusal(tool, in).Hints; len(h.Warnings) != 0 {
			t.Errorf("%s without observations: %+v", tool, h.Warnings)
		}
	}
}

func TestAPageLeadsToTheNext(t *testing.T) {
	b := newBench(t)
	for i := range 7 {
		b.create(NewEntity{Name: fmt.Sprintf("page %d", i)})
	}
	for _, tool := range []string{"read_graph", "search_nodes"} {
		in, seen := args{"query": "page", "limit": 3}, []string{}
		if tool == "read_graph" {
			delete(in, "query")
		}
		for in != nil {
			seen = append(seen, b.names(tool, in)...)
			var next args
			for _, a := range b.CallAllowingRefusal(tool, in).Hints.SuggestedNextActions {
				if a.Data["offset"] != nil {
					next = a.Data
				}
			}
			in = next
		}
		if len(seen) != 7 {
			t.Errorf("%s: the pages hold %q", tool, seen)
		}
	}
}

// Sharing an everyday word with a question is no answer to it.
func TestPoorMatchLowersConfidence(t *testing.T) {
	b := newBench(t)
	b.Call("create_entities", args{"entities": []args{
		{"name": "Orchard", "entityType": "project", "observations": []string{"Teams use Kotlin", "Ships in the autumn"}},
		{"name": "Ada", "entityType": "person", "observations": []string{"Wants a quiet office", "Leads the orchard migration to Postgres"}},
	}})
	tests := map[string]bool{ // query to whether it is answered
		"which assertion library should I use in unit tests": false,
		"who wants to climb Kilimanjaro":                     false,
		"who leads the migration to Postgres?":               true,
		"Kotlin":                                             true,
		"orch":                                               true,
	}
	for query, answered := range tests {
		r := b.CallAccepted("search_nodes", args{"query": query})
		doubted := slices.ContainsFunc(r.Hints.Warnings, func(w tools.Warning) bool { return strings.Contains(w.Message, "nothing fits the question well") })
		if doubted == answered || !answered && r.Hints.Confidence > 0.2 || len(r.Hints.RelatedResources) == 0 || (r.Hints.RelatedResources[0].Relevance > 0.5) != answered {
			t.Errorf("%q: confidence %v, %v, warnings %v", query, r.Hints.Confidence, r.Hints.RelatedResources, r.Hints.Warnings)
		}
	}
}
