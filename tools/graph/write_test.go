package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

func TestInvalidWritesReturnErrorCode(t *testing.T) {
	entity := func(name, kind string, observations ...string) args {
		if observations == nil {
			observations = []string{}
		}
		return args{"name": name, "entityType": kind, "observations": observations}
	}
	entities := func(list ...args) args { return args{"entities": list} }
	relation := func(from, to, kind string) args {
		return args{"relations": []args{{"from": from, "to": to, "relationType": kind}}}
	}
	additions := func(name string, contents ...string) args {
		return args{"observations": []args{{"entityName": name, "contents": contents}}}
	}
	for name, test := range map[string]struct {
		tool string
		in   args
		code string
		at   string // details.field
		rule string
		says string
	}{
		"entities are required":                   {"create_entities", args{}, "MISSING_REQUIRED", "entities", "required", "entities is required"},
		"null counts as missing":                  {"create_entities", args{"entities": nil}, "MISSING_REQUIRED", "entities", "required", ""},
		"an entity needs a type":                  {"create_entities", args{"entities": []args{{"name": "x", "observations": []string{}}}}, "MISSING_REQUIRED", "entities[0].entityType", "required", ""},
		"observations are a list":                 {"create_entities", args{"entities": []args{{"name": "x", "entityType": "y", "observations": "z"}}}, "VALIDATION_ERROR", "entities[0].observations", "type array", ""},
		"a blank name":                            {"create_entities", entities(entity(" \t", "y")), "VALIDATION_ERROR", "entities[0].name", "not blank", ""},
		"an empty name":                           {"create_entities", entities(entity("", "y")), "VALIDATION_ERROR", "entities[0].name", "not blank", ""},
		"a name that shows nothing":               {"create_entities", entities(entity("\u200b", "y")), "VALIDATION_ERROR", "entities[0].name", "not blank", ""},
		"a blank type":                            {"create_entities", entities(entity("x", "y"), entity("x2", "\u00a0")), "VALIDATION_ERROR", "entities[1].entityType", "not blank", ""},
		"a blank observation":                     {"create_entities", entities(entity("x", "y", "fine", "\n")), "VALIDATION_ERROR", "entities[0].observations[1]", "not blank", ""},
		"entity names are unique in the graph":    {"create_entities", entities(entity("new", "y"), entity("Ada", "person")), "DUPLICATE_KEY", "entities[1].name", "unique name", `"Ada" exists already`},
		"entity names are unique within a batch":  {"create_entities", entities(entity("new", "y"), entity("new", "z")), "DUPLICATE_KEY", "entities[1].name", "unique name", "repeats entities[0].name"},
		"a relation needs its type":               {"create_relations", args{"relations": []args{{"from": "Ada", "to": "Orchard"}}}, "MISSING_REQUIRED", "relations[0].relationType", "required", ""},
		"a relation's type is not blank":          {"create_relations", relation("Ada", "Orchard", " "), "VALIDATION_ERROR", "relations[0].relationType", "not blank", ""},
		"relations require both entities: source": {"create_relations", relation("Adda", "Orchard", "leads"), "NOT_FOUND", "relations[0].from", "existing entity", "Entity with name Adda not found"},
		"relations require both entities: target": {"create_relations", relation("Ada", "Orchards", "leads"), "NOT_FOUND", "relations[0].to", "existing entity", "Entity with name Orchards not found"},
		"names are case-sensitive":                {"create_relations", relation("ada", "Orchard", "leads"), "NOT_FOUND", "relations[0].from", "existing entity", "Entity with name ada not found"},
		"additions need an entity":                {"add_observations", additions("Nobody", "x"), "NOT_FOUND", "observations[0].entityName", "existing entity", "Entity with name Nobody not found"},
		"an added observation is not blank":       {"add_observations", additions("Ada", "ok", " "), "VALIDATION_ERROR", "observations[0].contents[1]", "not blank", ""},
		"additions need contents":                 {"add_observations", args{"observations": []args{{"entityName": "Ada"}}}, "MISSING_REQUIRED", "observations[0].contents", "required", ""},
		"names to delete are strings":             {"delete_entities", args{"entityNames": []any{1}}, "VALIDATION_ERROR", "entityNames[0]", "type string", ""},
		"names to open are required":              {"open_nodes", args{}, "MISSING_REQUIRED", "names", "required", ""},
		"a query is required":                     {"search_nodes", args{}, "MISSING_REQUIRED", "query", "required", ""},
		"a limit is at least 1":                   {"read_graph", args{"limit": 0}, "VALIDATION_ERROR", "limit", "minimum 1", ""},
		"an offset is not negative":               {"search_nodes", args{"query": "x", "offset": -1}, "VALIDATION_ERROR", "offset", "minimum 0", ""},
		"an observation limit is at least 1":      {"open_nodes", args{"names": []string{}, "observationLimit": 0}, "VALIDATION_ERROR", "observationLimit", "minimum 1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.create(NewEntity{Name: "Ada", EntityType: "person"}, NewEntity{Name: "Orchard", EntityType: "project"})
			before := b.text("read_graph", nil)
			e := b.refuse(test.tool, test.in)
			if !e.Error || e.Code != test.code || e.Details["field"] != test.at || e.Details["constraint"] != test.rule || !strings.Contains(e.Message, test.says) {
				t.Errorf("got %+v", e)
			}
			if after := b.text("read_graph", nil); after != before {
				t.Errorf("something was written: %s", after)
			}
		})
	}
}

