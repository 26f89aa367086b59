package search

import (
	"math"
	"testing"
	"time"

	"toolkit/internal/language"
)

// plain is BM25 of the row alone.
var plain = Profile{Window: [9]float64{Neighbours: 1}, Name: 1, Saturation: 1.2, Length: 0.75}

func evidenceOf(s *Scorer, text string) *Evidence { return s.CountEvidence(language.Terms(text), nil) }

func alone(e *Evidence) Window { return Window{Neighbours: e} }

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s = %.12f, want %.12f", what, got, want)
	}
}

func TestScoreOfARowAlone(t *testing.T) {
	s := NewScorer(AnalyseQuery("zebu"), Statistics{Rows: 10, Words: 40, Body: map[string]int{"zebu": 2}})
	// The background has no such word: idf = ln(1 + 108.5/2.5); two of four words, the average length:
	// 2·2.2/(2 + 1.2) = 1.375.
	near(t, "score", s.Score(&plain, alone(evidenceOf(s, "zebu bites zebu again")), false), math.Log(44.4)*1.375)
	// Twice the average length: 1·2.2/(1 + 1.2·(0.25 + 0.75·2)) = 2.2/3.1.
	near(t, "score of a long row", s.Score(&plain, alone(evidenceOf(s, "one zebu three four five six seven eight")), false), math.Log(44.4)*2.2/3.1)
	near(t, "score of another row", s.Score(&plain, alone(evidenceOf(s, "cat")), false), 0)
}

func TestScoreOfARowWithNeighbours(t *testing.T) {
	s := NewScorer(AnalyseQuery("zebu"), Statistics{Rows: 10, Words: 30, Body: map[string]int{"zebu": 2}})
	p := Profile{Window: [9]float64{2: 0.5, 3: 1, 4: 2, 5: 1, 6: 0.5}, Saturation: 1.2, Length: 0.5}
	w := Window{3: evidenceOf(s, "whose zebu?"), 4: evidenceOf(s, "mine of course"), 5: evidenceOf(s, "zebu zebu zebu zebu")}
	// f = 1·1 + 1·4 = 5; l = (1·2 + 2·3 + 1·4)/5 = 2.4 of 3 on average;
	// norm = 1.2·(0.5 + 0.5·0.8) = 1.08.
	near(t, "score", s.Score(&p, w, false), math.Log(44.4)*5*2.2/(5+1.08))
}

func TestBonusesComeOnTopOfAMatch(t *testing.T) {
	s := NewScorer(AnalyseQuery("when did the dog bark"), Statistics{Rows: 10, Words: 40, Body: map[string]int{"dog": 2, "bark": 1}})
	p := plain
	p.Speaker, p.Time, p.Substance = 4, 1, 2
	beside := func(text string) Window {
		return Window{Neighbours: evidenceOf(s, text), Neighbours + 1: evidenceOf(s, "a cat")}
	}
	base := s.Score(&plain, beside("dog came home yesterday"), false)
	near(t, "a time and a substance", s.Score(&p, beside("dog came home yesterday"), false), base+1+2*math.Log(2))
	near(t, "a speaker besides", s.Score(&p, beside("dog came home yesterday"), true), base+1+4+2*math.Log(2))
	near(t, "no time", s.Score(&p, beside("dog came home alone"), false), base+2*math.Log(2))
	near(t, "a speaker without a match", s.Score(&p, beside("we left yesterday"), true), 0)
	near(t, "no substance without neighbours", s.Score(&p, alone(evidenceOf(s, "dog came home alone")), false), s.Score(&plain, alone(evidenceOf(s, "dog came home alone")), false))
}

func TestATermThatNamesTheDay(t *testing.T) {
	s := NewScorer(AnalyseQueryAt("in May", time.Date(2023, 9, 1, 0, 0, 0, 0, time.UTC)), Statistics{Rows: 12, Words: 12, Day: map[string]int{"may": 1}})
	p := plain
	p.Date = 2
	e := s.CountEvidence(language.Terms("hello"), language.DateTerms(time.Date(2023, 5, 3, 0, 0, 0, 0, time.UTC)))
	near(t, "score", s.Score(&p, alone(e), false), 2*math.Log(1+11.5/1.5))
}

