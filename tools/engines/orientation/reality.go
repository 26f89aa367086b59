package orientation

// Reality judges current reality: it must say what is so, not what is hoped, planned or
// about to be. What is denied ("not ready for guests") is a fact and passes.
func Reality(written string) *Finding {
	t := read(written)
	for _, s := range t.sentences {
		for i := range s {
			if to := aspiration(s, i); to > i && !s[i].quoted && !denied(s, i) {
				return aspired(t.slice(s, i, to))
			}
		}
	}
	return nil
}

func aspired(word string) *Finding {
	return &Finding{
		Rule: RuleReality,
		Message: "“" + word + "” says what is hoped for or about to be, not what is so. " +
			"Say what is there today and what is missing, as facts anybody could check (“have a microphone, no experience”).",
		Words: []string{word},
	}
}

var denials = wordSet("denials")

// denied reports whether a negation stands shortly before i: then what follows is
// said not to be there.
func denied(s sentence, i int) bool {
	for j := i - 1; j >= i-3 && !s.ends(max(j, 0)) && s.word(j) != "and" && s.word(j) != "but"; j-- {
		if denials(s.word(j)) {
			return true
		}
	}
	return false
}

var (
	aspirations = phrases("aspirations")
	aspiring    = conjugate("aspiring")
	wishes      = wordSet("aspired nouns")
)

// aspiration returns the index after the words at i that speak of readiness, wish or
// future, or 0.
func aspiration(s sentence, i int) int {
	for _, phrase := range aspirations() {
		if s.has(i, phrase) {
			return i + len(phrase)
		}
	}
	w, next, after := s.word(i), s.word(i+1), s.word(i+2)
	switch {
	case w == "all" && next == "set" && after != "of" && !isPlural(after): // not "all set of", "all set pieces"
		return i + 2
	case wishes(w) && next == "is" && after == "to":
		return i + 3
	case w == "would" && saidByAuthor(s, i) && !denials(next):
		return s.afterAdverbs(i+1) + 1
	case w == "going" && next == "to" && !motion(s, i+2):
		return i + 2
	case w == "hoped" && s.word(i-1) != "had" && !tellsOutcome(s, i):
		return i + 2
	case w == "will" || w == "shall":
		return future(s, i)
	case aspiring.is(w, base|third|gerund):
		return wish(s, i)
	}
	return 0
}

// wish: "hope to", "hoping for", "I wish I had", "we want a studio".
func wish(s sentence, i int) int {
	next, name := s.word(i+1), aspiring()[s.word(i)].base
	longing := name == "hope" || name == "wish"
	switch {
	case next == "to" && s.word(i+2) != "scale" && s.word(i-1) != "who" && !settled(s, i):
		return i + 2
	case longing && (next == "for" || next == "that") && !copulas(s.word(i-1)): // not "there is hope for"
		return i + 2
	case longing && pronouns(next), name == "want" && saidByAuthor(s, i) && !s.ends(i+1):
		return i + 1
	case next == "on" && isGerund(s.word(i+2)):
		return i + 2
	}
	return 0
}

// saidByAuthor reports that the verb at i is said by the author of themselves: "I really want".
func saidByAuthor(s sentence, i int) bool {
	for i--; isAdverb(s.word(i)); {
		i--
	}
	return s.word(i) == "i" || s.word(i) == "we"
}

// tellsOutcome reports that the sentence goes on to what came of a hope.
func tellsOutcome(s sentence, i int) bool {
	return s.later(i, func(j int) bool { return s.word(j) == "and" || s.word(j) == "but" })
}

// settled tells the plan in "our plan to expand was rejected" from planning.
func settled(s sentence, i int) bool {
	return determiners(s.word(i-1)) && s.later(i+3, func(j int) bool { return copulas(s.word(j)) })
}

// future: "will have", "we'll launch", "the team will soon launch".
func future(s sentence, i int) int {
	before, j := s.word(i-1), s.afterAdverbs(i+1)
	next := s.word(j)
	switch {
	case next == "have" || next == "be":
		return j + 1
	case next == "" || next == "not" || next == "never" || before == "who":
		return 0
	case pronouns(before) || actions.is(next, base) && !scheduled(s, j): // not "last will signed"
		return j
	}
	return 0
}

// scheduled reports that what will happen has a date: "The shop will open in May" is a
// fact of the calendar, as long as nobody says it of themselves.
func scheduled(s sentence, i int) bool {
	return s.later(i+1, func(j int) bool {
		w := s.word(j)
		return (w == "in" || w == "on" || w == "at") && s.when(j+1) && !determiners(s.word(j+1))
	})
}

var places = wordSet("places")

// motion tells going to a place from going to do something. "Going to plan" is on course.
func motion(s sentence, i int) bool {
	w := s.word(i)
	return determiners(w) || places(w) || w == "plan" || i < len(s) && s[i].capital && !s[i-1].capital
}
