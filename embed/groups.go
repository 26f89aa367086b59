package embed

import "context"

const (
	// exactRows is how many rows chromem-go searches one by one, with their
	// full vectors. Each document costs it about 1.2 µs at 1536 dimensions, so
	// beyond this the search would take longer than the grouped one.
	exactRows = 2048

	// Beyond exactRows, 8 rows share one document, and 16 beyond manyRows.
	// chromem-go hands every document through a channel and a lock, some
	// 0.3 µs however short the vector, so 100 000 documents alone would take
	// longer than a whole search may. Shifts of an id give its group.
	smallShift, largeShift = 3, 4
	largestGroup           = 1 << largeShift
	manyRows               = 32768

	// sketchDimension is the length of projected vectors.
	sketchDimension = 384

	// DefaultBreadth is the share of groups whose rows are scored, beyond
	// leastGroups. The smaller an index, the less its nearest rows stand out
	// from the rest of their groups; hence the constant part. On text, both
	// together find more than 98 % of the 50 nearest rows at any size.
	DefaultBreadth = 0.75
	leastGroups    = 128
)

// groups keeps one chromem-go document for every 8 or 16 consecutive ids:
// the direction of the sum of the rows' sketches. A row close to the query
// lifts its group. Groups follow from the ids alone, so the ranking does not
// depend on the order in which a process saw the rows; neighbouring ids are
// often about one thing, which helps. Sparse ids only make more documents.
type groups struct {
	shift     uint
	documents *documents
	numbers   map[int64]int32 // by key
	members   []group
	free      []int32
	dirty     []int32 // groups whose document is out of date
}

type group struct {
	key   int64
	rows  [largestGroup]int32 // slot + 1 of each id, 0 for none
	count int
	dirty bool
}

func newGroups(shift uint) groups {
	return groups{shift: shift, documents: newDocuments(), numbers: make(map[int64]int32)}
}

// place rounds towards negative infinity, so that negative ids work too.
func (g *groups) place(id int64) (key int64, position int) {
	key = id >> g.shift
	return key, int(id - key<<g.shift)
}

func (g *groups) add(id int64, slot int32) {
	key, position := g.place(id)
	number, known := g.numbers[key]
	if !known {
		if last := len(g.free) - 1; last >= 0 {
			number, g.free = g.free[last], g.free[:last]
		} else {
			number = int32(len(g.members))
			g.members = append(g.members, group{})
		}
		g.numbers[key] = number
		g.members[number].key = key
	}
	member := &g.members[number]
	if member.rows[position] == 0 {
		member.count++
	}
	member.rows[position] = slot + 1
	g.touch(number)
}

func (g *groups) remove(id int64) {
	key, position := g.place(id)
	number, known := g.numbers[key]
	if !known || g.members[number].rows[position] == 0 {
		return
	}
	g.members[number].rows[position] = 0
	g.members[number].count--
	g.touch(number)
}

func (g *groups) touch(number int32) {
	if member := &g.members[number]; !member.dirty {
		member.dirty = true
		g.dirty = append(g.dirty, number)
	}
}

// settle rewrites the documents of the groups that have changed.
func (g *groups) settle(sketch *codes) {
	for _, number := range g.dirty {
		member := &g.members[number]
		member.dirty = false
		if member.count == 0 {
			g.documents.remove(number)
			delete(g.numbers, member.key)
			g.free = append(g.free, number)
			continue
		}
		sum := make([]float32, sketch.dimension+1)
		for _, row := range member.rows {
			if row > 0 {
				sketch.addTo(sum[:sketch.dimension], row-1)
			}
		}
		g.documents.put(number, directed(sum))
	}
	g.dirty = g.dirty[:0]
}

// directed normalises a vector in place. One without direction (projections
// may cancel out) becomes the unit vector of the last component, which nothing
// else uses, because chromem-go would turn it into NaN.
func directed(v []float32) []float32 {
	if !Normalize(v) {
		clear(v)
		v[len(v)-1] = 1
	}
	return v
}

// rank adds the slots of the rows in the groups nearest to the projected query
// to found.
func (g *groups) rank(ctx context.Context, projected []float32, want int, found slotSet) error {
	query := make([]float32, len(projected)+1)
	copy(query, projected)
	matches, err := g.documents.nearest(ctx, directed(query), want)
	if err != nil {
		return err
	}
	for _, m := range matches {
		for _, row := range g.members[m.number].rows {
			if row > 0 {
				found.add(row - 1)
			}
		}
	}
	return nil
}
