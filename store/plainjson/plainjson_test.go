package plainjson

import (
	"encoding/json"
	"testing"
)

func TestTextStaysReadableAndOnOneLine(t *testing.T) {
	for want, value := range map[string]any{
		`"a < b && c > d"`:        "a < b && c > d",
		`"line\nbreak"`:           "line\nbreak",
		`{"raw":{"html":"<b>"}}`:  map[string]any{"raw": json.RawMessage(`{ "html" : "<b>" }`)},
		`["\u2028","Grüße",null]`: []any{"\u2028", "Grüße", nil},
	} {
		if got, err := Encode(value); err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
}

func TestDecodeReturnsErrorForInvalidJSON(t *testing.T) {
	if got, err := Encode(func() {}); err == nil || got != nil {
		t.Errorf("a function became %s", got)
	}
}

func TestNumbersKeepTheirDigits(t *testing.T) {
	var read map[string]any
	if err := Decode([]byte(`{"n":12345678901234567890.10}`), &read); err != nil || read["n"] != json.Number("12345678901234567890.10") {
		t.Errorf("read %v, %v", read, err)
	}
	if err := Decode([]byte(`{`), &read); err == nil {
		t.Error("half an object was read")
	}
}
