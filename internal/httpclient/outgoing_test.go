package httpclient

import (
	"context"
	"fmt"
	"testing"
	"time"
)

func TestRequestsStartAtADistance(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var waited []time.Duration
	p := &Client{Every: time.Second, Now: func() time.Time { return now }, Sleep: func(_ context.Context, d time.Duration) error {
		waited = append(waited, d)
		return nil
	}}
	for range 3 {
		if err := p.waitBetweenRequests(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	now = now.Add(2500 * time.Millisecond)
	_ = p.waitBetweenRequests(t.Context())
	now = now.Add(time.Hour)
	_ = p.waitBetweenRequests(t.Context())
	want := []time.Duration{time.Second, 2 * time.Second, 500 * time.Millisecond}
	if fmt.Sprint(waited) != fmt.Sprint(want) {
		t.Errorf("waited %v, want %v", waited, want)
	}
}

func TestExpiredCallDoesNotReserveRequest(t *testing.T) {
	now := time.Now()
	var waited []time.Duration
	p := &Client{Every: time.Hour, Now: func() time.Time { return now }, Sleep: func(_ context.Context, d time.Duration) error {
		waited = append(waited, d)
		return nil
	}}
	ended, end := context.WithCancel(t.Context())
	end()
	brief, stop := context.WithDeadline(t.Context(), now.Add(time.Minute))
	defer stop()
	errs := []error{p.waitBetweenRequests(ended), p.waitBetweenRequests(brief), p.waitBetweenRequests(brief), p.waitBetweenRequests(brief), p.waitBetweenRequests(t.Context())}
	if errs[0] == nil || errs[1] != nil || errs[2] == nil || errs[3] == nil || errs[4] != nil {
		t.Errorf("errors are %v", errs)
	}
	if fmt.Sprint(waited) != "[1h0m0s]" {
		t.Errorf("waited %v", waited)
	}
}
