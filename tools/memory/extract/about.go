package extract

import (
	"cmp"
	"slices"
	"strings"

	"toolkit/internal/language"
)

// about fills in what a candidate is about, what it says of that, and what it gives up. What it
// is about is the clause without its value: without the day or the number in it, without what is
// used or chosen for a purpose, without what stands behind "is".
func (r *reading) about(c *Candidate, s sentence, m match) {
	s, m = r.giveUp(c, s, m)
	end := s.objectEnd(m)
	frame, object := s[m.start:m.end], s[m.end:end]
	c.Subject = r.key(object)
	from := m.start
	if m.kind == Fact && m.manner == "explicit" { // that it is to be kept is no part of it
		from = m.end
	}
	days, rest := s.dayWords(from, end)
	switch split := s.split(m, end); {
	case m.kind == Promise: // the day is known, and is no part of what is promised
		c.Subject = cmp.Or(r.key(rest), r.key(s[m.start:end]))
	case m.manner == "reply": // "no, it is on Thursday"
		c.Subject, c.Value = r.spokenOf(), r.key(s[m.start:end])
	case m.kind == Fact && m.object == asValue && words("topics")[s[m.end-1].word] && words("light verbs")[s[m.start+1].word]: // "we use Go for the client"
		c.Value = r.key(frame)
	case m.object == asValue:
		c.Subject, c.Value = r.key(frame), c.Subject
	case m.kind == Fact && m.manner == "explicit" && split > 0 && s.changes(m, split, end): // "the key is under the mat"
		c.Subject, c.Value = r.key(s[m.end:split]), r.key(s[split+1:end])
	case len(days) > 0 && r.key(rest) != "": // "we deploy on Thursdays"
		c.Subject, c.Value = r.key(rest), r.key(days)
	case split > 0 && s.chooses(m): // "Postgres for the billing": what for is the subject
		c.Subject, c.Value = r.key(s[split+1:end]), r.key(s[m.end:split])
	case m.object == noObject:
		c.Subject = r.key(s[m.start:end])
	case m.kind == Fact && m.manner != "explicit": // "allergic to nuts": there may be other allergies
		c.Subject = strings.TrimSpace(r.key(frame) + " " + c.Subject)
	}
	if left := s.hasWord(m.start, m.end, "away from"); left > 0 && m.object == asValue { // "moved from X to Y"
		c.Subject, c.Replaces = r.key(s[m.start:left]), r.key(s[left+1:m.end])
	}
	c.OnDay = len(days) > 0 || m.kind == Promise
	r.number(c, s, m)
	if s.hasWord(m.start, end, "adds") >= 0 { // "we also meet on Thursdays": beside what was said
		c.Subject, c.Value = c.Subject+" "+c.Value, ""
	}
	if strings.TrimSpace(c.Subject) == "" { // grammar is all that says what about: "I am a nurse"
		c.Subject = strings.Join(s.words(m.start, m.end), " ")
	}
}

// number takes a number that a clause states of its subject for its value: "PostgreSQL 16" is
// about PostgreSQL, "two reviewers" about reviewers.
func (r *reading) number(c *Candidate, s sentence, m match) {
	if m.kind == Promise || m.kind == Correction || c.Value != "" {
		return
	}
	c.Subject, c.Value = parted(c.Subject)
	if i := s.hasWord(m.end, len(s), "version"); i > 0 && m.kind != Preference { // "we stay with Go but version 2 now"
		_, c.Value = parted(r.key(s[i:min(i+2, len(s))]))
		c.Explicit = c.Explicit || c.Value != "" // nobody tells it twice
	}
}

// giveUp finds what is given up by name for what is said ("instead of X", "X is over"), and goes
// on without those words. A day or a number is no name: many things share it.
func (r *reading) giveUp(c *Candidate, s sentence, m match) (sentence, match) {
	from, to := s.instead(m)
	given := s.left(m)
	if over := s.hasPhrase(m.start, len(s), "is over"); over > m.start { // "Redis is gone"
		first := over
		for first > m.end && !s[first-1].mark {
			first--
		}
		from, to, given = first, s.clauseEnd(over), s[first:over]
	} else if from > 0 {
		given = s[from+s.givesUp(from) : to]
	}
	if days, rest := given.dayWords(0, len(given)); len(days) == 0 {
		c.Replaces, _ = parted(r.key(rest))
	}
	if from == 0 {
		return s, m
	}
	if from < m.end {
		m.end -= to - from
	}
	return slices.Concat(s[:from], s[to:]), m
}

