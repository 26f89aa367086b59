package orientation

// head is the governing word of a sentence and what led up to it.
type head struct {
	at      int  // index into the sentence; its length when there is none
	subject bool // a personal subject came before: "I", "we"
	negated int  // index of the "not" or "never" before it, -1 without
}

// findHead steps over introductions, subjects, modals and desires to the word that
// governs the sentence: from "By June, I really want to stop smoking" to "stop".
func findHead(s sentence) head {
	h := head{at: afterLabel(s), negated: -1}
	for h.at < len(s) {
		n := h.step(s)
		if n == 0 {
			break
		}
		h.at += n
	}
	return h
}

// step returns how many leading words stand at h.at, 0 when the head is reached.
func (h *head) step(s sentence) int {
	i := h.at
	w, next := s.word(i), s.word(i+1)
	switch {
	case s[i].mark:
		return 1
	case in("introducers", w) && introduction(s, i) > 1:
		return introduction(s, i)
	case in("pronouns", w):
		h.subject = true
		return 1
	case (w == "not" || w == "never") && next != "only":
		h.negated = i
		return 1
	case isAdverb(w), in("modals", w) && next != "away": // not the do of "do away with"
		return 1
	case h.subject && (in("copulas", w) || w == "be"): // "I am reducing", "we have stopped"
		j := s.afterAdverbs(i + 1)
		if classes.is(s.word(j), gerund|past) || s.longest(j, "openings") > 0 {
			return j - i
		}
	}
	if n := s.longest(i, "openings"); n > 0 && i+n < len(s) {
		return n
	}
	if n := desire(s, i); n > 0 {
		return n
	}
	return subjectWithModal(s, i)
}

// afterLabel returns the index after an opening such as "Goal:" or "Health:".
func afterLabel(s sentence) int {
	if len(s) > 0 && classes.is(s[0].word, base) {
		return 0
	}
	for i := 1; i < len(s)-1 && i < 6; i++ {
		if s[i].mark && (s[i].word == ":" || in("goals", s[i-1].word)) { // "Goal - write"
			return i + 1
		}
	}
	return 0
}

// introduction counts the words of "By the end of March," or "In 2027".
func introduction(s sentence, i int) int {
	for j := i + 1; j < len(s)-1 && j < i+12; j++ {
		if s[j].mark {
			return j + 1 - i
		}
	}
	j := i + 1
	for in("calendar", s.word(j)) || s.number(j) {
		j++
	}
	if j == len(s) {
		return 0
	}
	return j - i
}

// desire steps over a verb that hands its meaning to the next one: "want to", "focus on
// writing", "have to".
func desire(s sentence, i int) int {
	w, next := s.word(i), s.word(i+1)
	switch {
	case !isForm("leading", w, base|third|gerund|past) && !in("copulas", w):
		return 0
	case next == "to" || in("prepositions", next) && isGerund(s.word(i+2)):
		return 2
	case isGerund(next):
		return 1
	}
	return 0
}

// subjectWithModal steps over "The whole team must", "Our main goal is to".
func subjectWithModal(s sentence, i int) int {
	if w := s.word(i); stating.is(w, base) || classes.is(w, base|gerund) {
		return 0
	}
	for j := i + 1; j < i+12 && !s.ends(j+1); j++ {
		w := s.word(j)
		switch {
		case in("modals", w):
			return j + 1 - i
		case s.word(j+1) == "to" && (in("copulas", w) || isForm("leading", w, third)):
			return j + 2 - i
		}
	}
	return 0
}
