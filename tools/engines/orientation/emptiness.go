package orientation

// What makes an outcome say nothing of a result: it names a process, or it is a wish that
// could be anybody's. Whatever else a phrase names is taken to be what will exist.

var (
	processPhrases = phrases("process phrases")
	processVerbs   = conjugate("process verbs")
	continuing     = conjugate("continuing")
)

// namesProcess reports whether a sentence is governed by an activity without an end: "work
// on the website", "keep improving the onboarding", "review the budget".
func namesProcess(s sentence) bool {
	start := afterLabel(s)
	for pronouns(s.word(start)) || modals(s.word(start)) || isAdverb(s.word(start)) {
		start++
	}
	if next := s.word(start + 1); continuing.is(s.word(start), base|gerund) && (isGerund(next) || prepositions(next)) {
		return true
	}
	i := findHead(s).at
	return s.longest(i, processPhrases()) > 0 || processVerbs.is(s.word(i), base|gerund) && determiners(s.word(i+1))
}

var (
	vague = wordSet("vague words")
	being = wordSet("words of being")
)

// isEmptyWish reports whether no word of a text says what is wished for: "be better",
// "success", "a happier life". A comparison with one word is such a wish, too: "more money".
func isEmptyWish(words []token) bool {
	for len(words) > 0 && (pronouns(words[0].word) || desiring.is(words[0].word, base)) {
		words = words[1:]
	}
	if len(words) == 2 && (comparatives(words[0].word) || comparatives(words[1].word)) {
		return true
	}
	if len(words) == 1 && creative.is(words[0].word, base) {
		return true
	}
	for _, tok := range words {
		w := tok.word
		says := !tok.number && !vague(w) && !comparatives(w) && !being(w) && !determiners(w) && !prepositions(w) && !isAdverb(w)
		if says || tok.number && len(words) > 1 {
			return false
		}
	}
	return true
}
