package entities

import (
	"cmp"
	"slices"
	"strings"

	"toolkit/fixtures"
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

// capabilityOf is how a record of a type is understood. A type that no
// capability knows is an entity that is named by its name or title.
func capabilityOf(entityType string) fixtures.Capability {
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
		return commonType(subtype)
	}
	return commonType(recordType)
}

// KindOf is what a record is called in answers: of a wide type what it is within it.
func KindOf(r records.Record) string {
	properties, err := decodeObject(r.Properties)
	if err != nil || r.Type != financialType {
		return r.Type
	}
	return cmp.Or(textOf(properties, subtypeField), documentKind)
}

// commonType is the name under which a type and its aliases are found.
func commonType(name string) string {
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

func familyOf(commonName string) string {
	for _, t := range fixtures.Payloads().RecordTypes {
		if t.Type == commonName {
			return t.Family
		}
	}
	return ""
}

// familyMembers are the types of a family, or the type itself.
func familyMembers(commonName string) []string {
	members := []string{commonName}
	for _, t := range fixtures.Payloads().RecordTypes {
		if t.Family == commonName {
			members = append(members, t.Type)
		}
	}
	return members
}

// typeKeys are the types a record answers to: its own, its subtype, and the
// families of both.
func typeKeys(recordType string, properties object) []string {
	var keys []string
	for _, name := range []string{commonType(recordType), entityTypeOf(recordType, properties)} {
		keys = append(keys, name)
		if family := familyOf(name); family != "" {
			keys = append(keys, family)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
