package orientation

import "strings"

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
		next := h.step(s)
		if next <= h.at {
			break
		}
		h.at = next
	}
	return h
}

// step returns the index after the leading words at h.at, or h.at when the head is reached.
func (h *head) step(s sentence) int {
	i := h.at
	w, next := s.word(i), s.word(i+1)
	if s[i].mark {
		return i + 1
	}
	if after := introduction(s, i); after > i {
		return after
	}
	if n := leadIn(s, i); n > 0 {
		h.modal = true
		return i + n
	}
	switch {
	case pronouns[w]:
		h.subject = true
		return i + 1
	case w == "not" || w == "never":
		if next == "only" || next == "just" {
			return i
		}
		h.negated = i
		return i + 1
	case modals[w] && !s.ends(i+1) && (w != "may" || h.subject) && next != "away":
		h.modal = true
		return i + 1
	case w == "and" && isAdverb(s.word(i-1)):
		return i + 1
	case eager[w] && next == "to":
		h.modal = true
		return i + 2
	case w == "to" || adverbs[w] || isAdverb(w):
		h.modal = h.modal || w == "to"
		return i + 1
	case w == "us" && i > 0 && s.word(i-1) == "let", w == "let" && next == "us":
		return i + 1
	}
	if n := h.auxiliary(s, i); n > 0 {
		return i + n
	}
	if n := handedOn(s, i); n > 0 {
		h.modal = true
		return i + n
	}
	if after := goalSentence(s, i); after > i {
		h.modal = true
		return after
	}
	if after := nounWithModal(s, i); after > i {
		h.modal = true
		return after
	}
	return i
}

// isAdverb recognises adverbs of manner, and leaves "family" and "fly" alone.
func isAdverb(word string) bool {
	return strings.HasSuffix(word, "ly") && len(word) > 4 && !notAdverbs[word]
}

var notAdverbs = wordSet(`family assembly anomaly butterfly multiply supply comply friendly lovely lively monthly weekly daily
	quarterly hourly yearly monopoly elderly italy fortnightly jelly belly july ally silly jolly ugly holy bully rally tally folly lily likely lonely timely costly orderly reply apply rely imply`)

// afterLabel returns the index after an opening such as "Goal:" or "Health:".
func afterLabel(s sentence) int {
	if len(s) > 0 && (creative.is(s[0].word, base|gerund) || problems.is(s[0].word, base|gerund)) {
		return 0
	}
	for i := 0; i < len(s)-1 && i < 6; i++ {
		if s[i].mark && (s[i].word == ":" || i > 0 && goalNouns[s[i-1].word] && i < 3) { // "Goal - write"
			return i + 1
		}
	}
	if len(s) > 2 && s[0].number && s[1].mark { // "3) Write"
		return 2
	}
	return 0
}

// introduction returns the index after "By the end of March," or "In 2027", or i.
func introduction(s sentence, i int) int {
	if !introducers[s.word(i)] {
		return i
	}
	for j := i + 1; j < len(s)-1 && j < i+12; j++ {
		if s[j].mark {
			return j + 1
		}
	}
	j := i + 1
	for j < len(s) && !s[j].mark && (calendar[s[j].word] || s[j].number) {
		j++
	}
	if j == i+1 || j >= len(s) {
		return i
	}
	return j
}

func leadIn(s sentence, i int) int {
	longest := 0
	for _, phrase := range leadIns {
		if len(phrase) > longest && i+len(phrase) < len(s) && matches(s, i, phrase) {
			longest = len(phrase)
		}
	}
	return longest
}

// matches reports whether the words of phrase stand at i.
func matches(s sentence, i int, phrase []string) bool {
	for k, word := range phrase {
		if s.word(i+k) != word {
			return false
		}
	}
	return true
}

// auxiliary steps over the be or have of "I am reducing" and "we have stopped".
func (h *head) auxiliary(s sentence, i int) int {
	w := s.word(i)
	if !(h.subject || h.modal) || !(copulas[w] || w == "be" || w == "been") {
		return 0
	}
	j := i + 1
	for j < len(s) && (isAdverb(s.word(j)) || adverbs[s.word(j)] || s.word(j) == "been") {
		j++
	}
	word := s.word(j)
	if problems.is(word, gerund|past) || leading.is(word, gerund|past) && s.word(j+1) == "to" || leadIn(s, j) > 0 ||
		eager[word] && s.word(j+1) == "to" {
		return j - i
	}
	if (w == "have" || w == "has" || w == "had") && word == "to" {
		h.modal = true
		return j - i + 1
	}
	return 0
}

