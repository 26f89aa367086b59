package web

import (
	"net/http"
	"strings"
	"testing"

	"toolkit/internal/server/access"
)

func TestARequestThatAWebPageMadeABrowserSendIsRefused(t *testing.T) {
	w := newWorld(t, Options{Hosts: []string{"memory.example.org"}})
	for _, test := range []struct {
		name, host, origin string
		status             int
	}{
		{"the address itself", "", "", http.StatusOK},
		{"localhost", "localhost:1234", "", http.StatusOK},
		{"another loopback address", "127.0.0.2", "", http.StatusOK},
		{"the loopback address of IPv6", "[::1]:80", "", http.StatusOK},
		{"a configured name", "Memory.example.org:80", "", http.StatusOK},
		{"a name that resolves here", "attacker.example", "", http.StatusForbidden},
		{"a name with localhost in front", "localhost.attacker.example", "", http.StatusForbidden},
		{"an address of the network", "192.168.1.10", "", http.StatusForbidden},
		{"a name with a dot at its end", "localhost.", "", http.StatusForbidden},
		{"a page of this machine", "", "http://localhost:3000", http.StatusOK},
		{"a page of the configured name", "", "https://memory.example.org", http.StatusOK},
		{"a page of a stranger", "", "https://attacker.example", http.StatusForbidden},
		{"a page without an origin", "", "null", http.StatusForbidden},
		{"a page that says another scheme", "", "file://localhost", http.StatusForbidden},
		{"a page whose origin is no address", "", "http://%zz", http.StatusForbidden},
	} {
		t.Run(test.name, func(t *testing.T) {
			var headers []string
			if test.host != "" {
				headers = append(headers, "Host", test.host)
			}
			if test.origin != "" {
				headers = append(headers, "Origin", test.origin)
			}
			for what, a := range map[string]answer{
				"a call":       w.post(call(1, "echo", nil), headers...),
				"the manifest": w.do(http.MethodGet, PathManifest, "", headers...),
			} {
				wantStatus(t, what, a, test.status)
				if a.header.Get("Access-Control-Allow-Origin") != "" || a.header.Get("Set-Cookie") != "" {
					t.Errorf("%s lets pages read it: %v", what, a.header)
				}
			}
		})
	}
}

func TestATokenIsAskedForOnEveryEndpoint(t *testing.T) {
	const token = "correct-horse-battery-staple"
	w := newWorld(t, Options{Guarded: true, Callers: access.NewSecretCheck(token)})
	for _, test := range []struct {
		name, authorization string
		status              int
	}{
		{"none", "", http.StatusUnauthorized},
		{"a wrong one", "Bearer wrong", http.StatusUnauthorized},
		{"a part of it", "Bearer " + token[:10], http.StatusUnauthorized},
		{"an empty one", "Bearer ", http.StatusUnauthorized},
		{"another scheme", "Basic " + token, http.StatusUnauthorized},
		{"the token", "Bearer " + token, http.StatusOK},
		{"the scheme in other letters", "bearer " + token, http.StatusOK},
	} {
		t.Run(test.name, func(t *testing.T) {
			var headers []string
			if test.authorization != "" {
				headers = []string{"Authorization", test.authorization}
			}
			for what, a := range map[string]answer{
				"a call":       w.post(call(1, "echo", nil), headers...),
				"a legitimacy": w.do(http.MethodPost, PathLegitimacy, `{"pocket_id":"cluny"}`, headers...),
			} {
				wantStatus(t, what, a, test.status)
				if challenge := a.header.Get("WWW-Authenticate"); (challenge != "") != (test.status == http.StatusUnauthorized) {
					t.Errorf("%s: challenge %q", what, challenge)
				}
				if strings.Contains(a.body, token) {
					t.Errorf("%s repeats the token: %s", what, a.body)
				}
			}
			stream := w.do(http.MethodGet, PathMCP, "", append(headers, "Accept", "text/event-stream")...)
			if refused := stream.status == http.StatusUnauthorized; refused != (test.status == http.StatusUnauthorized) {
				t.Errorf("a stream: %d", stream.status)
			}
		})
	}
}

