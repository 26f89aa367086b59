package documents

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"toolkit/tools/engines/document"
)

// Verdicts on a value.
const (
	right   = "right"
	wrong   = "wrong"
	missing = "missing" // it is expected, and nothing was read
)

// Verdict is how one field of one document was read.
type Verdict struct {
	Field    string          `json:"field"`         // of a row in a list: line_items.amount
	Row      int             `json:"row,omitempty"` // in the list as expected, from 1
	Result   string          `json:"result"`
	Expected any             `json:"expected,omitempty"` // none: the document does not state it
	Got      any             `json:"got,omitempty"`
	Source   document.Source `json:"source"`
}

// comparison collects the verdicts on a document.
type comparison struct {
	got      map[string]any
	sources  map[string]document.Source
	verdicts []Verdict
}

// compare judges values, which have the types of JSON.
func compare(want Expected, got map[string]any, sources map[string]document.Source) []Verdict {
	c := comparison{got: got, sources: sources}
	for _, name := range slices.Sorted(maps.Keys(want.Fields)) {
		if list, ok := want.Fields[name].([]any); ok {
			c.elements(name, list)
			continue
		}
		c.value(name, 0, name, want.Fields[name], got[name])
	}
	for _, name := range slices.Sorted(maps.Keys(want.Items)) {
		c.items(name, want.Items[name])
	}
	for _, name := range want.absentOf(got) {
		c.add(Verdict{Field: name, Result: wrong, Got: got[name]}, name)
	}
	return c.verdicts
}

// absentOf names the values that were read although the document does not state them.
func (want Expected) absentOf(got map[string]any) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(got)) {
		_, field := want.Fields[name]
		_, list := want.Items[name]
		if slices.Contains(want.Absent, name) || slices.Contains(want.Absent, everyOther) && !field && !list {
			names = append(names, name)
		}
	}
	return names
}

// add notes a verdict with the place where the field it belongs to was found.
func (c *comparison) add(v Verdict, field string) {
	v.Source = c.sources[field]
	c.verdicts = append(c.verdicts, v)
}

func (c *comparison) value(name string, row int, field string, want, got any) {
	v := Verdict{Field: name, Row: row, Expected: want, Got: got}
	switch {
	case got == nil || got == "":
		v.Result = missing
	case same(name, want, got):
		v.Result = right
	default:
		v.Result = wrong
	}
	c.add(v, field)
}

// elements judges a list of plain values, whatever their order.
func (c *comparison) elements(name string, want []any) {
	got, _ := c.got[name].([]any)
	got = slices.Clone(got)
	for _, element := range want {
		i := slices.IndexFunc(got, func(other any) bool { return same(name, element, other) })
		if i < 0 {
			c.add(Verdict{Field: name, Result: missing, Expected: element}, name)
			continue
		}
		c.add(Verdict{Field: name, Result: right, Expected: element, Got: got[i]}, name)
		got = slices.Delete(got, i, i+1)
	}
	for _, other := range got {
		c.add(Verdict{Field: name, Result: wrong, Got: other}, name)
	}
}

// items judges a list row by row. Where all rows are given, one too many is wrong; where only
// some are, their number is judged.
func (c *comparison) items(name string, want Items) {
	got, _ := rowsOf(c.got[name])
	taken := c.rows(name, want.Rows, got)
	if len(want.Rows) == want.Count && want.Count > 0 {
		for i, row := range got {
			if !taken[i] {
				c.add(Verdict{Field: name, Result: wrong, Got: row}, name)
			}
		}
		return
	}
	count := any(float64(len(got)))
	if len(got) == 0 {
		count = nil
	}
	c.value(name+".count", 0, name, float64(want.Count), count)
}

// rows finds for every expected row the one that has most in common with it, of equal ones
// the first behind the row found before, and compares them value by value.
func (c *comparison) rows(name string, want, got []map[string]any) (taken []bool) {
	taken = make([]bool, len(got))
	next := 0
	for i, row := range want {
		best, most := -1, 0
		for offset := range got {
			at := (next + offset) % len(got)
			if n := common(name, row, got[at]); n > most && !taken[at] {
				best, most = at, n
			}
		}
		found := map[string]any{}
		if best >= 0 {
			found, taken[best], next = got[best], true, best+1
		}
		for _, key := range slices.Sorted(maps.Keys(row)) {
			c.value(name+"."+key, i+1, name, row[key], found[key])
		}
	}
	return taken
}

func common(name string, a, b map[string]any) (n int) {
	for key, value := range a {
		if b[key] != nil && same(name+"."+key, value, b[key]) {
			n++
		}
	}
	return n
}

// same tells whether a value was read as it stands: numbers to the cent, names and numbers of
// taxpayers without regard to case, spaces and punctuation, all else, such as numbers of
// invoices and dates, without regard to case and spaces.
func same(name string, want, got any) bool {
	if number, ok := want.(float64); ok {
		other, ok := got.(float64)
		if name == "discount" || name == "prepaid" { // some write the minus of what is taken off, some do not
			number, other = math.Abs(number), math.Abs(other)
		}
		return ok && math.Round(number*100) == math.Round(other*100)
	}
	return folded(name, want) == folded(name, got)
}

// exact ends the names of fields in which punctuation counts.
var exact = []string{"number", "transaction_id", "date", "iban", "bic", "reference", "code", "currency", "time", "period_start", "period_end"}

func folded(name string, value any) string {
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
