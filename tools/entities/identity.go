package entities

import (
	"encoding/json"
	"slices"
	"strings"

	"toolkit/fixtures"
	"toolkit/internal/language"
)

// companyType is the entity type whose names lose their legal form.
const companyType = "company"

// normaliseName is the form in which names of entities are compared: trimmed,
// lower case, runs of space folded, no trailing comma, stop or semicolon. Names of
// companies are compared in more forms than one, and lose the legal forms that the
// source document leaves out: "ACME, Inc." and "Acme Corp" are both "acme", but
// "Acme Ltd" is "acme ltd", for a company of one country is none of another's. A
// name that is a legal form and no more stays.
func normaliseName(entityType, name string) string {
	if entityType != companyType {
		return plainName(name)
	}
	stem, form := language.SplitLegalForm(name)
	if form == nil || form.Silent {
		return stem
	}
	return stem + " " + form.Name
}

func plainName(name string) string {
	return trimName(strings.Join(strings.Fields(strings.ToLower(name)), " "))
}

func trimName(name string) string { return strings.TrimRight(strings.TrimSpace(name), " ,.;") }

// entityID names an entity by its type and normalised name.
func entityID(entityType, normalised string) string {
	return "ent_" + hash24([]byte(entityType+":"+normalised))
}

// contentID names a payload by what it says: its hashed fields in the order of
// the capability, or the whole body when it has none of them.
func contentID(c fixtures.Capability, body object, sourceRefs []string, extractorVersion string) string {
	refs := slices.Sorted(slices.Values(sourceRefs))
	names := slices.DeleteFunc(slices.Clone(c.Hashed), func(name string) bool { _, ok := body[name]; return !ok })
	b := appendString([]byte(`{"capability":`), c.ID)
	b = append(b, `,"body":`...)
	if len(names) > 0 {
		b = appendFields(b, body, names, normalised)
	} else {
		b = appendCanonical(b, body, normalised)
	}
	b = append(b, `,"source_refs":[`...)
	for i, ref := range refs {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, ref)
	}
	b = append(b, `],"extractor_version":`...)
	b = append(appendString(b, extractorVersion), '}')
	return "payload_" + hash24(b)
}

// documentKey is what tells a document from others of its type: the first
// alternative of the capability whose parts are all there, else "".
func documentKey(c fixtures.Capability, body object) string {
	for _, alternative := range c.Identity {
		parts := make([]any, 0, len(alternative))
		complete := true
		for _, part := range alternative {
			text := normalizeValue(part.As, body[part.Field])
			if text == "" && !part.Optional {
				complete = false
				break
			}
			parts = append(parts, text)
		}
		switch {
		case !complete:
		case len(parts) == 1:
			return parts[0].(string)
		default:
			return string(canonical(parts, exact)) // an array cannot be taken for another's parts
		}
	}
	return ""
}

// normalizeValue is the text of a value in which values are compared, of names of companies
// where as is not empty; "" when it has none.
func normalizeValue(as string, v any) string {
	switch v := v.(type) {
	case string:
		if as == "" {
			return plainName(v)
		}
		return normaliseName(companyType, v)
	case json.Number:
		return formatNumber(v.String())
	case []any:
		texts := []any{}
		for _, inner := range v {
			if text := normalizeValue(as, titleOf(inner, "name")); text != "" {
				texts = append(texts, text)
			}
		}
		if len(texts) == 0 {
			return ""
		}
		return string(canonical(texts, normalised)) // sorted
	}
	return ""
}

// titleOf is the name in a value: a string itself, or the named field of an
// object.
func titleOf(v any, field string) any {
	if o, ok := v.(object); ok {
		for _, name := range []string{field, "title", "name", "description"} {
			if text, ok := o[name].(string); ok && strings.TrimSpace(text) != "" {
				return text
			}
		}
		return nil
	}
	return v
}
