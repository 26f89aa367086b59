package orientation

import "strings"

// What an outcome can show of the result: a verb of creating, a measure, a result
// noun. The stated end state has a file of its own.

// usesVerb reports whether a verb of the list is used as a verb, not as a noun: "Design
// a chair" and "we designed a chair", not "a podcast about design".
func usesVerb(t text, list verbs) bool {
	return t.some(func(s sentence, i int) bool { return isVerbUse(s, i, list) })
}

func isVerbUse(s sentence, i int, list verbs) bool {
	w, before, next := s.word(i), s.word(i-1), s.word(i+1)
	if !list.is(w, base|third|gerund|past) {
		return false
	}
	switch h := findHead(s); {
	case i == h.at && (!s.ends(i+1) || h.modal || h.subject):
		return !comparatives(next) || !s.ends(i+2) // not "eat less", "get better"
	case list.is(w, base) && callsForVerb(s, i):
		return true
	case list.is(w, gerund):
		return i > 0 && (copulas(before) || determiners(next) || s.number(i+1))
	}
	// "a published novel", "novel published": a participle with its noun.
	return list.is(w, past) && !list.is(w, base) && len(s) > 1
}

// callsForVerb reports whether what stands before i calls for a verb at i.
func callsForVerb(s sentence, i int) bool {
	before := s.word(i - 1)
	switch {
	case before == "to" || pronouns(before):
		return !s.ends(i + 1)
	case before == "and" || i > 0 && s[i-1].mark: // "plan and host dinners", "Health - run a marathon"
		return before == "and" && i == 2 || determiners(s.word(i+1)) || s.number(i+1)
	}
	return modals(before)
}

// hasMeasure reports whether the text counts something: "5 new clients", "€40k", "B2". Years,
// dates, deadlines and the number in a name ("chapter 3") measure nothing.
func hasMeasure(t text) bool {
	if len(t.words()) < 2 {
		return false
	}
	return t.some(func(s sentence, i int) bool {
		first, _, _ := strings.Cut(s.word(i), "-") // "two-thirds"
		return (s[i].number || numberWords(first)) && measures(s, i)
	})
}

var numberedNames = wordSet("numbered names")

func measures(s sentence, i int) bool {
	w, before, next := s.word(i), s.word(i-1), s.word(i+1)
	switch {
	case numberedNames(before) || months(before) || months(next) || hasSuffix(w, "st", "nd", "rd", "th"):
		return false
	case before == "by" && s.ends(i+1): // "home by 6"
		return false
	case (before == "in" || before == "within") && calendar(next): // "in two years"
		return false
	}
	year := len(w) == 4 && "1900" <= w && w < "2200"
	return !year || next != "" && !prepositions(next)
}

var (
	resultNouns  = wordSet("result nouns")
	conditions   = wordSet("conditions")
	comparatives = wordSet("comparatives")
)

// hasResultNoun reports whether the text names something attained: "mastery of Django",
// or a condition with what it is: "vibrant health", "peace of mind".
func hasResultNoun(t text) bool {
	return t.some(func(s sentence, i int) bool {
		return resultNouns(s.word(i)) || conditions(s.word(i)) && isDescribed(s, i)
	})
}

func isDescribed(s sentence, i int) bool {
	before, next := s.word(i-1), s.word(i+1)
	switch {
	case comparatives(before):
		return false
	case before != "" && !determiners(before) && !prepositions(before) && s.word(i) != "peace":
		return true
	}
	return prepositions(next) && next != "and"
}
