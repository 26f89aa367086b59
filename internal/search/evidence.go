package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/language"
)

// minSimilarRunes is the length from which a word may be recognised inside
// another (migration in datenbankmigration) or in spite of one wrong letter.
// Shorter words are inside too many others by chance.
const minSimilarRunes = 5

// Evidence is what one row holds of a query's terms.
type Evidence struct {
	// Similarity is how many standard deviations the similarity of the row's vector
	// to the query's lies above what unrelated rows reach, where the caller knows it;
	// 0 otherwise, and for what chance may bring.
	Similarity float64

	words int
	timed bool // the row places something in time
	terms []termEvidence
	days  []dayEvidence // of Query.Days
}

// dayEvidence says whether a row speaks of days, and whether it was said then.
type dayEvidence struct{ spoken, said bool }

// termEvidence counts the occurrences of one query term.
type termEvidence struct {
	exact   float64
	similar float64
	sure    bool // what is similar is a compound or a misspelling of the term
	dated   bool // the term names the row's day
}

// CountEvidence counts the query's terms among the index terms of a row and of its
// day; see [language.Terms] and [language.CalendarTerms].
func (s *Scorer) CountEvidence(terms, date []string) *Evidence {
	e := &Evidence{words: len(terms), terms: make([]termEvidence, len(s.query.Terms))}
	for _, term := range terms {
		e.timed = e.timed || language.IsTime(term)
		places := s.query.places[term]
		for _, p := range places {
			e.terms[p].exact++
		}
		if len(places) == 0 {
			s.countSimilarTerm(e, term)
		}
	}
	s.countNumbersAsWhole(e, terms)
	for _, term := range date {
		for _, p := range s.query.places[term] {
			e.terms[p].dated = e.terms[p].dated || s.query.CanNameDay(s.query.Terms[p])
		}
		s.countDayEvidence(e, term)
	}
	return e
}

func (s *Scorer) countDayEvidence(e *Evidence, term string) {
	for i, day := range s.query.Days {
		said := day.MatchesTerm(term)
		if !said && !slices.Contains(s.query.days[term], i) {
			continue
		}
		if e.days == nil {
			e.days = make([]dayEvidence, len(s.query.Days))
		}
		e.days[i].said = e.days[i].said || said
		e.days[i].spoken = e.days[i].spoken || !said
	}
}

// matchesDay reports whether a row speaks of the day to which a term of the query belongs,
// or was said then.
func (e *Evidence) matchesDay(t Term) bool {
	return t.day > 0 && e.days != nil && e.days[t.day-1] != dayEvidence{}
}

// CountContextEvidence counts the query's terms among the index terms of what stands around a
// row, as they are: what is only similar there says nothing.
func (s *Scorer) CountContextEvidence(terms []string) *Evidence {
	e := &Evidence{words: len(terms), terms: make([]termEvidence, len(s.query.Terms))}
	for _, term := range terms {
		for _, p := range s.query.places[term] {
			e.terms[p].exact++
		}
	}
	return e
}

// HasMatch reports whether there is anything of the query in the row itself.
func (e *Evidence) HasMatch() bool {
	return e.Similarity > 0 || e.days != nil || slices.ContainsFunc(e.terms, func(t termEvidence) bool { return t != termEvidence{} })
}

// Merge is the evidence of two rows that say the same, read as one.
func (e *Evidence) Merge(other *Evidence) *Evidence {
	both := &Evidence{
		Similarity: max(e.Similarity, other.Similarity), words: max(e.words, other.words), timed: e.timed || other.timed,
		terms: slices.Clone(e.terms),
	}
	both.days = slices.Clone(e.days)
	both.AddDayEvidence(other)
	for i, t := range other.terms {
		b := &both.terms[i]
		b.exact, b.similar, b.sure = b.exact+t.exact, b.similar+t.similar, b.sure || t.sure
	}
	return both
}

// AddDayEvidence gives a row the days of another, from which it came.
func (e *Evidence) AddDayEvidence(other *Evidence) {
	for i, t := range other.terms {
		e.terms[i].dated = e.terms[i].dated || t.dated
	}
	if e.days == nil {
		e.days = slices.Clone(other.days)
		return
	}
	for i, d := range other.days {
		e.days[i] = dayEvidence{e.days[i].spoken || d.spoken, e.days[i].said || d.said}
	}
}

