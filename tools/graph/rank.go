package graph

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"toolkit/store"
)

const (
	// maxByWords is how many entities found by their words follow those that
	// contain the query as it stands, and how many of the latter make the look
	// for words unnecessary.
	maxByWords = 25

	// maxQueryWords is how many words of a query are looked for.
	maxQueryWords = 12

	// wordRows is how many rows are read for a word. A word with more says little;
	// whether the best candidates contain it is then looked up for them alone.
	wordRows = 500

	// checkedCandidates is for how many candidates frequent words are looked up.
	checkedCandidates = 100

	// nameWeight is how much more a word counts in a name, type, title or
	// narrative than in an observation.
	nameWeight = 1.5
)

// matches are the row ids a query found, best first.
type matches struct {
	ids  []int64
	text int // how many contain the query as it stands; the others share its words
}

// find ranks the entities of the given types (nil for all) for a query. First
// come all that contain it as it stands: a whole name, the start of a name, a
// word of a name, inside a name, the type, the start of a word of an
// observation, inside one; among equals shorter names, then older entities.
// Then follow, unless substringsOnly, those that share its words in any
// inflection.
func find(tx *store.Tx, query string, types []string, substringsOnly bool) (matches, error) {
	text := query
	if !substringsOnly {
		text = strings.TrimSpace(query)
	}
	hits, err := tx.FindText(text)
	if err != nil {
		return matches{}, err
	}
	ids, err := ofTypes(tx, ranked(hits), types)
	if err != nil {
		return matches{}, err
	}
	m := matches{ids: ids, text: len(ids)}
	if substringsOnly || m.text >= maxByWords {
		return m, nil
	}
	more, err := byWords(tx, query, m.ids, types)
	m.ids = append(m.ids, more...)
	return m, err
}

// findNames ranks the entities whose name contains a text.
func findNames(tx *store.Tx, text string) ([]int64, error) {
	hits, err := tx.FindText(text)
	if err != nil {
		return nil, err
	}
	return ranked(slices.DeleteFunc(hits, func(h store.TextHit) bool { return h.Place > store.InName })), nil
}

// ranked are the ids of hits, best first.
func ranked(hits []store.TextHit) []int64 {
	slices.SortFunc(hits, func(a, b store.TextHit) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.NameLength, b.NameLength), cmp.Compare(a.ID, b.ID))
	})
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	return ids
}

func ofTypes(tx *store.Tx, ids []int64, types []string) ([]int64, error) {
	if types == nil || len(ids) == 0 {
		return ids, nil
	}
	return tx.OfTypes(ids, types)
}

// candidate is an entity that shares words with a query.
type candidate struct {
	id      int64
	words   int     // how many different words it shares
	weight  float64 // the rarer they are the more
	matched uint16  // bit i: word i
}

// byWords returns the entities that share words with the query and are not among
// found, best first: those with every word, then by the sum of the words' inverse
// document frequencies, which is what BM25 comes to for texts in which a word
// stands once.
func byWords(tx *store.Tx, query string, found []int64, types []string) ([]int64, error) {
	words := contentWords(query)
	if len(words) == 0 {
		return nil, nil
	}
	total, err := tx.EntityEstimate()
	if err != nil {
		return nil, err
	}
	candidates := map[int64]*candidate{}
	note := func(id int64, word int, weight float64) {
		c := candidates[id]
		if c == nil {
			c = &candidate{id: id}
			candidates[id] = c
		}
		if c.matched&(1<<word) == 0 {
			c.matched |= 1 << word
			c.words++
			c.weight += weight
		}
	}
	frequent := map[int]float64{} // words with more rows than were read, and their weight
	for i, w := range words {
		hits, err := tx.FindWord(w, wordRows)
		if err != nil {
			return nil, err
		}
		weight := rarity(total, len(hits.Named)+len(hits.Observed))
		for _, id := range hits.Named {
			note(id, i, weight*nameWeight)
		}
		for _, id := range hits.Observed {
			note(id, i, weight)
		}
		if !hits.Complete {
			frequent[i] = weight
		}
	}
	for _, id := range found {
		delete(candidates, id)
	}
	better := mostWords(len(words))
	best := slices.SortedFunc(maps.Values(candidates), better)
	best = best[:min(len(best), checkedCandidates)]
	if err := completeFrequent(tx, best, words, frequent); err != nil {
		return nil, err
	}
	slices.SortFunc(best, better)
	ids := make([]int64, len(best))
	for i, c := range best {
		ids[i] = c.id
	}
	ids, err = ofTypes(tx, ids, types)
	return ids[:min(len(ids), maxByWords)], err
}

// mostWords orders candidates: those with all words before the others, then by
// weight.
func mostWords(all int) func(a, b *candidate) int {
	return func(a, b *candidate) int {
		if aAll, bAll := a.words == all, b.words == all; aAll != bAll {
			if aAll {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.id, b.id))
	}
}

// completeFrequent looks frequent words up for the best candidates.
func completeFrequent(tx *store.Tx, best []*candidate, words []string, frequent map[int]float64) error {
	if len(frequent) == 0 || len(words) == 1 {
		return nil
	}
	ids := make([]int64, len(best))
	for i, c := range best {
		ids[i] = c.id
	}
	for word, weight := range frequent {
		with, err := tx.WithWord(words[word], ids)
		if err != nil {
			return err
		}
		for _, c := range best {
			if with[c.id] && c.matched&(1<<word) == 0 {
				c.matched |= 1 << word
				c.words++
				c.weight += weight
			}
		}
	}
	return nil
}

// rarity is the inverse document frequency of BM25.
func rarity(total, with int) float64 {
	n := float64(max(total, with))
	return math.Log(1 + (n-float64(with)+0.5)/(float64(with)+0.5))
}

// contentWords are the words of a query that carry meaning; all of them when
// none does.
func contentWords(query string) []string {
	all := store.Words(query)
	words := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return functionWords[w] })
	if len(words) == 0 {
		words = all
	}
	return words[:min(len(words), maxQueryWords)]
}

// functionWords stand in every question and say nothing of its subject. Pieces
// of contractions are among them.
var functionWords = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`a about all am an and any are as at be been but by can could d did do does for from
		had has have he her him his how i if in into is it its ll m me my of on or our re s she should so t than that the
		their them then there these they this to us ve was we were what when where which who whom whose why will with would you your`) {
		set[w] = true
	}
	return set
}()
