package orientation

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
