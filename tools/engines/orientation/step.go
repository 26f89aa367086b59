package orientation

// Step judges the title of an action step: a result that can be seen to be there. It refuses
// governing problem verbs, a leading activity ("Writing chapter one"), and words that only
// set one going or keep it up: "try to", "start …ing", "go on …ing", "keep …ing", "still …ing".
// It never asks for a creative verb: "Choose DAW" is a result. A word in -ing that names a
// thing ("Building permit obtained", "Marketing plan") is no activity.
func Step(written string) *Finding {
	t := read(written)
	if p := refusedProblem(t, false); p != nil {
		return problemFinding(t, p, RuleStepProblem)
	}
	s := t.first()
	from := stepStart(s)
	to := activity(s, from)
	if to == 0 {
		return nil
	}
	word := t.slice(s, from, to)
	return &Finding{
		Rule: RuleStepProcess,
		Message: "“" + word + "” names an activity, and an activity is never finished. " +
			"Name the result that is there when it is done: not “Writing chapter one” but “Chapter one written”.",
		Words: []string{word},
	}
}

// stepStart steps over labels and small words before a step.
func stepStart(s sentence) int {
	i := afterLabel(s)
	for i < len(s)-1 && (s[i].mark || in("pronouns", s.word(i)) || in("modals", s.word(i)) || isAdverb(s.word(i)) && !in("lasts", s.word(i))) {
		i++
	}
	return i
}

// activity returns the index after the words that name an activity at i, or 0.
func activity(s sentence, i int) int {
	w, next := s.word(i), s.word(i+1)
	switch {
	case in("lasts", w):
		return activity(s, i+1)
	case w == "try" && next == "to":
		return i + 2
	case next == "on" && (isActivity(s, i+2) || s.word(i+2) == "to" && !s.ends(i+3)): // "go on practising"
		return i + 3
	case isForm("lasting", w, base|gerund) && next == "to" && !in("no verb", s.word(i+2)):
		return i + 2
	case isForm("lasting", w, base|gerund) && isActivity(s, i+1):
		return i + 2
	case isActivity(s, i):
		return i + 1
	}
	return 0
}

// isActivity reports whether an activity leads at i: a gerund that does not name a thing.
func isActivity(s sentence, i int) bool { return isGerund(s.word(i)) && !namesResult(s, i) }

// namesResult reports whether a leading word in -ing is part of a result: a participle
// follows ("Meeting scheduled") or closes the phrase ("Building permit obtained"), the word
// names a thing ("Funding") and no article or number follows, or it describes a thing
// ("Marketing plan").
func namesResult(s sentence, i int) bool {
	w, next := s.word(i), s.word(i+1)
	switch {
	case isResult(next):
		return true
	case in("nominal gerunds", w):
		return !in("determiners", next) && !in("numbers", next) && !s.number(i+1)
	}
	done := s.later(i+2, func(j int) bool {
		return isResult(s.word(j)) && (s.ends(j+1) || in("modifying gerunds", w) && endsPhrase(s, j+1))
	})
	return done || in("modifying gerunds", w) && !in("determiners", next) && in("described things", s.lastNoun(i+1))
}
