package orientation

import "strings"

// hasEndState reports whether the text says how things are once the outcome is there: a clause
// ("the roof is sound", "I speak fluent Italian", "our team ships weekly"), a result
// with its participle ("kitchen renovated"), or a state of its own ("fluent in Italian").
func hasEndState(t text) bool {
	for _, s := range t.sentences {
		h := findHead(s)
		if !wished(s) && (personalClause(s) || nounClause(s)) || namedResult(s) || leadingState(s, h) || livesBy(s, h) || wantedState(s) {
			return true
		}
	}
	return false
}

// wished reports that the sentence is about a wish: what it then says is not stated as so.
func wished(s sentence) bool {
	for i := range s {
		if w := s.word(i); w == "wish" || w == "wishes" || w == "hope" || w == "hopes" {
			return true
		}
	}
	return false
}

// personalClause: a pronoun with a verb that is more than a wish.
func personalClause(s sentence) bool {
	for i := range s {
		if !pronouns[s.word(i)] {
			continue
		}
		j := i + 1
		for adverbs[s.word(j)] || isAdverb(s.word(j)) || s.word(j) == "not" || s.word(j) == "never" || s.word(j) == "no" || s.word(j) == "longer" {
			j++
		}
		w := s.word(j)
		switch {
		case w == "" || determiners[w] || prepositions[w] && w != "like" || desiring.is(w, base|third|gerund|past):
			continue
		case w == "would" || w == "should" || w == "could" || w == "might" || w == "must" || w == "shall" || w == "may":
			continue
		case (w == "am" || w == "are" || w == "is") && desiring.is(s.word(j+1), gerund):
			continue
		case (w == "have" || w == "has") && s.word(j+1) == "to":
			continue
		}
		if !s.ends(j+1) || i > 0 || j > i+1 || stating.is(w, base|third|past) {
			return true
		}
	}
	return false
}

// nounClause: a noun with a verb that states something of it.
func nounClause(s sentence) bool {
	first := s.word(0)
	if first == "what" || first == "why" || first == "how" {
		return false
	}
	for i := 1; i < len(s); i++ {
		w, before := s.word(i), s.word(i-1)
		if copulas[w] && !s.ends(i+1) && (w != "have" || before != "to") && !determiners[before] && !goalNouns[before] {
			return true
		}
		if subjectRelatives[before] && stating.is(w, base|third) {
			return true
		}
		if w == "" || before == "" || determiners[before] || prepositions[before] {
			continue
		}
		if (modals[before] && (before == "will" || before == "can")) && i > 1 {
			return true
		}
		if stating.is(w, third) && !stating.is(w, base) && isFinite(s, i) {
			return true
		}
		if stating.is(w, base) && isPlural(before) && (isFinite(s, i) || s.word(i+1) == "and") && !s.ends(i+1) {
			return true
		}
		// Any other word in -s that takes an object: "our harvest fills the pantry".
		if determiners[s.word(0)] && i > 1 && isPlural(w) && possessives[s.word(i+1)] || s.word(i+1) == "the" && determiners[s.word(0)] && i > 1 && isPlural(w) {
			return true
		}
	}
	return false
}

var subjectRelatives = wordSet("that which who where")

// isFinite tells the verb in "our team ships weekly" from the noun in "our cargo ships".
func isFinite(s sentence, i int) bool {
	subject := determiners[s.word(0)] || pronouns[s.word(0)]
	if i == 1 && irregularPlurals[s.word(0)] && !s.ends(i+1) {
		return true
	}
	if s.ends(i + 1) {
		return subject && i > 1 && !isParticiple(s.word(i-1))
	}
	next := s.word(i + 1)
	if s.number(i+1) || determiners[next] || pronouns[next] || objectPronouns[next] || isAdverb(next) || frequencies[next] {
		return true
	}
	return subject && i > 1 && (!prepositions[next] || next != "of" && next != "for" && next != "about" && next != "that" && next != "which")
}

