package search

import (
	"math"
	"slices"

	"toolkit/internal/language"
)

// Neighbours is how many rows before and after a row, in its session, count as
// its context. Those up to Close may be answers themselves, in words of their own.
const (
	Neighbours      = 4
	CloseNeighbours = 2
)

// Window is a row with its neighbours: the rows before it, the row itself in the
// middle, those after it; nil where there is none. A row without a session stands
// alone in the middle.
type Window [2*Neighbours + 1]*Evidence

// Profile says how the evidence for a row is weighed.
//
// A term t occurs in a row and around it with the weighted frequency
//
//	f(t) = Σ_o Window[o]·count(t, row at o)
//
// and scores, as in BM25F,
//
//	idf(t) · f·(Saturation+1) / (f + Saturation·(1 − Length + Length·l/average))
//
// where l is the length of the row and its neighbours in words, weighted like f
// and divided by the sum of the weights (a neighbour that does not exist is an
// empty one; a row without any is weighed by itself, with 1), average the mean
// length of a row, and idf(t) = ln(1 + (N − n + ½) / (n + ½)) for a term in n of N rows. A row that holds the term itself gains
// Own·idf(t), so that its neighbours do not outweigh it. Similar words score like
// t itself, times Similar. The name of the only speaker whom the query names
// counts Name of a term: whoever speaks seldom says it. A term that names the row's
// day adds Date·idf, by the number of rows of such days; days that the query names
// add Spoken·idf to a row that speaks of them, or else Date·idf to one that was said
// then; a month, season or year by its name adds Named·idf only, for the words of
// the name count already. The words of a date have no weight in a row of another day,
// where the query asks for something else too. The vectors add Vector
// times the mean, weighted by VectorWindow, of the similarities of the row and its
// neighbours, in standard deviations above what unrelated rows reach, so that
// the same number fits any model.
//
// A row that has any of these gains Speaker when the query names its speaker and
// nobody else, Time when the query asks when and the row places something in
// time, and Substance·ln(1 + words/average) where it has neighbours, because a longer
// turn says more than a short reply with the same ones.
type Profile struct {
	Window     [2*Neighbours + 1]float64
	Own        float64
	Name       float64
	Date       float64
	Spoken     float64
	Named      float64
	Saturation float64 // k1 of BM25
	Length     float64 // b of BM25
	Similar    float64
	Speaker    float64
	Time       float64
	Substance  float64
	Vector     float64
	// VectorWindow weighs the vectors, as Window does the words.
	VectorWindow [2*Neighbours + 1]float64
}

// The profiles of the two channels: Keyword counts the words of the query alone,
// Meaning similar words and vectors besides. In all else they agree, so that
// where there is nothing similar neither pulls the other down. The rows before
// weigh more than those after, for they often hold the question that a row
// answers. The numbers are round on purpose: on dialogues and meetings, halving
// or doubling any of them moves recall by little.
var (
	Keyword = Profile{
		Window:     [9]float64{0.25, 0.5, 1, 1.5, 2, 1, 0.5, 0.25, 0.25},
		Own:        0.1,
		Name:       0.5,
		Date:       2,
		Spoken:     3,
		Named:      0.5,
		Saturation: 1.2,
		Length:     0.75,
		Speaker:    6,
		Time:       1,
		Substance:  1.5,
	}
	Meaning = Keyword.withVectorWeights()
)

func (p Profile) withVectorWeights() Profile {
	p.Similar, p.Vector = 0.2, 2
	p.VectorWindow = [9]float64{0, 0, 0, 0.5, 1, 0.25, 0, 0, 0}
	return p
}

// Statistics are what the store knows about its searchable rows as a whole.
type Statistics struct {
	Rows  int
	Words int // in all rows together

	// Body and Day count the rows that hold an index term in their text and in
	// the terms of their day; absent is 0.
	Body map[string]int
	Day  map[string]int
}

// Add counts the rows of another store too.
func (s *Statistics) Add(other Statistics) {
	s.Rows += other.Rows
	s.Words += other.Words
	s.Body, s.Day = sumCounts(s.Body, other.Body), sumCounts(s.Day, other.Day)
}

