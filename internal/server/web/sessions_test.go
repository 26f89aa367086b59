package web

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/internal/server/rpc"
)

func TestASessionEndsWhenItIsIdleTooLong(t *testing.T) {
	w := newWorld(t, Options{})
	w.server.base.sessions.idle = time.Minute
	session := w.begin()
	w.clock.Add(59)
	wantStatus(t, "within the limit", w.post(rpcMessage(1, "ping", nil), session...), http.StatusOK)
	w.clock.Add(59)
	wantStatus(t, "since its last use", w.post(rpcMessage(1, "ping", nil), session...), http.StatusOK)
	w.clock.Add(60)
	wantStatus(t, "after the limit", w.post(rpcMessage(1, "ping", nil), session...), http.StatusNotFound)
}

func TestASessionThatIsNotNamedOrUnknownIsRefused(t *testing.T) {
	w := newWorld(t, Options{})
	for name, test := range map[string]struct {
		a      answer
		status int
	}{
		"an unknown one":                         {w.post(rpcMessage(1, "ping", nil), "Mcp-Session-Id", "guess"), http.StatusNotFound},
		"none, after a handshake":                {w.post(rpcMessage(1, "ping", nil), "MCP-Protocol-Version", "2025-11-25"), http.StatusBadRequest},
		"none, for a subscription":               {w.post(rpcMessage(1, "resources/subscribe", map[string]any{"uri": "test://one"})), http.StatusBadRequest},
		"a stream of an unknown one":             {w.do(http.MethodGet, PathMCP, "", "Accept", "text/event-stream", "Mcp-Session-Id", "guess"), http.StatusNotFound},
		"a stream of none":                       {w.do(http.MethodGet, PathMCP, "", "Accept", "text/event-stream"), http.StatusBadRequest},
		"the end of none":                        {w.do(http.MethodDelete, PathMCP, ""), http.StatusBadRequest},
		"a stream, where there are no sessions":  {w.do(http.MethodGet, PathMCP, "", "Accept", "text/event-stream", "MCP-Protocol-Version", modernVersion), http.StatusMethodNotAllowed},
		"the end, where there are no sessions":   {w.do(http.MethodDelete, PathMCP, "", "MCP-Protocol-Version", modernVersion), http.StatusMethodNotAllowed},
		"the end, in a version that there isn't": {w.do(http.MethodDelete, PathMCP, "", "Mcp-Session-Id", "x", "MCP-Protocol-Version", "1999-01-01"), http.StatusBadRequest},
	} {
		wantStatus(t, name, test.a, test.status)
	}
}

func TestTheSessionIdleLongestMakesRoomForANewOne(t *testing.T) {
	w := newWorld(t, Options{})
	w.server.base.sessions.most = 3
	first := w.begin()
	w.clock.Add(1)
	second := w.begin()
	w.clock.Add(1)
	third := w.begin()
	w.clock.Add(1)
	wantStatus(t, "using the first", w.post(rpcMessage(1, "ping", nil), first...), http.StatusOK)
	w.begin()
	wantStatus(t, "the second", w.post(rpcMessage(1, "ping", nil), second...), http.StatusNotFound)
	wantStatus(t, "the first", w.post(rpcMessage(1, "ping", nil), first...), http.StatusOK)
	wantStatus(t, "the third", w.post(rpcMessage(1, "ping", nil), third...), http.StatusOK)
	if n := len(w.server.base.sessions.byID); n != 3 {
		t.Errorf("%d sessions", n)
	}
}

func TestSessionsWithCallsUnderWayAreNotEndedForNewOnes(t *testing.T) {
	w := newWorld(t, Options{})
	w.server.base.sessions.most = 1
	busy := w.begin()
	held := w.background(t.Context(), call(1, "hold", nil), busy...)
	<-w.started
	a := w.post(initializeBody)
	wantStatus(t, "one session more", a, http.StatusServiceUnavailable)
	close(w.release)
	wantStatus(t, "the call", <-held, http.StatusOK)
	w.begin()
	wantStatus(t, "the session at rest", w.post(rpcMessage(1, "ping", nil), busy...), http.StatusNotFound)
}

