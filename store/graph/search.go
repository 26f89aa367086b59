package graph

import (
	"cmp"
	"maps"
	"slices"

	"toolkit/internal/language"
	"toolkit/store/internal/query"
)

// TextPlace says where in an entity a text was found, best first.
type TextPlace int

// Places of a hit. Titles and narratives count as observations.
const (
	WholeName TextPlace = iota
	NameStart
	NameWord // at the start of a word of the name
	InName
	InType
	ObservationWord // at the start of a word of an observation
	InObservation
	InOtherLetters // the text is there but for accents and the like, which the official search tells apart
)

// TextHit is an entity that contains a text.
type TextHit struct {
	ID         int64
	Place      TextPlace
	NameLength int // bytes of the folded name
}

// FindText returns every entity whose name, type, observations, title or body
// contain the text, ignoring case and however its accents are encoded, or but for its
// accents and the like, in no particular order. An empty text finds nothing.
func (tx Rows) FindText(text string) ([]TextHit, error) {
	if text == "" {
		return nil, nil
	}
	spelled := accentSpellings(text)
	hits, err := tx.findTextAsSpelt(spelled[0])
	if len(spelled) == 1 {
		return hits, err
	}
	best := map[int64]TextHit{}
	for _, other := range spelled[1:] {
		more, err := tx.findTextAsSpelt(other)
		if err != nil {
			return nil, err
		}
		hits = append(hits, more...)
	}
	for _, h := range hits {
		if known, found := best[h.ID]; !found || h.Place < known.Place {
			best[h.ID] = h
		}
	}
	return slices.Collect(maps.Values(best)), err
}

// findTextAsSpelt returns FindText for a text as it stands.
func (tx Rows) findTextAsSpelt(text string) ([]TextHit, error) {
	n := newNeedle(text)
	var hits []TextHit
	served := false
	var long []int64
	changed, err := query.InMemoryState[textIndex](tx.sql).withSnapshot(tx, func(g *textIndex, newer map[int64]bool) {
		served = true
		long = g.find(n, func(h TextHit) {
			if !newer[h.ID] {
				hits = append(hits, h)
			}
		})
		long = slices.DeleteFunc(long, func(id int64) bool { return newer[id] })
	})
	if err != nil {
		return nil, err
	}
	add := func(f textDocument) { hits = appendHit(hits, n, f) }
	if served {
		err = tx.eachTextOf(append(changed, long...), add)
	} else {
		err = tx.eachText(add)
	}
	return hits, err
}

func appendHit(hits []TextHit, n *needle, f textDocument) []TextHit {
	if hit, found := n.find(&f); found {
		hits = append(hits, hit)
	}
	return hits
}

const (
	// minNameSimilarity is the similarity from which a name is worth proposing.
	minNameSimilarity = 0.3

	// maxScannedNames bounds the look for similar names and titles where no index serves.
	maxScannedNames = 20_000

	// maxNewNames is how many names that were written since are compared beside the index.
	maxNewNames = 64

	// maxComparedBytes is how much of a name is compared: no name is longer, but a
	// caller may paste a document.
	maxComparedBytes = 4096
)

// NearestNames returns the names most like the given one, best first, at most
// limit: by the share of pieces they have in common.
func (tx Rows) NearestNames(name string, limit int) ([]string, error) {
	wanted := language.PiecesOf(name[:min(len(name), maxComparedBytes)])
	mask := wanted.Mask()
	sharesPieces := func(other *nameSummary) bool { return maskSimilarity(mask, other.pieces) >= minNameSimilarity }
	var pieces language.Pieces
	type candidate struct {
		id    int64
		score float64
	}
	var best []candidate
	err := tx.eachSimilarName(sharesPieces, func(id int64, name []byte) {
		pieces = language.AppendPieces(pieces[:0], string(name))
		if score := wanted.Likeness(pieces); score >= minNameSimilarity {
			best = append(best, candidate{id, score})
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(best, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id))
	})
	ids := make([]int64, 0, limit)
	for _, c := range best[:min(limit, len(best))] {
		ids = append(ids, c.id)
	}
	return tx.EntityNames(ids)
}