func sumCounts(counts, more map[string]int) map[string]int {
	if counts == nil {
		counts = make(map[string]int, len(more))
	}
	for term, rows := range more {
		counts[term] += rows
	}
	return counts
}

func (s Statistics) averageLength() float64 {
	if s.Rows <= 0 || s.Words <= 0 {
		return 1
	}
	return float64(s.Words) / float64(s.Rows)
}

// countRowsWithAny returns the number of rows that hold any of the terms, at most: rows that
// hold two of them count twice, up to all rows.
func (s Statistics) countRowsWithAny(rows map[string]int, terms []string) int {
	sum := 0
	for _, term := range terms {
		sum += rows[term]
	}
	return min(sum, s.Rows)
}

func (s Statistics) idf(frequency int) float64 { return rarity(float64(s.Rows), float64(frequency)) }

// Scorer scores rows for one query, in one goroutine at a time.
type Scorer struct {
	query      *Query
	statistics Statistics
	average    float64
	idf        []float64                // of each term
	dayIDF     []float64                // of each term as the name of a day
	spokenIDF  []float64                // of each of Query.Days: of the rows that speak of it
	saidIDF    []float64                // and of those that were said then
	unknown    []bool                   // terms that no row holds
	name       []bool                   // terms that name the only speaker whom the query names
	similar    []wantedShape            // terms long enough to be recognised inside others
	compared   map[string][]resemblance // which of them an index term is similar to

	information []float64 // of each term, see Relevance
	asksMore    bool      // than for days
}

// NewScorer prepares the scoring of rows for a query.
func NewScorer(query *Query, statistics Statistics) *Scorer {
	s := &Scorer{query: query, statistics: statistics, average: statistics.averageLength(), name: make([]bool, len(query.Terms)), compared: map[string][]resemblance{}}
	s.asksMore = slices.ContainsFunc(query.Terms, func(t Term) bool { return t.day == 0 && !t.isEverydayWord() })
	for i, term := range query.Terms {
		own := statistics.countRowsWithAny(statistics.Body, term.Forms)
		day := statistics.countRowsWithAny(statistics.Day, term.Forms)
		s.idf = append(s.idf, s.idfOf(term, own))
		s.dayIDF = append(s.dayIDF, statistics.idf(day))
		s.unknown = append(s.unknown, own == 0)
		s.information = append(s.information, s.informationOf(i, own))
		if form := newShape(term.Forms[0]); form.runes >= minSimilarRunes || language.IsUnspacedCharacter(form.text) {
			s.similar = append(s.similar, wantedShape{form, i})
		}
	}
	for _, day := range query.Days {
		s.spokenIDF = append(s.spokenIDF, statistics.idf(statistics.countRowsWithAny(statistics.Day, day.Spoken)))
		s.saidIDF = append(s.saidIDF, statistics.idf(statistics.countRowsWithAny(statistics.Day, day.Said)))
	}
	return s
}

// informationOf is the information of a term that so many rows hold. Words that count
// from today say one thing together, which is that of the first of them.
func (s *Scorer) informationOf(i, rows int) float64 {
	term := s.query.Terms[i]
	if !s.query.isRelativeDay(term) {
		return termInformation(s.statistics.Rows, rows, term.common)
	}
	if slices.ContainsFunc(s.query.Terms[:i], func(before Term) bool { return before.day == term.day }) {
		return 0
	}
	return termInformation(s.statistics.Rows, s.countRowsOfDays(term), 0)
}

// idfOf is what a term tells that so many rows hold. Words that count from today to a
// few days are words only where they lead to no row; years are told in the same words.
func (s *Scorer) idfOf(term Term, rows int) float64 {
	if s.query.isRelativeDay(term) && s.query.Days[term.day-1].Said != nil && s.countRowsOfDays(term) > 0 {
		return 0
	}
	return termInformation(s.statistics.Rows, rows, term.common)
}

// countRowsOfDays returns how many rows are of the days to which a term belongs.
func (s *Scorer) countRowsOfDays(term Term) int {
	day := s.query.Days[term.day-1]
	return s.statistics.countRowsWithAny(s.statistics.Day, append(slices.Clone(day.Spoken), day.Said...))
}

