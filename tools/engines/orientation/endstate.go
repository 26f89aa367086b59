package orientation

import (
	"slices"
	"strings"
)

// hasEndState reports whether the text says how things are once the outcome is there: a clause
// ("the roof is sound", "I speak fluent Italian", "our team ships weekly"), a result
// with its participle ("kitchen renovated"), or a state of its own ("fluent in Italian").
func hasEndState(t text) bool {
	return slices.ContainsFunc(t.sentences, func(s sentence) bool {
		return !wished(s) && s.some(func(i int) bool { return personalClause(s, i) || nounClause(s, i) }) ||
			s.some(func(i int) bool { return namedResult(s, i) }) || leadingState(s) || wantedState(s)
	})
}

// wished reports that the sentence is about a wish: what it then says is not stated as so.
func wished(s sentence) bool {
	return slices.ContainsFunc(s, func(tok token) bool { return tok.word == "wish" || tok.word == "hope" })
}

var conditionals = wordSet("conditionals")

// personalClause: a pronoun with a verb that is more than a wish.
func personalClause(s sentence, i int) bool {
	if !pronouns(s.word(i)) {
		return false
	}
	j := s.afterAdverbs(i + 1)
	w := s.word(j)
	return w != "" && !conditionals(w) && !desiring.is(w, base|third|gerund|past) && !s.ends(j+1)
}

// nounClause: a noun with a verb that states something of it.
func nounClause(s sentence, i int) bool {
	w, before := s.word(i), s.word(i-1)
	switch {
	case i == 0:
		return false
	case copulas(w):
		return !goalNouns(before) && before != "to"
	case relatives(before) && stating.is(w, base|third):
		return true
	}
	return (stating.is(w, third) && !stating.is(w, base) || stating.is(w, base) && isPlural(before)) && isFinite(s, i)
}

var frequencies = wordSet("frequencies")

// isFinite tells the verb in "our team ships weekly" from the noun in "cargo ships".
func isFinite(s sentence, i int) bool {
	next := s.word(i + 1)
	if next == "and" {
		return isPlural(s.word(i - 1)) // "meetings start and end on time"
	}
	return determiners(next) || isAdverb(next) || frequencies(next) || s.number(i+1) || determiners(s.word(0)) && i > 1 || irregularPlurals(s.word(0))
}

var (
	flourishing = wordSet("flourishing")
	predicates  = wordSet("predicates")
)

// namedResult: a noun with a participle or a state at the end of its phrase.
func namedResult(s sentence, i int) bool {
	w, before := s.word(i), s.word(i-1)
	switch {
	case flourishing(w) && !s.ends(i+1) && !prepositions(s.word(i+1)), strings.Contains(w, "-") && isResultWord(w):
		return true // "a thriving community", "a well-designed kitchen"
	case before == "" || determiners(before) || prepositions(before):
		return false
	case isResultWord(w) && w != "open" && endsPhrase(s, i+1), isAdverb(before) && isParticiple(w):
		return true // "kitchen renovated", "a fully equipped workshop"
	}
	return predicates(w) && (s.ends(i+1) || determiners(s.word(i+1)))
}

var states = wordSet("states")

// leadingState: "Fluent in Italian", "Financially independent", "Be at home in my body".
func leadingState(s sentence) bool {
	i := findHead(s).at
	w, next := s.word(i), s.word(i+1)
	if w == "be" || w == "being" || w == "have" {
		return next != "" && !(comparatives(next) && s.ends(i+2))
	}
	return states(w) && (prepositions(next) || i > 0 && s.ends(i+1))
}

// wantedState: "I want my garden to feed my family", "I'd like us to have dinner together".
func wantedState(s sentence) bool {
	wanted := len(s)
	return s.some(func(i int) bool {
		if desiring.is(s.word(i), base|third) {
			wanted = i
		}
		verb := s.word(i + 1)
		return i > wanted+1 && s.word(i) == "to" && (verb == "be" || verb == "have" || living.is(verb, base))
	})
}

var (
	irregularParticiples = wordSet("participles")
	arrived              = wordSet("arrived")
	notResults           = wordSet("not results")
)

// isResultWord recognises what ends a named result: "published", "written", "live".
func isResultWord(word string) bool { return arrived(word) || isParticiple(word) }

// isParticiple recognises past participles, regular and irregular, and leaves out words
// that only look like one or that name damage instead of a result.
func isParticiple(word string) bool {
	word = word[strings.LastIndexByte(word, '-')+1:]
	return !notResults(word) && (len(word) > 4 && strings.HasSuffix(word, "ed") || irregularParticiples(word))
}

// endsPhrase reports whether nothing that a participle could describe follows at i.
func endsPhrase(s sentence, i int) bool {
	w := s.word(i)
	return s.ends(i) || prepositions(w) || isAdverb(w) || determiners(w)
}
