package retrieval

import (
	"strings"
	"testing"

	"toolkit/internal/language"
)

const turn = "I went to the support group yesterday and the people there were so kind, it gave me courage to paint again."

func BenchmarkTerms(b *testing.B) {
	for b.Loop() {
		language.Terms(turn)
	}
}

func BenchmarkAnalyse(b *testing.B) {
	for b.Loop() {
		Analyse("When did Anna go to the support group with her daughter?")
	}
}

// BenchmarkScore weighs one candidate by both profiles, its evidence counted
// anew.
func BenchmarkScore(b *testing.B) {
	s := NewScorer(Analyse("When did Anna go to the support group with her daughter?"), Statistics{Rows: 100_000, Words: 2_000_000, Body: map[string]int{"anna": 900, "support": 40, "group": 200}})
	terms := strings.Join(language.Terms(turn), " ")
	for b.Loop() {
		var w Window
		for i := range w {
			w[i] = s.Evidence(strings.Fields(terms), nil)
		}
		s.Score(&Keyword, w, true)
		s.Score(&Meaning, w, true)
	}
}

func BenchmarkFuse(b *testing.B) {
	var semantic, keyword []Hit
	for i := range int64(100) {
		semantic = append(semantic, Hit{ID: i, Score: float64(100 - i)})
		keyword = append(keyword, Hit{ID: 2 * i, Score: float64(100 - i)})
	}
	for b.Loop() {
		Fuse(semantic, keyword, DefaultWeights)
	}
}

func BenchmarkSnippet(b *testing.B) {
	query := Analyse("support group courage")
	text := strings.Repeat("Nothing of interest stands here. ", 100) + turn
	for b.Loop() {
		Snippet(query, text, 200)
	}
}
