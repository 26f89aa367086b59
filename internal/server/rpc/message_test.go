package rpc

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":1e999,"method":"ping"}`, `[]`, `{"id":null,"result":1}`, "{\xff", `{"jsonrpc":"2.0","method":"notifications/x","id":null,"params":{}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) == 0 {
			return
		}
		m, refused := ParseMessage(text)
		if refused == nil && !m.Response && m.Method == "" {
			t.Fatalf("%q was read as a message without a method", text)
		}
		if len(m.ID) > 0 {
			idKey(m.ID)
		}
	})
}

// What stands in a message twice, or in other letters, could mean one thing to a guard in front and another here.
func TestAMessageThatCanBeReadInTwoWaysIsRefused(t *testing.T) {
	for text, refused := range map[string]bool{
		`{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}`:                                                                true,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`:                                                                               true,
		`{"jsonrpc":"2.0","id":1,"METHOD":"ping"}`:                                                                                      true,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","NAME":"remember"}}`:                                     true,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","arguments":{},"arguments":{"a":1}}}`:                    true,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","arguments":{"name":"a","Name":"b"},"more":1,"More":2}}`: false,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":null,"other":{}}`:                                                             false,
	} {
		if _, fault := ParseMessage([]byte(text)); (fault != nil) != refused {
			t.Errorf("%s: %+v", text, fault)
		}
	}
}

func TestAMessageOfManyMembersIsReadInLittleMemory(t *testing.T) {
	var text strings.Builder
	text.WriteString(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{`)
	for i := range 90_000 {
		fmt.Fprintf(&text, `"member%d":1,`, i)
	}
	text.WriteString(`"name":"a"}}`)
	message := []byte(text.String())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, fault := ParseMessage(message)
	runtime.ReadMemStats(&after)
	if fault != nil || m.Tool != "a" {
		t.Fatalf("tool %q, %+v", m.Tool, fault)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 2*uint64(len(message)) {
		t.Errorf("%d bytes were allocated for a message of %d", allocated, len(message))
	}
}

func TestAMessageOfTooManyValuesIsRefusedAndATextOfManyCommasIsNot(t *testing.T) {
	message := func(argument string) []byte {
		return []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"a":` + argument + `}}}`)
	}
	for name, test := range map[string]struct {
		argument string
		refused  bool
	}{
		"a list of lists": {"[[]" + strings.Repeat(",[]", MaxValues) + "]", true},
		"half as many":    {"[[]" + strings.Repeat(",[]", MaxValues/2-10) + "]", false},
		"a text":          {`"` + strings.Repeat(`,[{\"\\`, MaxValues) + `"`, false},
	} {
		if m, fault := ParseMessage(message(test.argument)); (fault != nil) != test.refused || string(m.ID) != "1" {
			t.Errorf("%s: id %s, %+v", name, m.ID, fault)
		}
	}
}