var frequencies = wordSet("daily weekly monthly yearly quarterly hourly well together them him her it me us one")

var irregularPlurals = wordSet("people children men women kids feet teeth mice folk parents")

func isPlural(word string) bool {
	return irregularPlurals[word] || len(word) > 3 && hasSuffix(word, "s") && !hasSuffix(word, "ss", "us", "is")
}

// namedResult: a noun with a participle or a state at the end of its phrase.
func namedResult(s sentence) bool {
	for i := range s {
		w, before := s.word(i), s.word(i-1)
		if flourishing[w] && !s.ends(i+1) && !prepositions[s.word(i+1)] || strings.Contains(w, "-") && isResultWord(w) {
			return true // "a thriving community", "a well-designed kitchen"
		}
		if (isAdverb(before) || before == "well" || before == "newly") && isParticiple(w) {
			return true // "a fully equipped workshop"
		}
		if before == "" || determiners[before] || prepositions[before] || adverbs[before] || s[i].quoted {
			continue
		}
		if isResultWord(w) && w != "open" && endsPhrase(s, i+1) && !s.number(i+1) {
			return true
		}
		if predicates[w] && !predicates[before] && (s.ends(i+1) || determiners[s.word(i+1)] || s.word(i+1) == "and") {
			return true
		}
	}
	return false
}

// flourishing adjectives in -ing state a condition that can be seen.
var flourishing = wordSet("thriving flourishing prospering award-winning self-sustaining life-giving well-functioning working")

// predicates say of a noun before them how it is: "body strong", "inbox empty".
var predicates = wordSet(`empty healthy strong profitable sustainable sold-out debt-free secure sound solid warm bright tidy beautiful
	thriving flourishing happy well whole true alive fluent`)

// states can stand alone, because the one who writes is meant.
var states = wordSet(`fluent proficient skilled certified licensed licenced qualified confident debt-free healthy fit
	married employed self-employed self-sufficient independent published accepted admitted enrolled enrolled sober
	established recognized recognised promoted elected retired engaged at-ease energetic strong pain-free smoke-free rested
	connected respected adept conversant comfortable calm free`)

// leadingState: "Fluent in Italian", "Financially independent", "Be at home in my body".
func leadingState(s sentence, h head) bool {
	i := h.at
	w := s.word(i)
	if w == "be" || w == "being" || w == "have" || w == "having" || w == "been" {
		next := s.word(i + 1)
		return next != "" && next != "less" && next != "fewer" && !(next == "better" && s.ends(i+2))
	}
	if !states[w] {
		return false
	}
	next := s.word(i + 1)
	return i > 0 && s.ends(i+1) || prepositions[next]
}

// livesBy: a verb of living that what came before asked for: "I want to sleep through
// the night", "Work as a nurse". Working on something is no result.
func livesBy(s sentence, h head) bool {
	w, next := s.word(h.at), s.word(h.at+1)
	if w == "work" || w == "working" {
		return prepositions[next] && next != "on" && next != "toward" && next != "towards" && next != "through" && next != "out" &&
			next != "around" && next != "about"
	}
	if w == "keep" || w == "stay" || w == "use" || w == "handle" || w == "process" || w == "communicate" || w == "call" || w == "look" {
		return false
	}
	return (h.modal || h.subject) && living.is(w, base) && !s.ends(h.at+1)
}

// wantedState: "I want my garden to feed my family", "I'd like us to have dinner together".
func wantedState(s sentence) bool {
	wanted := -1
	for i := range s {
		if desiring.is(s.word(i), base|third) {
			wanted = i
		}
		verb := s.word(i + 1)
		if wanted >= 0 && i > wanted+1 && i < wanted+6 && s.word(i) == "to" && !s.ends(i+2) && (verb == "be" || verb == "have" || living.is(verb, base)) {
			return true
		}
	}
	return false
}