// handedOn steps over a verb that hands its meaning to the next one: "want to", "focus on",
// "help me", "get my son to".
func handedOn(s sentence, i int) int {
	w := s.word(i)
	if leading.is(w, base|third|gerund|past) {
		if s.word(i+1) == "to" && !s.ends(i+2) {
			return 2
		}
		if s.word(i+1) == "not" && s.word(i+2) == "to" {
			return 1
		}
		if isGerund(s.word(i + 1)) {
			return 1
		}
		if prepositions[s.word(i+1)] && isGerund(s.word(i+2)) {
			return 2
		}
	}
	if n := helping(s, i); n > 0 {
		return n
	}
	return causing(s, i)
}

// helping steps over "help me", "help our team to". Helping others is an outcome of its own.
func helping(s sentence, i int) int {
	w := s.word(i)
	if w != "help" && w != "helping" && w != "let" && w != "assist" && w != "support" {
		return 0
	}
	n := 0
	switch {
	case objectPronouns[s.word(i+1)]:
		n = 2
	case (possessives[s.word(i+1)] || s.word(i+1) == "the") && collectives[s.word(i+2)]:
		n = 3
	default:
		return 0
	}
	if s.word(i+n) == "to" || s.word(i+n) == "with" || s.word(i+n) == "in" {
		n++
	}
	return n
}

// causing steps over "want my son to", "make the dog", when what is caused is
// problem-solving: the cause then governs nothing of its own.
func causing(s sentence, i int) int {
	w := s.word(i)
	wants := w == "want" || w == "wants" || w == "need" || w == "needs" || w == "like" || w == "get" || w == "expect"
	makes := w == "make" || w == "have" || w == "let"
	if !wants && !makes || s.word(i+1) == "a" || s.word(i+1) == "an" {
		return 0
	}
	if w == "get" && !possessives[s.word(i+1)] && s.word(i+1) != "them" && s.word(i+1) != "him" {
		return 0
	}
	for j := i + 2; j <= i+5 && !s.ends(j); j++ {
		if wants && s.word(j) == "to" && problems.is(s.word(j+1), base) {
			return j + 1 - i
		}
		if makes && s.word(j) == "go" && s.word(j+1) == "away" || makes && (s.word(j) == "disappear" || s.word(j) == "vanish") {
			return j - i
		}
		if makes && ceasing[s.word(j)] && (s.ends(j+1) || isGerund(s.word(j+1))) {
			return j - i
		}
		if wants && problems.is(s.word(j), past) && !problems.is(s.word(j), base) && s.ends(j+1) {
			return j - i
		}
	}
	return 0
}

// eager adjectives hand on like a verb of wanting: "I am determined to".
var eager = wordSet("determined committed eager keen willing ready able about inspired motivated resolved decided trying set")

var ceasing = wordSet("stop quit cease avoid")

// goalSentence steps over "Our main goal for this year is to".
func goalSentence(s sentence, i int) int {
	noun := false
	for j := i; j < len(s) && j < i+12 && !s[j].mark; j++ {
		w := s.word(j)
		if relatives[w] {
			return i
		}
		if noun && (w == "is" || w == "was") && s.word(j+1) == "to" {
			return j + 2
		}
		if noun && w == "is" && determiners[s.word(j+1)] {
			return j + 1
		}
		noun = noun || goalNouns[w]
	}
	return i
}

// nounWithModal steps over a subject that is followed by a modal: "The whole team must".
func nounWithModal(s sentence, i int) int {
	w := s.word(i)
	if stating.is(w, base) || problems.is(w, base|gerund) || s[i].quoted {
		return i
	}
	for j := i + 1; j < i+8 && !s.ends(j+1); j++ {
		w := s.word(j)
		if relatives[w] {
			return i
		}
		if modals[w] && w != "may" && w != "can" {
			return j + 1
		}
		if (w == "needs" || w == "wants" || w == "plans" || w == "aims" || w == "hopes" || w == "has") && s.word(j+1) == "to" {
			return j + 2
		}
	}
	return i
}

// isGerund reports whether a word looks like a verb in -ing.
func isGerund(word string) bool {
	return len(word) > 4 && strings.HasSuffix(word, "ing") && !notGerunds[word]
}

var notGerunds = wordSet(`thing things king ring spring string wing bring sing swing sling ping ding bling cling fling sting
	evening morning ceiling sibling wedding pudding darling lightning earring herring offspring something anything everything
	nothing duckling according beijing boeing sterling shilling viking interesting amazing outstanding existing remaining
	following upcoming outgoing incoming ongoing missing inspiring exciting surprising charming stunning thriving loving
	flourishing caring willing well-being wellbeing weekending dumpling sapling seedling inkling riding-school
	stocking starling gosling underling hireling yearling`)
