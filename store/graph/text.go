package graph

import (
	"bytes"
	"math/bits"
	"slices"
	"sort"
	"sync"

	"toolkit/store/internal/query"
)

const (
	// maxIndexedText bounds the memory of the substring index. Beyond it every
	// search reads the rows instead: slow, but right and bounded.
	maxIndexedText = 256 << 20

	// maxIndexedLength is how many bytes the text of an entity may have to be held
	// in memory. Of a longer one the index has the name and a filter, and a search
	// that passes the filter reads the rows.
	maxIndexedLength = 16 << 10

	// documentOverhead is about what the index keeps of an entity beside its
	// text: the document, its signature and its place.
	documentOverhead = 200

	// textBatch is how many entities are read at a time to fill the index.
	textBatch = 1000

	// maxRecentChanges is how many of the latest changes the index can take
	// back for a reader whose snapshot is older than the index.
	maxRecentChanges = 4096
)

// textIndex is the substring index: the folded text of every entity that is not
// long, in memory.
//
// It fills itself at the first search and afterwards follows the table
// entity_changes, which every process writes, so a search sees what was
// committed before its snapshot, by whomever. A reader whose snapshot is older
// than the index (another search has just caught up with a newer write) gets
// the changed entities from its own snapshot instead.
//
// Why not SQLite's trigram tokenizer: over the same 100 000 entities it finds
// one hit in 0.5 to 1.6 ms (0.1 to 0.2 here), but a text that stands in 43 000
// of them in 140 ms (8 here) and one that stands in all in 290 to 370 ms (5 to
// 12 here); texts of one or two letters need a scan, 120 to 140 ms (6 here); and
// the file grows by 58 MB for 20 MB of text.
type textIndex struct {
	mu       sync.RWMutex
	limit    int // bytes; maxIndexedText when 0
	tooLarge bool

	started  bool
	complete bool
	loaded   int64 // while filling: every id up to this one is in
	sequence int64 // changes up to this one are in
	oldest   int64 // snapshots older than this cannot be served
	recent   []entityChange

	documents  []textDocument
	names      []nameSummary     // one for each; empty where none is
	newNames   []newName         // that were written here since it caught up
	signatures []*signatureBlock // one for 64 documents
	places     map[int64]int     // of documents, by their ids
	free       []int             // places of those that went
	size       int               // bytes of text
}

type entityChange struct{ sequence, id int64 }

// withSnapshot shows f the index as of tx's snapshot, under the read lock; entities in
// newer are not to be looked at, their ids are returned to be read from tx. When
// the index cannot serve the snapshot, f is not called.
func (g *textIndex) withSnapshot(tx Rows, f func(g *textIndex, newer map[int64]bool)) (changed []int64, err error) {
	if tx.sql.Writes() {
		return nil, nil // a write sees its own rows, which may never be committed
	}
	now, err := tx.changeSequence()
	if err != nil {
		return nil, err
	}
	for {
		changed, ready := g.serveSnapshot(now, f)
		if ready {
			return changed, nil
		}
		if err := g.catchUp(tx, now); err != nil {
			return nil, err
		}
	}
}

// serveSnapshot is view once the snapshot is known; ready is false while the index is
// behind it.
func (g *textIndex) serveSnapshot(now int64, f func(g *textIndex, newer map[int64]bool)) (changed []int64, ready bool) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.cannotServe(now) {
		return nil, true
	}
	if !g.complete || g.sequence < now {
		return nil, false
	}
	changed = g.changedSince(now)
	newer := make(map[int64]bool, len(changed))
	for _, id := range changed {
		newer[id] = true
	}
	f(g, newer)
	return changed, true
}

// cannotServe reports whether a snapshot is to be read without the index.
func (g *textIndex) cannotServe(now int64) bool {
	return g.tooLarge || (g.started && now < g.oldest)
}

func (tx Rows) changeSequence() (int64, error) {
	if err := tx.sql.FlushQueuedRows(); err != nil { // of its own
		return 0, err
	}
	return query.Value[int64](tx.sql, `SELECT coalesce(max(seq), 0) FROM entity_changes`)
}

