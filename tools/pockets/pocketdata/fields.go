package pocketdata

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// fields reads one row and gathers what is wrong with it.
type fields struct {
	values map[string]any
	wrong  []string
	pocket string // that the row concerns
}

func (f *fields) fail(format string, args ...any) {
	f.wrong = append(f.wrong, fmt.Sprintf(format, args...))
}

// err is everything wrong with the row, or nil.
func (f *fields) err() error {
	if len(f.wrong) == 0 {
		return nil
	}
	return errors.New(strings.Join(f.wrong, "; "))
}

// value is a value that is there; null is not.
func (f *fields) value(name string) (any, bool) {
	v, ok := f.values[name]
	if !ok || v == nil {
		return nil, false
	}
	return v, true
}

func (f *fields) require(names ...string) {
	for _, name := range names {
		if v, ok := f.value(name); !ok || v == "" {
			f.fail("%s is missing", name)
		}
	}
}

// only refuses fields that mean nothing: most are typing errors. It names the first.
func (f *fields) only(known []string, what string) {
	var wrong []string
	for name := range f.values {
		if !slices.Contains(known, name) {
			wrong = append(wrong, name)
		}
	}
	if len(wrong) > 0 {
		f.fail("%q is no field of %s; its fields are %s", slices.Min(wrong), what, quoted(known))
	}
}

// number reads a number between least and most; nil when it is not there.
func (f *fields) number(name string, least, most float64) *float64 {
	v, ok := f.value(name)
	if !ok {
		return nil
	}
	n, ok := v.(float64)
	switch {
	case !ok || math.IsNaN(n) || math.IsInf(n, 0):
		f.fail("%s is not a number", name)
	case n < least || n > most:
		f.fail("%s is %v, not between %v and %v", name, n, least, most)
	default:
		return &n
	}
	return nil
}

// unit reads a number between 0 and 1.
func (f *fields) unit(name string) *float64 { return f.number(name, 0, 1) }

// needUnit reads a number between 0 and 1 that has to be there.
func (f *fields) needUnit(name string) float64 {
	if n := f.unit(name); n != nil {
		return *n
	}
	if _, there := f.value(name); !there {
		f.fail("%s is missing", name)
	}
	return 0
}

// amount reads a number of things, which may be many; nil when it is not there.
func (f *fields) amount(name string) *float64 { return f.number(name, -1e12, 1e12) }

// text reads a text of one line; "" when it is not there.
func (f *fields) text(name string, most int) string {
	v, ok := f.value(name)
	if !ok {
		return ""
	}
	text, ok := v.(string)
	if !ok {
		f.fail("%s is not a text", name)
		return ""
	}
	text = strings.TrimSpace(text)
	switch {
	case utf8.RuneCountInString(text) > most:
		f.fail("%s is longer than %d characters", name, most)
	case !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		f.fail("%s holds characters that cannot be printed", name)
	default:
		return text
	}
	return ""
}

// flag reads a truth value.
func (f *fields) flag(name string, absent bool) bool {
	v, ok := f.value(name)
	if !ok {
		return absent
	}
	b, ok := v.(bool)
	if !ok {
		f.fail("%s is not true or false", name)
	}
	return b
}

// object reads a JSON object as its compact text; nil when it is not there.
func (f *fields) object(name string) json.RawMessage {
	v, ok := f.value(name)
	if !ok {
		return nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		f.fail("%s is not an object", name)
		return nil
	}
	raw, err := json.Marshal(m)
	if err != nil {
		f.fail("%s cannot be written as JSON", name)
		return nil
	}
	return raw
}

// earliest is before all readings there can be.
var earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()

// latest is after all forecasts there can be.
var latest = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()

// instant reads a time as unix milliseconds; 0 when it is not there.
func (f *fields) instant(name string) int64 {
	v, ok := f.value(name)
	if !ok {
		return 0
	}
	text, _ := v.(string)
	t, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(text))
	if err != nil {
		f.fail("%s is not a time with its zone, such as 2026-06-06T16:15:00+08:00", name)
		return 0
	}
	ms := t.UnixMilli()
	if ms < earliest || ms >= latest {
		f.fail("%s lies outside the years 2000 to 2099", name)
		return 0
	}
	return ms
}