func TestABatchIsWrittenWholeOrNotAtAll(t *testing.T) {
	b := newBench(t)
	b.create(NewEntity{Name: "Ada"}, NewEntity{Name: "Bo"})
	for tool, in := range map[string]args{
		"create_relations": {"relations": []args{{"from": "Ada", "to": "Bo", "relationType": "knows"}, {"from": "Bo", "to": "Cy", "relationType": "knows"}}},
		"add_observations": {"observations": []args{{"entityName": "Ada", "contents": []string{"x"}}, {"entityName": "Cy", "contents": []string{"y"}}}},
		"create_entities":  {"entities": []args{{"name": "Di", "entityType": "person", "observations": []string{}}, {"name": "Ed", "entityType": " ", "observations": []string{}}}},
	} {
		if e := b.refuse(tool, in); !strings.Contains(e.Message, "nothing was changed") {
			t.Errorf("%s does not say what became of the rest: %s", tool, e.Message)
		}
	}
	g := b.graph("read_graph", nil)
	if len(g.Relations) != 0 || len(g.Entities[0].Observations) != 0 {
		t.Errorf("half of a batch was written: %+v", g)
	}
}

func TestARefusalNamesTheNearestEntities(t *testing.T) {
	b := newBench(t)
	b.create(NewEntity{Name: "Orchard"}, NewEntity{Name: "Orchestra"}, NewEntity{Name: "Zebra"})
	e := b.refuse("add_observations", args{"observations": []args{{"entityName": "orchad", "contents": []string{"x"}}}})
	same(t, "candidates", e.Details["candidates"], []any{"Orchard", "Orchestra"})
	e = b.refuse("add_observations", args{"observations": []args{{"entityName": "qqq", "contents": []string{"x"}}}})
	same(t, "candidates", e.Details["candidates"], []any{})
}

func TestANewEntityOfNearlyTheNameOfAnotherIsToldOf(t *testing.T) {
	for name, want := range map[string]string{"tomasz": "Tomasz", "Tómasz": "Tomasz", "Thomasz": "Tomasz", "Anna": "", "release 13": "", "Tomasz Nowak": ""} {
		b := newBench(t)
		b.create(NewEntity{Name: "Tomasz", EntityType: "person"}, NewEntity{Name: "Anne", EntityType: "person"}, NewEntity{Name: "release 12", EntityType: "release"})
		told := toolstest.EncodeJSON(b.CallAllowingRefusal("create_entities", CreateEntitiesInput{[]NewEntity{{Name: name, EntityType: "person", Observations: []string{}}}}).Hints)
		if is := strings.Contains(told, "nearly the name of"); is != (want != "") || !strings.Contains(told, want) {
			t.Errorf("%q is told of with %s", name, told)
		}
	}
}

