package entities

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	documents "toolkit/internal/reader"
	"toolkit/store/plainjson"
	"toolkit/tools"
)

// object is a JSON object with exact numbers (json.Number).
type object = map[string]any

// decodeObject reads a JSON object; null and nothing at all are an empty one.
func decodeObject(raw json.RawMessage) (o object, err error) {
	if len(raw) > 0 {
		err = plainjson.Decode(raw, &o)
	}
	if err != nil {
		return nil, fmt.Errorf("reading a stored object: %w", err)
	}
	if o == nil {
		o = object{}
	}
	return o, nil
}

// decodeValue reads a JSON value that encodeJSON wrote.
func decodeValue(raw json.RawMessage) any {
	var v any
	if err := plainjson.Decode(raw, &v); err != nil {
		panic("payloads: " + err.Error())
	}
	return v
}

// encodeJSON encodes values that come from JSON, so that they always encode.
func encodeJSON(v any) json.RawMessage {
	raw, err := plainjson.Encode(v)
	if err != nil {
		panic("payloads: " + err.Error())
	}
	return raw
}

// toObject is a map or a struct as the JSON object that it encodes as; of nothing an empty one.
func toObject(v any) object {
	if o, is := decodeValue(encodeJSON(v)).(object); is {
		return o
	}
	return object{}
}

// withoutNulls drops nulls at every depth: they say nothing.
func withoutNulls(v any) any {
	switch v := v.(type) {
	case object:
		filtered := make(object, len(v))
		for key, inner := range v {
			if inner != nil {
				filtered[key] = withoutNulls(inner)
			}
		}
		return filtered
	case []any:
		filtered := make([]any, 0, len(v))
		for _, inner := range v {
			if inner != nil {
				filtered = append(filtered, withoutNulls(inner))
			}
		}
		return filtered
	}
	return v
}

// dropNulls returns the fields of a body that say something.
func dropNulls(body object) object { return withoutNulls(body).(object) }

// style chooses between two texts of a value.
type style int

const (
	exact      style = iota // the same JSON value: arrays in order, strings as they are
	normalised              // the same content: strings trimmed and lower case, arrays sorted
)

// encodeCanonicalJSON returns the one JSON text of a value: object keys sorted, numbers as
// ECMAScript prints them, no HTML escaping.
func encodeCanonicalJSON(v any, s style) []byte { return appendCanonicalJSON(nil, v, s) }

func appendCanonicalJSON(b []byte, v any, s style) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case json.Number:
		return append(b, formatCanonicalNumber(v.String())...)
	case string:
		if s == normalised {
			v = normalizeText(v)
		}
		return appendJSONString(b, v)
	case []any:
		return appendCanonicalArray(b, v, s)
	case object:
		return appendCanonicalFields(b, v, slices.Sorted(maps.Keys(v)), s)
	}
	panic(fmt.Sprintf("payloads: %T is no JSON value", v))
}

// appendCanonicalArray writes the items where they belong and moves them only if they
// must be sorted and are not: a text copied at each level would make the cost of
// a deeply nested value grow with the square of its depth.
func appendCanonicalArray(b []byte, list []any, s style) []byte {
	b = append(b, '[')
	start, sorted := len(b), true
	ends := make([]int, len(list))
	item := func(i int) []byte {
		from := start
		if i > 0 {
			from = ends[i-1] + 1
		}
		return b[from:ends[i]]
	}
	for i, inner := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendCanonicalJSON(b, inner, s)
		ends[i] = len(b)
		sorted = sorted && (i == 0 || bytes.Compare(item(i-1), item(i)) <= 0)
	}
	if s == normalised && !sorted {
		texts := make([][]byte, len(list))
		for i := range list {
			texts[i] = item(i)
		}
		slices.SortFunc(texts, bytes.Compare)
		copy(b[start:], bytes.Join(texts, []byte{','}))
	}
	return append(b, ']')
}

// appendCanonicalFields writes those of the named fields that are there, in order.
func appendCanonicalFields(b []byte, o object, names []string, s style) []byte {
	b = append(b, '{')
	first := true
	for _, name := range names {
		v, ok := o[name]
		if !ok {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(appendJSONString(b, name), ':')
		b = appendCanonicalJSON(b, v, s)
	}
	return append(b, '}')
}

// appendJSONString quotes as JSON.stringify does: only what must be escaped is.
func appendJSONString(b []byte, text string) []byte {
	const hexDigits = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, '\\', 'b')
		case '\f':
			b = append(b, '\\', 'f')
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			if c < 0x20 {
				b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			} else {
				b = append(b, c)
			}
		}
	}
	return append(b, '"')
}

// normalizeText returns the form in which strings are compared: trimmed, lower case, inner
// space kept.
func normalizeText(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// hash24 is the first 24 hexadecimal digits of a SHA-256 sum.
func hash24(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])[:24]
}

