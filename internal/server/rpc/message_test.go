package rpc

import "testing"

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
		if len(m.ID) > 0 {
			idKey(m.ID)
		}
	})
}
