package jsonrpc

import (
	"bytes"
	"testing"
)

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
