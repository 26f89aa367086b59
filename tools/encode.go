package tools

import (
	"bytes"
	"encoding/json"
	"time"

	"toolkit/store/plainjson"
)

// encode is the form in which every result leaves the process.
func encode(v any) (json.RawMessage, error) { return plainjson.Encode(v) }

// mustEncode encodes values that are known to be encodable.
func mustEncode(v any) json.RawMessage {
	b, err := encode(v)
	if err != nil {
		panic("tools: " + err.Error())
	}
	return b
}

// decode reads JSON into generic values and keeps numbers exact.
func decode(b []byte) (v any, err error) {
	err = plainjson.Decode(b, &v)
	return v, err
}

// withKey returns the JSON object with one more key at its end.
func withKey(object json.RawMessage, key string, value json.RawMessage) json.RawMessage {
	body := bytes.TrimSuffix(bytes.TrimSpace(object), []byte("}"))
	out := make([]byte, 0, len(body)+len(key)+len(value)+6)
	out = append(out, body...)
	if len(bytes.TrimSpace(body)) > 1 {
		out = append(out, ',')
	}
	out = append(out, '"')
	out = append(out, key...)
	out = append(out, '"', ':')
	out = append(out, value...)
	return append(out, '}')
}

// OrEmpty keeps a list from becoming null.
func OrEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Timestamp writes unix milliseconds as ISO 8601, with what there is of a second.
func Timestamp(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.RFC3339Nano) }

// JoinPath is where a key stands in an object that stands at a path.
func JoinPath(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
