package extract

import (
	"cmp"
	"slices"
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

// Settle decides about candidates of any number of sessions, given in any order,
// and tells what stands in the order in which it was first said.
func Settle(sightings []Sighting) []Standing {
	sightings = slices.Clone(sightings)
	slices.SortFunc(sightings, inTime)
	type thing struct {
		kind           Kind
		subject, value string
		against        bool
	}
	places := map[thing]int{}
	var all []Standing
	for _, seen := range sightings {
		same := thing{seen.Kind, seen.Subject, seen.Value, seen.Against}
		i, known := places[same]
		if !known {
			i = len(all)
			places[same] = i
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
// was given up by name.
func supersede(all []Standing) {
	type about struct{ kind, key string }
	latest := map[about]int{} // by subject, and by what was given up
	for i := range all {
		for _, key := range []string{all[i].Subject, all[i].Replaces} {
			a := about{all[i].Matter(), key}
			if j, ok := latest[a]; key != "" && (!ok || inTime(all[j].last(), all[i].last()) < 0) {
				latest[a] = i
			}
		}
	}
	for i := range all {
		s := &all[i]
		for _, key := range []string{s.Subject, s.Given()} {
			if j, ok := latest[about{s.Matter(), key}]; ok && j != i && inTime(s.last(), all[j].last()) < 0 && !all[j].affirms(s, key) {
				s.SupersededBy = j
				break
			}
		}
	}
}

// affirms reports whether a saying that takes up what another gave as its value says nothing else
// of it: "we stay with PostgreSQL".
func (s *Standing) affirms(earlier *Standing, key string) bool {
	return key != earlier.Subject && key != s.Replaces && s.Value == "" && s.Against == earlier.Against
}

// Matter is the kind under which subjects are compared: what is so, and what was decided to be so,
// supersede each other.
func (c *Candidate) Matter() string {
	if c.Kind == Fact {
		return string(Decision)
	}
	return string(c.Kind)
}
