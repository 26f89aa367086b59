package extract

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"toolkit/internal/language"
)

// longest is the number of words in a sentence that is read: nobody says a longer one.
const longest = 120

// longestContext is the length in bytes of an answer of the assistant that a "yes" still
// confirms as a whole.
const longestContext = 600

// From gives the candidates of a turn. The turns before it in its session are
// needed for what only answers them: a correction, a confirmation.
func From(turn Turn, before []Turn) []Candidate {
	if turn.Speaker != User {
		return nil
	}
	r := reading{turn: turn, said: turn, answers: len(before) > 0 && before[len(before)-1].Speaker == Assistant}
	if r.answers {
		r.answered = before[len(before)-1]
		r.spokenOf = sync.OnceValue(func() string { return spokenOf(r.answered.Text) })
	}
	all := read(turn.Text)
	if speaksToAssistant(all) {
		return nil
	}
	if asked, confirmed := confirms(all); confirmed && r.answers {
		return r.confirmed(asked)
	}
	return r.candidates(all)
}

// reading is the work on one turn.
type reading struct {
	turn, answered Turn
	said           Turn              // whose words are kept
	answers        bool              // the assistant spoke right before
	corrected      bool              // a no stands before: what follows sets right
	spokenOf       func() string     // the subject of the assistant's last statement
	spoken         language.Language // of the wording that was found
	found          []Candidate
}

func read(text string) (all []sentence) {
	for _, part := range said(text) {
		all = append(all, sentences(text, part.from, part.to)...)
	}
	return all
}

// speaksToAssistant finds text about the assistant's instructions.
func speaksToAssistant(all []sentence) bool {
	return slices.ContainsFunc(all, func(s sentence) bool { return s.hasPhrase(0, len(s), "about the assistant") >= 0 })
}

// OfPerson reports whether a clause is about a person, as far as words tell.
func OfPerson(clause string) bool {
	return slices.ContainsFunc(read(clause), func(s sentence) bool { return s.hasWord(0, len(s), "of people") >= 0 })
}

// confirms reports whether a turn consists of confirmations alone, and whether it asks for the
// words to be kept.
func confirms(all []sentence) (asked, confirmed bool) {
	for _, s := range all {
		for i := 0; i < len(s); i++ {
			if s[i].mark && !s.question() {
				continue
			}
			n := s.phraseAt(i, "confirms")
			if n == 0 || !s.mark(i+n) {
				return false, false
			}
			asked = asked || s.phraseAt(i, "keep it") == n
			i += n
		}
	}
	return asked, len(all) > 0
}

// confirmed reads the assistant's turn as if the user had said it.
func (r *reading) confirmed(asked bool) []Candidate {
	all := read(r.answered.Text)
	if len(r.answered.Text) > longestContext || slices.ContainsFunc(all, sentence.question) {
		return nil
	}
	for _, s := range all {
		s.turnRound()
	}
	r.said, r.answers = r.answered, false
	for i := range r.candidates(all) {
		c := &r.found[i]
		c.Confirmed, c.Explicit = true, c.Explicit || asked
	}
	return r.found
}

// turnRound puts the user's words for the assistant's: "you prefer" becomes i prefer.
func (s sentence) turnRound() {
	turned := table("turned round")
	for i := range s {
		if word, ok := turned[s[i].word]; ok && !s[i].aside {
			s[i].word = word
			if i+1 < len(s) && word == "i" && s[i+1].is("are") {
				s[i+1].word = "am"
			}
		}
	}
}

func (r *reading) candidates(all []sentence) []Candidate {
	for _, s := range all {
		if len(s) <= longest {
			r.sentence(s)
		}
		if announces(s) {
			break // what follows was pasted, or is to be worked on
		}
	}
	return r.found
}

// announces reports whether a sentence says before a colon that a text follows.
func announces(s sentence) bool {
	colon := slices.IndexFunc(s, func(t token) bool { return t.mark && t.word == ":" })
	return colon >= 0 && s.announcedAt(colon+1)
}

// announcedAt reports whether a colon before i made what stands there a text of its own.
func (s sentence) announcedAt(i int) bool {
	for i--; i >= 0; i-- {
		if s[i].mark && s[i].word == ":" {
			return s.hasWord(0, i, "announces") >= 0
		}
	}
	return false
}

// sentence looks for one candidate of each kind, at the openings of the clauses.
func (r *reading) sentence(s sentence) {
	if s.hasPhrase(0, len(s), "sarcasm") >= 0 {
		return
	}
	corrected := r.corrected
	r.corrected = false
	kinds, last := map[Kind]bool{}, match{}
	for i := 0; i < len(s)-1; {
		start, opens := s.opening(i, r.answers)
		corrected = corrected || opens
		end := s.clauseEnd(start)
		if start < end {
			if m, ok := r.match(s, start, end, corrected, kinds); ok {
				if len(kinds) > 0 { // one sentence, two things: the first ends where the second begins
					r.found[len(r.found)-2].Text = r.text(s, last.from(), i)
				}
				kinds[m.kind], last = true, m
				end = s.clauseEnd(m.end)
			}
		} else if opens && end >= len(s)-1 {
			r.corrected = true // "No. It is on Thursday."
		}
		i = end + 1
		if end < len(s) && !s[end].mark {
			i = end
		}
	}
}

