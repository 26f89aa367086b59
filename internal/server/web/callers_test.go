package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"toolkit/internal/server/access"
	"toolkit/tools"
)

// known are tokens with their callers; whoever is not in it is nobody.
type known map[string]access.Caller

func (k known) check(_ context.Context, token string) (access.Caller, error) {
	switch token {
	case "nowhere":
		return access.Caller{}, access.ErrNoSpace
	case "unreachable":
		return access.Caller{}, fmt.Errorf("%w (a secret)", access.ErrUnreachable)
	}
	c, ok := k[token]
	if !ok {
		return c, access.ErrUnknown
	}
	return c, nil
}

var people = known{
	"ann": {Name: "ann", Rights: tools.AllRights}, "ben": {Name: "ben", Rights: tools.AllRights},
	"reader": {Name: "reader", Rights: tools.MayRead}, "writer": {Name: "writer", Rights: tools.MayWrite}, "none": {Name: "none"},
}

func as(token string, headers ...string) []string {
	return append([]string{"Authorization", "Bearer " + token}, headers...)
}

const provider = "https://login.example.org"

func guarded() Options {
	return Options{Guarded: true, Callers: people.check, Provider: provider, Hosts: []string{"memory.example.org"}}
}

func TestASessionIsUnknownToOtherCallers(t *testing.T) {
	w := newWorld(t, guarded())
	session := []string{"Mcp-Session-Id", w.post(initializeBody, as("ann")...).header.Get("Mcp-Session-Id")}
	held := w.background(t.Context(), call(7, "hold", map[string]any{"pocket_id": "kept"}), as("ann", session...)...)
	<-w.started
	never := []string{"Mcp-Session-Id", "NEVERWAS"}
	streaming := []string{"Accept", "text/event-stream"}
	for name, ask := range map[string]func(token string, session []string) answer{
		"a call": func(token string, s []string) answer { return w.post(call(1, "echo", nil), as(token, s...)...) },
		"a stream": func(token string, s []string) answer {
			return w.do(http.MethodGet, PathMCP, "", as(token, append(s, streaming...)...)...)
		},
		"its end": func(token string, s []string) answer { return w.do(http.MethodDelete, PathMCP, "", as(token, s...)...) },
		"a cancellation": func(token string, s []string) answer {
			return w.post(rpcMessage(nil, "notifications/cancelled", map[string]any{"requestId": 7}), as(token, s...)...)
		},
		"a subscription": func(token string, s []string) answer {
			return w.post(rpcMessage(2, "resources/subscribe", map[string]any{"uri": "test://one"}), as(token, s...)...)
		},
	} {
		other, unknown := ask("ben", session), ask("ben", never)
		if other.status != http.StatusNotFound || other.body != unknown.body || other.status != unknown.status {
			t.Errorf("%s: another's session is answered %d %s, an unknown one %d %s", name, other.status, other.body, unknown.status, unknown.body)
		}
	}
	close(w.release)
	if a := <-held; path(a.json(t), "result", "structuredContent", "pocket_id") != "kept" {
		t.Errorf("the call of the session: %d %s", a.status, a.body)
	}
	wantStatus(t, "its own caller", w.post(rpcMessage(1, "ping", nil), as("ann", session...)...), http.StatusOK)
}

func TestWhoHasNoTokenIsSentToTheProvider(t *testing.T) {
	w := newWorld(t, guarded())
	for _, test := range []struct {
		name, host string
		headers    []string
		want       string
	}{
		{"no token", "", nil, `scope="toolkit:read toolkit:write toolkit:forget", resource_metadata="` + w.url + PathResource + `/api/mcp"`},
		{"by its name", "memory.example.org:8765", []string{"Host", "memory.example.org:8765"}, `resource_metadata="http://memory.example.org:8765/.well-known/oauth-protected-resource/api/mcp"`},
		{"a wrong token", "", as("wrong"), `error="invalid_token", scope=`},
	} {
		a := w.post(call(1, "echo", nil), test.headers...)
		wantStatus(t, test.name, a, http.StatusUnauthorized)
		if challenge := a.header.Get("WWW-Authenticate"); !strings.HasPrefix(challenge, "Bearer ") || !strings.Contains(challenge, test.want) {
			t.Errorf("%s: %s", test.name, challenge)
		}
	}
	for _, query := range []string{"?access_token=ann", "?token=ann"} {
		wantStatus(t, query, w.do(http.MethodPost, PathMCP+query, call(1, "echo", nil)), http.StatusUnauthorized)
	}
	wantStatus(t, "a token in the body", w.do(http.MethodPost, PathMCP, "access_token=ann", "Content-Type", "application/x-www-form-urlencoded"), http.StatusUnauthorized)
}

