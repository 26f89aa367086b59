package pockets

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/fixtures"
	"toolkit/store/pockets"
)

func TestErrorsReadAsDocumented(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{momentName, sustainabilityName, qualityName, atmosphereName} {
		b.refuse(name, args{}, "error: pocket_id is required")
		b.refuse(name, args{"pocket_id": ""}, "error: pocket_id is required")
		b.refuse(name, args{"pocket_id": " \t"}, "error: pocket_id is required")
		b.refuse(name, args{"pocket_id": nil}, "error: pocket_id is required")
	}
	b.refuse(outletName, args{}, "error: outlet_id is required")
	b.refuse(lookupName, args{"query": ""}, "error: query is required")
	b.refuse(lookupName, args{"query": strings.Repeat("é", 81)}, "error: query too long (max 80 chars)")
	b.refuse(intentName, args{"slug": "calm-work"}, "error: pocket_id is required")
	b.refuse(intentName, args{"pocket_id": "cluny"}, "error: slug is required")
	b.refuse(intentName, args{"pocket_id": "cluny", "slug": "  "}, "error: slug is required")
	b.refuse(legitimacyName, args{"pocket_id": "cluny"}, "error: candidate_action is required")
	b.refuse(legitimacyName, args{"pocket_id": "cluny", "candidate_action": " "}, "error: candidate_action is required")
	b.refuse(legitimacyName, args{}, "error: pocket_id is required")
	b.refuse(predictionsName, args{"since": "2d"}, "error: since must be one of 1h, 1d, 7d, 30d, all")
	b.refuse(predictionsName, args{"limit": 0}, "error: limit must be 1–500")
	b.refuse(predictionsName, args{"limit": 501}, "error: limit must be 1–500")
	b.refuse(sustainabilityName, args{"pocket_id": "cluny", "window_days": 366}, "error: window_days must be 1–365")
	b.refuse(atmosphereName, args{"pocket_id": "cluny", "hours": 0.5}, "error: hours must be 1–24")
	r := b.CallAllowingRefusal(recordName, args{"kind": "atmosphere", "records": []any{args{"pocket_id": "cluny", "stress": 2, "calm": 0.5, "social_energy": 0.5, "productive": 0.5, "primary_state": "calm"}}})
	if !r.IsError || !strings.HasPrefix(r.Text, "error: records[0]: ") || !strings.Contains(r.Text, "stress must be at most 1") || !strings.Contains(r.Text, "nothing was recorded") {
		t.Errorf("a bad record says %q", r.Text)
	}
}

func TestThinAnswersReadAsDocumented(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct {
		tool string
		in   args
		text string
		data string
	}{
		{momentName, args{"pocket_id": "cluny"}, "no moment composable for cluny — substrate may be thin.", `{"pocket_id":"cluny","status":"insufficient_data","message":"%"}`},
		{momentName, args{"pocket_id": "Atlantis"}, "no moment composable for atlantis — substrate may be thin.", `{"pocket_id":"Atlantis","status":"insufficient_data","message":"%"}`},
		{outletName, args{"outlet_id": "outlet-uuid"}, "outlet not found or inactive.", `{"outlet_id":"outlet-uuid","status":"insufficient_data","message":"%"}`},
		{sustainabilityName, args{"pocket_id": "cluny", "window_days": 7}, "no sustainability data for cluny over the last 7d.", `{"pocket_id":"cluny","status":"insufficient_data","message":"%"}`},
		{qualityName, args{"pocket_id": "cluny"}, "no MQS data for cluny yet — substrate may be thin.", `{"pocket_id":"cluny","status":"insufficient_data","message":"%"}`},
		{lookupName, args{"query": "Xyzzy"}, "no pocket matched 'xyzzy' — try 'holland village'.", `{"query":"Xyzzy","matches":[],"status":"insufficient_data","message":"%"}`},
		{atmosphereName, args{"pocket_id": "cluny"}, "pocket has no recent atmosphere readings — atmosphere-loop cron may be stale.", `{"pocket_id":"cluny","window_hours":4,"reading_count":0,"status":"insufficient_data","message":"%"}`},
		{silenceName, args{"pocket_id": "cluny"}, "no silence data for cluny", `{"pocket_id":"cluny","status":"insufficient_data","message":"%"}`},
		{silenceName, args{}, "no silence data for the network", `{"pocket_id":null,"status":"insufficient_data","message":"%"}`},
		{intentName, args{"pocket_id": "cluny", "slug": "moon-walk"}, "unknown intent slug: moon-walk", `{"pocket_id":"cluny","slug":"moon-walk","status":"insufficient_data","message":"%"}`},
		{listName, args{}, "no pockets observed yet — substrate may be thin.", `{"pockets":[]}`},
		{predictionsName, args{}, "no predictions sealed over 7d — substrate may be thin.", `{"count":0,"window":"7d","accuracy_by_generator":[],"entries":[]}`},
	} {
		r := b.CallAllowingRefusal(c.tool, c.in)
		if r.IsError || r.Text != c.text {
			t.Errorf("%s says %q, want %q", c.tool, r.Text, c.text)
		}
		sameJSON(t, c.tool, b.Call(c.tool, c.in), strings.Replace(c.data, "%", c.text, 1))
	}
	out := b.Call(intentName, args{"pocket_id": "cluny", "slug": "calm-work"})
	if out["status"] != "insufficient_data" || out["current_moment_alignment"] != nil {
		t.Errorf("an intent without a moment gives %s", text(out))
	}
}

