package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/sync/semaphore"

	"toolkit/internal/server/rpc"
	"toolkit/tools"
)

func TestABodyThatIsNoMessageIsRefused(t *testing.T) {
	w := newWorld(t, Options{})
	w.server.maxBody = 1000
	for _, test := range []struct {
		name, body, contentType string
		status, code            int
	}{
		{"nothing", "", "application/json", 400, -32700},
		{"spaces", " \r\n\t", "application/json", 400, -32700},
		{"no JSON", "hello", "application/json", 400, -32700},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "application/json", 400, -32600},
		{"too long a body", strings.Repeat(" ", 1001), "application/json", 413, -32600},
		{"a form", "a=b", "application/x-www-form-urlencoded", 415, -32600},
		{"text", rpcMessage(1, "ping", nil), "text/plain", 415, -32600},
		{"no content type", rpcMessage(1, "ping", nil), "", 415, -32600},
		{"a broken content type", rpcMessage(1, "ping", nil), "application/json; =", 415, -32600},
		{"a message after a byte order mark", "\ufeff " + rpcMessage(1, "ping", nil) + "\n", "application/json; charset=utf-8", 200, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := w.post(test.body, "Content-Type", test.contentType)
			wantStatus(t, "the answer", a, test.status)
			if code := a.errorCode(t); code != test.code || !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
				t.Errorf("code %d, want %d: %s", code, test.code, a.body)
			}
		})
	}
}

func TestABodyOfUnknownLengthIsCutOffWhereItGetsTooLong(t *testing.T) {
	w := newWorld(t, Options{})
	w.server.maxBody = 1000
	r := w.request(t.Context(), http.MethodPost, PathMCP, "")
	r.ContentLength = -1
	r.Body = readCloser{strings.NewReader(strings.Repeat(" ", 100_000))}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status %s", response.Status)
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

func TestErrorsOfTheProtocolAreInTheWordsOfTheContract(t *testing.T) {
	w := newWorld(t, Options{})
	for _, test := range []struct{ name, body, message string }{
		{"an unknown tool", call(1, "nothing", nil), "unknown tool: nothing"},
		{"parameters of another form", rpcMessage(1, "tools/call", map[string]any{"name": 7}), "the params of tools/call do not have the form the protocol gives them"},
		{"an unknown resource", rpcMessage(1, "resources/read", map[string]any{"uri": "test://two"}), "unknown resource: test://two; resources/list and resources/templates/list name what there is"},
	} {
		if got := path(w.post(test.body).json(t), "error", "message"); got != test.message {
			t.Errorf("%s: %v", test.name, got)
		}
	}
	body, headers := modernCall(1, "tools/call", map[string]any{"name": "nothing"})
	a := w.post(body, headers...)
	wantStatus(t, "an unknown tool, in the revision that has statuses", a, http.StatusBadRequest)
	if path(a.json(t), "error", "message") != "unknown tool: nothing" {
		t.Error(a.body)
	}
}

func TestACallIsServedInEitherEra(t *testing.T) {
	w := newWorld(t, Options{})
	session := w.begin()
	arguments := map[string]any{"pocket_id": "cluny"}
	body, headers := modernCall(7, "tools/call", map[string]any{"name": "echo", "arguments": arguments})
	for name, a := range map[string]answer{
		"in a session":               w.post(call(7, "echo", arguments), session...),
		"by itself, made by hand":    w.post(call(7, "echo", arguments)),
		"of the revision 2026-07-28": w.post(body, headers...),
	} {
		m := a.json(t)
		if path(m, "result", "structuredContent", "pocket_id") != "cluny" || path(m, "result", "_meta", "metadata", "serviceVersion") != "9.9.9" ||
			path(m, "result", "structuredContent", "agentHints") == nil || a.header.Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: %s", name, a.body)
		}
	}
	body, headers = modernCall(7, "tools/call", map[string]any{"name": "echo"})
	for name, headers := range map[string][]string{
		"without the headers of its revision": nil,
		"under another version":               append(slices.Clone(headers), "MCP-Protocol-Version", "2025-11-25"),
		"under the name of another tool":      append(slices.Clone(headers), "Mcp-Name", "write_it"),
		"under another method":                append(slices.Clone(headers), "Mcp-Method", "tools/list"),
		"to go on with a stream":              append(slices.Clone(headers), "Last-Event-ID", "7"),
	} {
		a := w.post(body, headers...)
		wantStatus(t, name, a, http.StatusBadRequest)
		if a.errorCode(t) != mcp.HEADER_MISMATCH {
			t.Errorf("%s: %s", name, a.body)
		}
	}
	wantStatus(t, "a response", w.post(`{"jsonrpc":"2.0","id":5,"result":{}}`, headers...), http.StatusBadRequest)
	body, headers = modernCall(7, "no/such", map[string]any{})
	wantStatus(t, "a method that there is not", w.post(body, headers...), http.StatusNotFound)
	wantStatus(t, "in a version that is none", w.post(call(1, "echo", nil), "Mcp-Session-Id", session[1], "MCP-Protocol-Version", "1999-01-01"), http.StatusBadRequest)
}