func TestTheServerNamesItsProvider(t *testing.T) {
	o := guarded()
	o.BehindProxy = true
	w := newWorld(t, o)
	for _, p := range []string{PathResource, PathResource + PathMCP} {
		for _, headers := range [][]string{nil, as("wrong")} {
			a := w.do(http.MethodGet, p, "", append(headers, "Host", "memory.example.org")...)
			wantStatus(t, p, a, http.StatusOK)
			m := a.json(t)
			if m["resource"] != "https://memory.example.org/api/mcp" || text(m["authorization_servers"]) != "["+provider+"]" ||
				text(m["scopes_supported"]) != "[toolkit:read toolkit:write toolkit:forget]" || text(m["bearer_methods_supported"]) != "[header]" {
				t.Errorf("%s: %s", p, a.body)
			}
		}
		wantStatus(t, "by the name of another", w.do(http.MethodGet, p, "", "Host", "attacker.example"), http.StatusForbidden)
	}
	alone := newWorld(t, Options{Guarded: true, Callers: access.NewSecretCheck("correct-horse-battery-staple")})
	wantStatus(t, "where there is none", alone.do(http.MethodGet, PathResource, ""), http.StatusNotFound)
	if challenge := alone.post(call(1, "echo", nil)).header.Get("WWW-Authenticate"); strings.Contains(challenge, "resource_metadata") {
		t.Errorf("clients are sent nowhere: %s", challenge)
	}
}

func TestWhoLacksARightIsToldWhich(t *testing.T) {
	w := newWorld(t, guarded())
	read := func(method string, params map[string]any) string { return rpcMessage(1, method, params) }
	for _, test := range []struct {
		name, token, body string
		scope             string // asked for; empty: it is permitted
	}{
		{"reading", "reader", call(1, "echo", nil), ""},
		{"writing", "reader", call(1, "write_it", nil), "toolkit:read toolkit:write"},
		{"writing, by another name", "reader", call(1, "write-it", nil), "toolkit:read toolkit:write"},
		{"reading to a writer", "writer", call(1, "echo", nil), "toolkit:read toolkit:write"},
		{"writing to a writer", "writer", call(1, "write_it", nil), ""},
		{"a resource", "writer", read("resources/read", map[string]any{"uri": "test://one"}), "toolkit:read toolkit:write"},
		{"a prompt", "writer", read("prompts/get", map[string]any{"name": "nothing"}), "toolkit:read toolkit:write"},
		{"a subscription", "writer", read("resources/subscribe", map[string]any{"uri": "test://one"}), "toolkit:read toolkit:write"},
		{"anything to who may do nothing", "none", read("ping", nil), "toolkit:read"},
	} {
		a := w.post(test.body, as(test.token)...)
		challenge := a.header.Get("WWW-Authenticate")
		if test.scope == "" {
			if a.status != http.StatusOK || challenge != "" {
				t.Errorf("%s: %d %s", test.name, a.status, a.body)
			}
			continue
		}
		if a.status != http.StatusForbidden || a.errorCode(t) == 0 || !strings.Contains(challenge, `error="insufficient_scope", scope="`+test.scope+`", resource_metadata=`) {
			t.Errorf("%s: %d %s, %s", test.name, a.status, a.body, challenge)
		}
	}
	wantStatus(t, "the legitimacy to a writer", w.do(http.MethodPost, PathLegitimacy, `{"pocket_id":"cluny"}`, as("writer")...), http.StatusForbidden)
	wantStatus(t, "the legitimacy to a reader", w.do(http.MethodPost, PathLegitimacy, `{"pocket_id":"cluny"}`, as("reader")...), http.StatusOK)
	for token, want := range map[string]int{"reader": 4, "writer": 1, "ann": 5} {
		listed, _ := path(w.post(rpcMessage(1, "tools/list", nil), as(token)...).json(t), "result", "tools").([]any)
		described, _ := w.do(http.MethodGet, PathManifest, "", as(token)...).json(t)["tools"].([]any)
		if len(listed) != want || len(described) != want {
			t.Errorf("%s is shown %d tools, and %d in the manifest", token, len(listed), len(described))
		}
	}
	body, headers := modernCall(1, "tools/call", map[string]any{"name": "write_it", "arguments": map[string]any{}})
	wantStatus(t, "of the newest revision", w.post(body, as("reader", headers...)...), http.StatusForbidden)
}

