package orientation

import "strings"

// Reality judges current reality: it must say what is so, not what is hoped, planned or
// about to be. What is denied ("not ready for guests") is a fact and passes.
func Reality(written string) *Finding {
	t := read(written)
	s, from, to, found := findAspiration(t)
	if !found {
		return nil
	}
	word := t.slice(s, from, to)
	return &Finding{
		Rule: RuleReality,
		Message: "“" + word + "” says what is hoped for or about to be, not what is so. " +
			"Say what is there today and what is missing, as facts anybody could check (“have a microphone, no experience”).",
		Words:       []string{word},
		Suggestions: frameReality(t, s, to),
	}
}

// findAspiration returns the first words that speak of readiness, wish or future and are
// not denied.
func findAspiration(t text) (s sentence, from, to int, found bool) {
	for _, s := range t.sentences {
		for i := range s {
			if to, ok := aspiration(s, i); ok && !denied(s, i) {
				return s, i, to, true
			}
		}
	}
	return nil, 0, 0, false
}

var (
	wishes  = wordSet("hope hopes hoping plan plans planning want wants wanting aspire aspires aspiring")
	futures = wordSet("have be")
)

// aspiration reports whether the words from i on speak of readiness, wish or future, and
// where what they speak of begins.
func aspiration(s sentence, i int) (to int, ok bool) {
	w, next, after := s.word(i), s.word(i+1), s.word(i+2)
	switch {
	case s[i].mark || s[i].quoted:
		return 0, false
	case w == "ready" && (next == "to" || next == "for"):
		return i + 2, true
	case w == "prepared" && next == "to":
		return i + 2, !determiners[after] && after != "date" && after != "order"
	case w == "all" && next == "set":
		// "all set of", "all set pieces": set belongs to the noun.
		return i + 2, after != "of" && !isPlural(after)
	case wishes[w] && next == "to":
		return i + 2, after != "scale" && s.word(i-1) != "who" && !settledNoun(s, i)
	case w == "going" && next == "to":
		return i + 2, !motion(s, i+2)
	case w == "will" && !determiners[s.word(i-1)]:
		j := i + 1
		if adverbs[s.word(j)] || isAdverb(s.word(j)) {
			j++
		}
		return j + 1, futures[s.word(j)]
	}
	return 0, false
}

// denied reports whether a negation stands shortly before i: then readiness or wish is
// said not to be there.
func denied(s sentence, i int) bool {
	for j := i - 1; j >= 0 && j >= i-3 && !s[j].mark; j-- {
		switch s.word(j) {
		case "and", "but", "or", "so":
			return false
		case "not", "never", "no", "nobody", "none", "neither", "nor", "hardly", "without", "nothing", "far":
			return true
		}
	}
	return false
}

// settledNoun tells the plan in "our plan to expand was rejected" from planning.
func settledNoun(s sentence, i int) bool {
	if !determiners[s.word(i-1)] || !strings.HasPrefix(s.word(i), "plan") && !strings.HasPrefix(s.word(i), "hope") {
		return false
	}
	for j := i + 3; j < len(s) && !s[j].mark; j++ {
		if w := s.word(j); w == "was" || w == "were" || w == "has" || w == "had" || w == "is" || w == "failed" || w == "got" {
			return true
		}
	}
	return false
}

// places one goes to without an article.
var places = wordSet(`school work bed therapy church college university town physiotherapy court hospital class classes counselling
	counseling rehearsals meetings lectures kindergarten mosque synagogue temple`)

// motion tells going to a place from going to do something. "Going to plan" is on course.
func motion(s sentence, i int) bool {
	w := s.word(i)
	return determiners[w] || places[w] || isGerund(w) || w == "plan" && s.ends(i+1) || i < len(s) && s[i].capital && s[i-1].word == "to" && !s[i-1].capital
}

// frameReality says what is spoken of as what is not there yet.
func frameReality(t text, s sentence, from int) []string {
	rest := t.slice(s, from, phraseEnd(s, from))
	if from < len(s) && (s.word(from) == "to" || s.word(from) == "for") {
		rest = t.slice(s, from+1, phraseEnd(s, from+1))
	}
	if rest == "" {
		return []string{"Have …, no … yet"}
	}
	return keep(acceptsReality, []string{"Not there yet: " + rest, "Have … for “" + rest + "”, no … yet"})
}
