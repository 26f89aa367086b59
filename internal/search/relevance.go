package search

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toolkit/internal/language"
)

// background is how many rows stand for all that was ever said beside those of a
// store: among twenty notes "want" may be as rare as a name, and tells as much less
// as everywhere else. The more rows a store has, the less the background counts.
const background = 100

// What a text is credited with for a word that it does not say itself.
const (
	similarCredit = 0.7 // the word is part of another, or misspelt
	contextCredit = 0.5 // the word stands in the row's neighbours or sources
	// missingIdentifierFactor is what the rest is worth of a text that is about another
	// flight, error or version.
	missingIdentifierFactor = 0.5
	// otherDayFactor is what the rest is worth of a text of another day.
	otherDayFactor = 0.8
)

// PoorMatch is the relevance below which a text does not fit a question well:
// more than half of what was asked is not in it.
const PoorMatch = 0.5

// Relevance is the share of the query's information that a row answers, from 0
// to 1. It is absolute, unlike a score or a rank: the best of many rows that have
// nothing to do with the question is not relevant.
//
// A term informs by its rarity, ln(1 + (N − n + ½)/(n + ½)) over the rows of the
// store and a background of everyday talk. What the row says itself counts in
// full, what it only comes near to in part. A query that informs less than one
// rare word does ("what do I need?") is fully answered by nothing.
func (s *Scorer) Relevance(window Window, speaker string) float64 {
	relevance, _ := s.relevanceAndInformation(window, speaker)
	return relevance
}

// relevanceAndInformation is Relevance, and the information that was asked for; the words of a day
// are no part of it in a row of another one.
func (s *Scorer) relevanceAndInformation(window Window, speaker string) (relevance, asked float64) {
	named := language.Words(speaker)
	answered, another := 0.0, false
	for t, term := range s.query.Terms {
		if s.isOnAnotherDay(window[Neighbours], term) {
			another = true
			continue
		}
		asked += s.information[t]
		answered += s.information[t] * s.creditOfTerm(window, t, named)
	}
	relevance = answered / max(asked, termInformation(s.statistics.Rows, 1, 0))
	if another {
		relevance *= otherDayFactor
	}
	if s.lacksIdentifier(window, named) {
		relevance *= missingIdentifierFactor
	}
	return relevance, asked
}

// lacksIdentifier reports whether a row lacks a part of what the query calls by an
// identifier, so that it speaks of something else.
func (s *Scorer) lacksIdentifier(window Window, speaker []string) bool {
	return slices.ContainsFunc(s.query.identifiers, func(terms []int) bool {
		return slices.ContainsFunc(terms, func(t int) bool { return s.creditOfTerm(window, t, speaker) == 0 })
	})
}

// MatchedWords are the words of the query that a row answers, itself or by what stands
// around it, in the order of the query; ~ marks those that it only comes near to.
func (s *Scorer) MatchedWords(window Window, speaker string) []string {
	named := language.Words(speaker)
	answered := []string{}
	for t, term := range s.query.Terms {
		switch credit := s.creditOfTerm(window, t, named); {
		case credit == 1:
			answered = append(answered, term.Word)
		case credit > 0:
			answered = append(answered, "~"+term.Word)
		}
	}
	return answered
}

// RelevanceForQuestion is Relevance for whoever asks on purpose: a question of one word that many
// rows hold is answered by each of them. One of everyday words alone asks nothing
// in particular, and is as relevant as it informs.
func (s *Scorer) RelevanceForQuestion(window Window, speaker string) float64 {
	relevance, asked := s.relevanceAndInformation(window, speaker)
	if !slices.ContainsFunc(s.query.Terms, func(t Term) bool { return !t.isEverydayWord() }) {
		return relevance
	}
	return relevance * max(1, s.InformationOfRows(1)/asked)
}

// UnknownTerms are the terms of the query that no row holds.
func (s *Scorer) UnknownTerms() (terms []Term) {
	for i, term := range s.query.Terms {
		if s.unknown[i] {
			terms = append(terms, term)
		}
	}
	return terms
}

// CountInformativeTerms returns how many terms of the query inform.
func (s *Scorer) CountInformativeTerms() (terms int) {
	for _, i := range s.information {
		if i > 0 {
			terms++
		}
	}
	return terms
}

// TermInformation is the information of a term of the query, by its place.
func (s *Scorer) TermInformation(term int) float64 { return s.information[term] }

// InformationOfRows is the information of a word in so many rows, which the background lacks.
func (s *Scorer) InformationOfRows(rows int) float64 {
	return termInformation(s.statistics.Rows, rows, 0)
}

// RelevanceOfText is Relevance for a text alone, known to no store: the background
// decides what is rare.
func RelevanceOfText(query *Query, text string) float64 {
	s := NewScorer(query, Statistics{})
	var w Window
	w[Neighbours] = s.CountEvidence(language.Terms(text), nil)
	return s.Relevance(w, "")
}

// creditOfTerm is how far a row answers a term.
func (s *Scorer) creditOfTerm(window Window, term int, speaker []string) float64 {
	row, asked := window[Neighbours], s.query.Terms[term]
	counts, credit := s.query.isRelativeDay(asked), 0.0
	switch e := row.terms[term]; {
	case row.matchesDay(asked), e.dated && asked.day == 0, !counts && (e.exact > 0 || slices.Contains(speaker, asked.Word)):
		return 1
	case counts: // in a text they count from its own day
		return 0
	}
	if e := row.terms[term]; e.sure {
		credit = similarCredit
	}
	for _, e := range window[Neighbours-CloseNeighbours : Neighbours+CloseNeighbours+1] {
		if e != nil && e.terms[term].exact > 0 {
			credit = max(credit, contextCredit)
		}
	}
	return credit
}

// termInformation is the information of a word that n rows of a store hold, and a share of
// the texts of the background.
func termInformation(rows, n int, common float64) float64 {
	return rarity(float64(rows+background), float64(n)+background*common)
}

func rarity(rows, with float64) float64 { return math.Log1p((rows - with + 0.5) / (with + 0.5)) }

// commonness is the share of texts of the background that have a word, by its stems:
// another reading (leave, of leaves) does not make it common.
func commonness(word string, stems []string, l language.Language) float64 {
	if language.IsStopWord(word) {
		return 0.5
	}
	most := 0.0
	for _, stem := range stems {
		most = max(most, language.TermFrequency(stem, l))
	}
	return most
}

// ExplainPoorMatch says that the best of some results is no good match, and why; "" when it
// is one. Matched are the words of the query in it.
func ExplainPoorMatch(relevance float64, matched []string) string {
	if relevance >= PoorMatch {
		return ""
	}
	has := "none of its words"
	if len(matched) > 0 {
		has = "only: " + strings.Join(matched, ", ")
	}
	return fmt.Sprintf("nothing fits the question well; the best match answers about %.0f %% of it and has %s", 100*relevance, has)
}
