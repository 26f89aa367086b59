package view

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/capture/transcripts"
	"toolkit/internal/testenv"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/sessions"
	"toolkit/tools"
	"toolkit/tools/recall"
)

// callAs calls a tool as a client does.
func (b *bench) callAs(client, tool, arguments string) {
	b.t.Helper()
	r, err := b.writer.Call(b.t.Context(), tools.Request{Tool: tool, Arguments: []byte(arguments), Call: tools.Call{AgentID: client}})
	if err != nil || r.IsError {
		b.t.Fatal(err, r)
	}
}

func (b *bench) rememberAs(client, text, project string) {
	b.t.Helper()
	b.callAs(client, "remember", fmt.Sprintf(`{"text": %q, "project": %q}`, text, project))
}

// twoProjects fills a view with insights of two projects, stored in another order than
// that in which they were said.
func twoProjects(t *testing.T, change ...func(*Options)) *bench {
	b := newBench(t, change...)
	b.clock = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	b.capture(line("new", "user", "2026-03-04T11:45:00Z", "/srv/shop", "We decided: the shop sends mails through Postmark.", nil))
	b.capture(line("old", "user", "2026-03-03T16:00:00Z", "/srv/organ", "We decided: the stop list is kept in PostgreSQL.", nil))
	b.rememberAs("toolkit-cli", "Prices are whole numbers of cents", "shop")
	b.rememberAs("claude-desktop", "I am allergic to peanuts", "")
	return b
}

func described(list []insightRow) (lines []string) {
	for _, i := range list {
		text, _, _ := strings.Cut(strings.TrimPrefix(i.Content, "We decided: "), " ")
		lines = append(lines, strings.TrimSuffix(text+" "+i.Project+" "+i.Client+" "+i.Session, " "))
	}
	return lines
}

func TestInsightsComeByTimeWithTheirProjectAndSource(t *testing.T) {
	b := twoProjects(t)
	r := b.reader()
	list := ask[insightsReply](r, "memory/insights").Insights
	const peanuts, prices, mails, stops = "I  claude-desktop", "Prices shop toolkit-cli", "the shop claude-code claude-code/new", "the organ claude-code claude-code/old"
	if got, want := described(list), []string{peanuts, prices, mails, stops}; !slices.Equal(got, want) {
		t.Fatalf("the newest first are\n%q, want\n%q", got, want)
	}
	if next := ask[insightsReply](r, fmt.Sprintf("memory/insights?limit=1&before=%d", list[1].ID)); !next.More || !slices.Equal(described(next.Insights), []string{mails}) {
		t.Errorf("after the second comes %+v", next)
	}
	o := ask[overview](r, "overview")
	for _, p := range o.Projects {
		want := map[string][]string{"shop": {prices, mails}, "organ": {stops}}[p.Name]
		if got := described(ask[insightsReply](r, fmt.Sprint("memory/insights?project=", p.ID)).Insights); len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", p.Name, got, want)
		}
	}
	if len(o.Projects) != 2 || o.Project != 0 {
		t.Errorf("%+v, at hand %d", o.Projects, o.Project)
	}
	if one := ask[struct{ Insight insightRow }](r, fmt.Sprint("memory/insight?id=", list[2].ID)); !slices.Equal(described([]insightRow{one.Insight}), []string{mails}) {
		t.Errorf("alone: %+v", one)
	}
}

