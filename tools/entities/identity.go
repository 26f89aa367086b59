package entities

import (
	"encoding/json"
	"slices"
	"strings"

	"toolkit/fixtures"
	"toolkit/internal/language"
	"toolkit/store/entities"
)

// companyType is the entity type whose names lose their legal form. Of a party it is open
// whether it is a company or a person.
const (
	companyType = "company"
	openType    = "party"
	contactType = "contact"
)

// guessPartyType returns the type of whom a document names as a party: a company, unless the name may be
// a person's, which leaves the type open, or has a title that only persons have.
func guessPartyType(name string) string {
	switch language.FindPersonEvidence(name) {
	case language.TitledPerson:
		return contactType
	case language.MaybePerson:
		return openType
	}
	return companyType
}

// isPartyType reports whether entities of a type are made of the names of parties.
func isPartyType(entityType string) bool {
	return entityType == companyType || entityType == openType || entityType == contactType
}

// normalizeEntityName returns the form in which names of entities are compared: trimmed,
// lower case, runs of space folded, no trailing comma, stop or semicolon. Names of
// companies are compared in more forms than one, and lose the legal forms that the
// source document leaves out: "ACME, Inc." and "Acme Corp" are both "acme", but
// "Acme Ltd" is "acme ltd", for a company of one country is none of another's. A
// name that is a legal form and no more stays.
func normalizeEntityName(entityType, name string) string {
	if entityType != companyType && entityType != openType {
		return foldName(name)
	}
	stem, form := language.SplitLegalForm(name)
	if form == nil || form.Silent {
		return stem
	}
	return stem + " " + form.Name
}

func foldName(name string) string {
	return strings.TrimRight(strings.Join(strings.Fields(strings.ToLower(name)), " "), " ,.;")
}

// entityID names an entity by its type and normalised name.
func entityID(entityType, normalised string) string {
	return "ent_" + hash24([]byte(entityType+":"+normalised))
}

// computePayloadID names a payload by what it says: its hashed fields in the order of
// the capability, or the whole body when it has none of them.
func computePayloadID(c fixtures.Capability, body object, sourceRefs []string, extractorVersion string) string {
	refs := slices.Sorted(slices.Values(sourceRefs))
	names := slices.DeleteFunc(slices.Clone(c.Hashed), func(name string) bool { _, ok := body[name]; return !ok })
	b := appendJSONString([]byte(`{"capability":`), c.ID)
	b = append(b, `,"body":`...)
	if len(names) > 0 {
		b = appendCanonicalFields(b, body, names, normalised)
	} else {
		b = appendCanonicalJSON(b, body, normalised)
	}
	b = append(b, `,"source_refs":[`...)
	for i, ref := range refs {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSONString(b, ref)
	}
	b = append(b, `],"extractor_version":`...)
	b = append(appendJSONString(b, extractorVersion), '}')
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
			return string(encodeCanonicalJSON(parts, exact)) // an array cannot be taken for another's parts
		}
	}
	return ""
}

// normalizeValue returns the text of a value in which values are compared, of names of companies
// where as is not empty; "" when it has none.
func normalizeValue(as string, v any) string {
	switch v := v.(type) {
	case string:
		if as == "" {
			return foldName(v)
		}
		return normalizeEntityName(companyType, v)
	case json.Number:
		return formatCanonicalNumber(v.String())
	case []any:
		texts := []any{}
		for _, inner := range v {
			if text := normalizeValue(as, nameInValue(inner, "name")); text != "" {
				texts = append(texts, text)
			}
		}
		if len(texts) == 0 {
			return ""
		}
		return string(encodeCanonicalJSON(texts, normalised)) // sorted
	}
	return ""
}

// nameInValue is the name in a value: a string itself, or the named field of an
// object.
func nameInValue(v any, field string) any {
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

// personTypes are the types of entities of whom many have one name.
var personTypes = []string{"contact", "person"}

// resolveOrAddEntities finds the entities that the statements of a document mean, and adds those that
// are new. Mostly an entity is its type and name. It has another id when it is a person of
// whose name there is another, or when it was parted from the entity of its name. record is
// the id of the document, empty while it is new.
func resolveOrAddEntities(tx entities.Rows, statements []statement, record string) error {
	for i := range statements {
		s := &statements[i]
		e, known, err := findEntityOfStatement(tx, s, record)
		if err == nil && !known {
			e, err = tx.InsertEntity(s.EntityID, s.EntityType)
			s.added = true
		}
		if err != nil {
			return err
		}
		s.entity, s.EntityID = e, e.ID
	}
	return nil
}

func findEntityOfStatement(tx entities.Rows, s *statement, record string) (entities.Entity, bool, error) {
	e, part, known, err := tx.FindEntityAndPart(s.EntityID, splitKeyOfDocument(record), splitKeyOfName(s.Name))
	if err != nil || !known {
		return e, false, err
	}
	if slices.Contains(personTypes, s.EntityType) {
		named := e.ID
		if e, known, err = findSamePerson(tx, s, e); err != nil || !known {
			return e, false, err
		}
		if e.ID != named {
			e, part, _, err = tx.FindEntityAndPart(e.ID, splitKeyOfDocument(record), splitKeyOfName(s.Name))
		}
	}
	if err == nil && part != 0 {
		e, err = tx.ByRow(part)
	}
	return e, true, err
}

// Keys of what was parted from an entity. Words are not kept: they may have to be forgotten.
func splitKeyOfDocument(record string) string { return "#" + record }
func splitKeyOfName(name string) string       { return "=" + hash24([]byte(foldName(name))) }

// findSamePerson says which person of a name a statement means: the one that shares a mail
// address or a telephone number with it, else the one of the name alone unless that has
// others. A person of another address has an id of name and address.
func findSamePerson(tx entities.Rows, s *statement, e entities.Entity) (entities.Entity, bool, error) {
	reached := contactKeys(s.Fields)
	if len(reached) == 0 {
		return e, true, nil
	}
	for _, by := range reached {
		other, known, err := tx.ByID(personID(s, by))
		if err != nil || known {
			return other, known, err
		}
	}
	person, _, err := loadKnownEntity(tx, e)
	if err != nil {
		return e, false, err
	}
	known := contactKeys(person.values)
	if len(known) == 0 || slices.ContainsFunc(reached, func(by string) bool { return slices.Contains(known, by) }) {
		return e, true, nil
	}
	s.EntityID = personID(s, reached[0])
	return entities.Entity{}, false, nil
}

func personID(s *statement, by string) string {
	return entityID(s.EntityType, string(encodeCanonicalJSON([]any{normalizeEntityName(s.EntityType, s.Name), by}, exact)))
}

// contactKeys are the mail addresses and telephone numbers of a person, sorted: letters in
// lower case, numbers by their last eight digits.
func contactKeys(fields object) (list []string) {
	for _, name := range []string{"emails", "email", "phones", "phone"} {
		for _, item := range toList(fields[name]) {
			text, _ := nameInValue(item, "value").(string)
			text = normalizeText(text)
			if !strings.Contains(text, "@") {
				digits := filterDigits(text)
				if len(digits) < 6 {
					continue
				}
				text = "tel:" + digits[max(0, len(digits)-8):]
			}
			list = append(list, text)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func filterDigits(text string) string {
	return language.KeepRunes(text, func(r rune) bool { return '0' <= r && r <= '9' })
}