func TestProgressComesBeforeTheAnswerWholeAndInOrder(t *testing.T) {
	w := newWorld(t, Options{})
	const n = 300 // the library would drop what exceeds a hundred
	params := func() map[string]any {
		return map[string]any{"name": "count", "arguments": map[string]any{"n": n}, "_meta": map[string]any{"progressToken": "p"}}
	}
	modern := params()
	_, headers := modernCall("m", "tools/call", modern)
	modern["_meta"].(map[string]any)["progressToken"] = "p"
	body := rpcMessage("m", "tools/call", modern)
	for name, r := range map[string]*http.Request{
		"a session":  w.request(t.Context(), http.MethodPost, PathMCP, rpcMessage("m", "tools/call", params()), append(w.begin(), "Accept", acceptBoth)...),
		"2026-07-28": w.request(t.Context(), http.MethodPost, PathMCP, body, append(headers, "Accept", acceptBoth)...),
	} {
		e := w.stream(r)
		for i := range n {
			m := e.next()
			if m["method"] != "notifications/progress" || path(m, "params", "progress") != float64(i+1) || path(m, "params", "progressToken") != "p" {
				t.Fatalf("%s: message %d is %v", name, i, m)
			}
		}
		if last := e.next(); last["id"] != "m" || path(last, "result", "structuredContent", "pocket_id") != "counted" {
			t.Errorf("%s: the answer is %v", name, last)
		}
		if more := e.next(); more != nil {
			t.Errorf("%s: after the answer comes %v", name, more)
		}
	}
}

func TestAClientThatTakesNoStreamGetsItsAnswerAlone(t *testing.T) {
	w := newWorld(t, Options{})
	body := rpcMessage(1, "tools/call", map[string]any{"name": "count", "arguments": map[string]any{"n": 3}, "_meta": map[string]any{"progressToken": 1}})
	for _, accept := range []string{"application/json", "*/*"} {
		a := w.post(body, "Accept", accept)
		if path(a.json(t), "result", "structuredContent", "pocket_id") != "counted" {
			t.Errorf("Accept %s: %s", accept, a.body)
		}
	}
}

func TestLongBodiesBeyondTheirRoomAreTurnedAwayAndShortOnesAreNot(t *testing.T) {
	w := newWorld(t, Options{})
	long := call(1, "echo", map[string]any{"pocket_id": "x", "foreign": strings.Repeat("x", 2*maxShortBody)})
	wantStatus(t, "a long body", w.post(long), http.StatusOK)
	if !w.server.bodies.TryAcquire(maxBodies) {
		t.Fatal("the room of the long body was not given back")
	}
	for p, body := range map[string]string{PathMCP: long, PathLegitimacy: long} {
		a := w.do(http.MethodPost, p, body)
		wantStatus(t, "a long body, "+p, a, http.StatusServiceUnavailable)
		if a.header.Get("Retry-After") == "" {
			t.Error("it does not say when to come back")
		}
	}
	wantStatus(t, "a short body", w.post(call(1, "echo", nil)), http.StatusOK)
	w.server.bodies.Release(maxBodies)
	wantStatus(t, "afterwards", w.post(long), http.StatusOK)
}

