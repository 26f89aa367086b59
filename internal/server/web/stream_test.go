package web

import (
	"net/http"
	"strings"
	"testing"

	"toolkit/internal/server/rpc"
)

func TestASubscriberIsToldOnTheStreamOfItsSession(t *testing.T) {
	w := newWorld(t, Options{})
	session := w.begin()
	wantStatus(t, "subscribing", w.post(rpcMessage(1, "resources/subscribe", map[string]any{"uri": "test://one"}), session...), http.StatusOK)
	w.server.NotifyResourceUpdated("test://one") // before the stream is open
	w.server.NotifyResourceUpdated("test://one") // told once
	w.server.NotifyResourceUpdated("test://other")
	open := func() *events {
		return w.stream(w.request(t.Context(), http.MethodGet, PathMCP, "", append(session, "Accept", "text/event-stream")...))
	}
	e := open()
	for range 2 {
		if m := e.next(); m["method"] != "notifications/resources/updated" || path(m, "params", "uri") != "test://one" {
			t.Fatalf("the stream says %v", m)
		}
		w.server.NotifyResourceUpdated("test://one")
	}
	e.next()
	second := open()
	if m := e.next(); m != nil {
		t.Errorf("the stream that was taken over says %v", m)
	}
	w.server.NotifyResourceUpdated("test://one")
	if m := second.next(); path(m, "params", "uri") != "test://one" {
		t.Errorf("the second stream says %v", m)
	}
	wantStatus(t, "unsubscribing", w.post(rpcMessage(2, "resources/unsubscribe", map[string]any{"uri": "test://one"}), session...), http.StatusOK)
	w.server.NotifyResourceUpdated("test://one")
	if left := w.server.base.sessions.byID[session[1]].pending; len(left) != 0 {
		t.Errorf("%v is still to be told", left)
	}
}

func TestAListenerIsToldOnItsOwnStreamUnderItsOwnID(t *testing.T) {
	w := newWorld(t, Options{})
	const id = "9007199254740993"
	open := func(uri string) *events {
		body, headers := modernCall(0, "subscriptions/listen", map[string]any{"notifications": map[string]any{"resourceSubscriptions": []string{uri}}})
		body = `{"id":` + id + `,` + body[1:]
		body = replaceLast(body, `"id":0,`, "")
		return w.stream(w.request(t.Context(), http.MethodPost, PathMCP, body, append(headers, "Accept", acceptBoth)...))
	}
	e, other := open("test://one"), open("test://other")
	for _, one := range []*events{e, other} {
		if m := one.next(); m["method"] != "notifications/subscriptions/acknowledged" {
			t.Fatalf("the stream begins with %v", m)
		}
	}
	w.server.NotifyResourceUpdated("test://one")
	m := e.next()
	if m["method"] != "notifications/resources/updated" || path(m, "params", "uri") != "test://one" ||
		text(path(m, "params", "_meta", "io.modelcontextprotocol/subscriptionId")) != text(float64(9007199254740993)) {
		t.Errorf("the stream says %v", m)
	}
	w.server.closeOpen(rpc.ErrShutdown)
	if m := e.next(); m["result"] == nil {
		t.Errorf("at the end of the server the stream says %v", m)
	}
	if m := other.next(); m["result"] == nil {
		t.Errorf("the stream of another resource says %v", m)
	}
	for _, one := range []*events{e, other} {
		if m := one.next(); m != nil {
			t.Errorf("a stream goes on with %v", m)
		}
	}
	w.server.base.sessions.mu.Lock()
	defer w.server.base.sessions.mu.Unlock()
	if n := len(w.server.base.sessions.byID); n != 0 {
		t.Errorf("%d listeners are remembered", n)
	}
}

func replaceLast(s, old, new string) string {
	for i := len(s) - len(old); i >= 0; i-- {
		if s[i:i+len(old)] == old {
			return s[:i] + new + s[i+len(old):]
		}
	}
	return s
}

func TestAListenerMustTakeAStream(t *testing.T) {
	w := newWorld(t, Options{})
	body, headers := modernCall(1, "subscriptions/listen", map[string]any{"notifications": map[string]any{"resourceSubscriptions": []string{"test://one"}}})
	wantStatus(t, "a listener without one", w.post(body, append(headers, "Accept", "application/json")...), http.StatusNotAcceptable)
}

func TestAListenerThatListensToNothingIsAnsweredAtOnce(t *testing.T) {
	w := newWorld(t, Options{})
	for name, filter := range map[string]any{"an empty filter": map[string]any{}, "a filter that is none": 7} {
		body, headers := modernCall(1, "subscriptions/listen", map[string]any{"notifications": filter})
		a := w.post(body, append(headers, "Accept", acceptBoth)...) // it returns when the stream ends
		if !strings.Contains(a.body, `"id":1`) {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
}

func TestMoreStreamsThanMayBeOpenAreTurnedAway(t *testing.T) {
	w := newWorld(t, Options{})
	if !w.server.streams.TryAcquire(maxStreams) {
		t.Fatal("streams are open")
	}
	session := w.begin()
	wantStatus(t, "a stream", w.do(http.MethodGet, PathMCP, "", append(session, "Accept", "text/event-stream")...), http.StatusServiceUnavailable)
	body, headers := modernCall(1, "subscriptions/listen", map[string]any{"notifications": map[string]any{"resourceSubscriptions": []string{"test://one"}}})
	wantStatus(t, "a listener", w.post(body, append(headers, "Accept", acceptBoth)...), http.StatusServiceUnavailable)
	w.server.streams.Release(maxStreams)
	w.stream(w.request(t.Context(), http.MethodGet, PathMCP, "", append(session, "Accept", "text/event-stream")...))
}

func TestAClientWatchesNoMoreThanItMay(t *testing.T) {
	w := newWorld(t, Options{})
	session := w.begin()
	one := w.server.base.sessions.byID[session[1]]
	for i := range rpc.MaxSubscriptions {
		one.SubscribeToResource("test://" + text(i))
	}
	if a := w.post(rpcMessage(1, "resources/subscribe", map[string]any{"uri": "test://one"}), session...); a.errorCode(t) == 0 {
		t.Errorf("one more: %s", a.body)
	}
}
