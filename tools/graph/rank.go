package graph

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store/graph"
)

const (
	// maxByWords is how many entities found by their words follow those that
	// contain the query as it stands, and how many of the latter make the look
	// for words unnecessary.
	maxByWords = 25

	// maxQueryBytes is how much of a query is read for words.
	maxQueryBytes = 4096

	// maxQueryWords is how many words of a query are looked for.
	maxQueryWords = 12

	// maxWordRows is how many rows are read for a word. A word with more says
	// little; whether the best candidates contain it is then looked up for them
	// alone.
	maxWordRows = 200

	// maxCheckedCandidates is for how many candidates frequent words are looked up.
	maxCheckedCandidates = 100

	// nameWeight is how much more a word counts in a name, type, title or
	// narrative than in an observation.
	nameWeight = 1.5
)

// matches are the row ids a query found, best first.
type matches struct {
	ids  []int64
	text int // how many contain the query as it stands; the others share its words
	near int // how many of those at the end are near in meaning only
}

// findEntities ranks the entities of the given types (nil for all) for a query. First
// come all that contain it as it stands: a whole name, the start of a name, a
// word of a name, inside a name, the type, the start of a word of an
// observation, inside one, in other letters (e for é); among equals shorter names,
// then older entities.
//
// Unless substringsOnly, those follow that have all its words, in any
// inflection, and when nothing contains it as it stands, those that share some:
// a question is seldom a part of its answer. A query that is somebody's whole
// name asks for nobody else.
func findEntities(tx graph.Rows, query string, types []string, substringsOnly bool, now time.Time) (matches, error) {
	text := query
	if !substringsOnly {
		text = strings.TrimSpace(query)
	}
	hits, err := tx.FindText(text)
	if err != nil {
		return matches{}, err
	}
	if substringsOnly {
		hits = slices.DeleteFunc(hits, func(h graph.TextHit) bool { return h.Place == graph.InOtherLetters })
	}
	ids, err := ofTypes(tx, rankHits(hits), types)
	if err != nil {
		return matches{}, err
	}
	m := matches{ids: ids, text: len(ids)}
	named := slices.ContainsFunc(hits, func(h graph.TextHit) bool { return h.Place == graph.WholeName })
	if substringsOnly || named || m.text >= maxByWords {
		return m, nil
	}
	query = truncateQuery(query)
	words := contentWords(query)
	if len(words) == 0 {
		return m, nil
	}
	more, err := findAllWords(tx, words, m.ids)
	if err != nil {
		return m, err
	}
	if m.text == 0 {
		if more, err = findSomeWords(tx, contentWords(search.WithoutDates(query, now)), more); err != nil {
			return m, err
		}
	}
	more, err = ofTypes(tx, more, types)
	m.ids = append(m.ids, more[:min(len(more), maxByWords)]...)
	return m, err
}

const (
	// maxNear is how many entities follow that are near to a query in meaning, and minNear
	// how like it they are at least.
	maxNear, minNear = 5, 0.1
)

// addNear puts the entities of the given types that are nearest in meaning behind those
// that words found.
func (m *matches) addNear(tx graph.Rows, similarity map[int64]float64, types []string) error {
	var near []int64
	for id, like := range similarity {
		if like >= minNear && !slices.Contains(m.ids, id) {
			near = append(near, id)
		}
	}
	slices.SortFunc(near, func(a, b int64) int { return cmp.Or(cmp.Compare(similarity[b], similarity[a]), cmp.Compare(a, b)) })
	near, err := ofTypes(tx, near, types)
	m.near = min(len(near), maxNear)
	m.ids = append(m.ids, near[:m.near]...)
	return err
}

// findAllWords returns entities that have every word and are not among found. A rare word
// is looked for in any inflection, the others then in the texts of the few that have it.
func findAllWords(tx graph.Rows, words []language.Wording, found []int64) ([]int64, error) {
	for i := range words {
		rest := slices.Delete(slices.Clone(words), i, i+1)
		if len(rest) == 0 || slices.ContainsFunc(rest, isNumber) { // which no part of a text tells
			continue
		}
		hits, err := tx.FindWords(words[i:i+1], maxWordRows)
		if err != nil {
			return nil, err
		}
		if hits.Complete {
			return filterByAllWords(tx, rest, newHits(hits, found))
		}
	}
	hits, err := tx.FindWords(words, maxByWords+len(found))
	return newHits(hits, found), err
}

// isNumber reports whether a wording is a number that may be written in other ways.
func isNumber(w language.Wording) bool { return len(w) > 1 && strings.ContainsAny(w[0], "0123456789") }