func TestInsightsNameWhoWroteThem(t *testing.T) {
	b := newBench(t)
	b.clock = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	b.capture(line("cart", "user", "2026-03-04T11:45:00Z", "/srv/shop", "Which library is it?", nil))
	b.remember("store_raw_dialogue", arguments{"session_id": "spring", "speaker": "Ada", "content": "August, then"})
	r := b.reader()
	for i, c := range []struct{ client, tool, arguments, want string }{
		{"codex", "compress_to_l2_insight", `{"content": "Alone it stands", "source_ids": []}`, "Alone  codex"},
		{"claude-code", "compress_to_l2_insight", `{"content": "Running sessions are known", "source_ids": []}`, "Running  claude-code claude-code/cart"},
		{"claude-code", "compress_to_l2_insight", `{"content": "Libraries were asked about", "source_ids": [1]}`, "Libraries shop claude-code claude-code/cart"},
		{"desk", "compress_to_l2_insight", `{"content": "August was chosen", "source_ids": [2]}`, "August  desk spring"},
		{"", "compress_to_l2_insight", `{"content": "Nobody gave a name", "source_ids": [2]}`, "Nobody   spring"},
		{"toolkit-view", "update_insight", `{"id": 3, "content": "Corrected on the page", "reason": "wrong"}`, "Corrected shop toolkit-view claude-code/cart"},
	} {
		b.clock = b.clock.Add(time.Second)
		b.callAs(c.client, c.tool, c.arguments)
		if got := described(ask[insightsReply](r, "memory/insights?limit=1").Insights); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%d: %q, want %q", i, got, c.want)
		}
	}
}

type insightsReply struct {
	Insights []insightRow
	More     bool
}

func TestTheProjectOfTheFolderIsAtHand(t *testing.T) {
	b := twoProjects(t, func(o *Options) { o.Project = []string{"folder:/srv/organ"} })
	o := ask[overview](b.reader(), "overview")
	if i := slices.IndexFunc(o.Projects, func(p projectTag) bool { return p.ID == o.Project }); i < 0 || o.Projects[i].Name != "organ" {
		t.Errorf("%+v, at hand %d", o.Projects, o.Project)
	}
}

func TestSessionsTellWhatTheyBrought(t *testing.T) {
	b := twoProjects(t)
	b.clock = time.Date(2026, 3, 4, 11, 50, 0, 0, time.UTC)
	b.rememberAs("claude-code", "Deploys happen on Tuesdays", "shop") // while one of its sessions runs
	brought := map[string][]string{}
	for _, s := range ask[sessionsReply](b.reader(), "sessions").Sessions {
		brought[s.ID] = described(s.Brought)
		if s.Insights != len(s.Brought) {
			t.Errorf("%s counts %d insights and shows %d", s.ID, s.Insights, len(s.Brought))
		}
	}
	want := map[string][]string{
		"claude-code/new": {"Deploys shop claude-code claude-code/new", "the shop claude-code claude-code/new"},
		"claude-code/old": {"the organ claude-code claude-code/old"},
	}
	for id, lines := range want {
		if !slices.Equal(brought[id], lines) {
			t.Errorf("%s brought %q, want %q", id, brought[id], lines)
		}
	}
}

