package stdio

import (
	"bytes"
	"testing"

	"toolkit/internal/serve/jsonrpc"
)

func TestTheBytesThatMayWaitAreBounded(t *testing.T) {
	q := newQueue(10, 1, func(*call) {})
	large := make([]byte, maxQueuedBytes)
	q.push(&call{exclusive: true}) // runs, and never ends
	first, second := &call{Message: jsonrpc.Message{Text: large}}, &call{Message: jsonrpc.Message{Text: []byte("x")}}
	q.push(first) // alone, a call may be as large as it likes
	q.mu.Lock()
	full := q.full(second)
	q.mu.Unlock()
	wantEqual(t, "full", full, true)
	wantEqual(t, "removed", q.remove(first), true)
	q.mu.Lock()
	full = q.full(second)
	q.mu.Unlock()
	wantEqual(t, "full after the removal", full, false)
}

func TestAClosedQueueReturnsWhatWaitsAndTakesNothing(t *testing.T) {
	q := newQueue(10, 1, func(*call) {})
	running, waiting := &call{exclusive: true}, &call{}
	q.push(running)
	q.push(waiting)
	wantEqual(t, "calls left", len(q.close()), 1)
	wantEqual(t, "accepted", q.push(&call{}), false)
	wantEqual(t, "removed after the end", q.remove(waiting), false)
}

func TestAnIDIsFoundOnlyWhereItMustBeTheIDOfTheMessage(t *testing.T) {
	for _, test := range []struct{ head, tail, want string }{
		{`{"id":1,"method":"x"`, ``, "1"},
		{`{ "jsonrpc" : "2.0" , "id" : "a" , "method":"x"`, ``, `"a"`},
		{`{"params":{"id":1,"method":"x"`, ``, ""},
		{`{"id":1.5,`, ``, ""},
		{`{"id":null,`, ``, ""},
		{``, `"x"},"id":-12}`, "-12"},
		{``, `"x"},"id":"a","jsonrpc":"2.0"}`, `"a"`},
		{``, `"x","id":1}}`, ""},
		{``, `\"id\":1}"}`, ""},
		{``, `"id":"a\"b"}`, ""},
	} {
		l := line{head: []byte(test.head), tail: []byte(test.tail)}
		if got := l.id(); !bytes.Equal(got, []byte(test.want)) {
			t.Errorf("%s … %s: the id is %q, want %q", test.head, test.tail, got, test.want)
		}
	}
}
