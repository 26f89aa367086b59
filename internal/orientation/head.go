package orientation

import "slices"

// head is the governing word of a sentence and what led up to it.
type head struct {
	at      int  // index into the sentence; its length when there is none
	subject bool // a personal subject came before: "I", "we"
	negated int  // index of the "not" or "never" before it, -1 without
}

// findHead steps over introductions, subjects, modals and desires to the word that
// governs the sentence: from "By June, I really want to stop smoking" to "stop".
func findHead(s sentence) head {
	h := head{at: skipLabel(s), negated: -1}
	for n := 1; n > 0 && h.at < len(s); h.at += n {
		n = h.readLeadingWords(s)
	}
	return h
}

// readLeadingWords returns how many leading words stand at h.at, 0 when the head is reached.
func (h *head) readLeadingWords(s sentence) int {
	i := h.at
	w, next := s.wordAt(i), s.wordAt(i+1)
	if n := slices.IndexFunc(s[i:], func(tok token) bool { return tok.mark }); n > 0 && isInList("introducers", w) {
		return n + 1 // "By the end of March,"
	}
	switch {
	case isInList("pronouns", w):
		h.subject = true
		return 1
	case w == "not", w == "never" && !h.subject: // "I never miss a workout" says what is
		h.negated = i
		return 1
	case s[i].mark, isAdverb(w), isInList("modals", w), h.subject && isInList("copulas", w):
		return 1
	}
	if n := s.longestPhraseAt(i, "openings"); n > 0 && i+n < len(s) {
		return n
	}
	// Some verbs hand their meaning to the next: "want to", "focus on writing", "have to".
	leads := isForm("leading", w, base|third|gerund|past) || isInList("copulas", w)
	switch {
	case leads && (next == "to" || isInList("prepositions", next) && isGerund(s.wordAt(i+2))):
		return 2
	case leads && isGerund(next):
		return 1
	}
	return skipSubjectWithModal(s, i)
}

// skipLabel returns the index after an opening such as "Goal:" or "Step 1:".
func skipLabel(s sentence) int {
	for i := 1; i < min(len(s)-1, 3); i++ {
		if s[i].word == ":" {
			return i + 1
		}
	}
	return 0
}

// skipSubjectWithModal steps over "The whole team must", "Our main goal is to".
func skipSubjectWithModal(s sentence, i int) int {
	for j := i + 1; !s.endsPhraseBefore(j+1) && !stating.hasForm(s.wordAt(i), base) && !problems.hasForm(s.wordAt(i), base|gerund); j++ {
		w := s.wordAt(j)
		switch {
		case isInList("modals", w):
			return j + 1 - i
		case s.wordAt(j+1) == "to" && (isInList("copulas", w) || isForm("leading", w, third)):
			return j + 2 - i
		}
	}
	return 0
}
