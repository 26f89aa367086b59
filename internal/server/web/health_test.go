package web

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"toolkit/internal/server/access"
	"toolkit/tools"
)

func TestProbesNeedNoTokenAndTellStrangersNothing(t *testing.T) {
	const secret = "/srv/toolkit.db is gone"
	var failure error
	var log bytes.Buffer
	w := newWorld(t, Options{
		Guarded: true, Callers: access.NewSecretCheck("a-token-of-some-length"), RateLimit: 1, Logger: slog.New(slog.NewJSONHandler(&log, nil)),
		Ready: func(context.Context) error { return failure },
	})
	for range 3 { // they count against no rate
		wantStatus(t, "healthz", w.do(http.MethodGet, PathHealth, ""), http.StatusOK)
		wantStatus(t, "readyz", w.do(http.MethodGet, PathReady, ""), http.StatusOK)
	}
	wantStatus(t, "a HEAD", w.do(http.MethodHead, PathReady, ""), http.StatusOK)
	wantStatus(t, "a POST", w.do(http.MethodPost, PathReady, "{}"), http.StatusMethodNotAllowed)
	wantStatus(t, "of another host", w.do(http.MethodGet, PathReady, "", "Host", "evil.example.org"), http.StatusForbidden)

	failure = errors.New(secret)
	w.clock.Add(2)
	a := w.do(http.MethodGet, PathReady, "")
	wantStatus(t, "without its database", a, http.StatusServiceUnavailable)
	if strings.Contains(a.body, "/srv") || a.header.Get("Retry-After") == "" {
		t.Errorf("%v %s", a.header, a.body)
	}
	wantStatus(t, "the process still answers", w.do(http.MethodGet, PathHealth, ""), http.StatusOK)
	failure = nil
	w.clock.Add(2)
	wantStatus(t, "with it again", w.do(http.MethodGet, PathReady, ""), http.StatusOK)
	if said := log.String(); strings.Count(said, secret) != 1 || strings.Count(said, "ready again") != 1 {
		t.Errorf("the log says %s", said)
	}
}

func TestTheDatabaseIsAskedOnceASecondHoweverManyWantToKnow(t *testing.T) {
	asked := 0
	w := newWorld(t, Options{Ready: func(ctx context.Context) error {
		if _, limited := ctx.Deadline(); !limited {
			t.Error("it may take for ever")
		}
		asked++
		return nil
	}})
	for second := range 3 {
		for range 5 {
			wantStatus(t, "readyz", w.do(http.MethodGet, PathReady, ""), http.StatusOK)
		}
		if asked != second+1 {
			t.Errorf("after %d seconds it was asked %d times", second, asked)
		}
		w.clock.Add(1)
	}
}

// Time passes at once here: every wait is for the fake clock.
func TestAServerThatIsToEndBeginsNothingNewAndServesTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const drain = 10 * time.Second
		w := newServer(t, Options{Drain: drain}, tools.Access{})
		listener, stop, ended := w.piped(t)
		client := &http.Client{Transport: &http.Transport{DialContext: listener.dialContext}}
		w.url = "http://localhost"
		defer func(before *http.Client) { http.DefaultClient = before }(http.DefaultClient)
		http.DefaultClient = client
		session := w.begin()
		streaming := append(session, "Accept", "text/event-stream")
		e := w.stream(w.request(t.Context(), http.MethodGet, PathMCP, "", streaming...))

		begun := time.Now()
		stop()
		synctest.Wait()
		wantStatus(t, "readyz", w.do(http.MethodGet, PathReady, ""), http.StatusServiceUnavailable)
		wantStatus(t, "healthz", w.do(http.MethodGet, PathHealth, ""), http.StatusOK)
		wantStatus(t, "a new session", w.post(initializeBody), http.StatusServiceUnavailable)
		wantStatus(t, "a new stream", w.do(http.MethodGet, PathMCP, "", streaming...), http.StatusServiceUnavailable)
		body, headers := modernCall(7, "subscriptions/listen", map[string]any{})
		wantStatus(t, "a new subscription", w.post(body, append(headers, "Accept", "application/json, text/event-stream")...), http.StatusServiceUnavailable)
		if a := w.post(call(1, "echo", map[string]any{"pocket_id": "late"}), session...); path(a.json(t), "result", "structuredContent", "pocket_id") != "late" {
			t.Errorf("a call of a session was answered with %s", a.body)
		}
		if m := e.next(); m != nil || time.Since(begun) != drain {
			t.Errorf("the stream says %v and ends after %s", m, time.Since(begun))
		}
		if err := e.lines.Err(); err != nil {
			t.Errorf("the stream does not end as a stream should: %v", err)
		}
		client.CloseIdleConnections()
		ended()
		if took := time.Since(begun); took > drain+time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

// dialContext is dial for a client of HTTP.
func (p *pipes) dialContext(context.Context, string, string) (net.Conn, error) { return p.dial(), nil }