// opening steps over what says nothing at the start of a clause, and over a no.
func (s sentence) opening(i int, answers bool) (start int, corrects bool) {
	for i < len(s)-1 {
		n := s.phraseAt(i, "corrects")
		if s[i].is("no") && s.deniesAt(i) {
			break
		}
		if n > 0 && answers {
			corrects = true
		}
		if n = max(n, s.phraseAt(i, "filler phrases")); n == 0 && s.hasWord(i, i+1, "fillers") == i {
			n = 1
		}
		if n == 0 {
			break
		}
		i += n
	}
	if answers && i+2 < len(s) && s[i].is("not") && (s.mark(i+2) || s.mark(i+3)) {
		for corrects = true; !s.mark(i); i++ {
		}
	}
	return i, corrects
}

// deniesAt reports whether a wording that is in the negative begins with a no: "no me gusta" is no
// answer.
func (s sentence) deniesAt(i int) bool {
	_, found := s.matchAt(i, func(p *pattern) bool { return slices.Contains(p.elements[0].words, s[i].word) })
	return found
}

// clauseEnd finds the mark, or the word that begins another clause, after i.
func (s sentence) clauseEnd(i int) int {
	for k := i; k < len(s); k++ {
		if s[k].mark || k > i && s.hasWord(k, k+1, "divides") == k {
			return k
		}
	}
	return len(s)
}

// leadIn is the number of words that may stand before a subject: "in our team meeting we agreed".
const leadIn = 6

// match finds the wording that opens a clause, or stands behind its lead-in, and keeps it when
// nothing takes it back.
func (r *reading) match(s sentence, start, end int, corrected bool, kinds map[Kind]bool) (match, bool) {
	allowed := func(p *pattern) bool { return !kinds[p.kind] && r.allows(p, corrected) }
	starts := 1
	if s.hasWord(start, start+1, "openers") == start {
		starts = leadIn + 1
	}
	for i := start; i < min(start+starts, end); i++ {
		m, ok := s.matchAt(i, allowed)
		if !ok || r.takenBack(s, m, start) {
			continue
		}
		m.clause = start
		if c, ok := r.candidate(s, m); ok {
			r.found = append(r.found, c)
			return m, true
		}
	}
	return match{}, false
}

// allows reports whether this is the place for a wording that counts only in some.
func (r *reading) allows(p *pattern, corrected bool) bool {
	switch p.manner {
	case "reply":
		return corrected
	case "answer":
		return r.answers
	case "confirmed":
		return r.said.Speaker == Assistant
	}
	return true
}

// candidate makes what is kept of a match: all to the end of its sentence, or of the clause where
// the sentence asks something.
func (r *reading) candidate(s sentence, m match) (Candidate, bool) {
	to := len(s)
	if s.question() {
		to = s.clauseEnd(m.end)
	}
	c := Candidate{
		Kind: m.kind, Text: r.text(s, m.from(), to), Against: s.against(m),
		Personal: m.manner == "own",
		Explicit: slices.Contains([]string{"explicit", "once", "own", "due", "remind"}, m.manner) || m.kind != Correction && r.said.Speaker == Assistant && s.hasWord(0, len(s), "lasting") >= 0,
	}
	r.spoken = m.language
	r.about(&c, s, m)
	if c.Kind == Promise {
		find := r.due
		if m.manner == "due" {
			find = r.dueBy
		}
		due, ok := find(s, m.start)
		if !ok {
			return c, false
		}
		c.Due, c.Value = due, due.Format(time.DateOnly)
	}
	if c.Kind == Fact && m.manner == "explicit" {
		c.Due = r.falls(s, m)
	}
	return c, c.Subject != "" && strings.TrimSpace(c.Text) != ""
}

// from is where the text of a match begins. Words that only ask for it to be kept stay out.
func (m match) from() int {
	if m.kind == Fact && m.manner == "explicit" {
		return m.end
	}
	return m.clause
}

// text is what was written from one token up to another, without the marks before that.
func (r *reading) text(s sentence, from, to int) string {
	for to > from+1 && s[to-1].mark {
		to--
	}
	return closed(r.said.Text, s[from].start, s[to-1].end)
}

// closed gives a part of a text with the bracket or quotation mark that closes what opens in it.
func closed(text string, from, to int) string {
	next, size := utf8.DecodeRuneInString(text[to:])
	for opening, closing := range quotes {
		if next == closing && strings.ContainsRune(text[from:to], opening) {
			return text[from : to+size]
		}
	}
	if next == ')' && strings.Count(text[from:to], "(") > strings.Count(text[from:to], ")") {
		to += size
	}
	return text[from:to]
}

// against says whether the clause is in the negative: by its pattern, or by a word in what it
// decides or states.
func (s sentence) against(m match) bool {
	if m.kind != Decision && m.kind != Fact || m.against {
		return m.against
	}
	return s.hasWord(m.end, s.clauseEnd(m.end), "negations") >= 0
}
