package view

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/memory"
	"toolkit/store/pockets"
)

// hostile are names that nobody should have, but somebody will.
var hostile = []string{
	`<img src=x onerror="alert(1)">`, `</script><script>alert(1)</script>`, "\u202Eevil\u202C", "שלום", "👩‍👩‍👧‍👦 family",
	"a/b?c#d%2F&e=f", "line\nbreak", strings.Repeat("x", 400), `"quoted" \ back`, "'; DROP TABLE entities; --",
}

func (b *bench) rememberGraph(names ...string) {
	b.t.Helper()
	storetest.Write(b.t, b.store, func(tx *store.Tx) error { // names of any length, as earlier versions took them
		var first int64
		for i, name := range names {
			row, err := graph.In(tx).InsertEntity(graph.NewEntity{Name: name, Type: "type of " + name, Observations: []string{"about " + name}})
			if err != nil {
				return err
			}
			if i == 0 {
				first = row
				continue
			}
			if _, err := graph.In(tx).InsertRelation(first, row, "knows "+name, false, nil, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

type pictureReply struct {
	Nodes []struct {
		ID     int64
		Name   string
		Degree int
	}
	Edges                     []struct{ From, To int64 }
	Entities, Relations, Near int
}

func TestHostileNamesTravelUnchanged(t *testing.T) {
	b := newBench(t)
	b.rememberGraph(hostile...)
	r := b.reader()
	drawn := map[string]bool{}
	for _, n := range ask[pictureReply](r, "graph").Nodes {
		drawn[n.Name] = true
	}
	for _, name := range hostile {
		e := ask[struct {
			Name, Type   string
			Observations []string
		}](r, "graph/entity?name="+url.QueryEscape(name))
		if e.Name != name || e.Type != "type of "+name || !slices.Equal(e.Observations, []string{"about " + name}) || !drawn[name] {
			t.Errorf("%q became %+v (drawn: %v)", name, e, drawn[name])
		}
		found := ask[struct{ Nodes []struct{ Name string } }](r, "graph/search?q="+url.QueryEscape(name))
		if !slices.ContainsFunc(found.Nodes, func(n struct{ Name string }) bool { return n.Name == name }) {
			t.Errorf("%q is not found by its name", name)
		}
	}
	raw := r.send("GET", r.base+"/api/graph", r.session)
	if strings.Contains(raw.body, "<img") || strings.Contains(raw.body, "</script") || raw.Header.Get("Content-Type") != "application/json" {
		t.Error("markup travels as markup")
	}
}

func TestAnEntityWhoseNameNoAddressHoldsIsReachedByItsRow(t *testing.T) {
	b := newBench(t)
	long := strings.Repeat("שלום ", 400)
	b.rememberGraph("first", long)
	r := b.reader()
	if answer := r.send("GET", r.base+"/api/graph/entity?name="+url.QueryEscape(long), r.session); answer.StatusCode != http.StatusRequestURITooLong {
		t.Errorf("the name in an address: %d", answer.StatusCode)
	}
	var row int64
	for _, n := range ask[struct {
		Nodes []struct {
			ID   int64
			Name string
		}
	}](r, "graph").Nodes {
		if n.Name == long {
			row = n.ID
		}
	}
	id := fmt.Sprintf("?id=%d", row)
	if e := ask[struct{ Name string }](r, "graph/entity"+id); row == 0 || e.Name != long {
		t.Errorf("row %d is %.20q", row, e.Name)
	}
	if near := ask[struct{ Neighbours []struct{ Name string } }](r, "graph/neighbours"+id); len(near.Neighbours) != 1 || near.Neighbours[0].Name != "first" {
		t.Errorf("neighbours %+v", near)
	}
	if p := ask[pictureReply](r, "graph"+id); len(p.Nodes) != 2 || p.Nodes[0].Name != long {
		t.Errorf("around it are %d", len(p.Nodes))
	}
	r.refused("graph/entity?id=x", http.StatusBadRequest)
	r.refused("graph/entity?id=999999", http.StatusNotFound)
	r.refused("graph?id=-1", http.StatusBadRequest)
	r.refused("graph?id=999999", http.StatusNotFound)
}

func TestAnEntityShowsItsRelationsWithoutAnEnd(t *testing.T) {
	b := newBench(t)
	b.rememberGraph("Ada")
	storetest.Write(t, b.store, func(tx *store.Tx) error {
		return errors.Join(graph.In(tx).InsertDanglingRelation(graph.Relation{From: "Ada", Type: "plays", To: "Bach"}), graph.In(tx).InsertDanglingRelation(graph.Relation{From: "Babbage", Type: "knows", To: "Ada"}))
	})
	got := ask[struct{ Dangling []danglingEnd }](b.reader(), "graph/entity?name=Ada").Dangling
	want := []danglingEnd{{"Bach", "plays", true}, {"Babbage", "knows", false}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestThePictureIsBoundedHoweverLargeTheGraphIs(t *testing.T) {
	b := newBench(t)
	names := make([]string, 1200)
	for i := range names {
		names[i] = fmt.Sprintf("entity %d", i)
	}
	b.rememberGraph(names...) // all hang on the first
	r := b.reader()
	p := ask[pictureReply](r, "graph")
	if len(p.Nodes) != maxDrawn || p.Entities != 1200 || p.Relations != 1199 || len(p.Edges) != maxDrawn-1 {
		t.Errorf("%d nodes, %d edges of %d and %d", len(p.Nodes), len(p.Edges), p.Entities, p.Relations)
	}
	around := ask[pictureReply](r, "graph?around="+url.QueryEscape("entity 0"))
	if len(around.Nodes) != neighboursPage+1 || around.Nodes[0].Name != "entity 0" || around.Nodes[0].Degree != 1000 || len(around.Edges) != neighboursPage {
		t.Errorf("around the hub: %d nodes, %d edges, %+v", len(around.Nodes), len(around.Edges), around.Nodes[0])
	}
	if found := ask[struct {
		Nodes []struct{}
		More  bool
	}](r, "graph/search?q=entity"); len(found.Nodes) != searchHits || !found.More {
		t.Errorf("%d found, more %v", len(found.Nodes), found.More)
	}
	for _, path := range []string{"graph?limit=301", "graph?limit=0", "graph?limit=x", "graph/neighbours?name=x&limit=51", "graph/neighbours?name=x&offset=-1", "charts?limit=101", "memory/insights?limit=101", "memory/insights?before=-1", "entities?limit=101", "sessions?limit=101", "sessions?project=-2", "session?id=x&limit=101", "session?id=x&turn=-1", "recall?q=x&limit=101"} {
		r.refused(path, http.StatusBadRequest)
	}
}

func TestAPictureThatHasGrownKeepsWhatWasDrawn(t *testing.T) {
	b := newBench(t)
	b.rememberGraph("hub", "a", "b")
	b.remember("create_entities", arguments{"entities": []any{arguments{"name": "apart", "entityType": "x", "observations": []string{"known"}}}})
	r := b.reader()
	var apart int64
	for _, n := range ask[pictureReply](r, "graph").Nodes {
		if n.Name == "apart" {
			apart = n.ID
		}
	}
	p := ask[pictureReply](r, fmt.Sprintf("graph?around=a&with=%d,99999", apart))
	if len(p.Nodes) != 3 || p.Nodes[0].Name != "a" || p.Nodes[2].ID != apart || p.Near != 1 {
		t.Errorf("%+v", p)
	}
	for _, with := range []string{"x", "1,x", strings.Repeat("1,", maxDrawnBefore) + "1"} {
		r.refused("graph?with="+with, http.StatusBadRequest)
	}
}

func TestNeighboursComePageByPageEachOnce(t *testing.T) {
	b := newBench(t)
	names := make([]string, 131)
	for i := range names {
		names[i] = fmt.Sprintf("entity %d", i)
	}
	b.rememberGraph(names...)
	b.remember("create_relations", arguments{"relations": []any{
		arguments{"from": "entity 5", "to": "entity 0", "relationType": "answers"}, arguments{"from": "entity 0", "to": "entity 0", "relationType": "is"},
	}})
	r := b.reader()
	seen := map[string]int{}
	total := 0
	for offset := 0; offset == 0 || offset < total; offset += neighboursPage {
		page := ask[struct {
			Neighbours []struct {
				Name, Relation string
				Outward        bool
			}
			Total int
		}](r, fmt.Sprintf("graph/neighbours?name=%s&offset=%d", url.QueryEscape("entity 0"), offset))
		total = page.Total
		for _, n := range page.Neighbours {
			seen[fmt.Sprint(n.Name, n.Relation, n.Outward)]++
		}
	}
	// 130 outward, itself outward and inward, and one answer.
	if total != 133 || len(seen) != 133 {
		t.Errorf("%d of %d relations seen", len(seen), total)
	}
	for what, n := range seen {
		if n != 1 {
			t.Errorf("%s seen %d times", what, n)
		}
	}
}

func TestChartsShowWhatIsBelowThem(t *testing.T) {
	b := newBench(t)
	made := b.remember("create_structural_tension_chart", arguments{"desiredOutcome": "The organ sounds", "currentReality": "The case stands", "dueDate": "2040-01-31T00:00:00Z", "actionSteps": []string{"Pipes voiced", "Chest tight"}})
	b.remember("mark_action_complete", arguments{"actionStepName": "Chest tight"})
	b.remember("telescope_action_step", arguments{"actionStepName": "Pipes voiced", "newCurrentReality": "Four stops are voiced", "initialActionSteps": []string{"Reeds voiced"}})
	b.remember("create_structural_tension_chart", arguments{"desiredOutcome": "A novel is written", "currentReality": "Outline exists", "dueDate": "2040-01-31T00:00:00Z"})
	r := b.reader()
	type page struct {
		Charts []chart
		Roots  []string
		Total  int
		Counts counts
	}
	all := ask[page](r, "charts")
	if all.Total != 2 || len(all.Roots) != 2 || len(all.Charts) != 3 {
		t.Fatalf("%+v", all)
	}
	one := ask[page](r, "charts?id="+made["chartId"].(string))
	if len(one.Roots) != 1 || len(one.Charts) != 2 {
		t.Fatalf("%+v", one)
	}
	organ, pipes := one.Charts[0], one.Charts[1]
	if organ.Outcome != "The organ sounds" || organ.Progress != 0.5 || organ.Completed != 1 || !organ.Steps[1].Completed || organ.Steps[0].DueDate == "" {
		t.Errorf("%+v", organ)
	}
	if pipes.ParentStep != organ.Steps[0].ID || pipes.ParentChart != organ.ID || pipes.Steps[0].Title != "Reeds voiced" {
		t.Errorf("%+v", pipes)
	}
	if first := ask[page](r, "charts?limit=1"); len(first.Roots) != 1 || first.Roots[0] != organ.ID {
		t.Errorf("the chart with an open step is not first: %+v", first.Roots)
	}
	if second := ask[page](r, "charts?limit=1&offset=1"); len(second.Roots) != 1 || second.Roots[0] == organ.ID {
		t.Errorf("the second page: %+v", second.Roots)
	}
	next := ask[struct {
		Steps []graph.PlacedStep
		Total int
	}](r, "charts/next")
	if next.Total != 1 || len(next.Steps) != 1 || next.Steps[0].Title != "Reeds voiced" || next.Steps[0].Root != organ.ID || next.Steps[0].Chart != pipes.ID {
		t.Errorf("next is %+v", next)
	}
	b.remember("update_chart", arguments{"chartId": organ.ID, "status": "abandoned"})
	for show, want := range map[string]int{"active": 1, "done": 0, "archived": 1} {
		if got := ask[page](r, "charts?show="+show); got.Total != want || len(got.Roots) != want || got.Counts != (counts{1, 0, 1}) {
			t.Errorf("%s: %+v", show, got)
		}
	}
	r.refused("charts?show=all", http.StatusBadRequest)
	r.refused("charts?id=nobody", http.StatusNotFound)
	if beats := ask[struct{ Beats []struct{} }](r, "charts/beats?id="+organ.ID); len(beats.Beats) != 0 {
		t.Errorf("%+v", beats)
	}
}

func TestMemoryIsListed(t *testing.T) {
	b := newBench(t)
	turn := b.remember("store_raw_dialogue", arguments{"session_id": "s", "speaker": "Ada", "content": "The concert moves to August"})["id"]
	old := b.remember("compress_to_l2_insight", arguments{"content": "The concert is in June", "source_ids": []any{turn}})["id"]
	b.remember("update_insight", arguments{"id": old, "content": "The concert moved to August", "source_ids": []any{turn}, "reason": "she said so"})
	for i := range 40 {
		b.remember("compress_to_l2_insight", arguments{"content": fmt.Sprintf("Fact number %d about pipes", i), "source_ids": []any{}})
	}
	b.remember("store_episode", arguments{"query": "Plan a concert", "reward": -0.5, "reflection": "Ask first"})
	b.remember("update_working_memory", arguments{"content": "Ask Mira", "importance": 0.5})
	r := b.reader()

	type list struct {
		Insights []insightRow
		More     bool
	}
	first := ask[list](r, "memory/insights?limit=40")
	if len(first.Insights) != 40 || !first.More || first.Insights[0].Content != "Fact number 39 about pipes" {
		t.Fatalf("%d, more %v", len(first.Insights), first.More)
	}
	rest := ask[list](r, fmt.Sprintf("memory/insights?before=%d", first.Insights[39].ID))
	if len(rest.Insights) != 1 || rest.More || rest.Insights[0].Content != "The concert moved to August" {
		t.Errorf("%+v", rest)
	}
	if both := ask[list](r, fmt.Sprintf("memory/insights?retired=1&before=%d", first.Insights[39].ID)); len(both.Insights) != 2 || both.Insights[1].State != "superseded" {
		t.Errorf("%+v", both)
	}
	one := ask[struct {
		Insight  insightRow
		History  struct{ Versions []struct{ Reason string } }
		Dialogue []turnReply
	}](r, fmt.Sprintf("memory/insight?id=%d", rest.Insights[0].ID))
	if len(one.History.Versions) != 2 || one.History.Versions[0].Reason != "she said so" || len(one.Dialogue) != 1 || one.Dialogue[0].Speaker != "Ada" {
		t.Errorf("%+v", one)
	}
	if e := ask[struct{ Episodes []memory.Episode }](r, "memory/episodes"); len(e.Episodes) != 1 || e.Episodes[0].Reward != -0.5 {
		t.Errorf("%+v", e)
	}
	if w := ask[struct{ Items []memory.WorkingItem }](r, "memory/working"); len(w.Items) != 1 || w.Items[0].Content != "Ask Mira" {
		t.Errorf("%+v", w)
	}
	r.refused("memory/insight?id=99999", http.StatusNotFound)
	r.refused("memory/insight", http.StatusBadRequest)
}

type turnReply struct{ Speaker, Content string }

func TestAFieldIsFollowedToItsFile(t *testing.T) {
	b := newBench(t)
	submit := func(status, at string) map[string]any {
		return b.remember("submit_payload", arguments{
			"capability_id": "neotoma:store_invoice:v1",
			"body":          arguments{"invoice_number": "L-1", "amount": 10, "vendor_name": "Leather & Sons", "status": status, "date": at[:10]},
			"provenance":    arguments{"source_refs": []string{"invoices/<L-1>.pdf"}, "extracted_at": at, "extractor_version": "reader:v1", "agent_id": "reader"},
		})
	}
	submit("open", "2026-01-02T10:00:00Z")
	submit("paid", "2026-02-02T10:00:00Z")
	r := b.reader()
	list := ask[struct {
		Found struct {
			Entities []struct{ Entity_id, Entity_type string } //nolint:revive // as it travels
			Total    int
		}
		Types []store.TypeCount
	}](r, "entities?type=invoice")
	if list.Found.Total != 1 || len(list.Types) != 2 {
		t.Fatalf("%+v", list)
	}
	id := list.Found.Entities[0].Entity_id
	truth := ask[struct {
		Name     string
		Snapshot struct {
			Snapshot   map[string]any
			Provenance map[string]string
		}
	}](r, "entity?id="+id)
	if truth.Name != "L-1" || truth.Snapshot.Snapshot["status"] != "paid" {
		t.Errorf("%+v", truth)
	}
	then := ask[struct{ Snapshot map[string]any }](r, "entity/at?id="+id+"&at=2026-01-02T10:00:00Z")
	if then.Snapshot["status"] != "open" {
		t.Errorf("%+v", then)
	}
	history := ask[struct {
		Observations []struct {
			ID     string
			Fields map[string]any
		}
		Total int
	}](r, "entity/history?id="+id)
	if history.Total != 2 || history.Observations[0].ID != truth.Snapshot.Provenance["status"] || history.Observations[1].Fields["status"] != "open" {
		t.Errorf("%+v", history)
	}
	from := ask[struct {
		Provenance struct {
			Source_observation struct{ ID string } //nolint:revive // as it travels
		}
		Payload *payload
	}](r, "entity/provenance?id="+id+"&field=status")
	if from.Provenance.Source_observation.ID != history.Observations[0].ID || from.Payload == nil || from.Payload.Extractor != "reader:v1" || !slices.Equal(from.Payload.SourceRefs, []string{"invoices/<L-1>.pdf"}) {
		t.Errorf("%+v", from)
	}
	if c := ask[struct{ Connections []connection }](r, "entity/connections?id="+id); c.Connections == nil {
		t.Errorf("%+v", c)
	}
	for _, path := range []string{"entity?id=ent_000000000000000000000000", "entity/provenance?id=" + id + "&field=nothing", "entity/at?id=" + id + "&at=1999-01-01T00:00:00Z"} {
		r.refused(path, http.StatusNotFound)
	}
	for _, path := range []string{"entity", "entity?id=x", "entity/provenance?id=" + id, "entity/at?id=" + id + "&at=yesterday"} {
		r.refused(path, http.StatusBadRequest)
	}
}

func TestSectionsAppearWithWhatTheyShow(t *testing.T) {
	type sections struct {
		Sections []string
		Version  string
	}
	b := newBench(t)
	r := b.reader()
	if o := ask[sections](r, "overview"); !slices.Equal(o.Sections, []string{"calls"}) || o.Version != "1.2.3" {
		t.Errorf("%+v", o)
	}
	if report := ask[callReport](r, "calls"); len(report.Tools) != 0 || report.Recent == nil {
		t.Errorf("%+v", report)
	}
	r.refused("nothing", http.StatusNotFound)
	r.refused("pockets/day?pocket=chip-bee&from=today", http.StatusBadRequest)
	at := time.Date(2026, 1, 1, 1, 0, 0, 0, time.UTC)
	storetest.Write(t, b.store, func(tx *store.Tx) error {
		d, err := pockets.In(tx).EnsureDataset(pockets.Dataset{Name: "made-by-hand", Source: "a test"})
		if err != nil {
			return err
		}
		_, err = pockets.In(tx).PutReading(pockets.Reading{Pocket: "chip-bee", CapturedAt: at.UnixMilli(), Dataset: d.Seq, Calm: 0.7, PrimaryState: "calm"})
		return err
	})
	if o := ask[sections](r, "overview"); !slices.Equal(o.Sections, []string{"pockets", "calls"}) {
		t.Errorf("%+v", o)
	}
	day := ask[struct {
		Readings []struct{ Calm, MQS *float64 }
	}](r, "pockets/day?pocket=chip-bee&from=2026-01-01T00:00:00Z")
	if len(day.Readings) != 1 || *day.Readings[0].Calm != 0.7 || day.Readings[0].MQS != nil {
		t.Errorf("%+v", day)
	}
}

func TestAFaultInsideIsNotTold(t *testing.T) {
	b := newBench(t)
	for name, fail := range map[string]endpoint{
		"an error": func(context.Context, *query) (any, error) { return nil, errors.New("near SELECT: a fault inside") },
		"a panic":  func(context.Context, *query) (any, error) { panic("a fault inside") },
	} {
		w := httptest.NewRecorder()
		b.server.newJSONHandler(fail)(w, httptest.NewRequest(http.MethodGet, "/api/graph", nil))
		if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "inside") {
			t.Errorf("%s is answered with %d and %s", name, w.Code, w.Body)
		}
	}
}

func TestTheViewCannotWrite(t *testing.T) {
	b := newBench(t)
	for _, tool := range []string{"create_entities", "delete_entities", "update_working_memory"} {
		_, err := b.server.callTool(t.Context(), &query{}, tool, arguments{"entities": []any{}, "entityNames": []any{"x"}, "content": "x"})
		var refused *apiError
		if !errors.As(err, &refused) || !strings.Contains(refused.Message, "permission") {
			t.Errorf("%s: %v", tool, err)
		}
	}
	before, err := b.store.SumSequences(t.Context(), "graph", "charts", "payloads", "l2-insights", "working-memory")
	if err != nil {
		t.Fatal(err)
	}
	r := b.reader()
	for _, path := range []string{"overview", "charts", "graph", "graph/search?q=x", "recall?q=x", "sessions", "memory/insights", "memory/episodes", "memory/working", "entities"} {
		ask[map[string]any](r, path)
	}
	after, err := b.store.SumSequences(t.Context(), "graph", "charts", "payloads", "l2-insights", "working-memory")
	if err != nil || after != before {
		t.Errorf("the sequence went from %d to %d, %v", before, after, err)
	}
}

func TestTotalsCountWhatPeopleWouldCount(t *testing.T) {
	b := newBench(t)
	b.rememberGraph("Anna", "Ben")
	chart := b.remember("create_structural_tension_chart", arguments{"desiredOutcome": "The organ sounds", "currentReality": "Pipes are bought", "dueDate": "2040-01-31", "actionSteps": []string{"Pipes voiced"}})
	b.remember("telescope_action_step", arguments{"actionStepName": "Pipes voiced", "newCurrentReality": "Four are voiced", "initialActionSteps": []string{"Reeds voiced"}})
	b.remember("add_action_step", arguments{"parentChartId": chart["chartId"], "actionStepTitle": "Bellows tight", "currentReality": "They leak"})
	for _, content := range []string{"Kept", "Replaced", "Deleted"} {
		b.remember("compress_to_l2_insight", arguments{"content": content, "source_ids": []int64{}})
	}
	b.remember("update_insight", arguments{"id": 2, "content": "Better"})
	b.remember("delete_insight", arguments{"id": 3, "reason": "wrong"})
	got := ask[overview](b.reader(), "overview").Totals
	if got.Entities != 2 || got.Charts != 1 || got.Steps != 3 || got.Insights != 2 || got.Nodes <= 5 {
		t.Errorf("%+v", got)
	}
}
