package view

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/memory"
	"toolkit/store/sessions"
)

type timelineReply struct {
	Days []struct {
		Day   string
		Parts []struct {
			Kind  string
			Items []json.RawMessage
			Total int
			Cut   bool
		}
	}
	Next     string
	Left_out []string //nolint:revive // as it travels
	Projects []projectTag
	Speakers []string
}

// told is a page in short: days with the number of things of each kind.
func (p timelineReply) told() (lines []string) {
	for _, d := range p.Days {
		line := d.Day
		for _, part := range d.Parts {
			line += fmt.Sprintf(" %s %d", part.Kind, part.Total)
		}
		lines = append(lines, line)
	}
	return lines
}

func (r viewReader) timeline(zone string, parameters ...string) timelineReply {
	r.t.Helper()
	return ask[timelineReply](r, "timeline?zone="+url.QueryEscape(zone)+"&"+strings.Join(parameters, "&"))
}

func (b *bench) at(moment string) *bench {
	b.t.Helper()
	clock, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		b.t.Fatal(err)
	}
	b.clock = clock
	return b
}

func invoice(number, vendor string) arguments {
	return arguments{
		"capability_id": "neotoma:store_invoice:v1", "body": arguments{"invoice_number": number, "amount": 12, "vendor_name": vendor},
		"provenance": arguments{"source_refs": []string{number + ".pdf"}, "extracted_at": "2026-03-01T10:00:00Z", "extractor_version": "reader:v1.0", "agent_id": "reader"},
	}
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%q, want\n%q", what, got, want)
	}
}

// fewDays is a memory of things of every kind on the first days of March.
func fewDays(t *testing.T) (*bench, viewReader) {
	t.Helper()
	b := newBench(t)
	b.capture(
		line("a", "user", "2026-03-01T10:00:00Z", "/srv/shop", "Which library?", nil), line("a", "assistant", "2026-03-01T10:05:00Z", "/srv/shop", "testify", nil),
		line("a", "user", "2026-03-03T09:00:00Z", "/srv/shop", "Still testify?", nil),
		line("b", "user", "2026-03-01T23:30:00Z", "/srv/organ", "Voice the reeds", nil))
	said := b.at("2026-03-02T12:00:00Z").remember("store_raw_dialogue", arguments{"session_id": "spring", "speaker": "Ada", "content": "August, then"})
	learned := b.at("2026-03-02T13:00:00Z").remember("compress_to_l2_insight", arguments{"content": "The concert is in July", "source_ids": []any{said["id"]}})
	b.at("2026-03-04T08:00:00Z").remember("update_insight", arguments{"id": learned["id"], "content": "The concert is in August", "reason": "heard wrong"})
	b.remember("compress_to_l2_insight", arguments{"content": "Nobody said this", "source_ids": []any{}})
	gone := b.remember("compress_to_l2_insight", arguments{"content": "This is wrong", "source_ids": []any{}})
	b.remember("delete_insight", arguments{"id": gone["id"], "reason": "wrong"})
	b.remember("create_structural_tension_chart", arguments{"desiredOutcome": "The organ sounds at the concert", "dueDate": "2026-08-01T00:00:00Z", "currentReality": "Four stops of twelve are voiced", "actionSteps": []string{"Reeds voiced", "Wind chest tight"}})
	b.at("2026-03-05T09:00:00Z").remember("mark_action_complete", arguments{"actionStepName": "Reeds voiced"})
	b.remember("submit_payload", invoice("L-1", "Ada"))
	bill := b.remember("find_entities", arguments{"name": "L-1"})["entities"].([]any)[0].(map[string]any)["entity_id"]
	b.at("2026-03-06T09:00:00Z").remember("correct_field", arguments{"entity_id": bill, "field": "amount", "value": 13, "reason": "printed so"})
	b.at("2026-03-06T10:00:00Z").remember("withdraw_correction", arguments{"entity_id": bill, "field": "amount"})
	return b, b.reader()
}