// left is what a clause before a wording gives up: "MariaDB is gone, we switch to PostgreSQL", "we
// are leaving Netlify, …".
func (s sentence) left(m match) sentence {
	for i := 0; i < m.start; i++ {
		if n := s.phraseAt(i, "leaves"); n > 0 {
			return s[i+n : s.clauseEnd(i+n)]
		}
		if s.phraseAt(i, "is over") > 0 {
			first, _ := s.opening(0, false)
			return s[min(first, i):i]
		}
	}
	return nil
}

// instead is where the words that give something up stand, 0 for nowhere: behind the first word of
// an object, or inside the wording where it has a gap for one.
func (s sentence) instead(m match) (from, to int) {
	first := m.end + 1
	if m.object == noObject {
		first = m.start + 1
	}
	for i := first; i < len(s)-1; i++ {
		if s.givesUp(i) == 0 || m.object == noObject && i < m.end && !s[i-1].mark && s.phraseAt(i, "instead") == 1 && s[i].is("not") {
			continue
		}
		for to = i + s.givesUp(i); to < len(s) && !s.mark(to) && s.hasWord(to, to+1, "divides") < 0 && s.hasWord(to, to+1, "topics") < 0 && !(i < m.end && to == m.end-1); to++ {
		}
		return i, to
	}
	return 0, 0
}

// givesUp is the length of the words at i that stand before what is given up. Some do only where a
// comma goes before: "…, pas Infomaniak".
func (s sentence) givesUp(i int) int {
	n := s.phraseAt(i, "instead")
	if s[i-1].mark {
		n = max(n, s.phraseAt(i, "but not"))
	}
	return n
}

// objectEnd is where what is said ends. What is promised goes over commas ("on Saturday, 14 March,
// …"), and so does what was decided for: "dafür entschieden, …"; and days are counted up: "on
// Mondays and Fridays".
func (s sentence) objectEnd(m match) int {
	end := s.clauseEnd(m.end)
	if m.kind == Promise {
		for end < len(s)-1 && s[end].mark {
			end = s.clauseEnd(end + 1)
		}
		return end
	}
	if m.object == noObject && end == m.end && m.end < len(s)-1 && s.hasWord(max(m.end-2, 0), m.end, "announces a deed") >= 0 {
		end = s.clauseEnd(m.end + 1)
	}
	for end+1 < len(s) && s.hasWord(end, end+1, "divides") == end && len(first(s.dayWords(end+1, min(end+3, len(s))))) > 0 {
		end = s.clauseEnd(end + 1)
	}
	return end
}

func first(days, _ sentence) sentence { return days }

// dayWords parts the words that name a day or a time from the others. A number is part of one
// beside such a word, behind one that leads to a day, or when it is written like a date.
func (s sentence) dayWords(from, to int) (days, rest sentence) {
	named := func(i int) bool { return s.hasWord(max(i, from), min(i+1, to), "days and times") >= 0 }
	for i := from; i < to; i++ {
		word := s[i].word
		digits := word != "" && word[0] >= '0' && word[0] <= '9'
		dated := digits && (strings.ContainsAny(word, "-./:") || ordinal(word) != word || named(i-1) || named(i+1) ||
			words("of")[s[min(i+1, to-1)].word] && named(i+2) || i > from && words("leads to a day")[s[s.before(i)].word])
		if named(i) || dated {
			days = append(days, s[i])
		} else {
			rest = append(rest, s[i])
		}
	}
	return days, rest
}

