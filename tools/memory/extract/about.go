package extract

import (
	"slices"
	"strings"

	"toolkit/internal/language"
)

// about fills in what a candidate is about, what it says of that, and what it gives up.
func (r *reading) about(c *Candidate, s sentence, m match) {
	end := s.clauseEnd(m.end)
	object := end
	for i := m.end; i < len(s)-1; i++ {
		if n := s.phraseAt(i, "instead"); n > 0 && i > m.end {
			object, c.Replaces = min(object, i), r.key(s, i+n, s.clauseEnd(i+n))
			break
		}
	}
	frame := r.key(s, m.start, m.end)
	c.Subject = r.key(s, m.end, object)
	switch split := s.split(m, object); {
	case m.manner == "reply": // "no, it is on Thursday"
		c.Subject, c.Value = r.spokenOf(), r.key(s, m.start, object)
	case m.kind == Fact && m.object == asValue && words("topics")[s[m.end-1].word] && words("light verbs")[s[m.start+1].word]: // "we use Go for the client"
		c.Value = frame
	case m.object == asValue || m.object == noObject:
		c.Subject, c.Value = frame, c.Subject
	case m.kind == Decision && split > 0: // "Postgres for the billing": what for is the subject
		c.Subject, c.Value = r.key(s, split+1, object), r.key(s, m.end, split)
	case m.kind == Fact && split > 0: // "the key is under the mat"
		c.Subject, c.Value = r.key(s, m.end, split), r.key(s, split+1, object)
	case m.kind == Fact && m.manner != "explicit": // "allergic to nuts": there may be other allergies
		c.Subject = frame + " " + c.Subject
	}
	if left := s.hasWord(m.start, m.end, "away from"); left > 0 && m.object == asValue { // "moved from X to Y"
		c.Subject, c.Replaces = r.key(s, m.start, left), r.key(s, left+1, m.end)
	}
	if (m.kind == Decision || m.kind == Fact) && c.Value == "" {
		c.Subject, c.Value = parted(c.Subject)
		if i := s.hasWord(m.end, len(s), "version"); i > 0 { // "we stay with Go but version 2 now"
			_, c.Value = parted(r.key(s, i, i+2))
			c.Explicit = c.Explicit || c.Value != "" // nobody tells it twice
		}
	}
	if strings.TrimSpace(c.Subject) == "" { // grammar is all that says what about: "I am a nurse"
		c.Subject = strings.Join(s.words(m.start, m.end), " ")
	}
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
// its version.
func (c *Candidate) Given() string {
	names, _ := parted(c.Value)
	return names
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

// key is the content of the tokens from i to j.
func (r *reading) key(s sentence, i, j int) string {
	if j = min(j, len(s)-1); i >= j {
		return ""
	}
	return key(r.said.Text[s[i].start:s[j-1].end])
}

// key is the content of a text as sorted stems: other order, grammar, endings and a no make no
// other subject.
func key(text string) string {
	all := language.Words(text)
	spoken := language.Of(all)
	stem := spoken.Stemmer()
	var stems []string
	for _, word := range all {
		if same, ok := table("same deed")[word]; ok {
			word = same
		}
		if !spoken.IsStopWord(word) && !words("light verbs")[word] && !words("negations")[word] {
			stems = append(stems, stem(word))
		}
	}
	slices.Sort(stems)
	return strings.Join(slices.Compact(stems), " ")
}