func TestTheTimelineTellsDaysOfTheReadersZone(t *testing.T) {
	_, r := fewDays(t)
	whole := []string{
		"2026-03-06 corrections 2", "2026-03-05 steps 1 documents 1", "2026-03-04 insights 2", "2026-03-03 sessions 1",
		"2026-03-02 sessions 1 insights 1", "2026-03-01 sessions 2",
	}
	same(t, "in London", r.timeline("Europe/London").told(), whole)
	whole[4], whole[5] = "2026-03-02 sessions 2 insights 1", "2026-03-01 sessions 1"
	same(t, "in Zurich, where it was past midnight", r.timeline("Europe/Zurich").told(), whole)
	same(t, "from a day back", r.timeline("Europe/Zurich", "until=2026-03-02").told(), whole[4:])
	same(t, "one day", r.timeline("Europe/Zurich", "day=2026-03-02").told(), whole[4:5])
	same(t, "a day of nothing", r.timeline("Europe/Zurich", "day=2026-02-27").told(), []string{"2026-02-27"})
	for _, wrong := range []string{
		"zone=Europe/Atlantis", "zone=../../etc/passwd", "zone=UTC&until=yesterday", "zone=UTC&day=2026-02-30", "zone=UTC&kind=gossip", "zone=UTC&project=x", "zone=UTC&day=2026-03-01&offset=-1",
	} {
		r.refused("timeline?"+wrong, http.StatusBadRequest)
	}
}

func TestTheTimelineTellsWhatThingsAre(t *testing.T) {
	_, r := fewDays(t)
	items := map[string][]map[string]any{}
	for _, d := range r.timeline("UTC").Days {
		for _, part := range d.Parts {
			for _, raw := range part.Items {
				var item map[string]any
				toolstest.Decode(t, raw, &item)
				items[part.Kind] = append(items[part.Kind], item)
			}
		}
	}
	in := func(kind string, i int, fields ...string) string {
		var values []string
		for _, f := range fields {
			values = append(values, fmt.Sprint(items[kind][i][f]))
		}
		return strings.Join(values, " | ")
	}
	for got, want := range map[string]string{
		in("sessions", 0, "id", "begins", "project", "client", "turns", "first"): "claude-code/a | Which library? | shop | claude-code | 1 | 2026-03-03T09:00:00Z",
		in("sessions", 1, "id", "begins", "project", "client"):                   "spring | August, then |  | ",
		in("sessions", 2, "id", "project"):                                       "claude-code/b | organ",
		in("sessions", 3, "id", "turns", "first", "last"):                        "claude-code/a | 2 | 2026-03-01T10:00:00Z | 2026-03-01T10:05:00Z",
		in("insights", 0, "content", "state"):                                    "Nobody said this | current",
		in("insights", 1, "content", "state", "version"):                         "The concert is in August | current | 2",
		in("insights", 2, "content", "state", "version"):                         "The concert is in July | superseded | 1",
		in("steps", 0, "title", "outcome", "at"):                                 "Reeds voiced | The organ sounds at the concert | 2026-03-05T09:00:00Z",
		in("documents", 0, "type", "name"):                                       "invoice | L-1",
		in("corrections", 0, "name", "field", "value", "withdrawn"):              "L-1 | amount | <nil> | true",
		in("corrections", 1, "name", "field", "value", "reason", "withdrawn"):    "L-1 | amount | 13 | printed so | false",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if len(items["insights"]) != 3 {
		t.Errorf("a deleted insight is told: %v", items["insights"])
	}
}

func TestTheTimelineIsNarrowedDown(t *testing.T) {
	_, r := fewDays(t)
	all := r.timeline("UTC")
	projects := map[string]int64{}
	for _, p := range all.Projects {
		projects[p.Name] = p.ID
	}
	same(t, "who spoke", all.Speakers, []string{"Ada", "assistant", "user"})
	for what, c := range map[string]struct {
		chosen  string
		days    []string
		leftOut []string
	}{
		"a kind":                      {"kind=steps", []string{"2026-03-05 steps 1"}, nil},
		"a project":                   {fmt.Sprintf("project=%d", projects["shop"]), []string{"2026-03-03 sessions 1", "2026-03-01 sessions 1"}, []string{"steps", "documents", "corrections"}},
		"a project between its turns": {fmt.Sprintf("project=%d&until=2026-03-02", projects["shop"]), []string{"2026-03-01 sessions 1"}, []string{"steps", "documents", "corrections"}},
		"no project":                  {"project=-1", nil, []string{"steps", "documents", "corrections"}},
		"a kind that has no project":  {fmt.Sprintf("kind=steps&project=%d", projects["shop"]), nil, []string{"steps"}},
		"a person":                    {"person=+ada", []string{"2026-03-05 documents 1", "2026-03-04 insights 1", "2026-03-02 sessions 1 insights 1"}, []string{"steps"}},
		"a speaker":                   {"person=assistant", []string{"2026-03-01 sessions 1"}, []string{"steps"}},
		"an entity":                   {"person=L-1&kind=corrections", []string{"2026-03-06 corrections 2"}, nil},
		"a speaker of a project":      {fmt.Sprintf("person=assistant&project=%d", projects["organ"]), nil, []string{"steps", "documents", "corrections"}},
		"nobody":                      {"person=Zeno", nil, []string{"steps"}},
	} {
		got := r.timeline("UTC", c.chosen)
		same(t, what, got.told(), c.days)
		same(t, what+", left out", got.Left_out, c.leftOut)
		if got.Next != "" {
			t.Errorf("%s goes on with %s", what, got.Next)
		}
	}
}

func TestTheTimelineGoesBackByTheDaysThereAre(t *testing.T) {
	b := newBench(t)
	var lines, want []string
	for i := range 10 {
		day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, -i*i*30)
		lines = append(lines, line(fmt.Sprint("s", i), "user", day.Format(time.RFC3339), "/srv/shop", "Good morning", nil))
		want = append(want, day.Format(time.DateOnly)+" sessions 1")
	}
	b.capture(lines...)
	r := b.reader()
	first := r.timeline("UTC")
	same(t, "the first page", first.told(), want[:daysPage])
	second := r.timeline("UTC", "until="+first.Next)
	same(t, "the second", second.told(), want[daysPage:])
	if second.Next != "" {
		t.Errorf("nothing is left, and yet it goes on with %s", second.Next)
	}
}

