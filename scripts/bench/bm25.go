package main

import (
	"cmp"
	"math"
	"slices"

	"toolkit/internal/language"
)

// The customary constants of BM25.
const saturation, lengthShare = 1.2, 0.75

// bm25Index is the yardstick: BM25 over single texts, with the stemmer and the stop words
// of the language that the questions are in. It knows no speaker, day or neighbour.
type bm25Index struct {
	spoken language.Language
	texts  [][]string // terms
	mean   float64    // how many terms a text has
}

func newBM25Index(spoken language.Language, texts []string) *bm25Index {
	p := &bm25Index{spoken: spoken}
	for _, text := range texts {
		p.texts = append(p.texts, p.stemTerms(text))
	}
	p.mean = float64(len(slices.Concat(p.texts...))) / float64(len(texts))
	return p
}

func (p *bm25Index) stemTerms(text string) []string {
	stem := p.spoken.Stemmer()
	words := slices.DeleteFunc(language.SurfaceWords(text), func(word string) bool { return p.spoken.IsStopWord(language.Fold(word)) })
	for i, word := range words {
		words[i] = stem(word)
	}
	return words
}

// search returns the texts that answer a question, best first, earlier ones before others
// as good.
func (p *bm25Index) search(question string, limit int) (found []int) {
	terms := p.stemTerms(question)
	slices.Sort(terms)
	scores := make([]float64, len(p.texts))
	for _, term := range slices.Compact(terms) {
		counts, holders := make([]float64, len(p.texts)), 0.0
		for i, text := range p.texts {
			for _, word := range text {
				if word == term {
					counts[i]++
				}
			}
			holders += min(counts[i], 1)
		}
		idf := math.Log(1 + (float64(len(p.texts))-holders+0.5)/(holders+0.5))
		for i, f := range counts {
			scores[i] += idf * f * (saturation + 1) / (f + saturation*(1-lengthShare+lengthShare*float64(len(p.texts[i]))/p.mean))
		}
	}
	for i, score := range scores {
		if score > 0 {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return found[:min(len(found), limit)]
}
