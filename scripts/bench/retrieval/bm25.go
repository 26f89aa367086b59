package retrieval

import (
	"cmp"
	"math"
	"slices"

	"toolkit/internal/language"
)

// The customary constants of BM25.
const saturation, lengthShare = 1.2, 0.75

// plain is the yardstick: BM25 over single texts, with the stemmer and the stop words
// of the language that the questions are in. It knows no speaker, day or neighbour.
type plain struct {
	spoken language.Language
	texts  []map[string]int
	length []int
	all    int
	rows   map[string]int // that hold a term
}

func newPlain(spoken language.Language, texts []string) *plain {
	p := &plain{spoken: spoken, rows: map[string]int{}}
	for _, text := range texts {
		counts, terms := map[string]int{}, p.terms(text)
		for _, term := range terms {
			if counts[term]++; counts[term] == 1 {
				p.rows[term]++
			}
		}
		p.texts, p.length, p.all = append(p.texts, counts), append(p.length, len(terms)), p.all+len(terms)
	}
	return p
}

func (p *plain) terms(text string) []string {
	stem := p.spoken.Stemmer()
	words := slices.DeleteFunc(language.Written(text), func(word string) bool { return p.spoken.IsStopWord(language.Fold(word)) })
	for i, word := range words {
		words[i] = stem(word)
	}
	return words
}

// best are the texts that answer a question, best first, earlier ones before others
// as good.
func (p *plain) best(question string, most int) []int {
	terms := p.terms(question)
	slices.Sort(terms)
	terms = slices.Compact(terms)
	mean := float64(p.all) / float64(len(p.texts))
	scores := make([]float64, len(p.texts))
	var found []int
	for i, text := range p.texts {
		for _, term := range terms {
			if f := float64(text[term]); f > 0 {
				n := float64(p.rows[term])
				idf := math.Log(1 + (float64(len(p.texts))-n+0.5)/(n+0.5))
				scores[i] += idf * f * (saturation + 1) / (f + saturation*(1-lengthShare+lengthShare*float64(p.length[i])/mean))
			}
		}
		if scores[i] > 0 {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return found[:min(len(found), most)]
}

// spokenIn is the language of the questions of a collection together: one alone may
// be too short to tell.
func spokenIn(c Collection) language.Language {
	var words []string
	for _, q := range c.Questions {
		words = append(words, language.Words(q.Text)...)
	}
	return language.Of(words)
}
