package app

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"toolkit/tools"
)

// BenchmarkACall compares a short call with and without being measured.
func BenchmarkACall(b *testing.B) {
	for name, value := range map[string]string{"measured": "on", "unmeasured": "off"} {
		b.Run(name, func(b *testing.B) {
			a, err := Open(b.Context(), Settings{DB: filepath.Join(b.TempDir(), "toolkit.db"), Getenv: func(variable string) string {
				if variable == "TOOLKIT_METRICS" || variable == "TOOLKIT_ANALYTICS" {
					return value
				}
				return ""
			}})
			if err != nil {
				b.Fatal(err)
			}
			defer a.Close()
			b.ReportAllocs()
			for b.Loop() {
				r, err := a.Server.Pipeline.Call(b.Context(), tools.Request{Tool: "search_nodes", Arguments: json.RawMessage(`{"query":"tea"}`)})
				if err != nil || r.IsError {
					b.Fatal(err, r)
				}
			}
		})
	}
}
