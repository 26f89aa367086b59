package memory

import (
	"math"
	"unicode/utf8"

	"toolkit/internal/retrieval"
	"toolkit/store"
)

const (
	// maxBackground and maxBackgroundRunes bound the dialogue from which the
	// rarity of a term is learned.
	maxBackground      = 300
	maxBackgroundRunes = 2000
	// maxNovelTerms bounds the terms that are named; more say the same.
	maxNovelTerms = 20
)

// provenance relates an insight to the dialogue it was made of.
type provenance struct {
	Coverage    float64  // share of the sources' terms kept, weighted by rarity
	Novel       []string // words of the insight that no source has
	Compression float64  // characters of the insight / characters of its sources
}

// weighProvenance compares an insight with its sources. A term of the sources
// weighs ln(1 + n/df), df being how many of the n texts in the background have
// it: what is said all the time matters less than what was said once. ok is
// false when the sources say nothing.
func weighProvenance(insight string, sources, background []string) (p provenance, ok bool) {
	said := map[string]bool{}
	var order []string // floating-point sums depend on it
	runes := 0
	for _, text := range sources {
		runes += utf8.RuneCountInString(text)
		for _, t := range contentTerms(text) {
			if !said[t.stem] {
				said[t.stem] = true
				order = append(order, t.stem)
			}
		}
	}
	if len(said) == 0 {
		return p, false
	}
	kept := map[string]bool{}
	p.Novel = []string{}
	for _, t := range contentTerms(insight) {
		if kept[t.stem] {
			continue
		}
		kept[t.stem] = true
		if !said[t.stem] && len(p.Novel) < maxNovelTerms {
			p.Novel = append(p.Novel, t.word)
		}
	}
	frequency := documentFrequency(said, background)
	weight, total := 0.0, 0.0
	for _, term := range order {
		w := math.Log1p(float64(max(len(background), 1)) / float64(max(frequency[term], 1)))
		total += w
		if kept[term] {
			weight += w
		}
	}
	p.Coverage = math.Min(1, weight/total)
	p.Compression = float64(utf8.RuneCountInString(insight)) / float64(runes)
	return p, true
}

func documentFrequency(terms map[string]bool, texts []string) map[string]int {
	frequency := map[string]int{}
	for _, text := range texts {
		seen := map[string]bool{}
		for _, t := range contentTerms(text) {
			if terms[t.stem] && !seen[t.stem] {
				seen[t.stem] = true
				frequency[t.stem]++
			}
		}
	}
	return frequency
}

// contentTerm is a word that carries content, with its stem.
type contentTerm struct{ word, stem string }

func contentTerms(text string) []contentTerm {
	words, stems := retrieval.Words(text), retrieval.Terms(text)
	terms := make([]contentTerm, 0, len(words))
	for i, w := range words {
		if !retrieval.IsStopWord(w) {
			terms = append(terms, contentTerm{w, stems[i]})
		}
	}
	return terms
}

// provenanceOf reads the sources of an insight and weighs it against them.
func provenanceOf(tx *store.Tx, insight string, sourceIDs []int64) (p provenance, ok bool, err error) {
	if len(sourceIDs) == 0 {
		return p, false, nil
	}
	rows, err := tx.DialoguesByID(sourceIDs)
	if err != nil || len(rows) == 0 {
		return p, false, err
	}
	background, err := tx.SessionTexts(sourceIDs, maxBackground, maxBackgroundRunes)
	if err != nil {
		return p, false, err
	}
	sources := make([]string, 0, len(rows))
	seen := map[int64]bool{}
	for _, d := range rows {
		if !seen[d.ID] {
			seen[d.ID] = true
			sources = append(sources, d.Content)
		}
	}
	p, ok = weighProvenance(insight, sources, background)
	return p, ok, nil
}