func TestARequestWithTwoTokensIsRefused(t *testing.T) {
	const token = "correct-horse-battery-staple"
	w := newWorld(t, Options{Guarded: true, Callers: access.NewSecretCheck(token)})
	for _, other := range []string{"Bearer wrong", "Bearer " + token, "Basic x"} {
		for first := range 2 {
			r := w.request(t.Context(), http.MethodPost, PathMCP, call(1, "echo", nil))
			both := []string{"Bearer " + token, other}
			r.Header["Authorization"] = []string{both[first], both[1-first]}
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != http.StatusUnauthorized {
				t.Errorf("%q: %s", r.Header["Authorization"], response.Status)
			}
		}
	}
}

func TestWrongTokensCountAgainstTheRateLimitWhateverTheMethod(t *testing.T) {
	w := newWorld(t, Options{Guarded: true, Callers: access.NewSecretCheck("correct-horse-battery-staple"), RateLimit: 3})
	for range 3 {
		wantStatus(t, "a guess", w.do(http.MethodGet, PathManifest, "", "Authorization", "Bearer guess"), http.StatusUnauthorized)
	}
	wantStatus(t, "one guess more", w.do(http.MethodGet, PathManifest, "", "Authorization", "Bearer guess"), http.StatusTooManyRequests)
	wantStatus(t, "reading the manifest", w.do(http.MethodGet, PathManifest, ""), http.StatusOK)
}

func TestTheManifestDescribesTheServer(t *testing.T) {
	w := newWorld(t, Options{})
	for _, p := range []string{PathManifest, PathMCP} {
		a := w.do(http.MethodGet, p, "", "Accept", "*/*")
		m := a.json(t)
		list, _ := m["tools"].([]any)
		if a.status != http.StatusOK || len(list) != 5 || path(m, "serverInfo", "version") != "9.9.9" ||
			path(m, "transport", "type") != "streamable-http" || path(m, "transport", "endpoint") != PathMCP ||
			m["protocolVersion"] != modernVersion || path(m, "authentication", "required") != false {
			t.Errorf("%s: %d %s", p, a.status, a.body)
		}
		if first := list[0].(map[string]any); first["name"] != "echo" || first["inputSchema"] == nil || first["outputSchema"] == nil {
			t.Errorf("the first tool is %v", first)
		}
	}
	head := w.do(http.MethodHead, PathManifest, "")
	if head.status != http.StatusOK || head.body != "" {
		t.Errorf("HEAD: %+v", head)
	}
}

func TestTheManifestTellsStrangersNothingOfTheTools(t *testing.T) {
	const token = "correct-horse-battery-staple"
	w := newWorld(t, Options{Guarded: true, Callers: access.NewSecretCheck(token)})
	m := w.do(http.MethodGet, PathManifest, "").json(t)
	if m["tools"] != nil || m["instructions"] != nil || path(m, "authentication", "required") != true {
		t.Errorf("a stranger reads %v", m)
	}
	if known := w.do(http.MethodGet, PathManifest, "", "Authorization", "Bearer "+token).json(t); known["tools"] == nil {
		t.Errorf("a client reads %v", known)
	}
}

func TestOtherPathsAndMethodsAreRefusedAsJSON(t *testing.T) {
	w := newWorld(t, Options{})
	for _, test := range []struct {
		method, path string
		status       int
	}{
		{http.MethodGet, "/", http.StatusNotFound},
		{http.MethodGet, "/api/mcp/", http.StatusNotFound},
		{http.MethodGet, "/api/../etc/passwd", http.StatusNotFound},
		{http.MethodPut, PathMCP, http.StatusMethodNotAllowed},
		{http.MethodOptions, PathMCP, http.StatusMethodNotAllowed},
		{http.MethodGet, PathLegitimacy, http.StatusMethodNotAllowed},
		{http.MethodPost, PathManifest, http.StatusMethodNotAllowed},
	} {
		a := w.do(test.method, test.path, "")
		wantStatus(t, test.method+" "+test.path, a, test.status)
		if a.json(t)["error"] == nil || (test.status == http.StatusMethodNotAllowed) != (a.header.Get("Allow") != "") {
			t.Errorf("%s %s: %s, Allow %q", test.method, test.path, a.body, a.header.Get("Allow"))
		}
	}
}

func TestEveryAnswerKeepsBrowsersFromUsingIt(t *testing.T) {
	w := newWorld(t, Options{})
	for _, a := range []answer{w.post(call(1, "echo", nil)), w.do(http.MethodGet, "/nothing", ""), w.do(http.MethodGet, PathManifest, "")} {
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Referrer-Policy": "no-referrer",
		} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
	}
}
