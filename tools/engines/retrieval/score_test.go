package retrieval

import (
	"math"
	"testing"
	"time"

	"toolkit/internal/language"
)

// plain is BM25 of the row alone.
var plain = Profile{Window: [5]float64{2: 1}, Saturation: 1.2, Length: 0.75}

func evidenceOf(s *Scorer, text string) *Evidence { return s.Evidence(language.Terms(text), nil) }

func alone(e *Evidence) Window { return Window{Neighbours: e} }

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s = %.12f, want %.12f", what, got, want)
	}
}

func TestScoreOfARowAlone(t *testing.T) {
	s := NewScorer(Analyse("dog"), Statistics{Rows: 10, Words: 40, Body: map[string]int{"dog": 2}})
	// idf = ln(1 + 8.5/2.5) = ln 4.4; two of four words, the average length:
	// 2·2.2/(2 + 1.2) = 1.375.
	near(t, "score", s.Score(&plain, alone(evidenceOf(s, "dog bites dog again")), false), math.Log(4.4)*1.375)
	// Twice the average length: 1·2.2/(1 + 1.2·(0.25 + 0.75·2)) = 2.2/3.1.
	near(t, "score of a long row", s.Score(&plain, alone(evidenceOf(s, "one dog three four five six seven eight")), false), math.Log(4.4)*2.2/3.1)
	near(t, "score of another row", s.Score(&plain, alone(evidenceOf(s, "cat")), false), 0)
}

func TestScoreOfARowWithNeighbours(t *testing.T) {
	s := NewScorer(Analyse("dog"), Statistics{Rows: 10, Words: 30, Body: map[string]int{"dog": 2}})
	p := Profile{Window: [5]float64{0.5, 1, 2, 1, 0.5}, Saturation: 1.2, Length: 0.5}
	w := Window{1: evidenceOf(s, "whose dog?"), 2: evidenceOf(s, "mine of course"), 3: evidenceOf(s, "dog dog dog dog")}
	// f = 1·1 + 1·4 = 5; l = (1·2 + 2·3 + 1·4)/5 = 2.4 of 3 on average;
	// norm = 1.2·(0.5 + 0.5·0.8) = 1.08.
	near(t, "score", s.Score(&p, w, false), math.Log(4.4)*5*2.2/(5+1.08))
}

func TestBonusesComeOnTopOfAMatch(t *testing.T) {
	s := NewScorer(Analyse("when did the dog bark"), Statistics{Rows: 10, Words: 40, Body: map[string]int{"dog": 2, "bark": 1}})
	p := plain
	p.Speaker, p.Time, p.Substance = 4, 1, 2
	base := s.Score(&plain, alone(evidenceOf(s, "dog came home yesterday")), false)
	near(t, "a time and a substance", s.Score(&p, alone(evidenceOf(s, "dog came home yesterday")), false), base+1+2*math.Log(2))
	near(t, "a speaker besides", s.Score(&p, alone(evidenceOf(s, "dog came home yesterday")), true), base+1+4+2*math.Log(2))
	near(t, "no time", s.Score(&p, alone(evidenceOf(s, "dog came home alone")), false), base+2*math.Log(2))
	near(t, "a speaker without a match", s.Score(&p, alone(evidenceOf(s, "we left yesterday")), true), 0)
}

func TestATermThatNamesTheDay(t *testing.T) {
	s := NewScorer(Analyse("in May"), Statistics{Rows: 12, Words: 12, Day: map[string]int{"may": 1}})
	p := plain
	p.Date = 2
	e := s.Evidence(language.Terms("hello"), language.DateTerms(time.Date(2023, 5, 3, 0, 0, 0, 0, time.UTC)))
	near(t, "score", s.Score(&p, alone(e), false), 2*math.Log(1+11.5/1.5))
}

func TestRelatedWordsCountLess(t *testing.T) {
	s := NewScorer(Analyse("the car"), Statistics{Rows: 100, Words: 300, Body: map[string]int{"car": 1, "vehicl": 3}})
	p := plain
	p.Related = 0.5
	fieldIDF := math.Log(1 + 96.5/4.5)
	one := 2.2 / (1 + 1.2)
	near(t, "a related word", s.Score(&p, alone(evidenceOf(s, "my old vehicle")), false), 0.5*fieldIDF*one)
	near(t, "the word itself", s.Score(&p, alone(evidenceOf(s, "my old car")), false), math.Log(1+99.5/1.5)*one+0.5*fieldIDF*one)
	near(t, "a related word by the plain profile", s.Score(&plain, alone(evidenceOf(s, "my old vehicle")), false), 0)
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
			s := NewScorer(Analyse(test.query), statistics)
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
		s := NewScorer(Analyse("when may the dog car"), statistics)
		for _, p := range []*Profile{&Keyword, &Meaning, {}} {
			e := s.Evidence(language.Terms("dog vehicle yesterday"), []string{"may"})
			if score := s.Score(p, alone(e), true); math.IsNaN(score) || math.IsInf(score, 0) || score < 0 {
				t.Errorf("%+v: score %v", statistics, score)
			}
			if score := s.Score(p, alone(s.Evidence(nil, nil)), true); score != 0 {
				t.Errorf("%+v: empty row scores %v", statistics, score)
			}
		}
	}
}
