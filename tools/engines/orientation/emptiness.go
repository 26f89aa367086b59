package orientation

import "slices"

// What makes an outcome say nothing of a result: it names a process, or it is a wish that
// could be anybody's. Whatever else a phrase names is taken to be what will exist.

var (
	processPhrases = phrases("process phrases")
	processVerbs   = conjugate("process verbs")
	continuing     = conjugate("continuing")
	ongoing        = conjugate("ongoing")
)

// namesProcess reports whether the first sentence is governed by an activity without an
// end: "work on the website", "keep improving the onboarding", "review the budget".
func namesProcess(t text) bool {
	if len(t.sentences) == 0 {
		return false
	}
	s := t.sentences[0]
	start := afterLabel(s)
	for s.word(start) != "" && (pronouns(s.word(start)) || modals(s.word(start)) || isAdverb(s.word(start))) {
		start++
	}
	next := s.word(start + 1)
	if continuing.is(s.word(start), base|gerund) && (isGerund(next) || next == "to" || next == "with" || next == "on") {
		return true
	}
	i := findHead(s).at
	for _, phrase := range processPhrases() {
		if ongoing.is(s.word(i), base|third|gerund) && s.word(i) != "" && s.has(i+1, phrase[1:]) && ongoing()[s.word(i)].base == phrase[0] {
			return true
		}
	}
	w, next := s.word(i), s.word(i+1)
	switch {
	case w == "try" || w == "trying":
		return next != ""
	case w == "lose" || w == "losing":
		return !s.ends(i+1) && !s.number(i+1)
	case next == "less" || next == "fewer": // "pay less tax"
		return stating.is(w, base|gerund) && !s.later(i+2, s.number)
	}
	return processVerbs.is(w, base|gerund) && determiners(next)
}

var (
	comparatives = wordSet("comparatives")
	vague        = wordSet("vague words")
	being        = wordSet("words of being")
)

// isEmptyWish reports whether no word of a text says what is wished for: "be better",
// "success", "a happier life". A comparison with one word is such a wish, too: "more money".
func isEmptyWish(t text) bool {
	words := t.words()
	for len(words) > 0 && (pronouns(words[0].word) || desiring.is(words[0].word, base)) {
		words = words[1:]
	}
	if len(words) == 2 && (comparatives(words[0].word) || comparatives(words[1].word)) && !words[1].number {
		return true
	}
	if len(words) > 1 && (words[0].word == "less" || words[0].word == "fewer") && words[1].word != "than" { // that something is gone
		return !slices.ContainsFunc(words, func(tok token) bool { return tok.number || numberWords(tok.word) })
	}
	if len(words) == 1 && creative.is(words[0].word, base) && !isPlural(words[0].word) {
		return true
	}
	counted := false
	for _, tok := range words {
		switch w := tok.word; {
		case tok.number || numberWords(w):
			counted = true
		case vague(w) || comparatives(w) || being(w), determiners(w) || pronouns(w) || objectPronouns(w), prepositions(w) || modals(w) || copulas(w), isAdverb(w) || desiring.is(w, base|third):
		default:
			return false
		}
	}
	return !counted || len(words) == 1
}
