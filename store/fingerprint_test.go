package store

import "testing"

func TestRowHashTellsWhichRowsThereAreAndNotTheirOrder(t *testing.T) {
	a, b, empty := []any{int64(1), "a", nil}, []any{int64(2), "a\x00", []byte{}}, []any{"", nil, nil}
	hash := func(rows ...[]any) string {
		h := newRowHash()
		for _, row := range rows {
			must(t, h.addRow(row))
		}
		return h.String()
	}
	for name, test := range map[string]struct {
		one, other string
		same       bool
	}{
		"another order":         {hash(a, b), hash(b, a), true},
		"a row twice":           {hash(a, b), hash(a, b, b), false},
		"a row less":            {hash(a, b), hash(a), false},
		"another row":           {hash(a, a), hash(b, b), false},
		"no row":                {hash(), hash(empty), false},
		"values that join":      {hash([]any{"ab", ""}), hash([]any{"a", "b"}), false},
		"text for bytes":        {hash([]any{"a"}), hash([]any{[]byte("a")}), false},
		"nothing for an empty":  {hash([]any{nil}), hash([]any{""}), false},
		"a real for an integer": {hash([]any{int64(1)}), hash([]any{1.0}), false},
	} {
		if (test.one == test.other) != test.same {
			t.Errorf("%s: %s and %s", name, test.one, test.other)
		}
	}
}