// changedSince lists the entities changed after a sequence not below g.oldest.
func (g *textIndex) changedSince(sequence int64) []int64 {
	first := sort.Search(len(g.recent), func(i int) bool { return g.recent[i].sequence > sequence })
	ids := idsOf(g.recent[first:])
	slices.Sort(ids)
	return slices.Compact(ids)
}

func idsOf(changes []entityChange) []int64 {
	ids := make([]int64, len(changes))
	for i, c := range changes {
		ids[i] = c.id
	}
	return ids
}

// catchUp brings the index to tx's snapshot. What a cancelled call has loaded
// stays, so that filling a large index gets further with every attempt.
func (g *textIndex) catchUp(tx Rows, now int64) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cannotServe(now) || (g.complete && g.sequence >= now) {
		return nil
	}
	if !g.started {
		g.started, g.sequence, g.places = true, now, map[int64]int{}
	}
	if !g.complete {
		// Until it is filled and has caught up, the index mixes snapshots.
		g.oldest = now
		if err := g.loadAll(tx); err != nil || g.tooLarge {
			return err
		}
	}
	if err := g.applyChanges(tx, now); err != nil {
		g.oldest = now // some texts are newer than g.sequence says
		return err
	}
	g.complete, g.newNames = true, nil
	return nil
}

// loadAll reads all entities that are not in yet.
func (g *textIndex) loadAll(tx Rows) error {
	for {
		ids, err := tx.listAfter(g.loaded)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := tx.eachTextOf(ids, g.put); err != nil {
			return err
		}
		g.loaded = ids[len(ids)-1]
		if g.dropIfTooLarge() {
			return nil
		}
	}
}

// applyChanges applies the changes after g.sequence up to now, oldest first.
func (g *textIndex) applyChanges(tx Rows, now int64) error {
	for g.sequence < now {
		changes, err := tx.changesAfter(g.sequence)
		if err != nil {
			return err
		}
		if len(changes) == 0 { // the rows up to now have been replaced by later ones
			g.sequence = now
			break
		}
		if err := g.replaceTexts(tx, changes); err != nil {
			return err
		}
		if g.dropIfTooLarge() {
			return nil
		}
	}
	return nil
}

// replaceTexts replaces the texts of changed entities; those without a row are gone.
func (g *textIndex) replaceTexts(tx Rows, changes []entityChange) error {
	for _, c := range changes {
		g.remove(c.id)
	}
	if err := tx.eachTextOf(idsOf(changes), g.put); err != nil {
		return err
	}
	g.recent = append(g.recent, changes...)
	g.sequence = changes[len(changes)-1].sequence
	if surplus := len(g.recent) - maxRecentChanges; surplus > 0 {
		g.oldest = max(g.oldest, g.recent[surplus-1].sequence)
		g.recent = slices.Clone(g.recent[surplus:])
	}
	return nil
}

// put stores the text of an entity, replacing an earlier one.
func (g *textIndex) put(d textDocument) {
	g.remove(d.id)
	text := d.text
	if len(text) > maxIndexedLength {
		d.filter = newTextFilter(text)
		d.nameEnd = min(d.nameEnd, maxComparedBytes)
		text = text[:d.nameEnd]
	}
	d.text = bytes.Clone(text)
	i := len(g.documents)
	if last := len(g.free) - 1; last >= 0 {
		i, g.free = g.free[last], g.free[:last]
		g.documents[i] = d
	} else {
		g.documents, g.names = append(g.documents, d), append(g.names, nameSummary{})
	}
	g.names[i] = newNameSummary(d.text[:d.nameEnd])
	if i/64 == len(g.signatures) {
		g.signatures = append(g.signatures, &signatureBlock{})
	}
	if d.filter != nil {
		g.signatures[i/64].addEvery(i % 64)
	} else {
		g.signatures[i/64].add(i%64, d.text)
	}
	g.places[d.id] = i
	g.size += len(d.text)
}

