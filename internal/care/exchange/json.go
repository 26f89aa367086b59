package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"toolkit/store/plainjson"
)

// An object keeps the members of a JSON object in order and their values as
// text, so that what is not understood comes back unchanged: large integers,
// unknown keys, nested values.
type object []member

type member struct {
	key    string
	value  json.RawMessage
	offset int // of the value in the text it was cut from
}

func field(key string, value json.RawMessage) member { return member{key: key, value: value} }

var errNotObject = errors.New("not a JSON object")

// parseObject reads a JSON object of any origin; nil and empty text are the
// empty object.
func parseObject(text json.RawMessage) (object, error) {
	if len(text) == 0 {
		return nil, nil
	}
	compact, err := compactObject(text)
	if err != nil {
		return nil, err
	}
	return splitObject(compact), nil
}

// splitObject cuts valid JSON text that is an object into its members; no text
// is the empty object. The values share memory with the text. Of equal keys the
// last wins.
func splitObject(text []byte) object {
	pieces := splitArray(text)
	members := make(object, 0, len(pieces)/2)
	for i := 0; i < len(pieces); i += 2 {
		members = append(members, member{decodeString(pieces[i].value), pieces[i+1].value, pieces[i+1].offset})
	}
	return members.withoutRepeats()
}

// element is a value of an array and the offset of its text.
type element struct {
	value  json.RawMessage
	offset int
}

// splitArray cuts valid JSON text that is an array into its elements, or an
// object into its keys and values.
func splitArray(text []byte) []element {
	elements := make([]element, 0, 8) // most have no more
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i)
		case '{', '[':
			if depth++; depth == 1 {
				start = i + 1
			}
		case '}', ']':
			if depth--; depth == 0 {
				elements = appendPiece(elements, text, start, i)
			}
		case ',', ':':
			if depth == 1 {
				elements = appendPiece(elements, text, start, i)
				start = i + 1
			}
		}
	}
	return elements
}

// endOfString returns the place of the quote that ends the string begun there.
func endOfString(text []byte, at int) int {
	for at++; text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return at
}

func appendPiece(elements []element, text []byte, from, to int) []element {
	for from < to && isSpace(text[from]) {
		from++
	}
	for from < to && isSpace(text[to-1]) {
		to--
	}
	if from == to { // between the brackets of an empty one
		return elements
	}
	return append(elements, element{text[from:to:to], from})
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

func (o object) withoutRepeats() object {
	if len(o) <= 8 && !o.repeats() {
		return o // nearly every object: spare it the map
	}
	last := make(map[string]int, len(o))
	for i, m := range o {
		last[m.key] = i
	}
	if len(last) == len(o) {
		return o
	}
	kept := o[:0]
	for i, m := range o {
		if last[m.key] == i {
			kept = append(kept, m)
		}
	}
	return kept
}

func (o object) repeats() bool {
	for i := range o {
		for j := range i {
			if o[i].key == o[j].key {
				return true
			}
		}
	}
	return false
}

func (o object) value(key string) json.RawMessage {
	for _, m := range o {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

func (o object) has(key string) bool { return o.value(key) != nil }

// text returns the value of key when it is a string, else the empty string.
func (o object) text(key string) string {
	if value := o.value(key); isString(value) {
		return decodeString(value)
	}
	return ""
}

// remove changes the object in place: no copy of it may be in use.
func (o *object) remove(key string) {
	*o = slices.DeleteFunc(*o, func(m member) bool { return m.key == key })
}

// takeText removes key and returns its value when that is a string with
// content. Anything else stays where it is.
func (o *object) takeText(key string) string {
	text := o.text(key)
	if text != "" {
		o.remove(key)
	}
	return text
}

// takeTexts removes key and returns its value when that is an array of strings.
func (o *object) takeTexts(key string) []string {
	texts, ok := decodeStrings(o.value(key))
	if ok {
		o.remove(key)
	}
	return texts
}

// takeString removes key and returns its value when that is any string.
func (o *object) takeString(key string) string {
	value := o.value(key)
	if !isString(value) {
		return ""
	}
	o.remove(key)
	return decodeString(value)
}

// number returns the value of key when a float64 holds it exactly as it is
// written, a final ".0" aside.
func (o object) number(key string) (float64, bool) {
	value := o.value(key)
	if !isNumber(value) {
		return 0, false
	}
	number, err := strconv.ParseFloat(string(value), 64)
	if err != nil || !bytes.Equal(bytes.TrimSuffix(value, []byte(".0")), numberValue(number)) {
		return 0, false
	}
	return number, true
}

// takeBool removes key and returns its value when that is true or false.
func (o *object) takeBool(key string) bool {
	value := string(o.value(key))
	if value == "true" || value == "false" {
		o.remove(key)
	}
	return value == "true"
}

// raw renders the object with its own memory, or nil when it has no members.
func (o object) raw() json.RawMessage {
	if len(o) == 0 {
		return nil
	}
	return o.append(nil)
}

func (o object) append(dst []byte) []byte {
	dst = append(dst, '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, m.key)
		dst = append(dst, ':')
		dst = append(dst, m.value...)
	}
	return append(dst, '}')
}

func isString(value json.RawMessage) bool { return len(value) > 0 && value[0] == '"' }
func isObject(value json.RawMessage) bool { return len(value) > 0 && value[0] == '{' }
func isArray(value json.RawMessage) bool  { return len(value) > 0 && value[0] == '[' }
func isNull(value json.RawMessage) bool   { return string(value) == "null" }

func isNumber(value json.RawMessage) bool {
	return len(value) > 0 && (value[0] == '-' || value[0] >= '0' && value[0] <= '9')
}

// decodeString decodes the text of a valid JSON string.
func decodeString(value json.RawMessage) string {
	if bytes.IndexByte(value, '\\') < 0 && utf8.Valid(value) {
		return string(value[1 : len(value)-1])
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		// The callers pass strings out of text that was validated as a whole.
		panic("exchange: invalid JSON string: " + err.Error())
	}
	return text
}

// decodeStrings decodes an array of strings; an empty one is nil.
func decodeStrings(value json.RawMessage) ([]string, bool) {
	if !isArray(value) {
		return nil, false
	}
	var texts []string
	for _, e := range splitArray(value) {
		if !isString(e.value) {
			return nil, false
		}
		texts = append(texts, decodeString(e.value))
	}
	return texts, true
}

func stringValue(text string) json.RawMessage { return appendString(nil, text) }

func stringsValue(texts []string) json.RawMessage {
	dst := []byte{'['}
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, text)
	}
	return append(dst, ']')
}

func boolValue(b bool) json.RawMessage { return strconv.AppendBool(nil, b) }

// numberValue renders a finite number the way JSON does.
func numberValue(number float64) json.RawMessage {
	text, err := json.Marshal(number)
	if err != nil {
		return json.RawMessage("null") // not a number or infinite: JSON has none
	}
	return text
}

// appendString renders text as a JSON string. Most texts need no escape and are
// spared the encoder.
func appendString(dst []byte, text string) []byte {
	if strings.ContainsFunc(text, mayNeedEscape) {
		escaped, err := plainjson.Encode(text)
		if err != nil {
			panic("exchange: " + err.Error()) // a text always has a JSON form
		}
		return append(dst, escaped...)
	}
	return append(append(append(dst, '"'), text...), '"')
}

// mayNeedEscape reports on what JSON escapes, the two line separators that some
// readers of JSON lines split at, and what stands for bytes that are no text.
func mayNeedEscape(r rune) bool {
	return r < ' ' || r == '"' || r == '\\' || r == '\u2028' || r == '\u2029' || r == utf8.RuneError
}