// AddContextStatistics tells how rare the terms that no row holds are in what stands around
// rows, which may hold them.
func (s *Scorer) AddContextStatistics(around Statistics) {
	for i, term := range s.query.Terms {
		if n := around.countRowsWithAny(around.Body, term.Forms); s.unknown[i] && n > 0 {
			s.idf[i] = around.idf(n)
		}
	}
}

// Score weighs the row in the middle of the window, which must be there. Zero
// means no match. The argument speakerNamed says that the row's speaker is the one that the query names.
func (s *Scorer) Score(p *Profile, window Window, speakerNamed bool) float64 {
	row := window[Neighbours]
	norm := p.Saturation * (1 - p.Length + p.Length*p.windowLength(window)/s.average)
	score := 0.0
	for t, term := range s.query.Terms {
		f, e := p.termFrequency(window, t), row.terms[t]
		if e.dated {
			score += p.Date * s.dayIDF[t]
		}
		if s.isOnAnotherDay(row, term) && s.query.Days[term.day-1].NamesExactDays() {
			continue
		}
		said := saturate(f.exact, p.Saturation, norm)
		if e.exact > 0 {
			said += p.Own
		}
		if s.name[t] {
			said *= p.Name
		}
		score += s.idf[t] * (said + p.Similar*saturate(f.similar, p.Saturation, norm))
	}
	for i, day := range row.days {
		switch {
		case day.spoken && s.query.Days[i].Named:
			score += p.Named * s.spokenIDF[i]
		case day.spoken:
			score += p.Spoken * s.spokenIDF[i]
		case day.said && (s.query.Days[i].Counted || s.query.Days[i].Said != nil): // else the names of the day count already
			score += p.Date * s.saidIDF[i]
		}
	}
	score += p.Vector * p.windowSimilarity(window)
	if score == 0 {
		return 0
	}
	if speakerNamed {
		score += p.Speaker
	}
	if s.query.AsksWhen && row.timed {
		score += p.Time
	}
	if window.standsAlone() {
		return score
	}
	return score + p.Substance*math.Log1p(float64(row.words)/s.average)
}

// isOnAnotherDay reports whether a term belongs to a day that a row does not meet, in a
// query that asks for something else too: it says when, and not what, so that in such a
// row it has no weight.
func (s *Scorer) isOnAnotherDay(row *Evidence, term Term) bool {
	return s.asksMore && term.day > 0 && !row.matchesDay(term)
}

// standsAlone reports whether there is nothing around the row in the middle.
func (w Window) standsAlone() bool {
	for o, e := range w {
		if e != nil && o != Neighbours {
			return false
		}
	}
	return true
}

// termFrequency gives the weighted counts of a term in a row and around it.
func (p *Profile) termFrequency(window Window, term int) termEvidence {
	if window.standsAlone() {
		return window[Neighbours].terms[term]
	}
	var sum termEvidence
	for o, e := range window {
		if e != nil {
			sum.exact += p.Window[o] * e.terms[term].exact
			sum.similar += p.Window[o] * e.terms[term].similar
		}
	}
	return sum
}

func (p *Profile) windowLength(window Window) float64 {
	if window.standsAlone() {
		return float64(window[Neighbours].words)
	}
	words, weights := 0.0, 0.0
	for o, e := range window {
		weights += p.Window[o]
		if e != nil {
			words += p.Window[o] * float64(e.words)
		}
	}
	if weights == 0 {
		return 0
	}
	return words / weights
}

// windowSimilarity is the mean of how far the vectors of the row and of its neighbours
// stand out.
func (p *Profile) windowSimilarity(window Window) float64 {
	sum, weights := 0.0, 0.0
	for o, e := range window {
		if e != nil {
			sum += p.VectorWindow[o] * e.Similarity
			weights += p.VectorWindow[o]
		}
	}
	if weights == 0 {
		return 0
	}
	return sum / weights
}

func saturate(f, saturation, norm float64) float64 {
	if f == 0 {
		return 0
	}
	return f * (saturation + 1) / (f + norm)
}
