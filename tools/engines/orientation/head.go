package orientation

// head is the governing word of a sentence and what led up to it.
type head struct {
	at      int  // index into the sentence; its length when there is none
	subject bool // a personal subject came before: "I", "we"
	modal   bool // a modal or a desire came before: "will", "want to"
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
	if n := introduction(s, i); n > 0 || s[i].mark {
		return max(n, 1)
	}
	switch w := s.word(i); {
	case pronouns(w):
		h.subject = true
		return 1
	case (w == "not" || w == "never") && s.word(i+1) != "only":
		h.negated = i
		return 1
	case isAdverb(w) || w == "and" && isAdverb(s.word(i-1)):
		return 1
	}
	if n := h.auxiliary(s, i); n > 0 {
		return n
	}
	for _, handsOn := range []func(sentence, int) int{opening, modal, desire, help, cause, subjectWithModal} {
		if n := handsOn(s, i); n > 0 {
			h.modal = true
			return n
		}
	}
	return 0
}

// goalNouns open sentences such as "Our main goal for this year is to …".
var goalNouns = wordSet("goals")

// afterLabel returns the index after an opening such as "Goal:" or "Health:".
func afterLabel(s sentence) int {
	if len(s) > 0 && (creative.is(s[0].word, base) || problems.is(s[0].word, base)) {
		return 0
	}
	for i := 0; i < len(s)-1 && i < 6; i++ {
		if s[i].mark && (s[i].word == ":" || i > 0 && goalNouns(s[i-1].word) && i < 3) { // "Goal - write"
			return i + 1
		}
	}
	if len(s) > 2 && s[0].number && s[1].mark { // "3) Write"
		return 2
	}
	return 0
}

var introducers = wordSet("introducers")

// introduction counts the words of "By the end of March," or "In 2027".
func introduction(s sentence, i int) int {
	if !introducers(s.word(i)) {
		return 0
	}
	for j := i + 1; j < len(s)-1 && j < i+12; j++ {
		if s[j].mark {
			return j + 1 - i
		}
	}
	j := i + 1
	for j < len(s) && s.when(j) {
		j++
	}
	if j == i+1 || j == len(s) {
		return 0
	}
	return j - i
}

var openings = phrases("openings")

// opening counts the words of the longest opening of a goal: "in order to", "determined to".
func opening(s sentence, i int) int {
	longest := 0
	for _, phrase := range openings() {
		if len(phrase) > longest && i+len(phrase) < len(s) && s.has(i, phrase) {
			longest = len(phrase)
		}
	}
	return longest
}

// modal steps over "will", but not over the do of "do away with".
func modal(s sentence, i int) int {
	if modals(s.word(i)) && !s.ends(i+1) && s.word(i+1) != "away" {
		return 1
	}
	return 0
}

// auxiliary steps over the be or have of "I am reducing" and "we have stopped".
func (h *head) auxiliary(s sentence, i int) int {
	w := s.word(i)
	if !(h.subject || h.modal) || !(copulas(w) || w == "be" || w == "been") {
		return 0
	}
	j := s.afterAdverbs(i + 1)
	if problems.is(s.word(j), gerund|past) || opening(s, j) > 0 {
		return j - i
	}
	return 0
}

// desire steps over a verb that hands its meaning to the next one: "want to", "focus on
// writing", "have to".
func desire(s sentence, i int) int {
	w, next := s.word(i), s.word(i+1)
	switch {
	case !leading.is(w, base|third|gerund|past) && !copulas(w):
		return 0
	case next == "to" || prepositions(next) && isGerund(s.word(i+2)):
		return 2
	case isGerund(next) && !copulas(w):
		return 1
	}
	return 0
}

// groups are those one belongs to: helping them is helping oneself.
var groups = wordSet("groups")

// help steps over "help me", "help our team to". Helping others is an outcome of its own.
func help(s sentence, i int) int {
	w, n := s.word(i), 0
	switch {
	case w != "help" && w != "let":
		return 0
	case objectPronouns(s.word(i + 1)):
		n = 2
	case determiners(s.word(i+1)) && groups(s.word(i+2)):
		n = 3
	default:
		return 0
	}
	if prepositions(s.word(i + n)) {
		n++
	}
	return n
}

// cause steps over "want my son to", "make the dog", when what is caused is
// problem-solving: the cause then governs nothing of its own.
func cause(s sentence, i int) int {
	w := s.word(i)
	if w != "want" && w != "get" && w != "make" {
		return 0
	}
	for j := i + 2; j <= i+5 && !s.ends(j); j++ {
		if s.word(j) == "to" && problems.is(s.word(j+1), base) {
			return j + 1 - i
		}
		if w == "make" && (stopping.is(s.word(j), base) || s.word(j+1) == "away") {
			return j - i
		}
	}
	return 0
}

var stopping = conjugate("stopping")

// subjectWithModal steps over "The whole team must", "Our main goal is to".
func subjectWithModal(s sentence, i int) int {
	if w := s.word(i); stating.is(w, base) || problems.is(w, base|gerund) {
		return 0
	}
	for j := i + 1; j < i+12 && !s.ends(j+1); j++ {
		w := s.word(j)
		switch {
		case modals(w):
			return j + 1 - i
		case goalNouns(w) && s.word(j+1) == "is" && determiners(s.word(j+2)): // "my goal is a podcast"
			return j + 2 - i
		case s.word(j+1) == "to" && (copulas(w) || leading.is(w, third)):
			return j + 2 - i
		}
	}
	return 0
}
