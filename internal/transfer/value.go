package transfer

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"toolkit/store/plainjson"
)

// appendValue writes a stored value so that it comes back the same: an integer
// as a number without a point, a real number as one with a point or exponent,
// text as a string. What JSON cannot say is an object with one key.
func appendValue(line []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case nil:
		return append(line, "null"...), nil
	case int64:
		return strconv.AppendInt(line, v, 10), nil
	case float64:
		return appendReal(line, v), nil
	case string:
		if !utf8.ValidString(v) {
			return appendBytes(line, "$text", []byte(v)), nil
		}
		text, err := plainjson.Encode(v)
		return append(line, text...), err
	case []byte:
		return appendBytes(line, "$blob", v), nil
	}
	return nil, fmt.Errorf("a value of the unexpected kind %T", value)
}

func appendReal(line []byte, v float64) []byte {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return fmt.Appendf(line, `{"$real":"%v"}`, v)
	}
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return append(line, text...)
}

func appendBytes(line []byte, key string, v []byte) []byte {
	line = fmt.Appendf(line, `{%q:"`, key)
	line = base64.StdEncoding.AppendEncode(line, v)
	return append(line, `"}`...)
}

// parseValue returns the inverse of appendValue.
func parseValue(raw json.RawMessage) (any, error) {
	switch {
	case len(raw) == 0:
		return nil, errors.New("a value is missing")
	case string(raw) == "null":
		return nil, nil
	case raw[0] == '"':
		var text string
		err := json.Unmarshal(raw, &text)
		return text, err
	case raw[0] == '{':
		return parseWrapped(raw)
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		if bytes.ContainsAny(raw, ".eE") {
			return strconv.ParseFloat(string(raw), 64)
		}
		return strconv.ParseInt(string(raw), 10, 64)
	}
	return nil, fmt.Errorf("%.40s is not a value", raw)
}

func parseWrapped(raw json.RawMessage) (any, error) {
	var wrapped map[string]string
	if err := json.Unmarshal(raw, &wrapped); err != nil || len(wrapped) != 1 {
		return nil, fmt.Errorf("%.40s is not a value", raw)
	}
	for key, text := range wrapped {
		switch key {
		case "$blob":
			blob, err := base64.StdEncoding.DecodeString(text)
			if blob == nil {
				blob = []byte{} // nil would be stored as NULL
			}
			return blob, err
		case "$text":
			blob, err := base64.StdEncoding.DecodeString(text)
			return string(blob), err
		case "$real":
			return strconv.ParseFloat(text, 64)
		}
	}
	return nil, fmt.Errorf("%.40s is not a value", raw)
}
