package graph

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/kinds"
	"toolkit/tools"
)

const (
	// maxByWords is how many entities found by their words follow those that
	// contain the query as it stands, and how many of the latter make the look
	// for words unnecessary.
	maxByWords = 25

	// maxQueryBytes is how much of a query is read for words.
	maxQueryBytes = 4096

	// maxWeighedObservations and maxWeighedBytes bound what is compared of an entity with a
	// query, beside the observations that the index finds.
	maxWeighedObservations, maxWeighedBytes = 50, 1 << 15
)

// matches are the row ids a query found, best first.
type matches struct {
	ids       []int64
	text      int                // how many contain the query as it stands; the others share its words
	near      int                // how many of those at the end are near in meaning only
	best      float64            // share of the query's information that the best answers
	matched   []string           // words of the query in the best
	relevance map[string]float64 // of those found by words, by their names
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
func findEntities(tx *store.Tx, query string, types []string, substringsOnly bool, now time.Time) (matches, error) {
	text := query
	if !substringsOnly {
		text = strings.TrimSpace(query)
	}
	hits, err := graph.In(tx).FindText(text)
	if err != nil {
		return matches{}, err
	}
	if substringsOnly {
		hits = slices.DeleteFunc(hits, func(h graph.TextHit) bool { return h.Place == graph.InOtherLetters })
	}
	ids, err := filterByType(graph.In(tx), rankHits(hits), types)
	if err != nil {
		return matches{}, err
	}
	m := matches{ids: ids, text: len(ids)}
	if m.text > 0 {
		m.best = 1 // it is what was asked for
	}
	named := slices.ContainsFunc(hits, func(h graph.TextHit) bool { return h.Place == graph.WholeName })
	if substringsOnly || named || m.text >= maxByWords {
		return m, nil
	}
	return m, m.addByWords(tx, tools.NewQuestion(truncateQuery(query), "", nil, now), types)
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

func filterByType(tx graph.Rows, ids []int64, types []string) ([]int64, error) {
	if types == nil || len(ids) == 0 {
		return ids, nil
	}
	return tx.FilterByType(ids, types)
}

// nodeScore is an entity with what its text has of a query.
type nodeScore struct {
	graph.FoundNode
	relevance float64
	matched   []string
}

// addByWords puts the entities of the given types that share words with a query behind
// those that contain it: then only such as have all of them.
func (m *matches) addByWords(tx *store.Tx, q *tools.Question, types []string) error {
	var counted search.Statistics
	if m.text > 0 && len(q.Terms) == 1 { // all that hold the word are alike
		counted = q.LimitToNewestMatches(kinds.EntityWords, kinds.ObservationWords)
	} else {
		var err error
		if counted, err = q.CountWordMatches(tx, kinds.EntityWords, kinds.ObservationWords); err != nil {
			return err
		}
		if m.text > 0 {
			q.RequireRarestWord()
		}
	}
	q.Scorer = search.NewScorer(q.Query, counted)
	found, err := matchNodes(tx, q, nil, m.ids, maxWeighedObservations)
	if err != nil {
		return err
	}
	var list []nodeScore
	for _, n := range found {
		w := scoreNode(q, n)
		all := len(w.matched) == len(q.Terms)
		if (types == nil || slices.Contains(types, n.Type)) && w.relevance > 0 && (all || m.text == 0) {
			list = append(list, w)
		}
	}
	slices.SortStableFunc(list, func(a, b nodeScore) int { return cmp.Compare(b.relevance, a.relevance) })
	m.relevance = map[string]float64{}
	for i, w := range list[:min(len(list), maxByWords)] {
		m.ids, m.relevance[w.Name] = append(m.ids, w.ID), w.relevance
		if i == 0 && m.text == 0 {
			m.best, m.matched = w.relevance, w.matched
		}
	}
	return nil
}

// scoreNode finds how much of a question the text of a node answers: nothing, where it only
// comes near to its words. A character stands in pairs.
func scoreNode(q *tools.Question, n graph.FoundNode) nodeScore {
	text := strings.Join(slices.Concat([]string{n.Name, n.Type, n.Title(), n.Body()}, n.Matching, n.Observations), "\n")
	text = text[:min(len(text), maxWeighedBytes)]
	var w search.Window
	w[search.Neighbours] = q.Scorer.CountEvidence(language.Terms(text), nil)
	words := slices.DeleteFunc(q.Scorer.MatchedWords(w, ""), func(word string) bool {
		nearly, isNear := strings.CutPrefix(word, "~")
		return isNear && !language.IsUnspacedCharacter(nearly)
	})
	if len(words) == 0 {
		return nodeScore{FoundNode: n}
	}
	return nodeScore{n, q.Scorer.RelevanceForQuestion(w, ""), words}
}

const (
	// maxNear is how many entities follow that are near to a query in meaning, and minNear
	// how like it they are at least.
	maxNear, minNear = 5, 0.1
)

// addNear puts the entities of the given types that are nearest in meaning behind those
// that words found.
func (m *matches) addNear(tx graph.Rows, similarity map[int64]float64, types []string) error {
	near := slices.DeleteFunc(filterAndSortNear(similarity), func(id int64) bool { return slices.Contains(m.ids, id) })
	near, err := filterByType(tx, near, types)
	m.near = min(len(near), maxNear)
	m.ids = append(m.ids, near[:m.near]...)
	return err
}

// filterAndSortNear returns the nodes that are near enough in meaning, the nearest first.
func filterAndSortNear(similarity map[int64]float64) []int64 {
	var near []int64
	for id, like := range similarity {
		if like >= minNear {
			near = append(near, id)
		}
	}
	slices.SortFunc(near, func(a, b int64) int { return cmp.Or(cmp.Compare(similarity[b], similarity[a]), cmp.Compare(a, b)) })
	return near
}

// truncateQuery is the part of a query whose words are looked at: what somebody asks
// fits in it, and a pasted document must not cost seconds.
func truncateQuery(query string) string { return query[:min(len(query), maxQueryBytes)] }
