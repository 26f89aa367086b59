package language

import (
	"strings"
	"sync"
	"unicode"

	"toolkit/fixtures"
)

// PersonEvidence is how much a name says that it is a person's.
type PersonEvidence int

// From nothing to a title that only persons have.
const (
	NoPerson     PersonEvidence = iota
	MaybePerson                 // it has a first name, as names of companies also may
	TitledPerson                // it begins with a title such as "Frau"
)

// maxPersonWords is how many words the name of a person or a couple has.
const maxPersonWords = 5

// personWords are the titles and first names of persons, as FoldNameLetters writes them.
var personWords = sync.OnceValue(func() map[string]PersonEvidence {
	lists, known := fixtures.WordLists("companies"), map[string]PersonEvidence{}
	for list, evidence := range map[string]PersonEvidence{"first names": MaybePerson, "titles of persons": TitledPerson} {
		for _, line := range lists[list] {
			for _, word := range strings.Fields(line) {
				known[FoldNameLetters(word)] = evidence
			}
		}
	}
	return known
})

// FindPersonEvidence reports what a name of two words or more says of whether a person is
// called so: "Frau Schmidt", "Anna Schmidt", "Schmidt, Anna". A legal form, a digit or a sign
// that names of persons do not have says that it is not.
func FindPersonEvidence(name string) PersonEvidence {
	if EndsInLegalForm(name) || strings.ContainsFunc(name, isNoLetterOfPerson) {
		return NoPerson
	}
	words := strings.FieldsFunc(FoldNameLetters(name), func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	if len(words) < 2 || len(words) > maxPersonWords {
		return NoPerson
	}
	known := personWords()
	if known[strings.TrimRight(words[0], ".")] == TitledPerson {
		return TitledPerson
	}
	surnameFirst := len(words) == 2 || strings.Contains(name, ",")
	if isFirstName(words[0], known) || surnameFirst && isFirstName(words[len(words)-1], known) {
		return MaybePerson
	}
	return NoPerson
}

// IsFirstName reports whether a word, as Fold writes it, is a name that people are called by first.
func IsFirstName(word string) bool { return personWords()[FoldNameLetters(word)] == MaybePerson }

func isNoLetterOfPerson(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsSpace(r) && !strings.ContainsRune(".,'’-&", r)
}

// isFirstName also knows names of two parts, such as Hans-Peter.
func isFirstName(word string, known map[string]PersonEvidence) bool {
	for part := range strings.SplitSeq(word, "-") {
		if known[part] != MaybePerson {
			return false
		}
	}
	return true
}