func TestWhatCannotBeCheckedIsNotCalledWrong(t *testing.T) {
	w := newWorld(t, guarded())
	a := w.post(call(1, "echo", nil), as("unreachable")...)
	wantStatus(t, "a provider that is down", a, http.StatusServiceUnavailable)
	if a.header.Get("Retry-After") == "" || a.header.Get("WWW-Authenticate") != "" || strings.Contains(a.body, "a secret") {
		t.Errorf("%v %s", a.header, a.body)
	}
	wantStatus(t, "a caller without a space", w.post(call(1, "echo", nil), as("nowhere")...), http.StatusForbidden)
}

func TestWhereNobodyHasToSayWhoHeIsWhoSaysItIsBelieved(t *testing.T) {
	o := guarded()
	o.Guarded = false
	w := newWorld(t, o)
	wantStatus(t, "nobody", w.post(call(1, "write_it", nil)), http.StatusOK)
	wantStatus(t, "a token that nobody knows", w.post(call(1, "write_it", nil), as("whatever")...), http.StatusOK)
	wantStatus(t, "a reader", w.post(call(1, "write_it", nil), as("reader")...), http.StatusForbidden)
}

func TestEverybodyIsAskedForATokenFromTheFirstOneOn(t *testing.T) {
	o := guarded()
	count, fails := 0, error(nil)
	o.Guarded, o.HasTokens = false, func(context.Context) (bool, error) { return count > 0, fails }
	w := newWorld(t, o)
	wantStatus(t, "nobody, without tokens", w.post(call(1, "write_it", nil)), http.StatusOK)
	fails = errors.New("the database is locked")
	wantStatus(t, "nobody, and it cannot be told", w.post(call(1, "write_it", nil)), http.StatusServiceUnavailable)
	count, fails = 1, nil
	wantStatus(t, "nobody, with a token", w.post(call(1, "write_it", nil)), http.StatusUnauthorized)
	wantStatus(t, "a false token", w.post(call(1, "write_it", nil), as("whatever")...), http.StatusUnauthorized)
	wantStatus(t, "a reader", w.post(call(1, "echo", nil), as("reader")...), http.StatusOK)
	count = 0
	wantStatus(t, "nobody, when the token was removed", w.post(call(1, "write_it", nil)), http.StatusUnauthorized)
}

func TestBehindAProxyClientsAreToldApartByItsWordAlone(t *testing.T) {
	const token = "correct-horse-battery-staple"
	o := Options{Guarded: true, Callers: access.NewSecretCheck(token), RateLimit: 1, BehindProxy: true}
	w := newWorld(t, o)
	from := func(forwarded string) int {
		return w.post(call(1, "echo", nil), as(token, "X-Forwarded-For", forwarded)...).status
	}
	for _, test := range []struct {
		forwarded string
		status    int
	}{
		{"192.0.2.1", http.StatusOK}, {"192.0.2.2", http.StatusOK}, {"192.0.2.1", http.StatusTooManyRequests},
		{"198.51.100.7, 192.0.2.1", http.StatusTooManyRequests}, {"2001:db8::1", http.StatusOK}, {"2001:db8::2", http.StatusTooManyRequests},
	} {
		if got := from(test.forwarded); got != test.status {
			t.Errorf("%s: %d", test.forwarded, got)
		}
	}
	o.BehindProxy = false
	w = newWorld(t, o)
	if first, second := from("192.0.2.1"), from("192.0.2.2"); first != http.StatusOK || second != http.StatusTooManyRequests {
		t.Errorf("without one their own words count: %d, %d", first, second)
	}
}

func TestAStreamEndsWithItsToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var removed atomic.Bool
		w := newServer(t, Options{Guarded: true, Callers: func(context.Context, string) (access.Caller, error) {
			if removed.Load() {
				return access.Caller{}, access.ErrUnknown
			}
			return people["ann"], nil
		}}, tools.Access{})
		listener, stop, ended := w.piped(t)
		one := started(t, w, "ann")
		w.server.base.sessions.releaseEntry(one)
		client := listener.dial()
		go func() {
			io.WriteString(client, "GET /api/mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ann\r\nConnection: close\r\nAccept: text/event-stream\r\nMcp-Session-Id: "+one.SessionID()+"\r\n\r\n") //nolint:errcheck // a pipe
			removed.Store(true)
		}()
		told, err := io.ReadAll(client) // would last for ever
		if err != nil || !strings.HasPrefix(string(told), "HTTP/1.1 ") {
			t.Errorf("%q, %v", told, err)
		}
		stop()
		ended()
	})
}

func TestOthersReachTheServerOverEncryptionAlone(t *testing.T) {
	w := newServer(t, Options{Guarded: true, Callers: access.NewSecretCheck("correct-horse-battery-staple")}, tools.Access{})
	if err := w.server.Serve(t.Context(), listenEverywhere(t)); !errors.Is(err, ErrNotEncrypted) {
		t.Errorf("it serves: %v", err)
	}
}
