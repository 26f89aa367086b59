package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"toolkit/internal/toolstest"
)

// editor is a reader who may change things.
type editor struct{ viewReader }

func newEditor(t *testing.T) editor {
	t.Helper()
	e := editor{newWritingBench(t).reader()}
	e.post("allow", `{}`, http.StatusOK)
	return e
}

// post sends JSON as the page does, and expects a status; 0: any.
func (e editor) post(path, body string, status int, change ...func(*http.Request)) map[string]any {
	e.t.Helper()
	r, err := http.NewRequestWithContext(e.t.Context(), http.MethodPost, e.base+"/api/"+path, strings.NewReader(body))
	if err != nil {
		e.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", e.base)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	e.session(r)
	for _, f := range change {
		f(r)
	}
	answer, err := e.client.Do(r)
	if err != nil {
		e.t.Fatal(err)
	}
	defer answer.Body.Close()
	var text bytes.Buffer
	text.ReadFrom(answer.Body) //nolint:errcheck // what is missing fails below
	if status != 0 && answer.StatusCode != status {
		e.t.Fatalf("%s %s: %d %s, want %d", path, body, answer.StatusCode, text.String(), status)
	}
	var out map[string]any
	json.Unmarshal(text.Bytes(), &out) //nolint:errcheck // refusals of the door are plain text
	return out
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text := []byte(toolstest.EncodeJSON(v))
	return string(text)
}

// open opens a form and returns its token.
func (e editor) open(action string, on target) (token string, state map[string]any) {
	e.t.Helper()
	out := e.post("form", asJSON(e.t, openRequest{action, on}), http.StatusOK)
	state, _ = out["state"].(map[string]any)
	return out["token"].(string), state
}

// do opens a form and sends it.
func (e editor) do(action string, on target, in formInput) map[string]any {
	e.t.Helper()
	token, _ := e.open(action, on)
	return e.post("change", asJSON(e.t, changeRequest{token, in}), http.StatusOK)
}

// state is how a thing is shown now; nil: it is gone.
func (e editor) state(action string, on target) map[string]any {
	e.t.Helper()
	out := e.post("form", asJSON(e.t, openRequest{action, on}), 0)
	state, _ := out["state"].(map[string]any)
	return state
}

// world is a little of everything that can be changed.
type world struct{ insight, chart, step, vendor, other, node target }

func (e editor) world() world {
	e.t.Helper()
	insight := e.remember("compress_to_l2_insight", arguments{"content": "The release is on Friday.", "source_ids": []int64{}})
	chart := e.remember("create_structural_tension_chart", arguments{"desiredOutcome": "A garden full of herbs", "currentReality": "Two pots stand on the sill",
		"dueDate": "2031-06-30", "actionSteps": []string{"Beds dug", "Herbs sown"}})
	e.remember("create_entities", arguments{"entities": []arguments{{"name": "Anna", "entityType": "person", "observations": []string{"Likes tea"}}}})
	for i, vendor := range []string{"Acme GmbH", "Beta AG"} {
		e.remember("submit_payload", arguments{"capability_id": "neotoma:store_invoice:v1", "body": arguments{"invoice_number": fmt.Sprint("I-", i), "amount": 10 + i, "vendor_name": vendor, "date": "2025-01-15"},
			"provenance": arguments{"source_refs": []string{"file:///srv/a.pdf"}, "extracted_at": "2025-01-15T10:30:00Z", "extractor_version": "test:1"}})
	}
	w := world{insight: target{ID: fmt.Sprint(insight["id"])}, chart: target{ID: chart["chartId"].(string)}, node: target{ID: "Anna"}}
	w.step = target{ID: w.chart.ID + "_action_1"}
	found := e.remember("find_entities", arguments{"type": "company"})["entities"].([]any)
	for _, f := range found {
		company := f.(map[string]any)
		if strings.HasPrefix(company["canonical_name"].(string), "Acme") {
			w.vendor.ID = company["entity_id"].(string)
		} else {
			w.other.ID = company["entity_id"].(string)
		}
	}
	return w
}

// changeCase is one change: what it is on, what is filled in, and where its effect
// is seen.
type changeCase struct {
	action string
	on     target
	in     formInput
	seen   string // action whose form shows the effect
	at     target // and on what
	want   string // part of the state after it
}

func (w world) cases() []changeCase {
	fact := func(on target, text string) target { return target{on.ID, text} }
	name := target{w.vendor.ID, "name"}
	return []changeCase{
		{"insight.edit", w.insight, formInput{Text: "The release is on Monday."}, "insight.edit", w.insight, `"counts":false`},
		{"insight.pin", w.insight, formInput{}, "working.archive", target{ID: "1"}, `"importance":0.9`},
		{"field.correct", name, formInput{Text: "Acme Corporation", Reason: "letterhead"}, "field.correct", name, "Acme Corporation"},
		{"field.correct", target{w.other.ID, "name"}, formInput{Text: "Beta Inc"}, "field.correct", target{w.other.ID, "name"}, "Beta Inc"},
		{"entity.merge", w.other, formInput{Other: w.vendor.ID}, "entity.merge", w.other, `"into":`},
		{"step.complete", w.step, formInput{}, "step.complete", w.step, `"completed":true`},
		{"step.edit", w.step, formInput{Text: "Beds dug and raked", Due: "2031-02-01"}, "step.edit", w.step, `"due":"2031-02-01"`},
		{"step.add", w.chart, formInput{Name: "Watering set up", Text: "A hose lies there"}, "step.edit", target{ID: w.chart.ID + "_action_3"}, "Watering set up"},
		{"step.complete", target{ID: w.chart.ID + "_action_2"}, formInput{}, "step.complete", target{ID: w.chart.ID + "_action_2"}, `"completed":true`},
		{"fact.delete", target{w.node.ID, "Likes tea"}, formInput{}, "fact.delete", target{w.node.ID, "Likes tea"}, "null"},
		{"chart.reword", w.chart, formInput{Text: "A garden full of herbs and bees"}, "chart.reword", w.chart, "and bees"},
		{"chart.date", w.chart, formInput{Due: "2032-01-01"}, "chart.date", w.chart, "2032-01-01"},
		{"chart.close", w.chart, formInput{Status: "completed"}, "chart.close", w.chart, `"status":"completed"`},
		{"fact.add", w.node, formInput{Text: "Moved to Lisbon"}, "fact.delete", fact(w.node, "Moved to Lisbon"), "Moved to Lisbon"},
		{"fact.add", w.chart, formInput{Text: "The soil is thawed"}, "fact.delete", fact(w.chart, "The soil is thawed"), "thawed"},
	}
}

func TestEachChangeIsMadeOnceAndCanBeTakenBack(t *testing.T) {
	e := newEditor(t)
	w := e.world()
	for _, c := range w.cases() {
		t.Run(c.action, func(t *testing.T) {
			e := editor{viewReader{withT(e.bench, t), e.session}}
			before := asJSON(t, e.state(c.seen, c.at))
			out := e.do(c.action, c.on, c.in)
			if after := asJSON(t, e.state(c.seen, c.at)); !strings.Contains(after, c.want) || after == before {
				t.Fatalf("it was %s and is %s, want %s", before, after, c.want)
			}
			undo, _ := out["undo"].(string)
			if undo == "" {
				t.Fatalf("there is no way back: %v", out)
			}
			e.post("undo", asJSON(t, map[string]string{"undo": undo}), http.StatusOK)
			if after := asJSON(t, e.state(c.seen, c.at)); withoutHistory(after) != withoutHistory(before) {
				t.Errorf("it was %s and is %s after it was taken back", before, after)
			}
			e.post("undo", asJSON(t, map[string]string{"undo": undo}), http.StatusConflict)
		})
	}
}

// withoutHistory is a state without what remembers that something was taken back.
func withoutHistory(state string) string {
	var members map[string]any
	json.Unmarshal([]byte(state), &members) //nolint:errcheck // the strings are compared then
	if members == nil {
		return state
	}
	delete(members, "known")  // the corrections there were
	delete(members, "counts") // an older version stays one
	return fmt.Sprint(members)
}

// withT is the bench for a part of a test.
func withT(b *bench, t *testing.T) *bench {
	part := *b
	part.t = t
	return &part
}

func TestNothingIsWrittenBeforeChangesAreAllowed(t *testing.T) {
	b := newWritingBench(t)
	e := editor{b.reader()}
	on := target{ID: fmt.Sprint(e.remember("compress_to_l2_insight", arguments{"content": "Kept", "source_ids": []int64{}})["id"])}
	if got := ask[map[string]any](e.viewReader, "overview")["write"]; got != "ask" {
		t.Errorf("write is %v", got)
	}
	if out := e.post("form", asJSON(t, openRequest{"insight.edit", on}), http.StatusForbidden); out["error"].(map[string]any)["code"] != "ASK" {
		t.Errorf("the page is not told to ask: %v", out)
	}
	e.post("allow", `{}`, http.StatusOK)
	if got := ask[map[string]any](e.viewReader, "overview")["write"]; got != "yes" {
		t.Errorf("write is %v", got)
	}
}

func TestAFormIsSentOnceAndOnlyWhileTheThingIsAsItShows(t *testing.T) {
	e := newEditor(t)
	w := e.world()
	for _, c := range w.cases() {
		first, _ := e.open(c.action, c.on)
		second, _ := e.open(c.action, c.on)
		e.post("change", asJSON(t, changeRequest{first, c.in}), http.StatusOK)
		e.post("change", asJSON(t, changeRequest{first, c.in}), http.StatusConflict) // a token that was used
		if c.action == "insight.pin" || strings.HasSuffix(c.action, ".add") {
			continue // these add to the thing and leave it as it is
		}
		e.post("change", asJSON(t, changeRequest{second, c.in}), http.StatusConflict) // a form that is stale
	}
	var versions struct{ Versions []any }
	json.Unmarshal([]byte(asJSON(t, e.remember("get_insight_history", arguments{"id": w.insight.row()}))), &versions) //nolint:errcheck // its length is compared
	if len(versions.Versions) != 2 {
		t.Errorf("the insight has %d versions, want 2", len(versions.Versions))
	}
	e.post("change", asJSON(t, changeRequest{"no-such-token", formInput{}}), http.StatusConflict)
	e.post("form", asJSON(t, openRequest{"no.such", w.step}), http.StatusBadRequest)
	e.post("form", `{"action":"step.edit","id":"x","extra":1}`, http.StatusBadRequest)
	e.post("form", asJSON(t, openRequest{"step.edit", target{ID: "gone"}}), http.StatusNotFound)
}

func TestWhatAnAssistantChangedMeanwhileIsNotTakenBack(t *testing.T) {
	e := newEditor(t)
	w := e.world()
	undo := e.do("step.edit", w.step, formInput{Text: "Beds dug well"})["undo"].(string)
	e.remember("update_action_step", arguments{"actionStepName": w.step.ID, "title": "Beds dug and manured"})
	e.post("undo", asJSON(t, map[string]string{"undo": undo}), http.StatusConflict)
	if got := e.state("step.edit", w.step)["title"]; got != "Beds dug and manured" {
		t.Errorf("the title is %v", got)
	}
}

func TestAnEntityIsSplitAndJoinedAgain(t *testing.T) {
	e := newEditor(t)
	w := e.world()
	e.do("entity.merge", w.other, formInput{Other: w.vendor.ID})
	heard := e.remember("list_observations", arguments{"entity_id": w.vendor.ID})["observations"].([]any)
	if len(heard) != 2 {
		t.Fatalf("%d observations", len(heard))
	}
	source := heard[0].(map[string]any)["id"].(string)
	out := e.do("entity.split", w.vendor, formInput{Sources: []string{source}, Name: "Gamma"})
	e.post("undo", asJSON(t, map[string]string{"undo": out["undo"].(string)}), http.StatusOK)
	if again := e.remember("list_observations", arguments{"entity_id": w.vendor.ID})["observations"].([]any); len(again) != 2 {
		t.Errorf("%d observations after it was taken back", len(again))
	}
	list := ask[map[string]any](e.viewReader, "changes")["changes"].([]any)
	if len(list) != 2 || list[0].(map[string]any)["taken_back"] != true || list[1].(map[string]any)["undo"] == nil {
		t.Errorf("the changes are %v", list)
	}
}

func TestForgettingShowsFirstWhatGoesAndIsForGood(t *testing.T) {
	e := newEditor(t)
	w := e.world()
	items := formInput{Items: []string{"insight:" + w.insight.ID}}
	preview := e.do("forget", target{}, items)["result"].(map[string]any)
	if preview["forgotten"] != false || e.state("insight.edit", w.insight) == nil {
		t.Fatalf("the preview says %v", preview)
	}
	items.Confirm = preview["confirm"].(string)
	out := e.do("forget", target{}, items)
	if out["result"].(map[string]any)["forgotten"] != true || out["undo"] != nil || e.state("insight.edit", w.insight) != nil {
		t.Errorf("it says %v", out)
	}
}

func TestChangesComeFromThePageAlone(t *testing.T) {
	e := newEditor(t)
	body := asJSON(t, openRequest{"step.edit", e.world().step})
	for name, c := range map[string]struct {
		status int
		change func(*http.Request)
	}{
		"another origin":         {http.StatusForbidden, header("Origin", "http://evil.example")},
		"no origin":              {http.StatusForbidden, func(r *http.Request) { r.Header.Del("Origin") }},
		"another site":           {http.StatusForbidden, header("Sec-Fetch-Site", "cross-site")},
		"a form of another page": {http.StatusUnsupportedMediaType, header("Content-Type", "text/plain")},
		"no session":             {http.StatusUnauthorized, func(r *http.Request) { r.Header.Del("Cookie") }},
		"another host":           {http.StatusForbidden, func(r *http.Request) { r.Host = "evil.example" }},
	} {
		t.Run(name, func(t *testing.T) { e.post("form", body, c.status, c.change) })
	}
	e.post("change", `{"token":"`+strings.Repeat("x", maxChangeBytes)+`"}`, http.StatusRequestEntityTooLarge)
	if r := e.send("POST", e.base+"/", e.session, header("Origin", e.base)); r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("the page itself takes POST: %d", r.StatusCode)
	}
	if r := e.send("GET", e.base+"/api/change", e.session); r.StatusCode != http.StatusNotFound {
		t.Errorf("GET changes something: %d", r.StatusCode)
	}
}