func TestTextsAreKeptAsGiven(t *testing.T) {
	odd := []string{" spaces ", "quote \" back \\ slash", "line\nbreak", "<b>&amp;</b>", "ß İ Σς 👩\u200d🚀", "nul\x00inside", "chart_1765629421446"}
	b := newBench(t)
	var entities []NewEntity
	for _, text := range odd {
		entities = append(entities, NewEntity{Name: text, EntityType: text, Observations: []string{text, text}})
	}
	b.create(entities...)
	g := b.graph("open_nodes", args{"names": odd})
	if len(g.Entities) != len(odd) {
		t.Fatalf("opened %d of %d", len(g.Entities), len(odd))
	}
	for i, e := range g.Entities {
		same(t, odd[i], e, Entity{Name: odd[i], EntityType: odd[i], Observations: []string{odd[i], odd[i]}})
	}
	for _, text := range odd {
		b.relate(Relation{From: text, To: odd[0], RelationType: text})
		if got := b.text("add_observations", args{"observations": []args{{"entityName": text, "contents": []string{text, "new", "new"}}}}); !strings.HasSuffix(got, `"addedObservations":["new"]}]`) {
			t.Errorf("%q: %s", text, got)
		}
	}
	if got := b.graph("read_graph", nil); len(got.Relations) != len(odd) {
		t.Errorf("%d relations", len(got.Relations))
	}
	if got := b.text("delete_entities", args{"entityNames": odd}); !strings.Contains(got, `"message":"Entities deleted successfully"`) {
		t.Error(got)
	}
	same(t, "what is left", b.graph("read_graph", nil), Graph{Entities: []Entity{}, Relations: []Relation{}})
}

func TestRepeatedRelationsAreSkipped(t *testing.T) {
	b := newBench(t)
	b.create(NewEntity{Name: "a"}, NewEntity{Name: "b"})
	ab, ba, self := Relation{"a", "b", "knows"}, Relation{"b", "a", "knows"}, Relation{"a", "a", "knows"}
	for want, in := range map[string][]Relation{`[{"from":"a","to":"b","relationType":"knows"}]`: {ab, ab}} {
		if got := b.text("create_relations", CreateRelationsInput{in}); got != want {
			t.Errorf("got %s", got)
		}
	}
	if got := b.text("create_relations", CreateRelationsInput{[]Relation{ab}}); got != `[]` {
		t.Errorf("a repeated relation gave %s", got)
	}
	b.relate(ba, self)
	same(t, "relations", b.graph("read_graph", nil).Relations, []Relation{ab, ba, self})
}

