package app

import (
	"encoding/json"
	"testing"
	"time"
)

func TestTheViewShowsPocketsAndCalls(t *testing.T) {
	now := time.Date(2026, 6, 6, 8, 20, 0, 0, time.UTC)
	a := openWith(t, Settings{TimeoutFactor: exampleTimeout, Now: func() time.Time { return now }})
	options, err := a.ViewOptions()
	if err != nil {
		t.Fatal(err)
	}
	if list, err := options.Pockets.Pockets(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("an empty database has pockets %v, %v", list, err)
	}
	for _, call := range []struct{ tool, arguments string }{
		{"record_pocket_signal", `{"kind":"atmosphere","records":[
			{"pocket_id":"cluny","captured_at":"2026-06-06T08:00:00Z","stress":0.2,"calm":0.7,"social_energy":0.4,"productive":0.6,"primary_state":"calm-productive"},
			{"pocket_id":"cluny","captured_at":"2026-06-06T08:15:00Z","stress":0.1,"calm":0.8,"social_energy":0.4,"productive":0.6,"primary_state":"calm-productive"}]}`},
		{"run_pocket_loop", `{"pocket_id":"cluny"}`},
		{"get_pocket_moment", `{}`}, // refused
	} {
		r := respond(t, a, call.tool, json.RawMessage(call.arguments))
		if r.IsError != (call.arguments == `{}`) {
			t.Fatalf("%s: %s", call.tool, r.Text)
		}
	}
	a.Recorder.Flush(t.Context()) //nolint:errcheck // the report below shows what came through

	list, err := options.Pockets.Pockets(t.Context())
	if err != nil || len(list) != 1 || list[0].ID != "cluny" || !list[0].LastReading.Equal(now.Add(-5*time.Minute)) {
		t.Errorf("pockets are %+v, %v", list, err)
	}
	day, err := options.Pockets.Day(t.Context(), "cluny", now.Add(-12*time.Hour))
	if err != nil || len(day) != 2 {
		t.Fatalf("the day is %+v, %v", day, err)
	}
	if *day[1].Calm != 0.8 || day[0].MQS != nil || day[1].MQS == nil || *day[1].MQS <= 0 || *day[1].MQS > 1 {
		t.Errorf("the day is %+v", day)
	}
	report, err := options.Calls.Report(t.Context(), now.Add(-time.Hour), 2)
	if err != nil || len(report.Tools) != 3 || len(report.Recent) != 2 {
		t.Fatalf("the report is %+v, %v", report, err)
	}
	if newest := report.Recent[0]; newest.Tool != "get_pocket_moment" || newest.Outcome != "validation" {
		t.Errorf("the newest call is %+v", newest)
	}
	for _, c := range report.Tools {
		if c.Calls != 1 || c.P50 != c.P95 || (c.Errors == 1) != (c.Tool == "get_pocket_moment") {
			t.Errorf("%+v", c)
		}
	}
}
