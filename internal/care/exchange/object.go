package exchange

import (
	"encoding/json"
	"maps"

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

// encodeValue encodes texts, numbers, lists of these, and JSON that was decoded
// before, all of which have a JSON form.
func encodeValue(value any) json.RawMessage {
	text, err := plainjson.Encode(value)
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}

// text returns the value of a key when it is a text, else the empty text.
func (o object) text(key string) string {
	var text string
	if json.Unmarshal(o[key], &text) != nil {
		return ""
	}
	return text
}

// isTrue reports whether the value of a key is true.
func (o object) isTrue(key string) bool { return string(o[key]) == "true" }

// take removes a member and returns its value. A member of another type stays
// where it is.
func take[T any](o object, key string) (value T) {
	if json.Unmarshal(o[key], &value) != nil {
		var zero T
		return zero
	}
	delete(o, key)
	return value
}

// setText sets a key to a text, unless that is empty.
func (o object) setText(key, text string) {
	if text != "" {
		o[key] = encodeValue(text)
	}
}

// removeText removes a key whose value is this text.
func (o object) removeText(key, text string) {
	if o.text(key) == text {
		delete(o, key)
	}
}

// fill sets a key that the object does not have.
func (o object) fill(key string, value any) {
	if o[key] == nil {
		o[key] = encodeValue(value)
	}
}

// clone returns a copy that can be written to, also of nil.
func (o object) clone() object {
	if o == nil {
		return object{}
	}
	return maps.Clone(o)
}

// merge returns the object with the members of other that it lacks, and whether
// there were any.
func (o object) merge(other object) (merged object, added bool) {
	merged = o.clone()
	for key, value := range other {
		merged.fill(key, value)
	}
	return merged, len(merged) > len(o)
}
