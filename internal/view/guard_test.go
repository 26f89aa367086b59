package view

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestTheTokenWorksOnceAndBecomesAStrictCookie(t *testing.T) {
	b := newBench(t)
	first := b.send("GET", b.entry)
	if first.StatusCode != http.StatusOK || len(first.Cookies()) != 1 {
		t.Fatalf("status %d, cookies %v", first.StatusCode, first.Cookies())
	}
	c := first.Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" || len(c.Value) < 40 {
		t.Errorf("cookie %+v", c)
	}
	if strings.Contains(b.entry, c.Value) {
		t.Error("the cookie is the token")
	}
	second := b.send("GET", b.entry)
	if second.StatusCode != http.StatusForbidden || len(second.Cookies()) != 0 || !strings.Contains(second.body, "no longer works") {
		t.Errorf("a second use: %d %s", second.StatusCode, second.body)
	}
	again := b.send("GET", b.entry, func(r *http.Request) { r.AddCookie(c) })
	if again.StatusCode != http.StatusSeeOther || again.Header.Get("Location") != "/" {
		t.Errorf("the holder of the cookie opens the address again: %d %v", again.StatusCode, again.Header)
	}
}

func TestOnlyOneOfManyGetsIn(t *testing.T) {
	b := newBench(t)
	var mu sync.Mutex
	var wg sync.WaitGroup
	entered := 0
	for range 20 {
		wg.Go(func() {
			answer, err := b.client.Get(b.entry)
			if err != nil {
				t.Error(err)
				return
			}
			answer.Body.Close()
			mu.Lock()
			defer mu.Unlock()
			entered += len(answer.Cookies())
		})
	}
	wg.Wait()
	if entered != 1 {
		t.Errorf("%d got in", entered)
	}
}

func TestWithoutASessionNothingIsTold(t *testing.T) {
	b := newBench(t)
	b.remember("create_entities", arguments{"entities": []any{arguments{"name": "Anna", "entityType": "person", "observations": []string{}}}})
	port := b.base[strings.LastIndex(b.base, ":")+1:]
	for name, change := range map[string]func(*http.Request){
		"no cookie":       func(*http.Request) {},
		"an empty cookie": func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "toolkit-view-" + port, Value: ""}) },
		"a guessed cookie": func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: "toolkit-view-" + port, Value: strings.Repeat("A", 43)})
		},
		"the token as cookie": func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: "toolkit-view-" + port, Value: b.server.session.token})
		},
		"the cookie of a sister": func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: "toolkit-view-1", Value: b.server.session.cookie})
		},
	} {
		for _, path := range []string{"/api/overview", "/api/graph/entity?name=Anna", "/api/nothing"} {
			if r := b.send("GET", b.base+path, change); r.StatusCode != http.StatusUnauthorized || strings.Contains(r.body, "Anna") {
				t.Errorf("%s, %s: %d %s", name, path, r.StatusCode, r.body)
			}
		}
		if r := b.send("GET", b.base+"/", change); r.StatusCode != http.StatusForbidden || strings.Contains(r.body, "app.js") {
			t.Errorf("%s: the page: %d", name, r.StatusCode)
		}
	}
	for _, token := range []string{"", "x", strings.Repeat("A", 43), b.server.session.token + "A", b.server.session.token[1:]} {
		if r := b.send("GET", b.base+"/?token="+token); r.StatusCode != http.StatusForbidden || len(r.Cookies()) != 0 {
			t.Errorf("token %q: %d", token, r.StatusCode)
		}
	}
	if r := b.send("GET", b.entry); len(r.Cookies()) != 1 {
		t.Error("wrong tokens have used up the right one")
	}
}

