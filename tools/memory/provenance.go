package memory

import (
	"math"
	"unicode/utf8"

	"toolkit/internal/language"
	"toolkit/store/memory"
	"toolkit/tools"
)

const (
	// maxBackground and maxBackgroundRunes bound the dialogue from which the
	// rarity of a term is learned.
	maxBackground      = 300
	maxBackgroundRunes = 2000
	// maxNovelTerms bounds the terms that are named; more say the same.
	maxNovelTerms = 20
)

// measureProvenance compares an insight with the dialogue it was made of: coverage is the share of the
// sources' terms that it kept, compression how long it is beside them. A term of the sources
// weighs ln(1 + n/df), df being how many of the n texts in the background have
// it: what is said all the time matters less than what was said once. ok is
// false when the sources say nothing.
func measureProvenance(insight string, sources, background []string) (coverage, compression float64, ok bool) {
	said := map[string]bool{}
	var order []string // floating-point sums depend on it
	runes := 0
	for _, text := range sources {
		runes += utf8.RuneCountInString(text)
		for _, stem := range contentTerms(text) {
			if !said[stem] {
				said[stem] = true
				order = append(order, stem)
			}
		}
	}
	if len(said) == 0 {
		return 0, 0, false
	}
	kept := contentTermSet(insight)
	frequency := countDocumentFrequency(said, background)
	weight, total := 0.0, 0.0
	for _, term := range order {
		w := math.Log1p(float64(max(len(background), 1)) / float64(max(frequency[term], 1)))
		total += w
		if kept[term] {
			weight += w
		}
	}
	return math.Min(1, weight/total), float64(utf8.RuneCountInString(insight)) / float64(runes), true
}

func countDocumentFrequency(terms map[string]bool, texts []string) map[string]int {
	frequency := map[string]int{}
	for _, text := range texts {
		for stem := range contentTermSet(text) {
			if terms[stem] {
				frequency[stem]++
			}
		}
	}
	return frequency
}

func contentTermSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, stem := range contentTerms(text) {
		set[stem] = true
	}
	return set
}

// contentTerms are the stems of the words that carry content.
func contentTerms(text string) []string {
	text = language.RemoveWordSigns(text)
	words, stems := language.Words(text), language.Terms(text)
	terms := make([]string, 0, len(words))
	for i, w := range words {
		if !language.IsStopWord(w) {
			terms = append(terms, stems[i])
		}
	}
	return terms
}

// measureAgainstSources compares an insight with its sources, where there are any.
func (w *insightQuality) measureAgainstSources(tx memory.Rows, insight string, sourceIDs []int64) error {
	if len(sourceIDs) == 0 {
		return nil
	}
	rows, err := tx.DialoguesByID(tools.Distinct(sourceIDs))
	if err != nil || len(rows) == 0 {
		return err
	}
	if g, ok := measureGrounding(insight, rows); ok {
		share := round4(g.Share)
		w.Grounding, w.GroundingWarning, w.NovelTerms = &share, g.formatWarning(), g.Novel
	}
	background, err := tx.SessionTexts(sourceIDs, maxBackground, maxBackgroundRunes)
	if err != nil {
		return err
	}
	texts := make([]string, len(rows))
	for i, d := range rows {
		texts[i] = d.Content
	}
	if coverage, ratio, ok := measureProvenance(insight, texts, background); ok {
		coverage, ratio = round4(coverage), round4(ratio)
		w.SourceCoverage, w.CompressionRatio = &coverage, &ratio
	}
	return nil
}
