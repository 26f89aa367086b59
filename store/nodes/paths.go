package nodes

import (
	"slices"

	"toolkit/store/internal/query"
)

// PathBounds end a search for paths, which could walk the whole graph otherwise.
type PathBounds struct {
	Longest   int // relations of one path
	Relations int // that are read
	Paths     int // that are returned
}

// PathsEnd says why no path was found.
type PathsEnd string

// Why a search ended without a path.
const (
	Unconnected PathsEnd = "unconnected" // all that one end is connected with was read
	TooFar      PathsEnd = "far"         // there is none of PathBounds.Longest relations or fewer
	TooMany     PathsEnd = "many"        // PathBounds.Relations were read before one was found
)

// Paths are the shortest ways from one entity to another along relations, which may
// be followed in either direction.
type Paths struct {
	Chains   [][]int64 // row ids from end to end, all of one length
	More     bool      // there are others as short, or there may be
	End      PathsEnd  // of an empty Chains
	Entities int       // that were met
}

// Paths searches from both ends at once, always from the one with less to look
// through, so that a hub is opened only where nothing else is left.
func (tx Rows) Paths(from, to int64, bounds PathBounds) (Paths, error) {
	if from == to {
		return Paths{Chains: [][]int64{{from}}, Entities: 1}, nil
	}
	near, far := newReach(from), newReach(to)
	left := bounds.Relations
	result := func(end PathsEnd) Paths {
		return Paths{Chains: [][]int64{}, End: end, Entities: len(near.before) + len(far.before)}
	}
	for range bounds.Longest {
		side, other := near, far
		if len(far.edge) < len(near.edge) {
			side, other = far, near
		}
		if len(side.edge) == 0 {
			return result(Unconnected), nil
		}
		met, err := tx.widen(side, other, &left, bounds.Paths+1)
		if err != nil {
			return Paths{}, err
		}
		if len(met) > 0 {
			found := result("")
			found.Chains = join(near, far, met, bounds.Paths+1)
			found.More = len(found.Chains) > bounds.Paths || left == 0
			found.Chains = found.Chains[:min(len(found.Chains), bounds.Paths)]
			return found, nil
		}
		if left == 0 {
			return result(TooMany), nil
		}
	}
	if len(near.edge) == 0 || len(far.edge) == 0 {
		return result(Unconnected), nil
	}
	return result(TooFar), nil
}

// reach is what is reached from one end.
type reach struct {
	edge   []int64           // reached last
	before map[int64][]int64 // of each entity reached, those that it was reached from
}

func newReach(id int64) *reach {
	return &reach{edge: []int64{id}, before: map[int64][]int64{id: nil}}
}

// Relations of a list of entities, read from an index in either direction.
const (
	outwardQuery = `SELECT a.value, r.to_id FROM json_each(?1) a CROSS JOIN relations r WHERE r.from_id = a.value LIMIT ?2`
	inwardQuery  = `SELECT a.value, r.from_id FROM json_each(?1) a CROSS JOIN relations r WHERE r.to_id = a.value LIMIT ?2`
)

// widen goes one relation further on a side and returns where it meets the other,
// which then lies on a shortest path. Of each entity it keeps ways ways back, since
// no more paths than that are wanted.
func (tx Rows) widen(side, other *reach, left *int, ways int) ([]int64, error) {
	fresh := map[int64][]int64{}
	var edge, met []int64
	ids := query.List(side.edge)
	for _, statement := range []string{outwardQuery, inwardQuery} {
		err := tx.sql.Each(func(scan query.Scan) error {
			var at, next int64
			err := scan(&at, &next)
			*left--
			if _, known := side.before[next]; known {
				return err
			}
			back, again := fresh[next]
			if !again {
				edge = append(edge, next)
				if _, meets := other.before[next]; meets {
					met = append(met, next)
				}
			}
			if len(back) < ways && !slices.Contains(back, at) {
				fresh[next] = append(back, at)
			}
			return err
		}, statement, ids, *left)
		if err != nil {
			return nil, err
		}
	}
	for id, back := range fresh {
		side.before[id] = back
	}
	side.edge = edge
	return met, nil
}

// join puts the ways from both ends together where they meet, at most limit.
func join(near, far *reach, met []int64, limit int) [][]int64 {
	chains := [][]int64{}
	for _, id := range met {
		onward := far.ways(id, limit)
		for _, back := range near.ways(id, limit) {
			slices.Reverse(back)
			for _, on := range onward {
				if len(chains) == limit {
					return chains
				}
				chains = append(chains, slices.Concat(back, on[1:]))
			}
		}
	}
	return chains
}

// ways are the chains from an entity back to where the search began, at most limit.
func (r *reach) ways(id int64, limit int) [][]int64 {
	if len(r.before[id]) == 0 {
		return [][]int64{{id}}
	}
	var chains [][]int64
	for _, before := range r.before[id] {
		for _, rest := range r.ways(before, limit-len(chains)) {
			chains = append(chains, append([]int64{id}, rest...))
		}
		if len(chains) >= limit {
			break
		}
	}
	return chains
}
