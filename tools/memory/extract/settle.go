package extract

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Sighting is a candidate where it was seen.
type Sighting struct {
	Candidate
	Session string
	Turn    int // place in the session
	At      time.Time
}

// Standing is what became of all sightings of one thing.
type Standing struct {
	Candidate            // the first explicit sighting, else the first
	Sightings []Sighting // in order of time
	// Stored says that it is worth keeping: said explicitly, or in two sessions.
	Stored bool
	// SupersededBy is the place, among the results, of what was said later on the
	// same subject; -1 while it stands.
	SupersededBy int
}

// Thing is by what is known that candidates say the same.
type Thing struct {
	kind           Kind
	subject, value string
	against        bool
}

// Thing is what a candidate says.
func (c *Candidate) Thing() Thing { return Thing{c.Kind, c.Subject, c.Value, c.Against} }

// Settle decides about candidates of any number of sessions, given in any order,
// and tells what stands in the order in which it was first said.
func Settle(sightings []Sighting) []Standing {
	sightings = slices.Clone(sightings)
	slices.SortFunc(sightings, inTime)
	places := map[Thing]int{}
	var all []Standing
	for _, seen := range sightings {
		i, known := places[seen.Thing()]
		if !known {
			i = len(all)
			places[seen.Thing()] = i
			all = append(all, Standing{Candidate: seen.Candidate, SupersededBy: -1})
		}
		all[i].add(seen)
	}
	supersede(all)
	return all
}

// inTime orders sightings; what is alike in time and place is ordered by what was said.
func inTime(a, b Sighting) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Turn, b.Turn),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text))
}

// add counts a sighting: without an explicit word a second session has to say it, since one
// marker in one paragraph is noise.
func (s *Standing) add(seen Sighting) {
	if seen.Explicit && !s.Explicit {
		s.Candidate = seen.Candidate
	}
	s.Sightings = append(s.Sightings, seen)
	s.Stored = s.Explicit || s.Stored || seen.Session != s.Sightings[0].Session
}

func (s *Standing) last() Sighting { return s.Sightings[len(s.Sightings)-1] }

// supersede marks what was last said before something else of its kind on the same subject, or
// was given up by name. Of several the latest is meant.
func supersede(all []Standing) {
	type about struct {
		kind Kind
		key  string
	}
	said := map[about][]int{} // by subject, and by what was given up
	for i := range all {
		s := &all[i]
		for _, key := range []string{s.Subject, s.Replaces} {
			if key != "" && (key == s.Subject || s.Replaces != s.Subject) {
				said[about{s.Matter(), key}] = append(said[about{s.Matter(), key}], i)
			}
		}
	}
	for i := range all {
		s := &all[i]
		for _, key := range []string{s.Subject, s.Given()} {
			for _, j := range said[about{s.Matter(), key}] {
				if j != i && all[j].takesPlaceOf(s, key) && (s.SupersededBy < 0 || inTime(all[s.SupersededBy].last(), all[j].last()) < 0) {
					s.SupersededBy = j
				}
			}
		}
	}
}

// takesPlaceOf reports whether what was said later supersedes an earlier saying that it meets in a
// key. One that gives up the value of another says so of the same subject: a blog that leaves
// Netlify takes no shop with it.
func (s *Standing) takesPlaceOf(earlier *Standing, key string) bool {
	switch {
	case inTime(earlier.last(), s.last()) >= 0:
		return false
	case key == earlier.Subject:
		return true
	case key == s.Replaces:
		return s.Value == "" || within(s.Subject, earlier.Subject) || within(earlier.Subject, s.Subject)
	}
	return s.Value != "" || s.Against != earlier.Against // "we stay with PostgreSQL" says nothing else of it
}

// within reports whether all stems of one key stand in another.
func within(key, other string) bool {
	stems := strings.Fields(other)
	return !slices.ContainsFunc(strings.Fields(key), func(stem string) bool { return !slices.Contains(stems, stem) })
}

// Matter is the kind under which subjects are compared: what is so, what was decided to be so and
// what shall be so from now on supersede each other.
func (c *Candidate) Matter() Kind {
	if c.Kind == Fact || c.Kind == Preference && c.Explicit {
		return Decision
	}
	return c.Kind
}
