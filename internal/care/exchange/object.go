package exchange

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"toolkit/store/plainjson"
)

// object is a JSON object whose values are decoded where they are needed, so
// that what is not understood is kept.
type object map[string]json.RawMessage

// decodeObject returns nil for anything that is no object.
func decodeObject(text []byte) object {
	var o object
	if json.Unmarshal(text, &o) != nil {
		return nil
	}
	return o
}

// encode writes the object with its keys sorted; one without members is nil.
func (o object) encode() json.RawMessage {
	if len(o) == 0 {
		return nil
	}
	return encodeValue(o)
}

// encodeValue encodes what always has a JSON form: texts, numbers, and JSON
// that was decoded before.
func encodeValue(value any) json.RawMessage {
	text, err := plainjson.Encode(value)
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}

// piece is a member of an object, or an element of an array, which has no key.
type piece struct {
	key    string
	value  json.RawMessage
	offset int // of the value in the text
}

// splitJSON cuts a valid object or array into its pieces, repeated keys included.
func splitJSON(text []byte) []piece {
	var pieces []piece
	decoder := json.NewDecoder(bytes.NewReader(text))
	opening, _ := decoder.Token()
	for decoder.More() {
		var p piece
		if opening == json.Delim('{') {
			key, _ := decoder.Token()
			p.key, _ = key.(string)
		}
		if decoder.Decode(&p.value) != nil {
			return pieces
		}
		p.offset = int(decoder.InputOffset()) - len(p.value)
		pieces = append(pieces, p)
	}
	return pieces
}

func isArray(value json.RawMessage) bool { return len(value) > 0 && value[0] == '[' }

func (o object) has(key string) bool { return o[key] != nil && string(o[key]) != "null" }

// text returns the value of a key when it is a text, else the empty text.
func (o object) text(key string) string {
	text, _ := asText(o[key])
	return text
}

func (o object) setText(key, text string) {
	if text != "" {
		o[key] = encodeValue(text)
	}
}

// takeText removes a text that is not empty and returns it.
func (o object) takeText(key string) string {
	text := o.text(key)
	if text != "" {
		delete(o, key)
	}
	return text
}

// removeText removes a key whose value is this text.
func (o object) removeText(key, text string) {
	if text != "" && o.text(key) == text {
		delete(o, key)
	}
}

func (o object) takeBool(key string) bool {
	value, ok := asBool(o[key])
	if ok {
		delete(o, key)
	}
	return value
}

func (o object) takeNumber(key string) float64 {
	number, ok := asNumber(o[key])
	if ok && number != 0 {
		delete(o, key)
	}
	return number
}

func (o object) takeTexts(key string) []string {
	texts, ok := asTexts(o[key])
	if ok {
		delete(o, key)
	}
	return texts
}

func asText(value json.RawMessage) (text string, ok bool) {
	ok = len(value) > 0 && value[0] == '"' && json.Unmarshal(value, &text) == nil
	return text, ok
}

// asBool reads true and false, also as text, and 1 and 0: files that people or
// models wrote have them.
func asBool(value json.RawMessage) (yes, ok bool) {
	text, isText := asText(value)
	if !isText {
		text = string(value)
	}
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}

// asNumber reads a number, also as text.
func asNumber(value json.RawMessage) (number float64, ok bool) {
	text, isText := asText(value)
	if isText {
		value = json.RawMessage(strings.TrimSpace(text))
	}
	if !json.Valid(value) {
		return 0, false
	}
	number, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		return 0, false
	}
	return number, true
}

// asTexts reads a list of texts, also of numbers, and one text alone.
func asTexts(value json.RawMessage) ([]string, bool) {
	if text, ok := asText(value); ok && strings.TrimSpace(text) != "" {
		return []string{text}, true
	}
	var values []json.RawMessage
	if !isArray(value) || json.Unmarshal(value, &values) != nil {
		return nil, false
	}
	var texts []string
	for _, v := range values {
		text, ok := asText(v)
		if _, number := asNumber(v); !ok && number {
			text, ok = string(v), true
		}
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}