// remove takes the text of an entity out, whose place becomes free.
func (g *textIndex) remove(id int64) {
	i, known := g.places[id]
	if !known {
		return
	}
	delete(g.places, id)
	g.free = append(g.free, i)
	g.size -= len(g.documents[i].text)
	g.documents[i], g.names[i] = textDocument{}, nameSummary{}
	g.signatures[i/64].remove(i % 64)
}

// find calls hit for every short document that contains the needle, and returns the
// ids of the long ones that may contain it, whose text is to be read.
func (g *textIndex) find(n *needle, hit func(TextHit)) (long []int64) {
	for b, block := range g.signatures {
		for possible := block.candidates(n); possible != 0; possible &= possible - 1 {
			i := b*64 + bits.TrailingZeros64(possible)
			if i >= len(g.documents) {
				break
			}
			d := &g.documents[i]
			if d.filter == nil {
				if h, found := n.find(d); found {
					hit(h)
				}
			} else if d.filter.mayContain(n) {
				long = append(long, d.id)
			}
		}
	}
	return long
}

// dropIfTooLarge gives the index up when it has grown beyond its bound.
func (g *textIndex) dropIfTooLarge() bool {
	limit := g.limit
	if limit == 0 {
		limit = maxIndexedText
	}
	if g.size+len(g.places)*documentOverhead <= limit {
		return false
	}
	g.tooLarge = true
	g.documents, g.names, g.signatures, g.places, g.free, g.recent = nil, nil, nil, nil, nil, nil
	return true
}

func (tx Rows) changesAfter(sequence int64) ([]entityChange, error) {
	return query.Select(tx.sql, func(c *entityChange) []any { return []any{&c.sequence, &c.id} }, `SELECT seq, entity_id FROM entity_changes WHERE seq > ?1 ORDER BY seq LIMIT ?2`, sequence, textBatch)
}

// listAfter returns the next entities behind an id, in their order.
func (tx Rows) listAfter(id int64) ([]int64, error) {
	return tx.sql.IDs(`SELECT id FROM entities WHERE id > ?1 ORDER BY id LIMIT ?2`, id, textBatch)
}

// eachText calls f with every entity of the snapshot. The text is valid during the call only.
func (tx Rows) eachText(f func(textDocument)) error {
	for after := int64(0); ; {
		ids, err := tx.listAfter(after)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := tx.eachTextOf(ids, f); err != nil {
			return err
		}
		after = ids[len(ids)-1]
	}
}

// eachTextOf is eachText for some entities, the long ones last. Of those one at a time is in memory.
func (tx Rows) eachTextOf(ids []int64, f func(textDocument)) error {
	if len(ids) == 0 {
		return nil
	}
	long, err := tx.listLong(ids)
	if err != nil {
		return err
	}
	short := slices.DeleteFunc(slices.Clone(ids), func(id int64) bool {
		_, isLong := slices.BinarySearch(long, id)
		return isLong
	})
	batches := [][]int64{short}
	for _, id := range long {
		batches = append(batches, []int64{id})
	}
	var buffer []byte
	for _, batch := range batches {
		entities, err := tx.ReadEntities(batch, NoLimit)
		if err != nil {
			return err
		}
		for i := range entities {
			folded := foldEntity(buffer, &entities[i])
			buffer = folded.text
			f(folded)
		}
	}
	return nil
}

// listLong returns those entities whose text is too long to be in memory with others, in order.
func (tx Rows) listLong(ids []int64) ([]int64, error) {
	return tx.sql.IDs(`SELECT e.id FROM json_each(?1) j CROSS JOIN entities e ON e.id = j.value
		WHERE octet_length(e.name) + octet_length(e.type) + octet_length(e.title) + octet_length(e.body)
			+ (SELECT coalesce(sum(octet_length(o.content)), 0) FROM observations o WHERE o.entity_id = e.id) > ?2
		ORDER BY e.id`, query.List(ids), maxIndexedLength)
}
