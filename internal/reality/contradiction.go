package reality

import (
	"slices"
	"strings"

	"toolkit/internal/language"
)

// FindContradictions returns the facts that say something is not there which a title
// of completed steps names: "no outline of act three" after "Outline of act
// three written". Only a part of a fact that denies is compared; the title must
// name two thirds of what it denies, and all its numbers.
func FindContradictions(facts []string, title string) []string {
	items := contentStems(title)
	named := make(map[string]bool, len(items))
	for _, item := range items {
		named[item] = true
	}
	return slices.DeleteFunc(slices.Clone(facts), func(fact string) bool {
		return IsDerivedFact(fact) || strings.HasPrefix(fact, progressPrefix) || !deniesWords(fact, named)
	})
}

// IsSingleFact reports whether a fact says one thing, so that nothing else goes with it.
func IsSingleFact(fact string) bool { return len(splitClauses(fact)) == 1 }

func deniesWords(fact string, words map[string]bool) bool {
	for _, clause := range findDenyingClauses(fact) {
		denied := contentStems(clause)
		hits, otherNumber := 0, false
		for _, word := range denied {
			if words[word] {
				hits++
			} else if slices.Contains(numbers, word) || word[0] >= '0' && word[0] <= '9' {
				otherNumber = true
			}
		}
		if hits > 0 && !otherNumber && 3*hits >= 2*len(denied) {
			return true
		}
	}
	return false
}

// findDenyingClauses returns the parts of a fact that deny something.
func findDenyingClauses(fact string) []string {
	var denying []string
	for _, part := range splitClauses(fact) {
		for _, word := range strings.Fields(part) {
			if slices.Contains(denials, word) || strings.HasSuffix(word, "n't") {
				denying = append(denying, part)
				break
			}
		}
	}
	return denying
}

// splitClauses returns the clauses of a fact.
func splitClauses(fact string) []string {
	fact = strings.NewReplacer("’", "'", " but ", ",", " and ", ",").Replace(strings.ToLower(fact))
	return strings.FieldsFunc(fact, func(r rune) bool { return strings.ContainsRune(",;.:!?()—–", r) })
}

// denials say that what stands beside them is not there.
var denials = strings.Fields("no not without lacking lacks lack missing never none nothing zero cannot yet 0 unfinished unwritten absent")

// ignoredWords are words that say only that something is or is not there, or has come
// to be: they are not what is denied.
var ignoredWords = strings.Fields(`no not without lacking lacks lack missing never none nothing zero cannot yet 0 absent exist exists existing
	have has had been is are was were there still any so far today now done finished complete completed ready made started begun
	available place anything only`)

var numbers = strings.Fields("one two three four five six seven eight nine ten eleven twelve first second third")

// contentStems are the stems of the words that a text is about.
func contentStems(text string) []string {
	var stems []string
	for _, w := range language.Words(strings.ReplaceAll(strings.ToLower(text), "’", "'")) {
		switch {
		case slices.Contains(numbers, w):
			stems = append(stems, w)
		case !slices.Contains(ignoredWords, w) && !strings.HasSuffix(w, "n't") && !language.IsStopWord(w):
			stems = append(stems, language.Stem(w))
		}
	}
	return stems
}
