package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Verdicts on a value.
const (
	right   = "right"
	wrong   = "wrong"
	missing = "missing" // it is expected, and nothing was read
)

// Verdict is how one field of one document was read.
type Verdict struct {
	Field    string // of a row in a list: line_items.amount
	Row      int    // in the list as expected, from 1
	Result   string
	Expected any // none: the document does not state it
	Got      any
}

// String returns a value as a line of the report.
func (v Verdict) String() string {
	name := v.Field
	if v.Row > 0 {
		name = fmt.Sprintf("%s of row %d", v.Field, v.Row)
	}
	expected, _ := json.Marshal(v.Expected) // both come from JSON; null is nothing
	got, _ := json.Marshal(v.Got)
	return fmt.Sprintf("%s: expected %s, got %s", name, expected, got)
}

// compareWithExpected judges values, which have the types of JSON.
func compareWithExpected(want Expected, got map[string]any) (verdicts []Verdict) {
	for _, name := range slices.Sorted(maps.Keys(want.Fields)) {
		verdicts = append(verdicts, compareValue(name, 0, want.Fields[name], got[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(want.Items)) {
		verdicts = append(verdicts, compareRows(name, want.Items[name].Rows, got[name])...)
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		_, field := want.Fields[name]
		_, list := want.Items[name]
		if slices.Contains(want.Absent, name) || slices.Contains(want.Absent, "*") && !field && !list {
			verdicts = append(verdicts, Verdict{Field: name, Result: wrong, Got: got[name]})
		}
	}
	return verdicts
}

func compareValue(name string, row int, want, got any) Verdict {
	v := Verdict{Field: name, Row: row, Result: wrong, Expected: want, Got: got}
	switch {
	case got == nil || got == "":
		v.Result = missing
	case isSameValue(name, want, got):
		v.Result = right
	}
	return v
}

// compareRows finds for every expected row the one that has most in common with it, of equal
// ones the first behind the row found before, and compares them value by value. A row too
// many is wrong.
func compareRows(name string, want []map[string]any, value any) (verdicts []Verdict) {
	list, _ := value.([]any)
	got := make([]map[string]any, len(list))
	for i, row := range list {
		got[i], _ = row.(map[string]any)
	}
	taken, next := make([]bool, len(got)), 0
	for i, row := range want {
		best, most := -1, 0
		for offset := range got {
			at := (next + offset) % len(got)
			if n := countCommonFields(name, row, got[at]); n > most && !taken[at] {
				best, most = at, n
			}
		}
		var found map[string]any
		if best >= 0 {
			found, taken[best], next = got[best], true, best+1
		}
		for _, key := range slices.Sorted(maps.Keys(row)) {
			verdicts = append(verdicts, compareValue(name+"."+key, i+1, row[key], found[key]))
		}
	}
	for i, row := range got {
		if !taken[i] {
			verdicts = append(verdicts, Verdict{Field: name, Result: wrong, Got: row})
		}
	}
	return verdicts
}

func countCommonFields(name string, a, b map[string]any) (n int) {
	for key, value := range a {
		if b[key] != nil && isSameValue(name+"."+key, value, b[key]) {
			n++
		}
	}
	return n
}

// isSameValue tells whether a value was read as it stands: numbers to the cent, names and numbers of
// taxpayers without regard to case, spaces and punctuation, all else, such as numbers of
// invoices and dates, without regard to case and spaces.
func isSameValue(name string, want, got any) bool {
	if number, ok := want.(float64); ok {
		other, ok := got.(float64)
		if name == "discount" || name == "prepaid" { // some write the minus of what is taken off, some do not
			number, other = math.Abs(number), math.Abs(other)
		}
		return ok && math.Round(number*100) == math.Round(other*100)
	}
	return foldValue(name, want) == foldValue(name, got)
}

// exact ends the names of fields in which punctuation counts.
var exact = []string{"number", "transaction_id", "date", "iban", "bic", "reference", "code", "currency", "time", "period_start", "period_end"}

func foldValue(name string, value any) string {
	keep := func(r rune) bool { return unicode.In(r, unicode.Letter, unicode.Mark, unicode.Number) }
	if slices.ContainsFunc(exact, func(suffix string) bool { return strings.HasSuffix(name, suffix) }) {
		keep = func(r rune) bool { return !unicode.IsSpace(r) }
	}
	return strings.Map(func(r rune) rune {
		if !keep(r) {
			return -1
		}
		return r
	}, strings.ToLower(norm.NFC.String(fmt.Sprint(value))))
}
