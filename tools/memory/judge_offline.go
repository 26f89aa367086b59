package memory

import (
	"context"
	"math"
	"strings"
	"unicode"
)

// Names of the heuristics that judge without a network.
const (
	lexicalCoverageName = "offline-lexical-coverage-v1"
	ngramCosineName     = "offline-ngram-cosine-v1"
)

// NewOfflineJudgePanel is the panel of the two heuristics; why says why no models judge.
func NewOfflineJudgePanel(why string) *JudgePanel {
	note := "the judges are offline heuristics; kappa measures only how far the two agree, and the scores are no ground truth"
	if why != "" {
		note += "; " + why
	}
	return &JudgePanel{First: heuristicJudge{lexicalCoverageName, lexicalCoverage}, Second: heuristicJudge{ngramCosineName, bestTrigramCosine}, Mode: JudgeModeOffline, Note: note}
}

// heuristicJudge is arithmetic on two texts.
type heuristicJudge struct {
	name string
	rate func(query, document string) float64
}

func (h heuristicJudge) Model() string { return h.name }

func (h heuristicJudge) Rate(_ context.Context, query, document string) (float64, error) {
	return h.rate(query, document), nil
}

// lexicalCoverage is the share of the query's distinct words that the document
// contains. Words of fewer than four letters count only when the query has no
// longer ones: they are mostly grammar.
func lexicalCoverage(query, document string) float64 {
	asked := map[string]bool{}
	for _, shortest := range []int{4, 1} {
		for _, w := range splitIntoWords(query) {
			if len([]rune(w)) >= shortest {
				asked[w] = true
			}
		}
		if len(asked) > 0 {
			break
		}
	}
	if len(asked) == 0 {
		return 0
	}
	found := map[string]bool{}
	for _, w := range splitIntoWords(document) {
		if asked[w] {
			found[w] = true
		}
	}
	return float64(len(found)) / float64(len(asked))
}

// bestTrigramCosine is the greatest cosine between the character trigrams of the query
// and those of any sentence of the document: a long document is not less
// relevant for its other sentences.
func bestTrigramCosine(query, document string) float64 {
	asked := countTrigrams(query)
	best := trigramCosine(asked, countTrigrams(document))
	for _, sentence := range strings.FieldsFunc(document, func(r rune) bool { return strings.ContainsRune(".!?\n", r) }) {
		best = math.Max(best, trigramCosine(asked, countTrigrams(sentence)))
	}
	return math.Min(1, best) // rounding may pass 1
}

func trigramCosine(a, b map[[3]rune]float64) float64 {
	dot, lengthA, lengthB := 0.0, 0.0, 0.0
	for gram, n := range a {
		dot += n * b[gram]
		lengthA += n * n
	}
	for _, n := range b {
		lengthB += n * n
	}
	if dot == 0 {
		return 0
	}
	return dot / math.Sqrt(lengthA*lengthB)
}

// countTrigrams counts the trigrams of a text's words, each word between two spaces.
func countTrigrams(text string) map[[3]rune]float64 {
	counts := map[[3]rune]float64{}
	for _, w := range splitIntoWords(text) {
		runes := []rune(" " + w + " ")
		for i := 0; i+3 <= len(runes); i++ {
			counts[[3]rune(runes[i:i+3])]++
		}
	}
	return counts
}

func splitIntoWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}