func TestDeletionsReportWhatWasNotThere(t *testing.T) {
	b := newBench(t)
	b.create(NewEntity{Name: "a", Observations: []string{"one", "two", "two"}}, NewEntity{Name: "b"}, NewEntity{Name: "c"})
	b.relate(Relation{"a", "b", "knows"}, Relation{"b", "c", "knows"})
	for _, step := range []struct {
		tool string
		in   args
		want string
	}{
		{"delete_observations", args{"deletions": []args{{"entityName": "a", "observations": []string{"two", "three", "two"}}, {"entityName": "ghost", "observations": []string{"x"}}}},
			`{"success":true,"message":"1 observation deleted; 2 not there","deleted":[{"entityName":"a","observations":["two"]}],"notFound":[{"entityName":"a","observations":["three"]},{"entityName":"ghost","observations":["x"]}]}`},
		{"delete_observations", args{"deletions": []args{{"entityName": "a", "observations": []string{"two"}}}},
			`{"success":true,"message":"No observations deleted: nothing of what was named is there","notFound":[{"entityName":"a","observations":["two"]}]}`},
		{"delete_observations", args{"deletions": []args{{"entityName": "a", "observations": []string{"one"}}}},
			`{"success":true,"message":"Observations deleted successfully","deleted":[{"entityName":"a","observations":["one"]}]}`},
		{"delete_relations", args{"relations": []args{{"from": "a", "to": "b", "relationType": "knows"}, {"from": "b", "to": "a", "relationType": "knows"}}},
			`{"success":true,"message":"1 relation deleted; 1 not there","deleted":[{"from":"a","to":"b","relationType":"knows"}],"notFound":[{"from":"b","to":"a","relationType":"knows"}]}`},
		{"delete_relations", args{"relations": []args{{"from": "b", "to": "c", "relationType": "knows"}}},
			`{"success":true,"message":"Relations deleted successfully","deleted":[{"from":"b","to":"c","relationType":"knows"}]}`},
		{"delete_entities", args{"entityNames": []string{"c", "ghost", "c"}}, `{"success":true,"message":"1 entity deleted; 1 not there","deleted":["c"],"notFound":["ghost"]}`},
		{"delete_entities", args{"entityNames": []string{}}, `{"success":true,"message":"Entities deleted successfully"}`},
		{"delete_entities", args{"entityNames": []string{"a", "b"}}, `{"success":true,"message":"Entities deleted successfully","deleted":["a","b"]}`},
	} {
		if got := b.text(step.tool, step.in); got != step.want {
			t.Errorf("%s %v\n got %s\nwant %s", step.tool, step.in, got, step.want)
		}
	}
	same(t, "what is left", b.graph("read_graph", nil), Graph{Entities: []Entity{}, Relations: []Relation{}})
}

