package web

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"toolkit/internal/server/rpc"
	"toolkit/tools"
)

// FuzzRequest sends a server arbitrary requests: it must neither panic nor hang, and must answer nothing but JSON or
// events, or nothing where the protocol wants nothing.
func FuzzRequest(f *testing.F) {
	listen, _ := modernCall(1, "subscriptions/listen", map[string]any{"notifications": map[string]any{}})
	for _, seed := range []struct{ method, path, body, accept, version, session string }{
		{"POST", PathMCP, initializeBody, acceptBoth, "", ""},
		{"POST", PathMCP, call(1, "echo", map[string]any{"pocket_id": "x"}), "", "2025-11-25", "x"},
		{"POST", PathMCP, `{"jsonrpc":"2.0","id":1e999,"method":"tools/call","params":{"name":"count","arguments":{"n":2},"_meta":{"progressToken":1}}}`, acceptBoth, "", ""},
		{"POST", PathMCP, listen, acceptBoth, modernVersion, ""},
		{"POST", PathMCP, `[{"jsonrpc":"2.0"}]`, "text/event-stream;q=0", "\x00", "\n"},
		{"POST", PathMCP, `{"jsonrpc":"2.0","id":1,"result":{}}`, "", modernVersion, ""},
		{"POST", PathLegitimacy, `{"pocket_id":"broken"}`, "", "", ""},
		{"GET", PathMCP, "", "*/*", "", ""},
		{"GET", PathMCP, "", "text/event-stream", "", "x"},
		{"DELETE", PathMCP, "", "", "", "x"},
	} {
		f.Add(seed.method, seed.path, seed.body, seed.accept, seed.version, seed.session)
	}
	f.Fuzz(func(t *testing.T, method, path, body, accept, version, session string) {
		if strings.Contains(body, "hold") { // it would wait for a test that does not come
			return
		}
		var log strings.Builder
		w := newServer(t, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, tools.Access{})
		w.server.maxBody = 2000
		r, err := http.NewRequest(method, "http://localhost/", strings.NewReader(body))
		if err != nil {
			return
		}
		r.URL.Path, r.RemoteAddr = path, "127.0.0.1:1"
		r.Header.Set("Content-Type", "application/json")
		for name, value := range map[string]string{"Accept": accept, "MCP-Protocol-Version": version, "Mcp-Session-Id": session} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		w.server.closeOpen(rpc.ErrShutdown) // streams end at once
		recorder := httptest.NewRecorder()
		w.server.ServeHTTP(recorder, r)
		text, _ := io.ReadAll(recorder.Body)
		kind := recorder.Header().Get("Content-Type")
		switch {
		case recorder.Code == http.StatusInternalServerError && !strings.Contains(body, "broken"):
			t.Fatalf("%s %q %q: %s\n%s", method, path, body, text, log.String())
		case len(text) == 0:
		case strings.HasPrefix(kind, "text/event-stream"):
			for part := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n\n"), "\n\n") {
				if data, ok := strings.CutPrefix(part, "event: message\ndata: "); ok && !json.Valid([]byte(data)) {
					t.Fatalf("%q is no event", part)
				}
			}
		case kind != "application/json" || !json.Valid(text):
			t.Fatalf("%s %q is answered with %s %q", method, path, kind, text)
		}
		if !utf8.Valid(text) {
			t.Fatalf("%q is not valid UTF-8", text)
		}
	})
}
