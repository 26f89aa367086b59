package query

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMillisScansMomentsInUTC(t *testing.T) {
	at := time.Now()
	for value, want := range map[any]time.Time{nil: {}, int64(0): time.UnixMilli(0).UTC(), int64(1700000000123): time.UnixMilli(1700000000123).UTC()} {
		if err := Millis(&at).(*millisField).Scan(value); err != nil || !at.Equal(want) || at.Location() != want.Location() {
			t.Errorf("%v gave %v, %v", value, at, err)
		}
	}
	if err := Millis(&at).(*millisField).Scan("yesterday"); err == nil {
		t.Error("a text was taken for a moment")
	}
}

func TestFromJSONScansTextsBytesAndNothing(t *testing.T) {
	type row struct {
		List []int64
		Raw  json.RawMessage
	}
	tests := map[string]struct {
		value any
		want  row
	}{
		"nothing":    {nil, row{}},
		"no text":    {"", row{}},
		"empty list": {"[]", row{[]int64{}, json.RawMessage("[]")}},
		"text":       {"[1, 2]", row{[]int64{1, 2}, json.RawMessage("[1, 2]")}},
		"bytes":      {[]byte("[3]"), row{[]int64{3}, json.RawMessage("[3]")}},
	}
	for name, test := range tests {
		var got row
		for _, field := range []any{FromJSON(&got.List), FromJSON(&got.Raw)} {
			if err := field.(*jsonField).Scan(test.value); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestFromJSONKeepsRawTextAsItIsAndRefusesWhatDoesNotFit(t *testing.T) {
	var raw json.RawMessage
	if err := FromJSON(&raw).(*jsonField).Scan("{no JSON"); err != nil || string(raw) != "{no JSON" {
		t.Errorf("%s, %v", raw, err)
	}
	var list []int64
	for _, value := range []any{"{}", int64(1)} {
		if err := FromJSON(&list).(*jsonField).Scan(value); err == nil {
			t.Errorf("%v was taken for a list", value)
		}
	}
}

func TestScanDecodedGivesJSONTheTextThatWasGiven(t *testing.T) {
	var list []string
	scan := func(into ...any) error { return into[0].(*jsonField).Scan(`["a marked b"]`) }
	if err := scanDecoded(unmarking{}, scan, []any{FromJSON(&list)}); err != nil || len(list) != 1 || list[0] != "a b" {
		t.Errorf("%q, %v", list, err)
	}
}

// unmarking is an engine that marks texts.
type unmarking struct{ Dialect }

func (unmarking) DecodeText(kept string) string { return strings.ReplaceAll(kept, " marked", "") }
func (unmarking) Decode([]any)                  {}