// filterByAllWords keeps those of ids that contain every word.
func filterByAllWords(tx graph.Rows, words []language.Wording, ids []int64) ([]int64, error) {
	for _, word := range words {
		if len(ids) == 0 {
			break
		}
		with, err := tx.FilterByText(stemForms(word), ids)
		if err != nil {
			return nil, err
		}
		ids = slices.DeleteFunc(ids, func(id int64) bool { return !with[id] })
	}
	return ids, nil
}

// newHits are the hits that are not among found, each once, names first.
func newHits(hits graph.WordHits, found []int64) []int64 {
	seen := make(map[int64]bool, len(found))
	for _, id := range found {
		seen[id] = true
	}
	rest := []int64{}
	for _, id := range slices.Concat(hits.Named, hits.Observed) {
		if !seen[id] {
			seen[id] = true
			rest = append(rest, id)
		}
	}
	return rest
}

// rankHits are the ids of hits, best first.
func rankHits(hits []graph.TextHit) []int64 {
	slices.SortFunc(hits, func(a, b graph.TextHit) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.NameLength, b.NameLength), cmp.Compare(a.ID, b.ID))
	})
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	return ids
}

func ofTypes(tx graph.Rows, ids []int64, types []string) ([]int64, error) {
	if types == nil || len(ids) == 0 {
		return ids, nil
	}
	return tx.FilterByType(ids, types)
}

// candidate is an entity that shares words with a query.
type candidate struct {
	id      int64
	words   int     // how many different words it shares
	weight  float64 // the rarer they are the more
	matched uint16  // bit i: word i
}

// findSomeWords returns entities that share words with the query, best first: those
// with every word, then by the sum of the words' inverse document frequencies,
// which is what BM25 comes to for texts in which a word stands once. Those of
// complete are known to have every word.
func findSomeWords(tx graph.Rows, words []language.Wording, complete []int64) ([]int64, error) {
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
		c.note(word, weight)
	}
	frequent := map[int]float64{} // words with more rows than were read, and their weight
	for i, w := range words {
		hits, err := tx.FindWords([]language.Wording{w}, maxWordRows)
		if err != nil {
			return nil, err
		}
		weight := search.WordInformation(w[0], total, len(hits.Named)+len(hits.Observed))
		if !hits.Complete {
			frequent[i] = weight
		}
		for _, id := range hits.Named {
			note(id, i, weight*nameWeight)
		}
		for _, id := range slices.Concat(hits.Observed, complete) {
			note(id, i, weight)
		}
	}
	better := compareCandidates(len(words))
	best := slices.SortedFunc(maps.Values(candidates), better)
	best = best[:min(len(best), maxCheckedCandidates)]
	if err := lookUpFrequent(tx, best, words, frequent); err != nil {
		return nil, err
	}
	slices.SortFunc(best, better)
	ids := make([]int64, len(best))
	for i, c := range best {
		ids[i] = c.id
	}
	return ids, nil
}

// note counts a word once.
func (c *candidate) note(word int, weight float64) {
	if c.matched&(1<<word) == 0 {
		c.matched |= 1 << word
		c.words++
		c.weight += weight
	}
}

// compareCandidates orders candidates: those with all words before the others, then by
// weight.
func compareCandidates(all int) func(a, b *candidate) int {
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

// lookUpFrequent looks for frequent words in the text of the best candidates,
// by the part that inflection leaves: near enough for words that weigh little.
func lookUpFrequent(tx graph.Rows, best []*candidate, words []language.Wording, frequent map[int]float64) error {
	ids := make([]int64, len(best))
	for i, c := range best {
		ids[i] = c.id
	}
	for word, weight := range frequent {
		with, err := tx.FilterByText(stemForms(words[word]), ids)
		if err != nil {
			return err
		}
		for _, c := range best {
			if with[c.id] {
				c.note(word, weight)
			}
		}
	}
	return nil
}

// stemForms are the ways to write a word, without the ending that inflection changes
// in English.
func stemForms(word language.Wording) []string {
	list := slices.Clone(word)
	for i, way := range list {
		for _, ending := range []string{"ings", "ing", "ies", "ied", "ed", "es", "s", "e", "y"} {
			if start, cut := strings.CutSuffix(way, ending); cut && len(start) >= 3 {
				list[i] = start
				break
			}
		}
	}
	return list
}

// contentWords are the words of a query that carry meaning; all of them when
// none does.
func contentWords(query string) []language.Wording {
	words := language.Wordings(search.ContentWords(query))
	return words[:min(len(words), maxQueryWords)]
}

// truncateQuery is the part of a query whose words are looked at: what somebody asks
// fits in it, and a pasted document must not cost seconds.
func truncateQuery(query string) string { return query[:min(len(query), maxQueryBytes)] }