func TestCompatibilitySkipsExistingNames(t *testing.T) {
	b := openBench(t, "", true)
	b.create(NewEntity{Name: "Ada", EntityType: "person", Observations: []string{"first"}})
	got := b.text("create_entities", CreateEntitiesInput{[]NewEntity{
		{"Ada", "robot", []string{"second"}}, {"Bo", "person", []string{}}, {"Bo", "again", []string{}},
	}})
	if want := `[{"name":"Bo","entityType":"person","observations":[]}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	same(t, "Ada", b.graph("open_nodes", args{"names": []string{"Ada"}}).Entities, []Entity{{Name: "Ada", EntityType: "person", Observations: []string{"first"}}})
	same(t, "the words of a query alone find nothing", b.names("search_nodes", args{"query": "persons"}), []string{})
	same(t, "white space is searched for", b.names("search_nodes", args{"query": " "}), []string{})
}

// chart inserts a chart with a step, a step that is a chart with a step of its
// own, and a beat.
func (b *bench) chart() (chart *graph.Chart, step *graph.Step, sub *graph.Chart, beat *graph.Beat) {
	b.T.Helper()
	b.write(func(tx *store.Tx) (err error) {
		rows := graph.In(tx)
		if chart, err = rows.InsertChart(graph.Chart{ID: "chart_1", Outcome: "Create a podcast", Facts: []string{"Have a microphone"}, DueDate: "2026-06-30T00:00:00Z"}); err != nil {
			return err
		}
		if step, err = rows.InsertStep(chart, "Learn editing", "2026-02-01T00:00:00Z"); err != nil {
			return err
		}
		if sub, err = rows.InsertStepChart(chart, "Record five episodes", []string{"None recorded"}, "2026-03-01T00:00:00Z"); err != nil {
			return err
		}
		if _, err = rows.InsertStep(sub, "Write the scripts", "2026-02-15T00:00:00Z"); err != nil {
			return err
		}
		beat, err = rows.InsertBeat(graph.Beat{ChartRow: chart.Row, ChartID: chart.ID, Title: "First light", Act: 1, Type: "Exposition", Universes: []string{"Story Engine World"},
			OccurredAt: "2026-01-01T12:00:00Z", Narrative: []byte(`{}`), Alignment: []byte(`{}`), Directions: []byte(`{}`), Body: "A spark in the studio"})
		return err
	})
	return chart, step, sub, beat
}

func TestAddingToAChartUpdatesItsCurrentReality(t *testing.T) {
	b := newBench(t)
	chart, step, _, beat := b.chart()
	before := b.sequence(store.TopicCharts)
	got := b.text("add_observations", args{"observations": []args{
		{"entityName": chart.ID, "contents": []string{"Have a microphone", "Booked a studio"}},
		{"entityName": step.ID, "contents": []string{"Watched two tutorials"}},
		{"entityName": beat.Name, "contents": []string{"Ready to launch"}}, // only facts of charts are judged
	}})
	want := `[{"entityName":"chart_1","addedObservations":["Booked a studio"]},{"entityName":"chart_1_action_1","addedObservations":["Watched two tutorials"]},{"entityName":"` + beat.Name + `","addedObservations":["Ready to launch"]}]`
	if got != want {
		t.Errorf("got %s", got)
	}
	if b.sequence(store.TopicCharts) == before {
		t.Error("watchers of charts do not learn of it")
	}
	shown := strings.Join(b.graph("open_nodes", args{"names": []string{chart.ID}}).Entities[0].Observations, "|")
	if !strings.Contains(shown, "Have a microphone; Booked a studio") {
		t.Errorf("the chart shows %s", shown)
	}
	for _, query := range []string{"microphone; booked", "two tutorials", "spark in the studio", "FIRST LIGHT", "learn edit"} {
		if len(b.names("search_nodes", args{"query": query})) == 0 {
			t.Errorf("%q finds nothing", query)
		}
	}
}

func (b *bench) sequence(topic store.Topic) int64 {
	b.T.Helper()
	n, err := b.Store.SumSequences(b.T.Context(), topic)
	if err != nil {
		b.T.Fatal(err)
	}
	return n
}

func TestAnAspirationIsNoFactOfAChart(t *testing.T) {
	b := newBench(t)
	chart, _, _, _ := b.chart()
	before := b.text("read_graph", nil)
	e := b.refuse("add_observations", args{"observations": []args{{"entityName": chart.ID, "contents": []string{"Owns two cameras", "Ready to launch the show"}}}})
	if e.Code != "CREATIVE_ORIENTATION_ERROR" || e.Details["field"] != "observations[0].contents[1]" || e.Details["words"] == nil {
		t.Errorf("got %+v", e)
	}
	e = b.refuse("add_observations", args{"observations": []args{{"entityName": chart.ID, "contents": []string{"Ready to launch"}}, {"entityName": "ghost", "contents": []string{"x"}}}})
	if e.Code != "NOT_FOUND" {
		t.Errorf("references come before orientation: %+v", e)
	}
	if after := b.text("read_graph", nil); after != before {
		t.Error("something was written")
	}
}

func TestFactsOfAChartCanBeDeletedComputedObservationsCannot(t *testing.T) {
	b := newBench(t)
	chart, step, _, _ := b.chart()
	before := b.sequence(store.TopicCharts)
	got := b.text("delete_observations", args{"deletions": []args{
		{"entityName": chart.ID, "observations": []string{"Have a microphone", "Create a podcast"}},
		{"entityName": step.ID, "observations": []string{"Learn editing"}},
	}})
	want := `{"success":true,"message":"1 observation deleted; 2 not there","deleted":[{"entityName":"chart_1","observations":["Have a microphone"]}],` +
		`"notFound":[{"entityName":"chart_1","observations":["Create a podcast"]},{"entityName":"chart_1_action_1","observations":["Learn editing"]}]}`
	if got != want {
		t.Errorf("got %s", got)
	}
	if b.sequence(store.TopicCharts) == before {
		t.Error("watchers of charts do not learn of it")
	}
	same(t, "search", b.names("search_nodes", args{"query": "microphone"}), []string{})
}

func TestRelationsTakeTitlesOfChartsAndSteps(t *testing.T) {
	b := newBench(t)
	chart, step, _, _ := b.chart()
	b.create(NewEntity{Name: "Ada"}, NewEntity{Name: "Create a book"})
	for _, outcome := range []string{"Create a book", "Create a garden", "Create a garden"} {
		b.write(func(tx *store.Tx) error {
			id, err := graph.In(tx).FreeChartID(2)
			if err == nil {
				_, err = graph.In(tx).InsertChart(graph.Chart{ID: id, Outcome: outcome})
			}
			return err
		})
	}
	for to, want := range map[string]string{
		"create a PODCAST": chart.ID,
		step.Title:         step.ID,
		"Create a book":    "Create a book", // the name of an entity
		chart.ID:           chart.ID,
	} {
		got := b.text("create_relations", args{"relations": []Relation{{"Ada", to, "wants " + to}}})
		if !strings.Contains(got, `"to":"`+want+`"`) {
			t.Errorf("%s: %s, want %s", to, got, want)
		}
	}
	e := b.refuse("create_relations", args{"relations": []Relation{{"Ada", "Create a garden", "wants"}}})
	if fmt.Sprint(e.Details["candidates"]) != "[chart_3 chart_4]" {
		t.Errorf("a title of two charts: %+v", e)
	}
}

func TestRelationsOfAChartGoOnlyWithItsParts(t *testing.T) {
	b := newBench(t)
	_, _, _, beat := b.chart()
	b.create(NewEntity{Name: "Ada"})
	b.relate(Relation{"Ada", "chart_1", "owns"})
	before := b.text("read_graph", nil)
	for _, structural := range []Relation{{"chart_1", "chart_1_action_1", graph.RelationContains}, {beat.Name, "chart_1", graph.RelationDocuments}} {
		e := b.refuse("delete_relations", args{"relations": []Relation{{"Ada", "chart_1", "owns"}, structural}})
		if e.Code != "VALIDATION_ERROR" || e.Details["constraint"] != "structural relation" || e.Details["field"] != "relations[1]" {
			t.Errorf("%v: %+v", structural, e)
		}
	}
	if after := b.text("read_graph", nil); after != before {
		t.Error("something was deleted")
	}
	b.text("delete_relations", args{"relations": []Relation{{"Ada", "chart_1", "owns"}}})
}

func TestABlankNameIsRefusedWithItsField(t *testing.T) {
	for _, compat := range []bool{false, true} {
		b := openBench(t, "", compat)
		for _, c := range []struct {
			tool  string
			in    args
			field string
		}{
			{"create_entities", args{"entities": []args{{"name": " ", "entityType": "x", "observations": []string{}}}}, "entities[0].name"},
			{"create_relations", args{"relations": []args{{"from": "a", "to": "\t", "relationType": "r"}}}, "relations[0].to"},
			{"add_observations", args{"observations": []args{{"entityName": "", "contents": []string{"x"}}}}, "observations[0].entityName"},
			{"open_nodes", args{"names": []string{"a", " "}}, "names[1]"},
			{"delete_entities", args{"entityNames": []string{""}}, "entityNames[0]"},
			{"delete_observations", args{"deletions": []args{{"entityName": "\u00a0", "observations": []string{"x"}}}}, "deletions[0].entityName"},
			{"delete_relations", args{"relations": []args{{"from": "", "to": "b", "relationType": "r"}}}, "relations[0].from"},
		} {
			if e := b.refuse(c.tool, c.in); e.Details["field"] != c.field {
				t.Errorf("%s: %+v, want the field %s", c.tool, e, c.field)
			}
		}
	}
}

// A client that moves over goes on with the rules it knows, and back again.
func TestDanglingRelationIsConnectedWhenEntityArrives(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	b := openBench(t, path, true)
	b.create(NewEntity{Name: "Ada", EntityType: "person"})
	waiting, lone := Relation{"Ada", "Bo", "knows"}, Relation{"Ada", "Nobody", "seeks"}
	b.relate(waiting, lone)
	if again := b.text("create_relations", CreateRelationsInput{[]Relation{waiting}}); again != "[]" {
		t.Errorf("a repeated relation was added: %s", again)
	}
	same(t, "found with the end it has", b.graph("open_nodes", args{"names": []string{"Ada"}}).Relations, []Relation{waiting, lone})
	b.Store.Close() //nolint:errcheck // only to open it again

	b = openBench(t, path, false)
	if e := b.refuse("create_relations", CreateRelationsInput{[]Relation{{"Ada", "Cy", "knows"}}}); e.Code != tools.CodeNotFound {
		t.Errorf("without compatibility a relation needs both ends: %+v", e)
	}
	b.create(NewEntity{Name: "Bo", EntityType: "person"})
	same(t, "connected when the end came", b.graph("read_graph", nil).Relations, []Relation{waiting, lone})
	b.text("delete_entities", args{"entityNames": []string{"Ada"}})
	b.write(func(tx *store.Tx) error {
		if left, err := graph.In(tx).AllDanglingRelations(); err != nil || len(left) != 0 {
			t.Errorf("%v of a deleted entity is left, %v", left, err)
		}
		return nil
	})
}

// A chart is one entity here: naming a part of it, as other servers do, must not
// change what the user did not mean.
func TestPartsOfAChartAreNoEntitiesOfTheirOwn(t *testing.T) {
	b := newBench(t)
	b.twoSteps()
	before := b.names("read_graph", args{})
	for _, c := range []struct {
		tool  string
		in    args
		field string
		says  string
	}{
		{"delete_entities", args{"entityNames": []string{"chart_1_desired_outcome"}}, "entityNames[0]", "update_desired_outcome"},
		{"delete_entities", args{"entityNames": []string{"chart_1_current_reality"}}, "entityNames[0]", "delete_observations"},
		{"add_observations", args{"observations": []args{{"entityName": "chart_1_desired_outcome", "contents": []string{"Create a double LP"}}}}, "observations[0].entityName", "update_desired_outcome"},
		{"create_entities", args{"entities": []args{{"name": "chart_1_desired_outcome", "entityType": "desired_outcome", "observations": []string{}}}}, "entities[0].name", "exists already"},
	} {
		e := b.refuse(c.tool, c.in)
		if e.Details["field"] != c.field || !strings.Contains(e.Message, c.says) {
			t.Errorf("%s %v: %+v", c.tool, c.in, e)
		}
	}
	if got := b.text("create_relations", CreateRelationsInput{[]Relation{{"chart_1_chart", "chart_1_desired_outcome", "contains"}}}); got != `{"relations":[]}` && got != "[]" {
		t.Errorf("a relation of a chart to itself was made: %s", got)
	}
	same(t, "the graph", b.names("read_graph", args{}), before)
}

// What is written stays acknowledged when the look for what to warn of fails after it: here
// the caller gives up in the moment of the commit.
func TestAWriteIsAcknowledgedThoughTheLookAfterItFails(t *testing.T) {
	for tool, in := range map[string]any{
		"create_entities":     args{"entities": []any{args{"name": "Orchard shop", "entityType": "shop", "observations": []string{}}}},
		"delete_entities":     args{"entityNames": []string{"Orchard", "Orchid"}},
		"delete_observations": args{"deletions": []any{args{"entityName": "Orchard", "observations": []string{"near the harbour"}}, args{"entityName": "Orchid", "observations": []string{"red"}}}},
	} {
		t.Run(tool, func(t *testing.T) {
			b := newBench(t)
			if tool != "create_entities" { // the first look for near names fills their index
				b.create(NewEntity{Name: "Orchard", Observations: []string{"near the harbour"}})
			}
			ctx, cancel := context.WithCancel(t.Context())
			b.Store.OnCommit(func([]store.Topic) { cancel() })
			raw, err := json.Marshal(in)
			if err != nil {
				t.Fatal(err)
			}
			r := b.Send(ctx, tools.Request{Tool: tool, Arguments: raw})
			if ctx.Err() == nil || r.IsError || !strings.Contains(r.Warning, "could not be looked up") {
				t.Errorf("%v, %v, %q, %s", ctx.Err(), r.IsError, r.Warning, r.Text)
			}
		})
	}
}
