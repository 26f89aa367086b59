package entities

import (
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/store/entities"
)

// personTypes are the types of entities of whom many have one name.
var personTypes = []string{"contact", "person"}

// identify finds the entities that the statements of a document mean, and adds those that
// are new. Mostly an entity is its type and name. It has another id when it is a person of
// whose name there is another, or when it was parted from the entity of its name. record is
// the id of the document, empty while it is new.
func identify(tx entities.Rows, statements []statement, record string) error {
	for i := range statements {
		s := &statements[i]
		e, known, err := findEntity(tx, s, record)
		if err == nil && !known {
			e, err = tx.Add(s.EntityID, s.EntityType)
		}
		if err != nil {
			return err
		}
		s.entity, s.EntityID = e, e.ID
	}
	return nil
}

func findEntity(tx entities.Rows, s *statement, record string) (entities.Entity, bool, error) {
	e, part, known, err := tx.ResolveEntity(s.EntityID, partOfDocument(record), partOfWords(s.Name))
	if err != nil || !known {
		return e, false, err
	}
	if slices.Contains(personTypes, s.EntityType) {
		named := e.ID
		if e, known, err = distinguishPersons(tx, s, e); err != nil || !known {
			return e, false, err
		}
		if e.ID != named {
			e, part, _, err = tx.ResolveEntity(e.ID, partOfDocument(record), partOfWords(s.Name))
		}
	}
	if err == nil && part != 0 {
		e, err = tx.ByRow(part)
	}
	return e, true, err
}

// Keys of what was parted from an entity. Words are not kept: they may have to be forgotten.
func partOfDocument(record string) string { return "#" + record }
func partOfWords(name string) string      { return "=" + hash24([]byte(plainName(name))) }

// distinguishPersons says which person of a name a statement means: the one that shares a mail
// address or a telephone number with it, else the one of the name alone unless that has
// others. A person of another address has an id of name and address.
func distinguishPersons(tx entities.Rows, s *statement, e entities.Entity) (entities.Entity, bool, error) {
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
	person, _, err := loadKnown(tx, e)
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
	return entityID(s.EntityType, string(canonical([]any{normaliseName(s.EntityType, s.Name), by}, exact)))
}

// contactKeys are the mail addresses and telephone numbers of a person, sorted: letters in
// lower case, numbers by their last eight digits.
func contactKeys(fields object) (list []string) {
	for _, name := range []string{"emails", "email", "phones", "phone"} {
		for _, item := range items(fields[name]) {
			text, _ := titleOf(item, "value").(string)
			text = normalizeText(text)
			if !strings.Contains(text, "@") {
				digits := digitsOf(text)
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

func digitsOf(text string) string {
	return language.KeepRunes(text, func(r rune) bool { return '0' <= r && r <= '9' })
}
