package orientation

// CheckStep judges the title of an action step: a result that can be seen to be there. It refuses
// governing problem verbs, a leading activity ("Writing chapter one"), and words that only
// set one going or keep it up: "try to", "start …ing", "go on …ing", "still …ing".
func CheckStep(written string) *Finding {
	t := splitText(written)
	if f := checkForProblem(t, RuleStepProblem, false); f != nil {
		return f
	}
	s := t.sentences[0]
	from := skipLabel(s)
	for from < len(s)-1 && (s[from].mark || isInList("pronouns", s.wordAt(from)) || isInList("modals", s.wordAt(from)) || isAdverb(s.wordAt(from)) && !isInList("lasts", s.wordAt(from))) {
		from++
	}
	to := skipActivity(s, from)
	if to == 0 {
		return nil
	}
	word := t.writtenBetween(s, from, to)
	return &Finding{
		Rule: RuleStepProcess,
		Message: "“" + word + "” names an activity, and an activity is never finished. " +
			"Name the result that is there when it is done: not “Writing chapter one” but “Chapter one written”.",
		Words: []string{word},
	}
}

// skipActivity returns the index after the words that name an activity at i, or 0.
func skipActivity(s sentence, i int) int {
	w, next := s.wordAt(i), s.wordAt(i+1)
	switch {
	case isInList("lasts", w):
		return skipActivity(s, i+1)
	case next == "on" && isActivity(s, i+2): // "go on practising"
		return i + 3
	case next == "to" && (w == "try" || isForm("lasting", w, base|gerund) && !isInList("no verb", s.wordAt(i+2))):
		return i + 2
	case isForm("lasting", w, base|gerund) && isActivity(s, i+1):
		return i + 2
	case isActivity(s, i):
		return i + 1
	}
	return 0
}

// isActivity reports whether an activity leads at i: a gerund that does not name a thing.
func isActivity(s sentence, i int) bool { return isGerund(s.wordAt(i)) && !namesResult(s, i) }

// namesResult reports whether a leading word in -ing is part of a result: a participle
// follows ("Building permit obtained"), or it names or describes a thing ("Marketing plan").
func namesResult(s sentence, i int) bool {
	w, next := s.wordAt(i), s.wordAt(i+1)
	switch {
	case isResultWord(next):
		return true
	case isInList("nominal gerunds", w):
		return !isInList("determiners", next)
	case isInList("modifying gerunds", w) && !isInList("determiners", next) && isInList("described things", s.lastNoun(i+1)):
		return true
	}
	return s.containsLater(i+2, func(j int) bool {
		return isResultWord(s.wordAt(j)) && (s.endsPhraseBefore(j+1) || isInList("modifying gerunds", w) && endsPhrase(s, j+1))
	})
}
