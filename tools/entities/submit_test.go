package entities

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/store"
)

func TestTheSameContentIsStoredOnce(t *testing.T) {
	b := newBench(t)
	first := b.Call(submitName, exampleSubmission())
	same(t, "content id", first["payload_content_id"], "payload_0a8d4d865a87aebbf6c3638b")
	if first["created"] != true || !strings.HasPrefix(first["payload_submission_id"].(string), "sub_") {
		t.Errorf("the first submission is %v", first)
	}
	before := b.snapshot(self(first))
	b.Clock.Advance(time.Hour)
	again := exampleSubmission()
	again.Body = json.RawMessage(`{"date":"2025-01-15","amount":1500,"vendor_name":" acme corp","customer_name":"TEST CUSTOMER","invoice_number":"inv-001","currency":null}`)
	again.Provenance.ExtractedAt, again.Provenance.AgentID = "2025-12-01T00:00:00Z", "another"
	second := b.Call(submitName, again)
	if second["created"] != false || second["warnings"] != nil || second["message"] != messageDuplicate {
		t.Errorf("the second submission is %v", second)
	}
	for _, key := range []string{"payload_id", "payload_content_id", "payload_submission_id", "entities"} {
		same(t, key, second[key], first[key])
	}
	same(t, "the snapshot", text(b.snapshot(self(first))), text(before))
	b.rebuild()
}

func TestSubmissionIDsGrow(t *testing.T) {
	b := newBench(t)
	var ids []string
	for i := range 50 {
		ids = append(ids, b.Call(submitName, submit("note", "2025-01-01", args{"title": fmt.Sprint("Note ", i)}))["payload_submission_id"].(string))
	}
	if !slices.IsSorted(ids) {
		t.Errorf("submission ids are not in order: %v", ids)
	}
}

func TestOtherContentUnderTheSameIDIsKeptAndNamed(t *testing.T) {
	b := newBench(t)
	invoice := args{"invoice_number": "1", "vendor_name": "Acme", "amount": 5, "currency": "EUR"}
	id := b.submit("invoice", "2025-01-01T00:00:00Z", invoice)
	invoice["currency"], invoice["lines"] = "USD", []any{1}
	out := b.Call(submitName, submit("invoice", "2025-01-02T00:00:00Z", invoice))
	if out["created"] != false || out["message"] != messageAppended {
		t.Errorf("the second submission is %v", out)
	}
	contains(t, "the warning", text(out["warnings"]), "currency, lines")
	if strings.Contains(text(out["warnings"]), "USD") {
		t.Error("the warning shows a value")
	}
	same(t, "currency", b.snapshot(id)["snapshot"].(args)["currency"], "USD")
	same(t, "observations", b.snapshot(id)["observation_count"], 2)
	found := b.Call(retrieveName, args{"type": "invoice"})["records"].([]any)[0].(args)
	same(t, "the stored body", found["properties"].(args)["currency"], "EUR")
	b.rebuild()
}

// TestResubmittedEarlierStateIsCurrentAgain: A, B, A is A again, whether B is other
// content of the same payload or another payload of the same document.
func TestResubmittedEarlierStateIsCurrentAgain(t *testing.T) {
	for name, field := range map[string]string{"a field that is not hashed": "currency", "a hashed field": "amount"} {
		for _, times := range [][]string{{"2025-01-01", "2025-01-02", "2025-01-03"}, {"2025-01-01", "2025-01-01", "2025-01-01"}} {
			b := newBench(t)
			say := func(at, value string) args {
				return b.Call(submitName, submit("invoice", at, args{"invoice_number": "1", "vendor_name": "Acme", field: value}))
			}
			id := self(say(times[0], "A"))
			say(times[1], "B")
			same(t, name+" after B", b.snapshot(id)["snapshot"].(args)[field], "B")
			out := say(times[2], "A")
			same(t, name+" after A again", b.snapshot(id)["snapshot"].(args)[field], "A")
			if out["created"] != false || out["message"] != messageReasserted {
				t.Errorf("%s: asserting A again gave %v", name, out)
			}
			b.rebuild()
		}
	}
}

func TestARetriedRequestAssertsNothing(t *testing.T) {
	b := newBench(t)
	a := submit("invoice", "2025-01-01", args{"invoice_number": "1", "amount": 1})
	a["client_request_id"] = "r1"
	id := self(b.Call(submitName, a))
	b.submit("invoice", "2025-01-01", args{"invoice_number": "1", "amount": 2})
	b.Call(submitName, a)
	same(t, "the amount", b.snapshot(id)["snapshot"].(args)["amount"], 2)
}

func TestResubmittingEverythingChangesNothing(t *testing.T) {
	b := newBench(t)
	var all []args
	for i := range 60 {
		all = append(all, submit("invoice", fmt.Sprintf("2025-01-01T00:00:%02dZ", i%60), args{
			"invoice_number": i % 7, "vendor_name": fmt.Sprintf("Vendor %d", i%3), "amount": i % 5, "currency": fmt.Sprint("C", i%4)}))
	}
	for _, in := range all {
		b.Call(submitName, in)
	}
	before := b.everything()
	b.Clock.Advance(time.Hour)
	for _, in := range all {
		if out := b.Call(submitName, in); out["created"] != false {
			t.Errorf("a repeated submission created %v", out)
		}
	}
	same(t, "the store", b.everything(), before)
	b.rebuild()
}

