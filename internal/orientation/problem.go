package orientation

import "sync"

// problemPattern is one way to aim at the absence of something: a verb, or several words of
// which the first is inflected.
type problemPattern struct {
	verb         map[string]form
	rest         []string
	needsTrouble bool // only when it acts on a trouble: "cut costs", not "cut an album"
}

var attacks = sync.OnceValue(func() []problemPattern {
	var words, single []problemPattern
	for _, troubled := range []string{"", "troubled "} {
		for _, list := range problems {
			for _, phrase := range phrases()[troubled+list+" phrases"] {
				first := map[string]form{}
				addForms(first, phrase[0])
				words = append(words, problemPattern{first, phrase[1:], troubled != ""})
			}
			single = append(single, problemPattern{inflect(troubled + list), nil, troubled != ""})
		}
	}
	return append(words, single...) // "cut down on" before "cut"
})

// matchAt returns the index after the attack, when it stands at i, or 0.
func (a problemPattern) matchAt(s sentence, i int) int {
	to := i + 1 + len(a.rest)
	switch {
	case a.verb[s.wordAt(i)] == 0 || !s.hasPhraseAt(i+1, a.rest):
		return 0
	case a.needsTrouble && !isInList("troubles", s.lastNoun(s.skipListed(to, "particles"))):
		return 0
	case !a.needsTrouble && len(a.rest) == 0 && namesThing(s, i):
		return 0
	}
	return to
}

// problem is what governs a refused text: which words, and what they act on.
type problem struct {
	from, to    int // the deciding words
	objectStart int // where what they act on begins
}

// findGoverningProblem returns the problem that governs a sentence by its head, or nil.
func findGoverningProblem(s sentence, h head) *problem {
	if h.negated >= 0 {
		return &problem{from: h.negated, to: h.negated + 1, objectStart: len(s)}
	}
	if p := findPlannedProblem(s, h.at); p != nil {
		return p
	}
	for _, a := range attacks() {
		if to := a.matchAt(s, h.at); to > 0 {
			return &problem{from: h.at, to: to, objectStart: to}
		}
	}
	// Somebody else shall stop: "My son stops hitting".
	for i := h.at + 1; i < h.at+6 && !isInList("relatives", s.wordAt(i)); i++ {
		if isForm("stopping", s.wordAt(i), base|third) && (isGerund(s.wordAt(i+1)) || s.endsPhraseBefore(i+1)) {
			return &problem{from: i, to: i + 1, objectStart: i + 1}
		}
	}
	return nil
}

// namesThing reports whether the problem word at i only helps to name a thing: "Fix deployed",
// "Solved cases documented".
func namesThing(s sentence, i int) bool {
	if w := s.wordAt(i); !isInList("noun verbs", w) && problems.hasForm(w, base) {
		return false
	}
	return s.containsLater(i+1, func(j int) bool { return isResultWord(s.wordAt(j)) && endsPhrase(s, j+1) })
}

// findPassiveProblem finds a problem verb that governs as a result: "All bugs are fixed".
func findPassiveProblem(s sentence, from int) *problem {
	for i := from + 1; !s.endsPhraseBefore(i) && !creative.hasForm(s.wordAt(from), base); i++ {
		if problems.hasForm(s.wordAt(i), past) && endsPhrase(s, i+1) {
			return &problem{from: i, to: i + 1, objectStart: from}
		}
	}
	return nil
}

// findPlannedProblem finds a problem behind a verb that brings into being nothing but
// the fight against it: "Create a plan to eliminate waste", "Achieve a reduction in costs".
func findPlannedProblem(s sentence, verb int) *problem {
	for i := verb + 1; !s.endsPhraseBefore(i); i++ {
		w, next := s.wordAt(i), s.wordAt(i+1)
		if isInList("losses", w) && (next == "in" || next == "of") {
			return &problem{from: i, to: i + 1, objectStart: i + 2}
		}
		if isInList("vehicles", w) && isInList("prepositions", next) {
			if p := findGoverningProblem(s, head{at: i + 2, negated: -1}); p != nil {
				return p
			}
		}
	}
	return nil
}

// findForeignProblem finds a governing problem verb of German (the first word, or the
// infinitive that closes the clause), French or Spanish (the first verb).
func findForeignProblem(s sentence) *problem {
	i := s.skipListed(0, "foreign leads")
	if n := s.longestPhraseAt(i, "foreign phrases"); n > 0 {
		return &problem{from: i, to: i + n, objectStart: len(s)}
	}
	for j := i; !s.endsPhraseBefore(j); j++ {
		if j == i && isInList("romance problems", s.wordAt(i)) || isInList("german problems", s.wordAt(j)) && (j == i || s.endsPhraseBefore(j+1)) {
			return &problem{from: j, to: j + 1, objectStart: len(s)}
		}
	}
	return nil
}
