package app

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/cookiejar"
	"testing"
	"time"

	"toolkit/internal/view"
)

// newPageReader opens the page of an app and returns a function that asks one of its endpoints.
func newPageReader(t *testing.T, a *App) func(path string, into any) {
	t.Helper()
	options, err := a.ViewOptions()
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := view.New(options)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, listener) }()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	get := func(address string) *http.Response {
		answer, err := client.Get(address)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %+v, %v", address, answer, err)
		}
		return answer
	}
	get(server.Address(listener)).Body.Close()
	return func(path string, into any) {
		t.Helper()
		answer := get("http://" + listener.Addr().String() + "/api/" + path)
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheViewShowsPocketsAndCalls(t *testing.T) {
	now := time.Date(2026, 6, 6, 8, 20, 0, 0, time.UTC)
	a := openWith(t, Settings{TimeoutFactor: exampleTimeout, Now: func() time.Time { return now }})
	ask := newPageReader(t, a)
	var list struct {
		Pockets []struct {
			ID          string
			LastReading time.Time `json:"last_reading"`
		}
	}
	if ask("pockets", &list); len(list.Pockets) > 0 {
		t.Errorf("an empty database has pockets %v", list)
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

	if ask("pockets", &list); len(list.Pockets) != 1 || list.Pockets[0].ID != "cluny" || !list.Pockets[0].LastReading.Equal(now.Add(-5*time.Minute)) {
		t.Errorf("pockets are %+v", list)
	}
	var day struct {
		Readings []struct {
			Calm float64
			MQS  *float64
		}
	}
	if ask("pockets/day?pocket=cluny&from="+now.Add(-12*time.Hour).Format(time.RFC3339), &day); len(day.Readings) != 2 {
		t.Fatalf("the day is %+v", day)
	}
	if first, last := day.Readings[0], day.Readings[1]; last.Calm != 0.8 || first.MQS != nil || last.MQS == nil || *last.MQS <= 0 || *last.MQS > 1 {
		t.Errorf("the day is %+v", day)
	}
	var report struct {
		Tools []struct {
			Tool          string
			Calls, Errors int
			P50           float64 `json:"p50_ms"`
			P95           float64 `json:"p95_ms"`
		}
		Recent []struct{ Tool, Outcome string }
	}
	if ask("calls", &report); len(report.Tools) != 3 || len(report.Recent) != 3 {
		t.Fatalf("the report is %+v", report)
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
