package entities

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxEmbeddedText bounds the text of a record that is embedded, in bytes; what
// comes after says little about the whole and would cost a model much.
const maxEmbeddedText = 6000

// leadingFields say what a record is about; they come first in its text.
var leadingFields = []string{"summary", "title", "name", "subject", "description", "content"}

// embeddedText is the text that stands for a record in a vector space: its type,
// what it is about, then the other properties in the order of their names, each with
// its name before it.
func embeddedText(recordType string, properties object) string {
	var t textWriter
	t.line("", recordType)
	for _, field := range leadingFields {
		if v, ok := properties[field]; ok {
			t.write(field, v, 0)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(properties)) {
		if !slices.Contains(leadingFields, field) {
			t.write(field, properties[field], 0)
		}
	}
	return strings.TrimSpace(t.text.String())
}

// textWriter collects lines up to the bound.
type textWriter struct {
	text strings.Builder
}

func (t *textWriter) write(name string, v any, depth int) {
	if depth > maxPathDepth || t.text.Len() >= maxEmbeddedText {
		return
	}
	switch v := v.(type) {
	case string:
		t.line(name, v)
	case json.Number:
		t.line(name, formatNumber(v.String()))
	case []any:
		for _, inner := range v {
			t.write(name, inner, depth+1)
		}
	case object:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			t.write(name+" "+key, v[key], depth+1)
		}
	}
}

func (t *textWriter) line(name, value string) {
	value = strings.TrimSpace(value)
	if value == "" {
		return
	}
	if name != "" {
		value = strings.TrimSpace(strings.ReplaceAll(name, "_", " ")) + ": " + value
	}
	value = strings.ToValidUTF8(value, " ")
	if room := maxEmbeddedText - t.text.Len(); len(value) > room {
		for room > 0 && !utf8.RuneStart(value[room]) {
			room--
		}
		value = value[:max(0, room)]
	}
	t.text.WriteString(value)
	t.text.WriteByte('\n')
}