// What the page counts is what somebody put in.
func TestTotalsAreThoseOfWhatWasPutIn(t *testing.T) {
	b := newBench(t)
	b.remember("create_structural_tension_chart", arguments{"desiredOutcome": "The shop sells bread", "currentReality": "It sells by phone", "dueDate": "2027-01-01T00:00:00Z", "actionSteps": []string{"Order page", "Payments"}})
	var entities, relations []any
	for i := range 6 {
		entities = append(entities, arguments{"name": fmt.Sprint("n", i), "entityType": "place", "observations": []string{}})
		for j := range i {
			relations = append(relations, arguments{"from": fmt.Sprint("n", i), "to": fmt.Sprint("n", j), "relationType": "leads_to"}, arguments{"from": fmt.Sprint("n", j), "to": fmt.Sprint("n", i), "relationType": "leads_to"})
		}
	}
	b.remember("create_entities", arguments{"entities": entities})
	b.remember("create_relations", arguments{"relations": relations})
	for name, text := range map[string]string{
		"invoice.txt": "Mill Keller AG\n\nInvoice No. T-2041\nDate: 2026-11-20\nBill to: Bakery\n\nTotal: 143.64 CHF\n",
		"bank.csv":    "Date,Description,Amount,Currency\n2026-11-21,Mill Keller,-143.64,CHF\n2026-11-22,Card sales,512.30,CHF\n2026-11-23,Rent,-900.00,CHF\n",
	} {
		path := filepath.Join(b.folder, name)
		testenv.Write(b.t, path, text)
		b.remember("upload_file", arguments{"file_path": path})
	}
	for i := range 4 {
		b.capture(line(fmt.Sprint("s", i), "user", fmt.Sprintf("2026-03-0%dT10:00:00Z", i+1), "/srv/shop", "What is next?", nil))
	}
	b.remember("store_raw_dialogue", arguments{"session_id": "told", "speaker": "user", "content": "Good morning"})
	r := b.reader()
	got := ask[overview](r, "overview").Totals
	for name, c := range map[string][2]int{
		"relations": {got.Relations, 30}, "entities": {got.Entities, 6}, "documents": {got.Documents, 2}, "sessions": {got.Sessions, 5},
		"sessions listed": {ask[sessionsReply](r, "sessions").Total, 5}, "charts": {got.Charts, 1}, "steps": {got.Steps, 2},
	} {
		if c[0] != c[1] {
			t.Errorf("%d %s, want %d", c[0], name, c[1])
		}
	}
	if found := ask[sessionsReply](r, fmt.Sprint("sessions?project=", sessions.NoProject)).Sessions; !slices.Equal(ids(found), []string{"told"}) {
		t.Errorf("of no project are %v", ids(found))
	}
}

func TestSearchTellsWhatResultsOfDocumentsAreAbout(t *testing.T) {
	b := newBench(t)
	path := filepath.Join(b.folder, "mill.txt")
	testenv.Write(b.t, path, "INVOICE\n\nInvoice number: T-17\nInvoice date: 2025-03-02\nVendor: Northwind Mill GmbH\n\nTotal: 119.00 EUR\n")
	b.remember("upload_file", arguments{"file_path": path})
	b.remember("create_entities", arguments{"entities": []any{arguments{"name": "Northwind", "entityType": "company", "observations": []string{"Mills flour"}}}})
	got := ask[struct {
		Answer struct{ Found []struct{ Kind, ID string } }
		Things map[string]documentedThing
	}](b.reader(), "recall?q=Northwind+mill+invoice")
	known := 0
	for _, h := range got.Answer.Found {
		thing, isThing := got.Things[h.Kind+":"+h.ID]
		if isThing == (h.Kind == "entity") {
			t.Errorf("of %s %s is told %+v", h.Kind, h.ID, thing)
		}
		if isThing && thing.File != "mill.txt" {
			t.Errorf("%s %s is from %q", thing.Type, thing.Name, thing.File)
		}
		if thing.Name == "T-17" && thing.Type == "invoice" && thing.From == "Northwind Mill GmbH" && thing.Date == "2025-03-02" && string(thing.Amount) == "119" && thing.Currency == "EUR" {
			known++
		}
	}
	if known == 0 {
		t.Errorf("the invoice is not told: %+v", got)
	}
}

func TestSearchTakesTheNotesOfResultsApart(t *testing.T) {
	hits := []recall.Hit{{Kind: "insight", ID: "1", Note: "near in meaning; extracted"}, {Kind: "insight", ID: "2", Note: "earlier; insight:3 of 2026-03-04 may replace it"}, {Kind: "insight", ID: "3"}}
	want := map[string]recall.Marks{"insight:1": {Near: true, Note: "extracted"}, "insight:2": {Later: "insight:3", LaterDay: "2026-03-04"}}
	if diff := cmp.Diff(want, marksByResult(hits)); diff != "" {
		t.Error(diff)
	}
}

