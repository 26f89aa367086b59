package toolset

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"toolkit/embed"
	"toolkit/internal/language"
	"toolkit/internal/search"
)

const (
	// wordsWeight is what the words that a query shares with a purpose count beside what
	// both mean, and nameWeight what those of its name count.
	wordsWeight, nameWeight = 0.35, 0.25
	// replacedWeight is what is left of the score of a tool that another replaces.
	replacedWeight = 0.6
)

// scorePurposes says how well each purpose fits what is wanted; 0: not at all. In meaning it is
// the nearest of its texts that counts.
func (f family) scorePurposes(ctx context.Context, query string, list []purpose) ([]float64, error) {
	scores := scoreWords(query, list)
	if !f.WordsAlone {
		wanted, err := embed.BuiltIn().Embed(ctx, queryWithFirstClause(query))
		if err != nil {
			return nil, err
		}
		vectors, err := loadPurposeVectors(ctx, list)
		if err != nil {
			return nil, err
		}
		for i, texts := range vectors {
			nearest := 0.0
			for _, v := range texts {
				nearest = max(nearest, float64(embed.Dot(wanted[0], v)))
				for _, beginning := range wanted[1:] {
					nearest = max(nearest, beginningWeight*float64(embed.Dot(beginning, v)))
				}
			}
			scores[i] = wordsWeight*scores[i] + nearest
		}
	}
	for i, p := range list {
		if p.replaced {
			scores[i] *= replacedWeight
		}
	}
	return scores, nil
}

// queryWithFirstClause returns a request and, where a pause divides it, its beginning: what follows may be what
// is to be remembered or written down, and have nothing to do with the tool.
func queryWithFirstClause(query string) []string {
	at := strings.IndexAny(query, ",:;、，：；\n")
	if at < 0 || utf8.RuneCountInString(strings.TrimSpace(query[:at])) < minAsking {
		return []string{query}
	}
	return []string{query, query[:at]}
}

const (
	// minAsking is how many characters the beginning of a request has at least.
	minAsking = 6
	// beginningWeight is what the beginning counts beside the whole.
	beginningWeight = 0.8
)

// scoreWords is the share of the query's information that the words of each purpose
// carry, up to 1.
func scoreWords(query string, list []purpose) []float64 {
	q := search.AnalyseQuery(query)
	terms, names := make([][]string, len(list)), make([][]string, len(list))
	counts := search.Statistics{Rows: len(list), Body: map[string]int{}}
	for i, p := range list {
		names[i] = language.Terms(strings.NewReplacer("_", " ", "-", " ").Replace(p.name))
		terms[i] = slices.Concat(names[i], language.Terms(strings.Join(p.texts, " ")+" "+p.tags))
		counts.Words += len(terms[i])
		for _, t := range q.Terms {
			if slices.ContainsFunc(t.Forms, func(form string) bool { return slices.Contains(terms[i], form) }) {
				counts.Body[t.Forms[0]]++
			}
		}
	}
	scorer := search.NewScorer(q, counts)
	share := func(terms []string) float64 {
		var w search.Window
		w[search.Neighbours] = scorer.CountEvidence(terms, nil)
		return scorer.Relevance(w, "")
	}
	scores := make([]float64, len(list))
	for i := range list {
		scores[i] = (1-nameWeight)*share(terms[i]) + nameWeight*share(names[i])
	}
	return scores
}

// otherFit is the best of what no tool does.
type otherFit struct {
	name  string
	score float64
}

// findBestNonToolPurpose returns the one with the highest of the scores of listNonToolPurposes.
func findBestNonToolPurpose(scores []float64) (best otherFit) {
	for i, p := range listNonToolPurposes() {
		if scores[i] > best.score {
			best = otherFit{p.name, scores[i]}
		}
	}
	return best
}
