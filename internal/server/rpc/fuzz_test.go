package rpc

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzServeLine feeds a server arbitrary input: it must neither panic nor hang, and must say nothing but JSON-RPC.
func FuzzServeLine(f *testing.F) {
	for _, seed := range []string{
		initialize,
		toolCall(1, "echo", "a") + "\n" + toolCall(1, "write", "b") + "\n" + cancelled(1),
		listen(7, map[string]any{"toolsListChanged": true}) + "\n" + toolCall("x", "nan", ""),
		modern(1, "server/discover", map[string]any{}),
		`{"jsonrpc":"2.0","id":1e999,"method":"tools/call","params":{"name":"panic"}}`,
		`{"jsonrpc":"2.0","id":null,"method":"notifications/x"}` + "\r\n[]\n\"\"\n{}",
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"id":5,"x":"` + strings.Repeat("y", 2000) + `"}`,
		"\ufeff{\xff\x00",
		"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		s := newTestServer()
		close(s.release)
		var out lineWriter
		options := testOptions{MaxLine: 1000, Grace: time.Minute}
		if err := options.transport(s).Serve(t.Context(), bytes.NewReader(input), &out); err != nil {
			t.Fatalf("Serve: %v", err)
		}
		for _, line := range out.writes {
			var message struct {
				JSONRPC string          `json:"jsonrpc"`
				ID      json.RawMessage `json:"id"`
				Method  string          `json:"method"`
				Result  json.RawMessage `json:"result"`
				Error   json.RawMessage `json:"error"`
			}
			if err := json.Unmarshal([]byte(line), &message); err != nil {
				t.Fatalf("%q is not JSON: %v", line, err)
			}
			if !utf8.ValidString(line) {
				t.Fatalf("%q is not valid UTF-8", line)
			}
			answer := message.ID != nil && (message.Result != nil) != (message.Error != nil)
			if message.JSONRPC != "2.0" || answer == (message.Method != "") || strings.Count(line, "\n") != 1 {
				t.Fatalf("%q is no JSON-RPC message on a line", line)
			}
		}
	})
}
