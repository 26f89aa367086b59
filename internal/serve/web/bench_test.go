package web

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"toolkit/tools"
)

// BenchmarkCall measures one call through guards, transport and pipeline, and beside it what the library and the
// pipeline alone need for it. No socket is involved.
func BenchmarkCall(b *testing.B) {
	w := newServer(b, Options{Token: "correct-horse-battery-staple", RateLimit: 10_000_000}, tools.Access{})
	body := call(1, "echo", map[string]any{"pocket_id": "cluny"})
	b.Run("over HTTP", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r := httptest.NewRequest(http.MethodPost, "http://localhost"+PathMCP, strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer correct-horse-battery-staple")
			w.clock.Add(60) // the window of the limiter stays short
			recorder := httptest.NewRecorder()
			w.server.ServeHTTP(recorder, r)
			if recorder.Code != http.StatusOK {
				b.Fatal(recorder.Body)
			}
		}
	})
	b.Run("library alone", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(w.server.base.tools.HandleMessage(b.Context(), json.RawMessage(body))); err != nil {
				b.Fatal(err)
			}
		}
	})
}
