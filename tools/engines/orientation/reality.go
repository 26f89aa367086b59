package orientation

// Reality judges current reality: it must say what is so, not what is hoped, planned or
// about to be. What is denied ("not ready for guests") is a fact and passes.
func Reality(written string) *Finding {
	t := read(written)
	for _, s := range t.sentences {
		for i := range s {
			to := aspiration(s, i)
			if to == 0 || denied(s, i) {
				continue
			}
			word := t.slice(s, i, to)
			return &Finding{
				Rule: RuleReality,
				Message: "“" + word + "” says what is hoped for or about to be, not what is so. " +
					"Say what is there today and what is missing, as facts anybody could check (“have a microphone, no experience”).",
				Words: []string{word},
			}
		}
	}
	return nil
}

// denied reports whether a negation stands shortly before i: then what follows is
// said not to be there.
func denied(s sentence, i int) bool {
	for j := i - 1; j >= i-3 && !s.ends(j) && s.word(j) != "and" && s.word(j) != "but"; j-- {
		if in("denials", s.word(j)) {
			return true
		}
	}
	return false
}

// aspiration returns the index after the words at i that speak of readiness, wish or
// future, or 0.
func aspiration(s sentence, i int) int {
	if s.longest(i, "facts") > 0 {
		return 0
	}
	if n := s.longest(i, "aspirations"); n > 0 {
		return i + n
	}
	before, w, next := s.word(i-1), s.word(i), s.word(i+1)
	switch {
	case w == "going" && next == "to" && !in("places", s.word(i+2)) && !in("determiners", s.word(i+2)):
		return i + 2
	case w == "will" || w == "shall":
		return future(s, i)
	case !isForm("aspiring", w, base|third|gerund) || in("determiners", before) || in("relatives", before) || in("copulas", before) && !isGerund(w): // "our plan to expand was rejected"
		return 0
	case next == "to" || next == "on" && isGerund(s.word(i+2)):
		return i + 2
	case in("pronouns", next):
		return i + 1
	}
	return 0
}

// future: "will have", "we'll launch", "the team will soon launch".
func future(s sentence, i int) int {
	j := s.afterAdverbs(i + 1)
	next := s.word(j)
	switch {
	case next == "have" || next == "be":
		return j + 1
	case s.ends(j) || in("denials", next) || s.word(i-1) == "who":
		return 0
	case in("pronouns", s.word(i-1)) || actions.is(next, base) && !scheduled(s, j): // not "last will signed"
		return j
	}
	return 0
}

// scheduled reports that what will happen has a date: "The shop will open in May" is a
// fact of the calendar, as long as nobody says it of themselves.
func scheduled(s sentence, i int) bool {
	return s.later(i, func(j int) bool { return in("months", s.word(j)) || s.number(j) })
}
