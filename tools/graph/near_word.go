package graph

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/embed"
	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/graph"
)

const (
	// minWordSimilarity is how like a word of an entity must be to the single word of a query:
	// bicycle and bike come to 0.87, child and daughter to 0.7, two names of people to 0.59.
	minWordSimilarity = 0.6
	// maxNearWord is in how many entities, the nearest in meaning, such a word is sought, and
	// maxComparedObservations and maxComparedWords how much is compared of each: a word takes
	// milliseconds.
	maxNearWord, maxComparedObservations, maxComparedWords = 3, 5, 16
)

// filterNearByWord keeps of the entities that are near to a single word in meaning those that
// have a word of about that meaning. A single word is mostly a name, which comes near to something
// by chance; so names are not compared.
func (f family) filterNearByWord(ctx context.Context, word string, near map[int64]float64) (map[int64]float64, error) {
	ids := filterAndSortNear(near)
	ids = ids[:min(len(ids), maxNearWord)]
	var nodes []graph.Entity
	err := f.Store.Read(ctx, func(tx *store.Tx) (err error) {
		nodes, err = graph.In(tx).ReadEntities(ids, maxComparedObservations)
		return err
	})
	if err != nil {
		return nil, err
	}
	wanted, err := embed.BuiltIn().Query(ctx, word)
	if err != nil {
		return nil, err
	}
	filtered := map[int64]float64{}
	for _, n := range nodes {
		vectors, err := embed.BuiltIn().Embed(ctx, contentWords(n))
		if err != nil {
			return nil, err
		}
		for _, v := range vectors {
			if similarity := float64(embed.Dot(wanted, v)); similarity >= minWordSimilarity {
				filtered[n.ID] = max(filtered[n.ID], similarity)
			}
		}
	}
	return filtered, nil
}

// contentWords are the first words of an entity's type and observations, each once.
func contentWords(n graph.Entity) (words []string) {
	text := strings.Join(append([]string{n.Type}, n.Observations...), " ")
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		short := utf8.RuneCountInString(w) < 3 && len(w) < 4 // two characters of Chinese are a word
		if !short && !language.IsStopWord(strings.ToLower(w)) && !slices.Contains(words, w) {
			words = append(words, w)
		}
		if len(words) == maxComparedWords {
			break
		}
	}
	return words
}