// A chart is told of a project only where it is stored that it was made there: its words and the
// session that ran say nothing of it.
func TestWhatIsNextIsOfTheProjectFirst(t *testing.T) {
	b := twoProjects(t)
	due := func(id, project, outcome, step, date string) {
		err := b.store.Write(t.Context(), func(tx *store.Tx) error {
			chart, err := graph.In(tx).InsertChart(graph.Chart{ID: id, Outcome: outcome, DueDate: date, Project: project})
			if err != nil {
				return err
			}
			_, err = graph.In(tx).InsertSteps(chart, []graph.NewStep{{Title: step, DueDate: date}})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	b.clock = time.Date(2026, 3, 4, 11, 50, 0, 0, time.UTC) // a session of the shop runs
	due("chart_1", transcripts.InFolder+"/srv/shop", "Twelve stops sound", "Reeds voiced", "2027-01-01")
	due("chart_2", transcripts.InFolder+"/srv/organ", "The organ stands in the chapel", "Case built", "2027-02-01")
	due("chart_3", "", "A novel about the organ is written", "Act one drafted", "2026-04-01")
	b.clock = time.Date(2026, 3, 6, 11, 50, 0, 0, time.UTC)
	b.rememberAs("claude-code", "The shop opens on 20 March 2026", "shop")
	r := b.reader()
	titles := func(list []nextThing) (found []string) {
		for _, one := range list {
			found = append(found, one.Kind+" "+one.Title)
		}
		return found
	}
	type reply struct{ Here, Others []nextThing }
	for _, p := range ask[overview](r, "overview").Projects {
		want := map[string][]string{"shop": {"plan The shop opens on 20 March 2026", "step Reeds voiced"}, "organ": {"step Case built"}}[p.Name]
		got := ask[reply](r, fmt.Sprint("next?project=", p.ID))
		if !slices.Equal(titles(got.Here), want) || len(got.Others) != 3-len(want)+len(want)/2 {
			t.Errorf("%s: %q, beside %q, want %q", p.Name, titles(got.Here), titles(got.Others), want)
		}
	}
	if all := ask[reply](r, "next"); len(all.Here) != 4 || len(all.Others) != 0 {
		t.Errorf("in all: %+v", all)
	}
}

func TestInsightsTellWhatMayReplaceThem(t *testing.T) {
	b := newBench(t)
	for i, one := range []struct{ text, project string }{
		{"The shop runs on PostgreSQL 15", "shop"}, {"The shop runs on PostgreSQL 15", "organ"}, {"The shop runs on PostgreSQL 17 now, no longer on 15", "shop"},
	} {
		b.clock = time.Date(2026, 3, 4+i, 12, 0, 0, 0, time.UTC)
		b.rememberAs("claude-code", one.text, one.project)
	}
	r := b.reader()
	list := ask[insightsReply](r, "memory/insights").Insights
	for i, later := range []int64{0, 0, list[0].ID} { // the newest first
		if got := list[i].Later; later == 0 && got != nil || later != 0 && (got == nil || got.ID != later) {
			t.Errorf("%q of %s may be replaced by %+v", list[i].Content, list[i].Project, got)
		}
	}
	if one := ask[struct{ Insight insightRow }](r, fmt.Sprint("memory/insight?id=", list[2].ID)); one.Insight.Later == nil || one.Insight.Later.ID != list[0].ID {
		t.Errorf("alone: %+v", one.Insight)
	}
}

func TestWhatIsNextMarksPlansThatWereMoved(t *testing.T) {
	b := newBench(t)
	for i, one := range []string{"The demo for the CEO is on December 3", "The demo for the CEO is on December 8 now", "The visit to the dentist is on November 27", "Send the price list to Ana by November 26"} {
		b.clock = time.Date(2026, 11, 20+i, 12, 0, 0, 0, time.UTC)
		b.rememberAs("claude-code", one, "shop")
	}
	b.clock = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	var got []string
	for _, one := range ask[struct{ Here []nextThing }](b.reader(), "next").Here {
		mark := ""
		if one.Later != nil {
			mark = "earlier: "
		}
		got = append(got, mark+one.Title)
	}
	want := []string{"The demo for the CEO is on December 8 now", "Send the price list to Ana by November 26", "earlier: The demo for the CEO is on December 3"}
	if !slices.Equal(got, want) {
		t.Errorf("next is %q", got)
	}
}