func (s *Scorer) countSimilarTerm(e *Evidence, term string) {
	for _, r := range s.findSimilarTerms(term) {
		e.terms[r.term].similar += r.similarity * r.similarity
		e.terms[r.term].sure = e.terms[r.term].sure || r.similarity == 1
	}
}

// resemblance is how like a term of the query an index term is, up to 1 where one
// is part of the other, or misspelt.
type resemblance struct {
	term       int
	similarity float64
}

// findSimilarTerms returns the terms of the query that an index term is similar to. Rows share
// many of their words, so each is compared once.
func (s *Scorer) findSimilarTerms(term string) []resemblance {
	list, compared := s.compared[term]
	if compared || len(term) < minSimilarRunes {
		return list
	}
	other := newShape(term)
	for _, wanted := range s.similar {
		if wanted.isSimilar(other, s.unknown[wanted.term]) {
			list = append(list, resemblance{wanted.term, 1})
		}
	}
	s.compared[term] = list
	return list
}

// TermSimilarity tells from 0 to 1 how like an index term is a term that no row holds: 1
// for one wrong letter, more than its letters tell where one is part of the other.
func TermSimilarity(unknown, other string) float64 {
	similarity := language.Likeness(unknown, other)
	switch {
	case newShape(unknown).hasOtherNumber(newShape(other)):
		return 0
	case isMisspelt(unknown, other):
		return 1
	case newShape(unknown).isSimilar(newShape(other), false):
		return (1 + similarity) / 2
	}
	return similarity
}

// AddSimilarTerm makes an index term count for the term of the query, by its place,
// that it is like in its letters; see [language.Likeness].
func (s *Scorer) AddSimilarTerm(term int, other string, similarity float64) {
	list := s.findSimilarTerms(other)
	if !slices.ContainsFunc(list, func(r resemblance) bool { return r.term == term }) {
		s.compared[other] = append(slices.Clone(list), resemblance{term, similarity})
	}
}

// wantedShape is a term of the query that may be recognised inside others.
type wantedShape struct {
	shape
	term int // index into Query.Terms
}

// shape is what is compared of a term.
type shape struct {
	text, start string // start: without its ending
	digits      string
	runes       int
}

func newShape(term string) shape {
	return shape{term, cutEnding(term), digitsOf(term), utf8.RuneCountInString(term)}
}

func digitsOf(term string) string {
	if !strings.ContainsAny(term, "0123456789") {
		return ""
	}
	return language.KeepRunes(term, unicode.IsDigit)
}

// hasOtherNumber reports whether a term of a query has a number and another term not the
// same: E0278 is no misspelling of E0277.
func (s shape) hasOtherNumber(other shape) bool { return s.digits != "" && s.digits != other.digits }

// isSimilar reports whether one term is part of the other, as in compounds. At
// the seam the stemmer may have taken more from one of them (migrat, but
// datenbankmigr), so two letters less will do at the beginning and at the end. A
// term that no row holds may be misspelt: then one wrong letter is forgiven.
func (s shape) isSimilar(other shape, unknown bool) bool {
	short, long := s, other
	if len(short.text) > len(long.text) {
		short, long = long, short
	}
	if language.IsUnspacedCharacter(s.text) {
		return strings.Contains(other.text, s.text)
	}
	if short.runes < minSimilarRunes || s.hasOtherNumber(other) {
		return false
	}
	if strings.Contains(long.text, short.text) || strings.HasPrefix(long.text, short.start) || strings.HasSuffix(long.text, short.start) {
		return true
	}
	return unknown && isMisspelt(s.text, other.text)
}

// isMisspelt reports whether a term may be another with one wrong letter. A short one
// begins with the right letter: ville is not fille.
func isMisspelt(term, other string) bool {
	return language.WithinOneEdit(term, other) && (term[:1] == other[:1] || utf8.RuneCountInString(term) > minSimilarRunes)
}

// cutEnding takes the last two letters from a word that is longer than the
// shortest words compared.
func cutEnding(word string) string {
	if utf8.RuneCountInString(word) <= minSimilarRunes {
		return word
	}
	for range 2 {
		_, size := utf8.DecodeLastRuneInString(word)
		word = word[:len(word)-size]
	}
	return word
}
