package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"toolkit/internal/server/access"
	"toolkit/tools"
)

// houses opens spaces and remembers what became of them.
type houses struct {
	t       *testing.T
	mu      sync.Mutex
	events  []string
	closed  chan string
	watched chan func(uri string) // tells of changes, in the order of opening
}

func (h *houses) note(event string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, event)
}

func (h *houses) open(_ context.Context, name string) (Space, error) {
	h.note("open " + name)
	if name == "broken" {
		return Space{}, errors.New("a secret of the disk")
	}
	w := newServer(h.t, Options{}, tools.Access{})
	return Space{
		Tools: w.server.base.tools,
		Watch: func(ctx context.Context, updated func(uri string)) {
			h.watched <- updated
			<-ctx.Done()
		},
		Close: func() { h.note("close " + name); h.closed <- name },
	}, nil
}

func tenants(t *testing.T, o Options) (*world, *houses) {
	t.Helper()
	callers := known{}
	for _, name := range []string{"anna", "bert", "cleo", "broken"} {
		callers[name] = access.Caller{Name: name, Space: name, Rights: tools.AllRights}
	}
	callers["anna-phone"] = access.Caller{Name: "anna-phone", Space: "anna", Rights: tools.AllRights}
	h := &houses{t: t, closed: make(chan string, 10), watched: make(chan func(string), 10)}
	o.Guarded, o.Callers = true, callers.check
	if o.OpenSpace == nil {
		o.OpenSpace = h.open
	}
	return newWorld(t, o), h
}

func TestASpaceIsOpenedOnceForAllItsCallers(t *testing.T) {
	w, h := tenants(t, Options{})
	var all sync.WaitGroup
	for range 8 {
		for _, token := range []string{"anna", "anna-phone", "bert"} {
			all.Go(func() { wantStatus(t, token, w.post(call(1, "echo", nil), as(token)...), http.StatusOK) })
		}
	}
	all.Wait()
	slices.Sort(h.events)
	if !slices.Equal(h.events, []string{"open anna", "open bert"}) {
		t.Errorf("%v", h.events)
	}
	w.server.closeSpaces()
	if len(h.closed) != 2 {
		t.Errorf("%v", h.events)
	}
}

func TestASpaceThatNobodyUsesIsClosedAndOpenedAgain(t *testing.T) {
	w, h := tenants(t, Options{})
	w.server.spaces.idle = time.Minute
	session := w.post(initializeBody, as("anna")...).header.Get("Mcp-Session-Id")
	w.clock.Add(59)
	wantStatus(t, "within the limit", w.post(rpcMessage(1, "ping", nil), as("anna", "Mcp-Session-Id", session)...), http.StatusOK)
	w.clock.Add(60)
	wantStatus(t, "another space", w.post(call(1, "echo", nil), as("bert")...), http.StatusOK)
	if name := <-h.closed; name != "anna" {
		t.Errorf("%s was closed", name)
	}
	wantStatus(t, "a session of it", w.post(rpcMessage(1, "ping", nil), as("anna", "Mcp-Session-Id", session)...), http.StatusNotFound)
	wantStatus(t, "opened again", w.post(call(1, "echo", nil), as("anna")...), http.StatusOK)
}

func TestBeyondTheirNumberTheLongestUnusedSpaceMakesRoom(t *testing.T) {
	w, h := tenants(t, Options{})
	w.server.spaces.most = 2
	for _, token := range []string{"anna", "bert", "anna", "cleo"} {
		wantStatus(t, token, w.post(call(1, "echo", nil), as(token)...), http.StatusOK)
		w.clock.Add(1)
	}
	if name := <-h.closed; name != "bert" {
		t.Errorf("%s was closed", name)
	}
}

func TestASpaceInUseMakesNoRoom(t *testing.T) {
	w, h := tenants(t, Options{})
	w.server.spaces.most = 1
	session := w.post(initializeBody, as("anna")...).header.Get("Mcp-Session-Id")
	w.stream(w.request(t.Context(), http.MethodGet, PathMCP, "", as("anna", "Mcp-Session-Id", session, "Accept", "text/event-stream")...))
	w.clock.Add(100_000)
	a := w.post(call(1, "echo", nil), as("bert")...)
	wantStatus(t, "another space", a, http.StatusServiceUnavailable)
	if a.header.Get("Retry-After") == "" || len(h.closed) != 0 {
		t.Errorf("%v, %v", a.header, h.events)
	}
}

func TestASpaceThatCannotBeOpenedIsTriedAgainAndTellsNoReason(t *testing.T) {
	w, h := tenants(t, Options{})
	for range 2 {
		a := w.post(call(1, "echo", nil), as("broken")...)
		wantStatus(t, "a broken space", a, http.StatusServiceUnavailable)
		if a.errorCode(t) == 0 || a.body == "" || len(a.body) > 300 {
			t.Errorf("%s", a.body)
		}
	}
	if len(h.events) != 2 {
		t.Errorf("%v", h.events)
	}
}

func TestUpdatesReachTheCallersOfTheirSpaceAlone(t *testing.T) {
	w, h := tenants(t, Options{})
	streams, sessions := map[string]*events{}, map[string][]string{}
	for _, token := range []string{"anna", "bert"} {
		headers := as(token, "Mcp-Session-Id", w.post(initializeBody, as(token)...).header.Get("Mcp-Session-Id"))
		wantStatus(t, "subscribing", w.post(rpcMessage(1, "resources/subscribe", map[string]any{"uri": "test://one"}), headers...), http.StatusOK)
		streams[token] = w.stream(w.request(t.Context(), http.MethodGet, PathMCP, "", append(headers, "Accept", "text/event-stream")...))
		sessions[token] = headers
	}
	(<-h.watched)("test://one")                  // of anna, whose space was opened first
	w.server.NotifyResourceUpdated("test://one") // of the base
	if m := streams["anna"].next(); path(m, "params", "uri") != "test://one" {
		t.Errorf("anna hears %v", m)
	}
	wantStatus(t, "the end", w.do(http.MethodDelete, PathMCP, "", sessions["bert"]...), http.StatusNoContent)
	if m := streams["bert"].next(); m != nil {
		t.Errorf("bert hears %v", m)
	}
}

func TestAServerWithoutSpacesServesNoneOfThem(t *testing.T) {
	w := newWorld(t, Options{Guarded: true, Callers: known{"anna": {Name: "anna", Space: "anna", Rights: tools.AllRights}}.check})
	wantStatus(t, "a caller of a space", w.post(call(1, "echo", nil), as("anna")...), http.StatusServiceUnavailable)
}
