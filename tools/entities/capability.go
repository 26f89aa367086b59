package entities

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"toolkit/fixtures"
	"toolkit/internal/language"
	"toolkit/store/entities"
	"toolkit/store/kinds"
	"toolkit/store/records"
)

// schemaVersion is the version of the entity schemas that observations follow.
func schemaVersion() string { return fixtures.Payloads().SchemaVersion }

// capabilityByID finds a capability by its versioned id.
func capabilityByID(id string) (fixtures.Capability, bool) {
	for _, c := range fixtures.Payloads().Capabilities {
		if c.ID == id {
			return c, true
		}
	}
	return fixtures.Capability{}, false
}

// capabilityForType is how a record of a type is understood. A type that no
// capability knows is an entity that is named by its name or title.
func capabilityForType(entityType string) fixtures.Capability {
	for _, c := range fixtures.Payloads().Capabilities {
		if c.EntityType == entityType {
			return c
		}
	}
	as := ""
	if entityType == companyType {
		as = companyType
	}
	return fixtures.Capability{
		EntityType: entityType,
		Identity:   [][]fixtures.IdentityPart{{{Field: "name", As: as}}, {{Field: "title", As: as}}},
		Title:      plainTitle,
	}
}

// plainTitle are the fields that people call a document by whose kind has no
// capability.
var plainTitle = []string{"name", "title", "subject"}

// subtypeField is the property that says what a record of a wide type is.
const subtypeField = "document_type"

// entityTypeOf is the type of the entity that a record is: its subtype when it
// has one, else its type, by their common names.
func entityTypeOf(recordType string, properties object) string {
	if subtype, ok := properties[subtypeField].(string); ok && strings.TrimSpace(subtype) != "" {
		return resolveTypeAlias(subtype)
	}
	return resolveTypeAlias(recordType)
}

// RecordDisplayType is what a record is called in answers: of a wide type what it is within it.
func RecordDisplayType(r records.Record) string {
	properties, err := decodeObject(r.Properties)
	if err != nil || r.Type != financialType {
		return r.Type
	}
	return cmp.Or(firstText(properties, subtypeField), kinds.Document)
}

// resolveTypeAlias returns the name under which a type and its aliases are found.
func resolveTypeAlias(name string) string {
	name = normalizeType(name)
	for _, t := range fixtures.Payloads().RecordTypes {
		if t.Type == name || slices.Contains(t.Aliases, name) {
			return t.Type
		}
	}
	return name
}

// normalizeType writes a type in lower case with underscores.
func normalizeType(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == ' ' || r == '_' || r == '-' || r == '\t' }), "_")
}

func typeFamilyOf(commonName string) string {
	for _, t := range fixtures.Payloads().RecordTypes {
		if t.Type == commonName {
			return t.Family
		}
	}
	return ""
}

// listTypesOfFamily are the types of a family, or the type itself.
func listTypesOfFamily(commonName string) []string {
	members := []string{commonName}
	for _, t := range fixtures.Payloads().RecordTypes {
		if t.Family == commonName {
			members = append(members, t.Type)
		}
	}
	return members
}

// listMatchingTypes returns the types a record answers to: its own, its subtype, and the
// families of both.
func listMatchingTypes(recordType string, properties object) []string {
	var keys []string
	for _, name := range []string{resolveTypeAlias(recordType), entityTypeOf(recordType, properties)} {
		keys = append(keys, name)
		if family := typeFamilyOf(name); family != "" {
			keys = append(keys, family)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

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

	entity entities.Entity // once it is known which one is meant, see resolveOrAddEntities
	added  bool            // the document is the first that speaks of it
}

// compileStatements finds the entities of a document by its facts: itself first, then those
// its capability extracts. Each entity comes once. last is the identity of a
// document that nothing in its body identifies.
func compileStatements(c fixtures.Capability, body object, last string) []statement {
	key := cmp.Or(documentKey(c, body), last)
	self := statement{EntityID: entityID(c.EntityType, key), EntityType: c.EntityType, Name: documentName(c.Title, body, c.EntityType), Role: selfRole, Fields: body}
	return append([]statement{self}, extractStatements(c, body)...)
}

// extractStatements finds the other entities that a document speaks of.
func extractStatements(c fixtures.Capability, body object) []statement {
	var found []statement
	known := map[string]int{}
	for _, e := range c.Extract {
		for _, v := range toList(body[e.Field]) {
			s, ok := extractEntityStatement(e, v)
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

// extractEntityStatement makes an entity of a name, or of an object that has one. An empty
// name makes none.
func extractEntityStatement(e fixtures.Extraction, v any) (statement, bool) {
	name, ok := nameInValue(v, e.Title).(string)
	if !ok {
		return statement{}, false
	}
	entityType := e.EntityType
	if entityType == companyType {
		entityType = guessPartyType(name)
	}
	key := normalizeEntityName(entityType, name)
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
	return statement{EntityID: entityID(entityType, key), EntityType: entityType, Name: name, Role: e.Field, Fields: fields}, true
}

// toList are the items of an array, or the value itself.
func toList(v any) []any {
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
				return language.Shorten(text, maxName)
			}
		case json.Number:
			return formatCanonicalNumber(v.String())
		}
	}
	return entityType
}
