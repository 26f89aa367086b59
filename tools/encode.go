package tools

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"toolkit/store/plainjson"
)

// encodeJSON returns the form in which every result leaves the process.
func encodeJSON(v any) (json.RawMessage, error) { return plainjson.Encode(v) }

// mustEncodeJSON encodes values that are known to be encodable.
func mustEncodeJSON(v any) json.RawMessage {
	b, err := encodeJSON(v)
	if err != nil {
		panic("tools: " + err.Error())
	}
	return b
}

// decodeJSON reads JSON into generic values and keeps numbers exact.
func decodeJSON(b []byte) (v any, err error) {
	err = plainjson.Decode(b, &v)
	return v, err
}

// appendJSONKey returns the JSON object with one more key at its end.
func appendJSONKey(object json.RawMessage, key string, value json.RawMessage) json.RawMessage {
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

// Distinct returns the members of a list in the order of their first places, each once; nil of none.
func Distinct[T comparable](list []T) (distinct []T) {
	known := make(map[T]bool, len(list))
	for _, member := range list {
		if !known[member] {
			known[member] = true
			distinct = append(distinct, member)
		}
	}
	return distinct
}

// FormatTimestamp writes unix milliseconds as ISO 8601, with what there is of a second.
func FormatTimestamp(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.RFC3339Nano) }

// timeLayouts are the forms of ISO 8601 that are understood; without a zone they
// are UTC.
var timeLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
	"2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly,
}

// ParseTime reads an ISO 8601 time as unix milliseconds; false: it is none.
func ParseTime(text string) (ms int64, ok bool) {
	if t, ok := ParseZonedTime(text); ok {
		return t.UnixMilli(), true
	}
	return 0, false
}

// ParseZonedTime reads an ISO 8601 time in the zone that is written; false: it is none.
func ParseZonedTime(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// ParseTimeField reads the time of an argument as [ParseTime] does.
func ParseTimeField(field, text string) (int64, error) {
	ms, ok := ParseTime(text)
	if !ok {
		return 0, Invalid(CodeFormat, field, "ISO 8601", "%s must be an ISO 8601 time, such as 2025-01-15T10:30:00Z", field)
	}
	return ms, nil
}

// JoinPath returns where a key stands in an object that stands at a path.
func JoinPath(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