func TestAnInitializeThatFailsLeavesNoSession(t *testing.T) {
	w := newWorld(t, Options{})
	a := w.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}`)
	silent := w.post(strings.Replace(initializeBody, `"id":0,`, "", 1)) // as a notification
	if silent.status != http.StatusAccepted || silent.header.Get("Mcp-Session-Id") != "" {
		t.Errorf("%+v", silent)
	}
	if a.errorCode(t) == 0 || a.header.Get("Mcp-Session-Id") != "" || len(w.server.base.sessions.byID) != 0 {
		t.Errorf("%+v, %d sessions", a, len(w.server.base.sessions.byID))
	}
}

func TestDeletingASessionEndsItsCallsAndItsStream(t *testing.T) {
	w := newWorld(t, Options{})
	session := w.begin()
	e := w.stream(w.request(t.Context(), http.MethodGet, PathMCP, "", append(session, "Accept", "text/event-stream")...))
	held := w.background(t.Context(), call(1, "hold", nil), session...)
	<-w.started
	wantStatus(t, "the end", w.do(http.MethodDelete, PathMCP, "", session...), http.StatusNoContent)
	if err := <-w.ended; !errors.Is(err, rpc.ErrCancelled) {
		t.Errorf("the call ended because of %v", err)
	}
	<-held
	if m := e.next(); m != nil {
		t.Errorf("the stream goes on with %v", m)
	}
	wantStatus(t, "afterwards", w.post(rpcMessage(1, "ping", nil), session...), http.StatusNotFound)
}

func TestACallIsCancelledByItsSessionAlone(t *testing.T) {
	w := newWorld(t, Options{})
	session, other := w.begin(), w.begin()
	held := w.background(t.Context(), call(9007199254740993, "hold", nil), session...)
	<-w.started
	cancel := rpcMessage(nil, "notifications/cancelled", map[string]any{"requestId": 9007199254740993})
	for name, headers := range map[string][]string{"another session": other, "nobody": nil} {
		wantStatus(t, name, w.post(cancel, headers...), http.StatusAccepted)
	}
	wantStatus(t, "a request with its id", w.post(rpcMessage(9007199254740993, "ping", nil), session...), http.StatusBadRequest)
	select {
	case err := <-w.ended:
		t.Fatalf("a stranger ended the call: %v", err)
	default:
	}
	wantStatus(t, "the session", w.post(cancel, session...), http.StatusAccepted)
	if err := <-w.ended; !errors.Is(err, rpc.ErrCancelled) {
		t.Errorf("the call ended because of %v", err)
	}
	if a := <-held; path(a.json(t), "error", "message") != "cancelled by the client" {
		t.Errorf("the answer is %s", a.body)
	}
	wantStatus(t, "its id is free again", w.post(rpcMessage(9007199254740993, "ping", nil), session...), http.StatusOK)
}

// startRequest sends a request and waits until it is under way. Looking takes the request's id for a moment; a request
// that comes in that moment is refused, and sent again.
func startRequest(one *session, id string, send func() <-chan answer) <-chan answer {
	sent := send()
	begin := func() *rpc.Call {
		return one.BeginCall(context.Background(), rpc.Message{ID: json.RawMessage(id)}, func([]byte, bool) error { return nil }, slog.Default())
	}
	for probe := begin(); probe != nil; probe = begin() {
		probe.EndWithAnswer(nil) //nolint:errcheck // nothing is written
		select {
		case <-sent:
			sent = send()
		case <-time.After(time.Millisecond):
		}
	}
	return sent
}

func TestACallThatWaitsForItsTurnCanBeCancelled(t *testing.T) {
	w := newWorld(t, Options{})
	session := w.begin()
	runs, end := make(chan struct{}), make(chan struct{})
	var first sync.WaitGroup
	first.Go(func() {
		_, leave, err := w.server.options.Calls.NewQueue().Enter(t.Context(), true, 1)
		if err != nil {
			t.Error(err)
			return
		}
		close(runs)
		<-end
		leave()
	})
	<-runs
	one := entered(t, w, session[1])
	waiting := startRequest(one, "1", func() <-chan answer {
		return w.background(t.Context(), call(1, "write_it", nil), session...)
	})
	wantStatus(t, "the cancellation", w.post(rpcMessage(nil, "notifications/cancelled", map[string]any{"requestId": 1}), session...), http.StatusAccepted)
	if a := <-waiting; path(a.json(t), "error", "message") != "not executed: cancelled by the client" {
		t.Errorf("the answer is %s", a.body)
	}
	close(end)
	first.Wait()
}

// The order of effect is the same as on standard input.
func TestAReadOfASessionWaitsForTheWriteBeforeItAndNoOtherDoes(t *testing.T) {
	w := newWorld(t, Options{})
	session := w.begin()
	one := entered(t, w, session[1])
	_, leave, err := one.Queue.Enter(t.Context(), true, 1)
	if err != nil {
		t.Fatal(err)
	}
	read := startRequest(one, "1", func() <-chan answer {
		return w.background(t.Context(), call(1, "hold", nil), session...)
	})
	wantStatus(t, "a read of another session", w.post(call(2, "echo", nil), w.begin()...), http.StatusOK)
	if len(w.started) > 0 {
		t.Error("the read overtook the write")
	}
	leave()
	<-w.started
	close(w.release)
	wantStatus(t, "the read", <-read, http.StatusOK)
}

func TestALostConnectionCancelsACallOnlyWhereTheProtocolSaysSo(t *testing.T) {
	w := newWorld(t, Options{})
	session := w.begin()
	ctx, lose := context.WithCancel(t.Context())
	body, headers := modernCall(1, "tools/call", map[string]any{"name": "hold"})
	modern := w.background(ctx, body, headers...)
	<-w.started
	legacy := w.background(ctx, call(2, "hold", nil), session...)
	<-w.started
	lose()
	<-modern
	<-legacy
	if err := <-w.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the modern call ended because of %v", err)
	}
	close(w.release)
	if err := <-w.ended; err != nil {
		t.Errorf("the call of the session ended because of %v", err)
	}
}