// contentDigest tells whether two bodies have the same content.
func contentDigest(fields object) string { return hash24(encodeCanonicalJSON(fields, normalised)) }

// maxPathDepth is how deep equality filters reach. Deeper values are kept but
// are found by what contains them.
const maxPathDepth = 32

// hashValue returns the hash under which a value at a dotted path is indexed.
func hashValue(path string, v any) int64 {
	text := append([]byte(path), 0)
	sum := sha256.Sum256(appendCanonicalJSON(text, v, exact))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// hashAllValues returns the keys of everything in an object, sorted.
func hashAllValues(o object) []int64 {
	keys := []int64{}
	var walk func(path string, v any, depth int)
	walk = func(path string, v any, depth int) {
		if depth > maxPathDepth {
			return
		}
		if depth > 0 {
			keys = append(keys, hashValue(path, v))
		}
		switch v := v.(type) {
		case object:
			for key, inner := range v {
				walk(tools.JoinPath(path, key), inner, depth+1)
			}
		case []any:
			for i, inner := range v {
				walk(tools.JoinPath(path, strconv.Itoa(i)), inner, depth+1)
			}
		}
	}
	walk("", o, 0)
	slices.Sort(keys)
	return slices.Compact(keys)
}

// visitTexts calls visit with the texts and numbers in a value, in the order of their keys, and the names
// of the fields that lead to them.
func visitTexts(names []string, v any, visit func(names []string, leaf any)) {
	switch v := v.(type) {
	case string, json.Number:
		visit(names, v)
	case []any:
		for _, inner := range v {
			visitTexts(names, inner, visit)
		}
	case object:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			visitTexts(append(names[:len(names):len(names)], key), v[key], visit)
		}
	}
}

// joinTextsForSearch is the text of an object for full-text search: its strings and
// numbers, in the order of their keys.
func joinTextsForSearch(o object) string {
	var b strings.Builder
	visitTexts(nil, o, func(_ []string, leaf any) { fmt.Fprintln(&b, leaf) })
	return b.String()
}

// formatCanonicalNumber prints a JSON number as ECMAScript would print its value, so
// that 1500.00, 1.5e3 and 1500 are the same text. Two kinds of number have no
// exact value there and would meet strangers: integers beyond 2^53 written in
// digits, which keep their digits unless a double holds them exactly, and
// numbers beyond the largest double, which keep their text in lower case.
func formatCanonicalNumber(literal string) string {
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return strings.Replace(strings.ToLower(literal), "e+", "e", 1)
	}
	if !strings.ContainsAny(literal, ".eE") && len(literal) > 15 && strconv.FormatFloat(f, 'f', 0, 64) != literal {
		return literal
	}
	return formatECMAScriptDouble(f)
}

// formatECMAScriptDouble returns Number.prototype.toString of ECMA-262 for finite numbers, as
// JSON encodes them: the fewest digits that read back as the same double, with an
// exponent from 1e21 upwards and below 1e-6.
func formatECMAScriptDouble(f float64) string {
	if f == 0 {
		return "0" // also for -0
	}
	format := byte('f')
	if size := math.Abs(f); size < 1e-6 || size >= 1e21 {
		format = 'e'
	}
	return strings.Replace(strconv.FormatFloat(f, format, -1, 64), "e-0", "e-", 1)
}

// maxEmbeddedText bounds the text of a record that is embedded, in bytes; what
// comes after says little about the whole and would cost a model much.
const maxEmbeddedText = 6000

// leadingFields say what a record is about; they come first in its text.
var leadingFields = []string{"summary", "title", "name", "subject", "description", "content"}

// composeTextToEmbed is the text that stands for a record in a vector space: its type,
// what it is about, then the other properties in the order of their names, each with
// its name before it.
func composeTextToEmbed(recordType string, properties object) string {
	var b strings.Builder
	write := func(names []string, leaf any) {
		value := strings.TrimSpace(fmt.Sprint(leaf))
		if n, isNumber := leaf.(json.Number); isNumber {
			value = formatCanonicalNumber(n.String())
		}
		if value == "" || b.Len() > maxEmbeddedText {
			return
		}
		if name := strings.TrimSpace(strings.ReplaceAll(strings.Join(names, " "), "_", " ")); len(names) > 0 {
			value = name + ": " + value
		}
		b.WriteString(strings.ToValidUTF8(value, " ") + "\n")
	}
	write(nil, recordType)
	for _, field := range leadingFields {
		visitTexts([]string{field}, properties[field], write)
	}
	rest := maps.Clone(properties)
	maps.DeleteFunc(rest, func(field string, _ any) bool { return slices.Contains(leadingFields, field) })
	visitTexts(nil, rest, write)
	return strings.TrimSpace(documents.TruncateText(b.String(), maxEmbeddedText))
}
