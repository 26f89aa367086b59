package jsonrpc

import (
	"bytes"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

func TestAMessageIsReadOrRefusedWithTheIDItHas(t *testing.T) {
	for _, test := range []struct {
		name, text string
		id, method string
		code       int // of the refusal
	}{
		{"a request", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "1", "ping", 0},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/x"}`, "", "notifications/x", 0},
		{"a notification with a null id", `{"jsonrpc":"2.0","id":null,"method":"notifications/x"}`, "", "notifications/x", 0},
		{"a request with a null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", "", mcp.INVALID_REQUEST},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "null", "", mcp.INVALID_REQUEST},
		{"no JSON", `{"jsonrpc"`, "null", "", mcp.PARSE_ERROR},
		{"another version", `{"jsonrpc":"1.0","id":"a","method":"ping"}`, `"a"`, "", mcp.INVALID_REQUEST},
		{"a list as parameters", `{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}`, "3", "", mcp.INVALID_PARAMS},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"\xff\"}", "3", "", mcp.PARSE_ERROR},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, refused := Parse([]byte(test.text))
			if refused != nil {
				if refused.Error.Code != test.code || string(refused.ID) != test.id {
					t.Errorf("refused with %d and id %s, want %d and %s", refused.Error.Code, refused.ID, test.code, test.id)
				}
				return
			}
			if test.code != 0 || string(m.ID) != test.id || m.Method != test.method {
				t.Errorf("read as id %s, method %s; want %s, %s, error %d", m.ID, m.Method, test.id, test.method, test.code)
			}
		})
	}
}

func TestAnIDBeyondTheLibrarysNumbersIsPassedOnAsText(t *testing.T) {
	m, refused := Parse([]byte(`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping","params":{"a":1}}`))
	if refused != nil || string(m.ID) != "9007199254740993" {
		t.Fatalf("%+v %+v", m, refused)
	}
	if !bytes.Contains(m.Text, []byte(`"id":"9007199254740993"`)) || !bytes.Contains(m.Text, []byte(`"params":{"a":1}`)) {
		t.Errorf("the library gets %s", m.Text)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":1e999,"method":"ping"}`, `[]`, `{"id":null,"result":1}`, "{\xff", `{"jsonrpc":"2.0","method":"notifications/x","id":null,"params":{}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) == 0 {
			return
		}
		m, refused := Parse(text)
		if refused == nil && !m.Response && m.Method == "" {
			t.Fatalf("%q was read as a message without a method", text)
		}
		m.ToolName()
		m.CancelledID()
		if len(m.ID) > 0 {
			IDKey(m.ID)
		}
	})
}
