package exchange

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Files that were written by hand or by a model spell some values otherwise:
// "2" for 2, "one" for ["one"], "true" for true. What they mean is read, and
// the spelling stays among the unknown keys, so that it comes back on writing.

// spelledBool reads true and false, also as text, and 1 and 0.
func spelledBool(value json.RawMessage) (meaning, ok bool) {
	text := string(value)
	if isString(value) {
		text = strings.ToLower(strings.TrimSpace(decodeString(value)))
	}
	switch text {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}

// spelledNumber reads a finite number, also as text.
func spelledNumber(value json.RawMessage) (float64, bool) {
	text := string(value)
	if isString(value) {
		text = strings.TrimSpace(decodeString(value))
	}
	if strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, false // what only Go calls a number
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil && !math.IsInf(number, 0)
}

// spelledTexts reads a list of texts, also of numbers, and one text alone.
func spelledTexts(value json.RawMessage) ([]string, bool) {
	if isString(value) {
		text := decodeString(value)
		return []string{text}, strings.TrimSpace(text) != ""
	}
	if !isArray(value) {
		return nil, false
	}
	var texts []string
	for _, e := range splitArray(value) {
		switch {
		case isString(e.value):
			texts = append(texts, decodeString(e.value))
		case isNumber(e.value):
			texts = append(texts, string(e.value))
		default:
			return nil, false
		}
	}
	return texts, true
}

// means tells of a value of a file whether it is a spelling of what is meant.
func means[T any](read func(json.RawMessage) (T, bool), meant T) func(json.RawMessage) bool {
	return func(value json.RawMessage) bool {
		spelled, ok := read(value)
		return ok && reflect.DeepEqual(spelled, meant)
	}
}

// readTexts takes a list of texts, or leaves it and returns what it means.
func (o *object) readTexts(key string) []string {
	if texts := o.takeTexts(key); texts != nil {
		return texts
	}
	texts, ok := spelledTexts(o.value(key))
	if !ok {
		return nil
	}
	return texts
}

// readBool takes true or false, or leaves it and returns what it means.
func (o *object) readBool(key string) bool {
	meaning, _ := spelledBool(o.value(key))
	o.takeBool(key)
	return meaning
}

// noteMisunderstood reports the lifted keys whose values are still there
// because they mean nothing.
func (in *intake) noteMisunderstood(line int, owner string, rest object, keys ...string) {
	for _, m := range rest {
		if !slices.Contains(keys, m.key) || isNull(m.value) || string(m.value) == `""` {
			continue
		}
		understood := false
		switch m.key {
		case "completionStatus", "assessed":
			_, understood = spelledBool(m.value)
		case "act", "score":
			_, understood = spelledNumber(m.value)
		case "universes", "lessons", "principles":
			_, understood = spelledTexts(m.value)
		}
		if !understood {
			in.report.note(line, "the %s %s of %s is not understood; it is kept for export only", m.key, abridged(m.value), owner)
		}
	}
}

// abridged is a value as a message can hold it.
func abridged(value json.RawMessage) string {
	const most = 40
	runes := []rune(string(value))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most]) + "…"
}
