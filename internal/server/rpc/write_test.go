package rpc

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

func TestAToolResultSaysWhatTheLibraryWouldSay(t *testing.T) {
	content := []mcp.Content{mcp.TextContent{Type: "text", Text: "a <b> & \u2028"}}
	for name, result := range map[string]*mcp.CallToolResult{
		"structured": {Content: content, RawStructuredContent: json.RawMessage(`{"a":"<b>","n":12345678901234567890,"list":[]}`)},
		"with meta": {
			Result:  mcp.Result{ResultType: "complete", Meta: &mcp.Meta{AdditionalFields: map[string]any{"metadata": map[string]any{"cached": true}}}},
			Content: content, RawStructuredContent: json.RawMessage(`{}`),
		},
		"an error":       {Content: content, IsError: true},
		"of values":      {Content: content, StructuredContent: map[string]any{"a": 1}},
		"without blocks": {RawStructuredContent: json.RawMessage(`{"a":1}`)},
	} {
		line, err := Answer(json.RawMessage("7"), "result", result)
		if err != nil {
			t.Fatal(name, err)
		}
		if bytes.IndexByte(line, '\n') != len(line)-1 {
			t.Errorf("%s: %q is not one line", name, line)
		}
		library, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 7, "result": result})
		if err != nil {
			t.Fatal(name, err)
		}
		if got, want := exact(t, line), exact(t, library); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: wrote\n%v\nthe library writes\n%v", name, got, want)
		}
	}
}

// exact reads JSON and keeps the digits of numbers.
func exact(t *testing.T, text []byte) (value any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}
