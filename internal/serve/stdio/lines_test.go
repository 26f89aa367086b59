package stdio

import (
	"bytes"
	"testing"
)

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