func TestLongRequestsLeaveRoomForShortOnes(t *testing.T) {
	w := newWorld(t, Options{})
	long := call(1, "echo", map[string]any{"pocket_id": "x", "foreign": strings.Repeat("x", rpc.MinLong)})
	wantStatus(t, "a long request", w.post(long), http.StatusOK)
	if !w.server.longCalls.TryAcquire(maxLongInFlight) || !w.server.inFlight.TryAcquire(maxLongInFlight) {
		t.Fatal("the room of the long request was not given back")
	}
	wantStatus(t, "one more long request", w.post(long), http.StatusServiceUnavailable)
	wantStatus(t, "a short request", w.post(call(1, "echo", nil)), http.StatusOK)
	w.server.longCalls.Release(maxLongInFlight)
	wantStatus(t, "afterwards", w.post(long), http.StatusOK)
}

func TestMoreRequestsThanMayBeUnderWayAreTurnedAway(t *testing.T) {
	w := newWorld(t, Options{})
	for what, room := range map[string]struct {
		*semaphore.Weighted
		size int64
	}{"calls": {w.server.inFlight, maxInFlight}} {
		if !room.TryAcquire(room.size) {
			t.Fatal("something is under way")
		}
		for p, body := range map[string]string{PathMCP: rpcMessage(1, "ping", nil), PathLegitimacy: `{"pocket_id":"cluny"}`} {
			a := w.do(http.MethodPost, p, body)
			wantStatus(t, what+", "+p, a, http.StatusServiceUnavailable)
			if a.header.Get("Retry-After") == "" {
				t.Errorf("%s: it does not say when to come back", what)
			}
		}
		wantStatus(t, what+", initialize", w.post(initializeBody), http.StatusServiceUnavailable)
		if n := len(w.server.base.sessions.byID); n != 0 {
			t.Errorf("%s: %d sessions are left of an initialize that was turned away", what, n)
		}
		if what == "calls" {
			wantStatus(t, "a cancellation", w.post(rpcMessage(nil, "notifications/cancelled", map[string]any{"requestId": 1})), http.StatusAccepted)
		}
		room.Release(room.size)
		wantStatus(t, "afterwards", w.post(rpcMessage(1, "ping", nil)), http.StatusOK)
	}
}

func TestWhatTheClientSaysWithoutAskingIsAccepted(t *testing.T) {
	w := newWorld(t, Options{})
	session := w.begin()
	for name, body := range map[string]string{
		"a notification":            rpcMessage(nil, "notifications/initialized", nil),
		"a notification, null id":   `{"jsonrpc":"2.0","id":null,"method":"notifications/initialized"}`,
		"a cancellation of nothing": rpcMessage(nil, "notifications/cancelled", map[string]any{"requestId": 12}),
		"a cancellation of no id":   rpcMessage(nil, "notifications/cancelled", nil),
		"a response to nothing":     `{"jsonrpc":"2.0","id":5,"result":{}}`,
	} {
		a := w.post(body, session...)
		if a.status != http.StatusAccepted || a.body != "" {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

func TestAToolThatIsNotServedCannotBeCalled(t *testing.T) {
	w := newServer(t, Options{}, tools.Access{Exclude: []string{"score_legitimacy"}})
	if list, err := w.server.base.tools.ListTools(t.Context()); err != nil || len(list) != 4 {
		t.Errorf("%d tools are listed, %v", len(list), err)
	}
}

func TestTheClientsNameReachesTheCall(t *testing.T) {
	w := newWorld(t, Options{})
	session := w.begin()
	one := entered(t, w, session[1])
	defer w.server.base.sessions.releaseEntry(one)
	if info := one.GetClientInfo(); info.Name != "test" || one.ProtocolVersion() != "2025-11-25" {
		t.Errorf("the session knows %v, version %q", info, one.ProtocolVersion())
	}
}