// parted takes the numbers from a key: "PostgreSQL 16" is about PostgreSQL, and says 16 of it.
func parted(key string) (names, numbers string) {
	var parts [2][]string
	for stem := range strings.FieldsSeq(key) {
		i := 0
		if stem[0] >= '0' && stem[0] <= '9' {
			i = 1
		}
		parts[i] = append(parts[i], stem)
	}
	if parts[0] == nil {
		return key, ""
	}
	return strings.Join(parts[0], " "), strings.Join(parts[1], " ")
}

// Given is the key by which a later candidate takes back what is said of the subject, whatever
// its version. A day is none: many things are on it.
func (c *Candidate) Given() string {
	if c.OnDay {
		return ""
	}
	names, _ := parted(c.Value)
	return names
}

// changes reports whether what stands behind a copula is where or when something is, or its name:
// another one takes its place. What somebody has or is like stands beside other things.
func (s sentence) changes(m match, copula, end int) bool {
	value := copula + 1
	for value < end-1 && s.hasWord(value, value+1, "now") == value {
		value++
	}
	at := func(list string) bool { return s.hasWord(value, value+1, list) == value }
	person := isName(s[m.end]) || s.hasWord(m.end, copula, "of people") >= 0
	switch {
	case s.hasWord(copula, copula+1, "has") == copula:
		return false
	case at("places and ways"), at("days and times"), isDigit(s[value].word[0]):
		return true
	}
	return !person && (isName(s[value]) || s[value].aside || value == end-1)
}

// chooses reports whether something is picked for a purpose, which is what it is about. Of "we
// decided to write tests for the parser" it is the tests.
func (s sentence) chooses(m match) bool {
	if m.kind == Fact {
		return s.hasWord(m.start, m.end, "light verbs") >= 0
	}
	deed := m.end
	for s.hasWord(deed, deed+1, "leads to a deed") == deed {
		deed++
	}
	verb := deed > m.end && !s[deed-1].is("on") || m.kind == Preference
	if m.language == language.Spanish && !s[deed].capital {
		verb = verb || slices.ContainsFunc([]string{"ar", "er", "ir"}, func(ending string) bool { return strings.HasSuffix(s[deed].word, ending) })
	}
	if to := s.hasWord(deed, len(s)-1, "verb follows"); to > 0 {
		verb, deed = true, to+1
	}
	return !verb || words("light verbs")[s[deed].word]
}

// split finds the word that parts the subject of an object from what is said of it.
func (s sentence) split(m match, end int) int {
	list := "topics"
	if m.kind == Fact && m.manner == "explicit" {
		list = "copulas"
	}
	if i := s.hasWord(m.end+1, end-1, list); i > 0 {
		return i
	}
	return 0
}

// spokenOf is what the assistant last said something of: the words before its last copula.
func spokenOf(text string) string {
	for _, s := range slices.Backward(read(text)) {
		if i := s.hasWord(1, len(s), "copulas"); i > 0 {
			return key(text[s[0].start:s[i-1].end])
		}
	}
	return ""
}

func (s sentence) words(from, to int) (all []string) {
	for _, t := range s[from:to] {
		if !t.mark {
			all = append(all, t.word)
		}
	}
	return all
}

// key is the content of tokens in the language of the wording that was found.
func (r *reading) key(s sentence) string {
	var text []string
	for i, t := range s {
		if !t.mark && (i == 0 || t.start != s[i-1].start) {
			text = append(text, r.said.Text[t.start:t.end])
		}
	}
	return stems(language.Words(strings.Join(text, " ")), r.spoken)
}

func key(text string) string {
	all := language.Words(text)
	return stems(all, language.Of(all))
}

// stems is the content of words: other order, grammar, endings and a no make no other subject.
func stems(all []string, spoken language.Language) string {
	stem := spoken.Stemmer()
	var stems []string
	for _, word := range all {
		if same, ok := table("same deed")[word]; ok {
			word = same
		}
		if number, ok := table("numbers")[word]; ok && number != "1" { // one is an article too
			word = number
		}
		if !spoken.IsStopWord(word) && !words("light verbs")[word] && !words("negations")[word] && !words("says how")[word] {
			stems = append(stems, stem(word))
		}
	}
	slices.Sort(stems)
	return strings.Join(slices.Compact(stems), " ")
}