type oneCall struct {
	tool string
	in   args
}

// everyCall calls every reading tool in several ways.
func everyCall() []oneCall {
	list := []oneCall{{listName, args{}}, {silenceName, args{}}, {predictionsName, args{}}, {predictionsName, args{"since": "all", "revealed_only": true}}, {lookupName, args{"query": "xyzzy"}},
		{lookupName, args{"query": "holand vilage"}}, {outletName, args{"outlet_id": plainVanilla}}, {intentName, args{"pocket_id": "cluny", "slug": "nothing at all"}}}
	for _, p := range []string{"cluny", "Holland Village", "atlantis"} {
		list = append(list, oneCall{momentName, args{"pocket_id": p}}, oneCall{sustainabilityName, args{"pocket_id": p}}, oneCall{qualityName, args{"pocket_id": p}},
			oneCall{atmosphereName, args{"pocket_id": p}}, oneCall{silenceName, args{"pocket_id": p}}, oneCall{intentName, args{"pocket_id": p, "slug": "quiet-now"}},
			oneCall{legitimacyName, args{"pocket_id": p, "candidate_action": "surface_deal", "user_context": args{"user_id": "demo-user-1"}, "channel": "sms"}})
	}
	return list
}

// demoBench holds the last days of the demonstration, with one round of the loop.
func demoBench(t testing.TB) *bench {
	b := newBench(t)
	part, first := MakeDemo(published.UnixMilli()), published.Add(-48*time.Hour).UnixMilli()
	part.Batch.Readings = slices.DeleteFunc(part.Batch.Readings, func(r pockets.Reading) bool { return r.CapturedAt < first })
	part.Batch.Attention = slices.DeleteFunc(part.Batch.Attention, func(a pockets.Attention) bool { return a.OccurredAt < first })
	part.Batch.Predictions = slices.DeleteFunc(part.Batch.Predictions, func(p pockets.Prediction) bool { return p.SealedAt < first })
	if _, err := ImportData(context.Background(), b.Store, []*FilePart{part}, false, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := ScoreAndPredict(context.Background(), b.Store, fixtures.PocketIDs()); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTheRateLimitIsSharedWhenItIsAskedFor(t *testing.T) {
	free, limited := newBench(t), openBench(t, Deps{RateLimit: true})
	for i := range 30 {
		tool := []string{listName, predictionsName}[i%2]
		if r := limited.CallAllowingRefusal(tool, args{}); r.IsError {
			t.Fatalf("call %d is refused: %s", i+1, r.Text)
		}
		free.CallAllowingRefusal(tool, args{})
	}
	limited.refuse(silenceName, args{}, "error: the tools of pockets together take at most 30 calls in 1m0s; call again in 60 s")
	if r := free.CallAllowingRefusal(silenceName, args{}); r.IsError {
		t.Errorf("without the setting: %s", r.Text)
	}
	limited.Clock.Set(published.Add(time.Minute))
	if r := limited.CallAllowingRefusal(silenceName, args{}); r.IsError {
		t.Errorf("a minute later: %s", r.Text)
	}
}