// What nobody of a choice did may fill years; the page comes at once and says how far it looked.
func TestALongSearchForAChoiceIsGivenUpAndGoesOn(t *testing.T) {
	b := newBench(t)
	storetest.Write(t, b.store, func(tx *store.Tx) error {
		rows := memory.In(tx)
		source, err := rows.InsertDialogue(memory.Dialogue{SessionID: "old", Speaker: "Ada", Content: "August", At: time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)})
		if err != nil {
			return err
		}
		for i := range 2 * maxDays {
			from := []int64{}
			if i == 0 {
				from = append(from, source)
			}
			at := time.Date(2025, 1, 2+i, 12, 0, 0, 0, time.UTC)
			turn, err := rows.InsertDialogue(memory.Dialogue{SessionID: "s", Speaker: "Jonas", Content: "Good morning", At: at})
			if err != nil {
				return err
			}
			if _, err := rows.InsertInsight(memory.NewInsight{Content: "It rains", SourceIDs: append(from, turn), Fidelity: 1, Metadata: json.RawMessage(`{}`), At: at}); err != nil {
				return err
			}
		}
		return nil
	})
	r := b.reader()
	same(t, "by its indexes", r.timeline("UTC", "person=Ada").told(), []string{"2025-01-02 insights 1", "2025-01-01 sessions 1"})
	var met []string
	for next, pages := "2025-06-01", 0; next != "" && pages < 4; pages++ {
		page := r.timeline("UTC", "person=Jonas&kind=sessions&until="+next)
		met, next = append(met, page.told()...), page.Next
	}
	if len(met) != 4*daysPage || met[0] != "2025-05-01 sessions 1" {
		t.Errorf("%d days, %v", len(met), met[:1])
	}
}

func TestALongDayShowsTheFirstAndHowManyMore(t *testing.T) {
	b := newBench(t).at("2026-03-01T12:00:00Z")
	storetest.Write(t, b.store, func(tx *store.Tx) error {
		for i := range 120 {
			if _, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: fmt.Sprint("Insight ", i), SourceIDs: []int64{}, Fidelity: 1, Metadata: json.RawMessage(`{}`)}); err != nil {
				return err
			}
		}
		return nil
	})
	r := b.reader()
	for parameters, want := range map[string]struct {
		first string
		shown int
	}{"": {"Insight 119", itemsPerDay}, "day=2026-03-01": {"Insight 119", dayPage}, "day=2026-03-01&offset=100": {"Insight 19", 20}, "day=2026-03-01&offset=500": {"", 0}} {
		got := r.timeline("UTC", parameters).Days[0].Parts[0]
		if got.Total != 120 || len(got.Items) != want.shown || want.shown > 0 && !strings.Contains(string(got.Items[0]), want.first+`"`) {
			t.Errorf("%s: %d of %d", parameters, len(got.Items), got.Total)
		}
	}
}