// NearlySameNames returns up to limit other names, oldest first, that differ from a name in
// large and small letters, accents, spaces and marks alone, or in one letter. A write asks what
// this process has in memory; it does not know when that is not enough, and a read after it does.
func (tx Rows) NearlySameNames(name string, limit int) (names []string, known bool, err error) {
	wanted := newNearName(name)
	if len(wanted.letters) == 0 {
		return nil, true, nil
	}
	var ids []int64
	consider := func(id int64, other []byte) {
		if wanted.isNear(other) {
			ids = append(ids, id)
		}
	}
	if tx.sql.Writes() {
		known = query.InMemoryState[textIndex](tx.sql).eachNearName(&wanted, consider)
	} else {
		known, err = true, tx.eachSimilarName(wanted.mayBeNear, consider)
	}
	if err != nil || !known || len(ids) == 0 {
		return nil, known, err
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	names, err = tx.EntityNames(ids[:min(2*limit+1, len(ids))])
	names = slices.DeleteFunc(names, func(other string) bool { return other == name || !wanted.isNear([]byte(other)) }) // the index may know an earlier name
	return names[:min(limit, len(names))], true, err
}

// A newName is the name of an entity that this process wrote after the index last caught up.
type newName struct {
	id   int64
	name []byte
}

// noteNewName has the name of a new entity compared until the index catches up. When its write is
// not committed, it leads to nothing. A write does not wait for the index to be filled.
func (g *textIndex) noteNewName(id int64, name string) {
	if !g.mu.TryLock() {
		return
	}
	defer g.mu.Unlock()
	if g.complete && len(g.newNames) <= maxNewNames {
		g.newNames = append(g.newNames, newName{id, []byte(name)})
	}
}

// eachNearName shows the names in memory that may be near the wanted one; it reports false while
// the index does not know all, or too many are new. A write does not wait for it to be filled.
func (g *textIndex) eachNearName(wanted *nearName, consider func(id int64, name []byte)) bool {
	if !g.mu.TryRLock() {
		return false
	}
	defer g.mu.RUnlock()
	if !g.complete || g.tooLarge || len(g.newNames) > maxNewNames {
		return false
	}
	g.eachSimilarName(wanted.mayBeNear, consider)
	for _, n := range g.newNames {
		consider(n.id, n.name)
	}
	return true
}

// eachSimilarName shows the names whose summary is similar. It needs the lock.
func (g *textIndex) eachSimilarName(isSimilar func(*nameSummary) bool, consider func(id int64, name []byte)) {
	for i := range g.names {
		if isSimilar(&g.names[i]) {
			d := &g.documents[i]
			consider(d.id, d.text[:d.nameEnd])
		}
	}
}

// eachSimilarName shows the names whose summary is similar, or all that are read without the index,
// some of them in small letters. name is valid only during the call.
func (tx Rows) eachSimilarName(isSimilar func(*nameSummary) bool, consider func(id int64, name []byte)) error {
	served := false
	changed, err := query.InMemoryState[textIndex](tx.sql).withSnapshot(tx, func(g *textIndex, newer map[int64]bool) {
		served = true
		g.eachSimilarName(isSimilar, func(id int64, name []byte) {
			if !newer[id] {
				consider(id, name)
			}
		})
	})
	if err != nil {
		return err
	}
	if err := tx.eachTextOf(changed, func(f textDocument) { consider(f.id, f.text[:f.nameEnd]) }); err != nil || served {
		return err
	}
	return tx.sql.Each(func(scan query.Scan) error {
		var id int64
		var name string
		err := scan(&id, &name)
		consider(id, []byte(name))
		return err
	}, `SELECT id, name FROM entities ORDER BY id DESC LIMIT ?1`, maxScannedNames)
}
