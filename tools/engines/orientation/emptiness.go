package orientation

// What makes an outcome say nothing of a result: it names a process, or it is a wish that
// could be anybody's. Whatever else a phrase names is taken to be what will exist.

// namesProcess reports whether a sentence is governed by an activity without an end: "work
// on the website", "keep improving the onboarding", "review the budget".
func namesProcess(s sentence) bool {
	start := afterLabel(s)
	for in("pronouns", s.word(start)) || in("modals", s.word(start)) || isAdverb(s.word(start)) {
		start++
	}
	if next := s.word(start + 1); isForm("continuing", s.word(start), base|gerund) && (isGerund(next) || in("prepositions", next)) {
		return true
	}
	i := findHead(s).at
	return s.longest(i, "process phrases") > 0 || isForm("process verbs", s.word(i), base|gerund) && in("determiners", s.word(i+1))
}

// isEmptyWish reports whether no word of a text says what is wished for: "be better",
// "success", "a happier life". A comparison with one word is such a wish, too: "more money".
func isEmptyWish(words []token) bool {
	for len(words) > 0 && (in("pronouns", words[0].word) || isForm("desiring", words[0].word, base)) {
		words = words[1:]
	}
	if len(words) == 2 && (in("comparatives", words[0].word) || in("comparatives", words[1].word)) {
		return true
	}
	if len(words) == 1 && creative.is(words[0].word, base) {
		return true
	}
	for _, tok := range words {
		w := tok.word
		says := !tok.number && !in("vague words", w) && !in("comparatives", w) && !in("words of being", w) && !in("determiners", w) && !in("prepositions", w) && !isAdverb(w)
		if says || tok.number && len(words) > 1 {
			return false
		}
	}
	return true
}