// Of a day that holds more than is looked at the last is told, and that there is more.
func TestTruncatedDayIsMarked(t *testing.T) {
	b := newBench(t)
	storetest.Write(t, b.store, func(tx *store.Tx) error {
		for i := range sessions.MaxRowsPerDay + 1 {
			at := time.Date(2026, 3, 1, 0, 0, i, 0, time.UTC)
			session, speaker := "long", "Ada"
			if i == 0 {
				session, speaker = "first", "Jonas"
			}
			if _, err := memory.In(tx).InsertDialogue(memory.Dialogue{SessionID: session, Speaker: speaker, Content: "Good morning", At: at}); err != nil {
				return err
			}
		}
		return nil
	})
	r := b.reader()
	for parameters, sessions := range map[string]int{"": 1, "person=Ada": 1, "person=Jonas": 0} {
		got := r.timeline("UTC", parameters).Days[0].Parts[0]
		if got.Total != sessions || !got.Cut {
			t.Errorf("%q: %+v", parameters, got)
		}
	}
}

func TestAFileIsOneDocumentWhateverItemsItHas(t *testing.T) {
	b := newBench(t)
	b.upload("mill.txt", []byte("INVOICE\nInvoice number: T-17\nTotal: 119.00 EUR\n"))
	b.upload("friends.vcf", []byte("BEGIN:VCARD\nVERSION:3.0\nFN:Ada Lovelace\nEND:VCARD\nBEGIN:VCARD\nVERSION:3.0\nFN:Jonas Reed\nEND:VCARD\n"))
	part := b.reader().timeline("UTC", "kind=documents").Days[0].Parts[0]
	files := ""
	for _, item := range part.Items {
		var d arrivedRow
		toolstest.Decode(t, item, &d)
		files += d.File + " " + d.Type + "; "
	}
	if part.Total != 2 || !strings.Contains(files, "mill.txt invoice") || !strings.Contains(files, "friends.vcf") {
		t.Errorf("%d: %s", part.Total, files)
	}
}

func TestStepsAreToldByTheirDatesHoweverThoseAreWritten(t *testing.T) {
	b := newBench(t)
	chart := b.remember("create_structural_tension_chart", arguments{"desiredOutcome": "The organ sounds", "dueDate": "2026-08-01T00:00:00Z", "currentReality": "Four stops of twelve are voiced", "actionSteps": []string{"Open"}})
	storetest.Write(t, b.store, func(tx *store.Tx) error {
		rows := graph.In(tx)
		c, err := rows.Chart(chart["chartId"].(string))
		if err != nil {
			return err
		}
		for i, at := range []string{"2026-03-01T23:30:00.5Z", "2026-03-02T01:15:00+02:00", "2026-02-27", "once"} {
			row, err := rows.InsertEntity(graph.NewEntity{Name: fmt.Sprint("step", i), Type: graph.TypeStep, Kind: graph.KindStep, Title: "Step " + at})
			if err != nil {
				return err
			}
			if err := rows.InsertStepOfNode(graph.Step{Row: row, Title: "Step " + at, Chart: c.Row, Number: 10 + i, CompletedAt: at}); err != nil {
				return err
			}
		}
		return nil
	})
	same(t, "in UTC", b.reader().timeline("UTC", "kind=steps").told(), []string{"2026-03-01 steps 2", "2026-02-27 steps 1"})
}

// Every moment is of one day, whatever clocks do: of 23 and 25 hours, without a midnight,
// with two, and where a date was left out.
func TestEveryMomentBelongsToOneDay(t *testing.T) {
	for _, c := range []struct {
		zone, day string
		hours     float64
	}{
		{"Europe/Zurich", "2026-03-29", 23}, {"Europe/Zurich", "2026-10-25", 25}, {"America/Sao_Paulo", "2018-11-04", 23}, {"America/Sao_Paulo", "2018-02-17", 25},
		{"Atlantic/Azores", "2026-10-25", 25}, {"America/St_Johns", "2010-11-07", 25}, {"Australia/Lord_Howe", "2026-04-05", 24.5}, {"Pacific/Apia", "2011-12-30", 0}, {"Asia/Kathmandu", "2026-01-01", 24},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		from, until := dayBounds(c.day, zone)
		if got := until.Sub(from).Hours(); got != c.hours {
			t.Errorf("%s %s has %v hours, from %s until %s, want %v", c.zone, c.day, got, from, until, c.hours)
		}
		for moment := from.Add(-50 * time.Hour); moment.Before(until.Add(50 * time.Hour)); moment = moment.Add(29 * time.Second) {
			day := dayOf(moment, zone)
			if from, until := dayBounds(day, zone); moment.Before(from) || !moment.Before(until) {
				t.Fatalf("%s: %s is not of %s", c.zone, moment, day)
			}
		}
	}
}