// everything is every snapshot and the number of observations.
func (b *bench) everything() string {
	b.T.Helper()
	var all []string
	for _, e := range b.Call(findName, args{"limit": 1000})["entities"].([]any) {
		id := e.(args)["entity_id"].(string)
		s := b.snapshot(id)
		delete(s, "computed_at")
		all = append(all, text(s))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

func TestTwoHandlesSubmittingTheSamePayloadMakeOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared.db")
	handles := []*bench{openBench(t, store.Options{Path: path}, nil), openBench(t, store.Options{Path: path}, nil)}
	const callers = 8
	created := make(chan bool, callers)
	ids := make(chan string, callers)
	var all sync.WaitGroup
	for i := range callers {
		all.Add(1)
		go func() {
			defer all.Done()
			r := handles[i%2].CallAllowingRefusal(submitName, exampleSubmission())
			var out submitOutput
			if err := json.Unmarshal(r.Data, &out); err != nil || r.IsError {
				t.Errorf("%v %s", err, r.Text)
			}
			created <- out.Created
			ids <- out.PayloadID + out.PayloadSubmissionID
		}()
	}
	all.Wait()
	close(created)
	close(ids)
	made, distinct := 0, map[string]bool{}
	for c := range created {
		if c {
			made++
		}
	}
	for id := range ids {
		distinct[id] = true
	}
	if made != 1 || len(distinct) != 1 {
		t.Errorf("%d created, ids %v", made, distinct)
	}
	same(t, "observations", handles[1].snapshot(exampleInvoice)["observation_count"], 1)
}

func TestSubmissionsThatAreRefused(t *testing.T) {
	b := newBench(t)
	change := func(f func(args)) args {
		in := submit("invoice", "2025-01-01", args{"invoice_number": "SECRET-7"})
		f(in)
		return in
	}
	provenance := func(key string, value any) args {
		return change(func(in args) { in["provenance"].(args)[key] = value })
	}
	for _, c := range []struct {
		name, code, field string
		in                args
	}{
		{"no capability", "VALIDATION_ERROR", "capability_id", change(func(in args) { delete(in, "capability_id") })},
		{"a blank capability", "VALIDATION_ERROR", "capability_id", change(func(in args) { in["capability_id"] = " " })},
		{"an unknown capability", "UNKNOWN_CAPABILITY", "capability_id", change(func(in args) { in["capability_id"] = "neotoma:store_secret:v1" })},
		{"no body", "VALIDATION_ERROR", "body", change(func(in args) { delete(in, "body") })},
		{"a body that is a list", "VALIDATION_ERROR", "body", change(func(in args) { in["body"] = []int{1} })},
		{"an empty body", "VALIDATION_ERROR", "body", change(func(in args) { in["body"] = args{} })},
		{"a body of nulls", "VALIDATION_ERROR", "body", change(func(in args) { in["body"] = args{"amount": nil} })},
		{"no provenance", "VALIDATION_ERROR", "provenance", change(func(in args) { delete(in, "provenance") })},
		{"no source_refs", "VALIDATION_ERROR", "provenance.source_refs", change(func(in args) { delete(in["provenance"].(args), "source_refs") })},
		{"a source_ref that is a number", "VALIDATION_ERROR", "provenance.source_refs[0]", provenance("source_refs", []int{1})},
		{"a blank source_ref", "VALIDATION_ERROR", "provenance.source_refs[1]", provenance("source_refs", []string{"a", " "})},
		{"a time that is none", "VALIDATION_ERROR", "provenance.extracted_at", provenance("extracted_at", "yesterday SECRET-7")},
		{"a blank extractor", "VALIDATION_ERROR", "provenance.extractor_version", provenance("extractor_version", "\t")},
	} {
		r := b.refuse(submitName, c.in, c.code, c.field)
		same(t, c.name+": http_status", r.Error.Details["http_status"], 400)
		same(t, c.name+": retryable", r.Error.Details["retryable"], false)
		if strings.Contains(text(r), "SECRET") || strings.Contains(text(r), "secret") {
			t.Errorf("%s: the error shows a value: %s", c.name, text(r))
		}
	}
	same(t, "entities", b.Call(findName, args{})["total"], 0)
	same(t, "records", b.Call(retrieveName, args{})["total"], 0)
}

func TestTimesInTheFutureCountAsNow(t *testing.T) {
	b := newBench(t)
	id := b.submit("note", "2099-01-01T00:00:00Z", args{"title": "Later"})
	same(t, "observed at", b.snapshot(id)["last_observation_at"], "2026-01-01T12:00:00Z")
}

func TestOddBodiesAreKept(t *testing.T) {
	b := newBench(t)
	id := b.submit("note", "2025-01-01", args{"title": "Odd", "big": json.Number("9007199254740993"), "deep": args{"list": []any{nil, args{"x": nil, "y": 1}}}, "empty": "", "none": nil, "<&>": "\u2028"})
	r := b.CallAllowingRefusal(snapshotName, args{"entity_id": id})
	contains(t, "the snapshot", r.Text, `"big":9007199254740993`)
	contains(t, "the snapshot", r.Text, `"deep":{"list":[{"y":1}]}`)
	if strings.Contains(r.Text, `"none"`) {
		t.Errorf("a null became a field: %s", r.Text)
	}
}
