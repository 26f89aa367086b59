package retrieval

import (
	"strings"
	"unicode/utf8"

	"toolkit/internal/language"
)

// minSimilarRunes is the length from which a word may be recognised inside
// another (migration in datenbankmigration) or in spite of one wrong letter.
// Shorter words are inside too many others by chance.
const minSimilarRunes = 5

// Evidence is what one row holds of a query's terms.
type Evidence struct {
	// Similarity is the cosine similarity of the row's vector to the query's,
	// where the caller knows it; 0 otherwise.
	Similarity float64

	words int
	timed bool // the row places something in time
	terms []termEvidence
}

// termEvidence counts the occurrences of one query term.
type termEvidence struct {
	exact   float64
	related float64
	similar float64
	dated   bool // the term names the row's day
}

// Evidence counts the query's terms among the index terms of a row and of its
// day; see [language.Terms] and [language.DateTerms].
func (s *Scorer) Evidence(terms, date []string) *Evidence {
	e := &Evidence{words: len(terms), terms: make([]termEvidence, len(s.query.Terms))}
	for _, term := range terms {
		e.timed = e.timed || language.IsTime(term)
		places := s.query.places[term]
		for _, p := range places {
			if p.related {
				e.terms[p.term].related++
			} else {
				e.terms[p.term].exact++
			}
		}
		if len(places) == 0 {
			s.countSimilar(e, term)
		}
	}
	for _, term := range date {
		for _, p := range s.query.places[term] {
			if !p.related {
				e.terms[p.term].dated = true
			}
		}
	}
	return e
}

// Context counts the query's terms among the index terms of what stands around a
// row, as they are: what is only similar there says nothing.
func (s *Scorer) Context(terms []string) *Evidence {
	e := &Evidence{words: len(terms), terms: make([]termEvidence, len(s.query.Terms))}
	for _, term := range terms {
		for _, p := range s.query.places[term] {
			if !p.related {
				e.terms[p.term].exact++
			}
		}
	}
	return e
}

func (s *Scorer) countSimilar(e *Evidence, term string) {
	if len(term) < minSimilarRunes {
		return
	}
	for _, i := range s.similar {
		if isSimilar(s.query.Terms[i].Forms[0], term, s.unknown[i]) {
			e.terms[i].similar++
		}
	}
}

// isSimilar reports whether one term is part of the other, as in compounds. At
// the seam the stemmer may have taken more from one of them (migrat, but
// datenbankmigr), so two letters less will do at the beginning and at the end. A
// term that no row holds may be misspelt: then one wrong letter is forgiven.
func isSimilar(wanted, term string, unknown bool) bool {
	short, long := wanted, term
	if len(short) > len(long) {
		short, long = long, short
	}
	if utf8.RuneCountInString(short) < minSimilarRunes {
		return false
	}
	if strings.Contains(long, short) {
		return true
	}
	if stem := withoutEnding(short); strings.HasPrefix(long, stem) || strings.HasSuffix(long, stem) {
		return true
	}
	return unknown && language.WithinOneEdit(wanted, term)
}

// withoutEnding takes the last two letters from a word that is longer than the
// shortest words compared.
func withoutEnding(word string) string {
	if utf8.RuneCountInString(word) <= minSimilarRunes {
		return word
	}
	for range 2 {
		_, size := utf8.DecodeLastRuneInString(word)
		word = word[:len(word)-size]
	}
	return word
}
