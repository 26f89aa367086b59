package entities

import (
	"cmp"
	"encoding/json"
	"maps"
	"strings"

	"toolkit/fixtures"
	"toolkit/store/entities"
)

// selfRole is the role of the document itself among the entities of a payload;
// the role of others is the field they were found in.
const selfRole = "self"

// statement is what a document says about one entity.
type statement struct {
	EntityID   string
	EntityType string
	Name       string // as written
	Role       string
	Fields     object

	entity entities.Entity // once it is known which one is meant, see identify
}

// compile finds the entities of a document by its facts: itself first, then those
// its capability extracts. Each entity comes once. last is the identity of a
// document that nothing in its body identifies.
func compile(c fixtures.Capability, body object, last string) []statement {
	key := cmp.Or(documentKey(c, body), last)
	self := statement{EntityID: entityID(c.EntityType, key), EntityType: c.EntityType, Name: documentName(c.Title, body, c.EntityType), Role: selfRole, Fields: body}
	return append([]statement{self}, extract(c, body)...)
}

// extract finds the other entities that a document speaks of.
func extract(c fixtures.Capability, body object) []statement {
	var found []statement
	known := map[string]int{}
	for _, e := range c.Extract {
		for _, v := range items(body[e.Field]) {
			s, ok := extractOne(e, v)
			if !ok {
				continue
			}
			if at, again := known[s.EntityID]; again {
				for name, value := range s.Fields {
					if _, stated := found[at].Fields[name]; !stated {
						found[at].Fields[name] = value
					}
				}
				continue
			}
			known[s.EntityID] = len(found)
			found = append(found, s)
		}
	}
	return found
}

// extractOne makes an entity of a name, or of an object that has one. An empty
// name makes none.
func extractOne(e fixtures.Extraction, v any) (statement, bool) {
	name, ok := titleOf(v, e.Title).(string)
	if !ok {
		return statement{}, false
	}
	key := normaliseName(e.EntityType, name)
	if key == "" {
		return statement{}, false
	}
	fields := object{}
	if o, ok := v.(object); ok {
		maps.Copy(fields, o)
	}
	name = strings.TrimSpace(name)
	if _, stated := fields[e.Title].(string); !stated {
		fields[e.Title] = name
	}
	return statement{EntityID: entityID(e.EntityType, key), EntityType: e.EntityType, Name: name, Role: e.Field, Fields: fields}, true
}

// items are the items of an array, or the value itself.
func items(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// maxName bounds the name of a document that is named by its text.
const maxName = 120

// documentName is what people call a document: the first of the fields that has
// a text, else its type.
func documentName(fields []string, body object, entityType string) string {
	for _, field := range fields {
		switch v := body[field].(type) {
		case string:
			if text := strings.Join(strings.Fields(v), " "); text != "" {
				return shorten(text)
			}
		case json.Number:
			return formatNumber(v.String())
		}
	}
	return entityType
}

func shorten(text string) string {
	runes := []rune(text)
	if len(runes) <= maxName {
		return text
	}
	return string(runes[:maxName]) + "…"
}
