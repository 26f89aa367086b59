package orientation

// CheckReality judges current reality: it must say what is so, not what is hoped, planned or
// about to be. What is denied ("not ready for guests") is a fact and passes.
func CheckReality(written string) *Finding {
	t := splitText(written)
	for _, s := range t.sentences {
		for i := range s {
			to := skipAspiration(s, i)
			if to == 0 || isDenied(s, i) {
				continue
			}
			word := t.writtenBetween(s, i, to)
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

// isDenied reports whether a negation stands shortly before i.
func isDenied(s sentence, i int) bool {
	for j := i - 1; j >= i-3 && !s.endsPhraseBefore(j) && s.wordAt(j) != "and" && s.wordAt(j) != "but"; j-- {
		if isInList("denials", s.wordAt(j)) {
			return true
		}
	}
	return false
}

// skipAspiration returns the index after the words at i that speak of readiness, wish or
// future, or 0.
func skipAspiration(s sentence, i int) int {
	w, next := s.wordAt(i), s.wordAt(i+1)
	n := s.longestPhraseAt(i, "aspirations")
	switch {
	case s.longestPhraseAt(i, "facts") > 0:
		return 0
	case n > 0:
		return i + n
	case w == "going" && next == "to" && !isInList("places", s.wordAt(i+2)) && !isInList("determiners", s.wordAt(i+2)):
		return i + 2
	case w == "will" || w == "shall": // "the team will soon launch", but "the shop will open in May" is a fact of the calendar
		j := i + 1
		for isAdverb(s.wordAt(j)) {
			j++
		}
		dated := s.containsLater(j, func(k int) bool { return isInList("months", s.wordAt(k)) || s[k].number })
		if actions.hasForm(s.wordAt(j), base) && !dated {
			return j
		}
	case !isForm("aspiring", w, base|third|gerund) || isInList("determiners", s.wordAt(i-1)): // "our plan to expand was rejected"
		return 0
	case next == "to":
		return i + 2
	case isInList("pronouns", next):
		return i + 1
	}
	return 0
}