func TestOtherHostsAndOriginsAreRefused(t *testing.T) {
	b := newBench(t)
	session := b.enter()
	host := strings.TrimPrefix(b.base, "http://")
	port := host[strings.LastIndex(host, ":"):]
	for name, c := range map[string]struct {
		change func(*http.Request)
		want   int
	}{
		"its own address":           {func(*http.Request) {}, http.StatusOK},
		"localhost":                 {func(r *http.Request) { r.Host = "localhost" + port }, http.StatusOK},
		"a rebound name":            {func(r *http.Request) { r.Host = "attacker.example" + port }, http.StatusForbidden},
		"a name without port":       {func(r *http.Request) { r.Host = "127.0.0.1" }, http.StatusForbidden},
		"another port":              {func(r *http.Request) { r.Host = "127.0.0.1:1" }, http.StatusForbidden},
		"a longer name":             {func(r *http.Request) { r.Host = "localhost" + port + ".attacker.example" }, http.StatusForbidden},
		"its own origin":            {header("Origin", b.base), http.StatusOK},
		"another origin":            {header("Origin", "http://attacker.example"), http.StatusForbidden},
		"an origin of another port": {header("Origin", "http://127.0.0.1:1"), http.StatusForbidden},
		"an encrypted origin":       {header("Origin", "https://"+host), http.StatusForbidden},
		"no origin at all":          {header("Origin", "null"), http.StatusForbidden},
		"a request of its page":     {header("Sec-Fetch-Site", "same-origin"), http.StatusOK},
		"a request of a neighbour":  {header("Sec-Fetch-Site", "same-site"), http.StatusForbidden},
		"a request of a stranger":   {header("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
	} {
		if r := b.send("GET", b.base+"/api/overview", session, c.change); r.StatusCode != c.want {
			t.Errorf("%s: %d, want %d: %s", name, r.StatusCode, c.want, r.body)
		}
	}
}

func TestOnlyGetIsServed(t *testing.T) {
	b := newBench(t)
	session := b.enter()
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT"} {
		for _, path := range []string{"/", "/api/overview", "/assets/app.js"} {
			if r := b.send(method, b.base+path, session); r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "GET" {
				t.Errorf("%s %s: %d", method, path, r.StatusCode)
			}
		}
	}
	other := newBench(t)
	other.send("HEAD", other.entry)
	if r := other.send("GET", other.entry); len(r.Cookies()) != 1 {
		t.Error("a look at the address has used up its token")
	}
}

func TestEveryAnswerIsHardened(t *testing.T) {
	b := newBench(t)
	session := b.enter()
	for _, path := range []string{"/", "/api/overview", "/api/nothing", "/assets/app.js", "/assets/nothing.js", "/nothing", "/?token=x"} {
		h := b.send("GET", b.base+path, session).Header
		policy := h.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} {
			if !strings.Contains(policy, part+";") && !strings.HasSuffix(policy, part) {
				t.Errorf("%s: the policy lacks %s: %s", path, part, policy)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
			t.Errorf("%s: the policy is open: %s", path, policy)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("Cache-Control") != "no-store" || h.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s: %v", path, h)
		}
	}
}

func TestAssetsAreServedWithTheirTypesAndNothingElseIs(t *testing.T) {
	b := newBench(t)
	for path, want := range map[string]string{
		"app.js": "text/javascript; charset=utf-8", "base.css": "text/css; charset=utf-8", "icon.svg": "image/svg+xml", "vendor/d3-force.js": "text/javascript; charset=utf-8",
	} {
		if r := b.send("GET", b.base+"/assets/"+path); r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != want {
			t.Errorf("%s: %d %s", path, r.StatusCode, r.Header.Get("Content-Type"))
		}
	}
	for _, path := range []string{"", "vendor", "../server.go", "%2e%2e/server.go", "..%2f..%2fgo.mod", "/etc/passwd", "app.js%00", "nothing.js"} {
		if r := b.send("GET", b.base+"/assets/"+path); r.StatusCode == http.StatusOK {
			t.Errorf("%q is served", path)
		}
	}
}

// The policy forbids inline scripts, styles and other origins; so the files must
// hold none.
func TestThePageHoldsNothingInlineAndNothingFromElsewhere(t *testing.T) {
	for _, name := range []string{"index.html", "opening.html", "closed.html"} {
		raw, err := assets.ReadFile("assets/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		for _, bad := range []string{" style=", "<style", " onclick", " onload", "http://", "https://", "javascript:"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
		if strings.Count(text, "<script") != strings.Count(text, "<script src=\"/assets/")+strings.Count(text, "<script type=\"module\" src=\"/assets/") {
			t.Errorf("%s has a script of its own", name)
		}
	}
}

// A client would clean these before they are sent; whoever means harm writes
// them as they are.
func TestWhatNoClientWouldSendIsRefused(t *testing.T) {
	b := newBench(t)
	b.enter()
	host := strings.TrimPrefix(b.base, "http://")
	cookie := "Cookie: " + b.server.session.cookieName() + "=" + b.server.session.cookie + "\r\n"
	for name, request := range map[string]string{
		"a way out of the assets":    "GET /assets/../guard.go HTTP/1.1\r\nHost: " + host + "\r\n",
		"a coded way out":            "GET /assets/%2e%2e/%2e%2e/go.mod HTTP/1.1\r\nHost: " + host + "\r\n",
		"a way out with backslashes": "GET /assets/..\\..\\go.mod HTTP/1.1\r\nHost: " + host + "\r\n",
		"an absolute file":           "GET /assets//etc/passwd HTTP/1.1\r\nHost: " + host + "\r\n",
		"no host":                    "GET /api/overview HTTP/1.0\r\n",
		"two hosts":                  "GET /api/overview HTTP/1.1\r\nHost: " + host + "\r\nHost: attacker.example\r\n",
		"a proxy's request":          "GET http://attacker.example/api/overview HTTP/1.1\r\nHost: " + host + "\r\n",
		"a host with a name":         "GET /api/overview HTTP/1.1\r\nHost: anna@" + host + "\r\n",
		"a method in another header": "POST /api/overview HTTP/1.1\r\nHost: " + host + "\r\nX-HTTP-Method-Override: GET\r\nContent-Length: 0\r\n",
	} {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, request+cookie+"Connection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		conn.Close()
		if err != nil || answer.StatusCode == http.StatusOK || strings.Contains(string(body), "package view") || strings.Contains(string(body), "module toolkit") {
			t.Errorf("%s: %d %s (%v)", name, answer.StatusCode, body, err)
		}
	}
}

// The log goes to a terminal or a file; neither what opens the page nor what is
// asked for belongs there.
func TestTheLogHoldsNoSecretAndNoQuestion(t *testing.T) {
	var log lockedBuffer
	b := newBench(t, func(o *Options) {
		o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	session := b.enter()
	b.send("GET", b.entry)
	b.send("GET", b.base+"/api/graph/search?q=private-question", session)
	b.store.Close() // from here on reading fails, which is logged
	if r := b.send("GET", b.base+"/api/graph/entity?name=private-question", session); r.StatusCode < 500 {
		t.Fatalf("a closed store answers %d", r.StatusCode)
	}
	text := log.String()
	if !strings.Contains(text, "could not answer") {
		t.Errorf("the failure is not logged: %s", text)
	}
	for _, secret := range []string{b.server.session.token, b.server.session.cookie, "private-question"} {
		if strings.Contains(text, secret) {
			t.Errorf("the log tells %s: %s", secret, text)
		}
	}
}

func TestHugeRequestsAreRefused(t *testing.T) {
	b := newBench(t)
	session := b.enter()
	if r := b.send("GET", b.base+"/api/graph/search?q="+strings.Repeat("a", maxQueryBytes), session); r.StatusCode != http.StatusRequestURITooLong {
		t.Errorf("a long query: %d", r.StatusCode)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	go conn.Write([]byte("GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 1<<17) + "\r\n\r\n")) //nolint:errcheck // the server hangs up
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil && !strings.Contains(line, "431") {
		t.Errorf("huge headers: %s", line)
	}
}

func TestNobodyCanKeepAConnectionForEver(t *testing.T) {
	h := New(Options{}).newHTTPServer(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1})
	for name, limit := range map[string]time.Duration{"header": h.ReadHeaderTimeout, "read": h.ReadTimeout, "write": h.WriteTimeout, "idle": h.IdleTimeout} {
		if limit <= 0 || limit > 5*time.Minute {
			t.Errorf("%s: %v", name, limit)
		}
	}
	if h.MaxHeaderBytes <= 0 || h.MaxHeaderBytes > 1<<16 {
		t.Errorf("headers of %d bytes", h.MaxHeaderBytes)
	}
}

func TestTheServerStopsWhenAskedAndOnlyServesLoopback(t *testing.T) {
	b := newBench(t)
	b.enter()
	b.stop()
	if err := <-b.ended; err != nil {
		t.Error(err)
	}
	if _, err := b.client.Get(b.base); err == nil {
		t.Error("it still answers")
	}
	open, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Skip("there is no other address to listen on")
	}
	defer open.Close()
	if err := b.server.Serve(context.Background(), open); err == nil || !strings.Contains(err.Error(), "loopback") {
		t.Errorf("serving everybody: %v", err)
	}
}

func TestIdleConnectionsDoNotHoldThePage(t *testing.T) {
	b := newBench(t)
	address := strings.TrimPrefix(b.base, "http://")
	for range 400 {
		idle, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { idle.Close() })
	}
	response, err := b.client.Get(b.entry) // would wait until the idle ones are given up
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("the page is answered with %s", response.Status)
	}
}