func TestARowsOwnWordsCountBesidesThoseAround(t *testing.T) {
	s := NewScorer(AnalyseQuery("zebu"), Statistics{Rows: 10, Words: 40, Body: map[string]int{"zebu": 2}})
	p := Profile{Window: [9]float64{3: 1, 4: 1}, Own: 0.2, Saturation: 1.2}
	said, silent := evidenceOf(s, "zebu"), evidenceOf(s, "cat")
	near(t, "in the row", s.Score(&p, Window{3: silent, 4: said}, false), math.Log(44.4)*(1+0.2))
	near(t, "beside it", s.Score(&p, Window{3: said, 4: silent}, false), math.Log(44.4))
}

func TestTheNameOfTheSpeakerCountsLessThanOtherWords(t *testing.T) {
	statistics := Statistics{Rows: 100, Words: 300, Body: map[string]int{"anna": 9, "boat": 9}}
	p := plain
	p.Name = 0.5
	for _, test := range []struct {
		name, query string
		speakers    []string
		weight      float64
	}{
		{"the only speaker named", "Anna's boat", []string{"Anna", "Ben"}, 0.5},
		{"by the first of two names", "Anna's boat", []string{"Anna Lee", "Ben"}, 0.5},
		{"two speakers named", "Anna and Ben's boat", []string{"Anna", "Ben"}, 1},
		{"nobody of that name speaks", "Anna's boat", []string{"Carl"}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := NewScorer(AnalyseQuery(test.query), statistics)
			s.MarkSpeakerNames(test.speakers)
			idf, boat := termInformation(100, 9, 0), termInformation(100, 9, language.TermFrequency("boat", language.English))
			near(t, "name", s.Score(&p, alone(evidenceOf(s, "oh Anna no")), false), test.weight*idf)
			near(t, "another word", s.Score(&p, alone(evidenceOf(s, "the boat sank")), false), boat)
		})
	}
}

func TestSimilarWords(t *testing.T) {
	statistics := Statistics{Rows: 100, Words: 300, Body: map[string]int{"migrat": 2, "kubernet": 1}}
	p := plain
	p.Similar = 0.3
	for _, test := range []struct {
		name, query, text string
		similar           bool
	}{
		{"a compound contains the word", "migration", "Datenbankmigration geplant", true},
		{"a part of a compound", "Datenbankmigration", "the migration runs", true},
		{"a misspelling of a word that no row holds", "kubernets", "kubernetes cluster", true},
		{"swapped letters", "dokcer", "docker image", true},
		{"a word that rows hold is not misspelt", "kubernetes", "cubernetes cluster", false},
		{"short words are not looked for inside others", "rat", "the migration", false},
		{"two letters wrong", "posgrezz", "postgres here", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := NewScorer(AnalyseQuery(test.query), statistics)
			score := s.Score(&p, alone(evidenceOf(s, test.text)), false)
			if (score > 0) != test.similar {
				t.Errorf("score %v", score)
			}
		})
	}
}

func TestScoresAreFinite(t *testing.T) {
	for _, statistics := range []Statistics{
		{},
		{Rows: 1, Words: 1, Body: map[string]int{"dog": 5, "vehicl": 9}, Day: map[string]int{"may": 9}},
		{Rows: 3, Words: 0, Body: map[string]int{"dog": 3}},
	} {
		s := NewScorer(AnalyseQuery("when may the dog car"), statistics)
		for _, p := range []*Profile{&Keyword, &Meaning, {}} {
			e := s.CountEvidence(language.Terms("dog vehicle yesterday"), []string{"may"})
			if score := s.Score(p, alone(e), true); math.IsNaN(score) || math.IsInf(score, 0) || score < 0 {
				t.Errorf("%+v: score %v", statistics, score)
			}
			if score := s.Score(p, alone(s.CountEvidence(nil, nil)), true); score != 0 {
				t.Errorf("%+v: empty row scores %v", statistics, score)
			}
		}
	}
}
