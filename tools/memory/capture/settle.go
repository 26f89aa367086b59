package capture

import (
	"encoding/json"
	"time"

	"toolkit/store"
	"toolkit/store/captures"
	"toolkit/store/memories"
	"toolkit/tools/memory"
	"toolkit/tools/memory/extract"
)

// Reasons that stand in the history of an insight.
const (
	laterSaid   = "a later turn says otherwise"
	earlierSaid = "it was said before in other words"
	notSaid     = "read with the turn before, it is not what was said"
)

// settling is the work on one thing and those that it is related to.
type settling struct {
	tx     *store.Tx
	search memory.Searcher
	seen   []extract.Sighting
	loaded map[string]bool          // things
	things map[extract.Thing]string // the other way round
	all    []extract.Standing       // what became of them
	places map[string]int           // of a thing among all
}

// settle decides what becomes of a thing of which a sighting came or went, and of
// those that it may supersede. Only sightings on which that depends are read, so
// that the work does not grow with what is stored.
func settle(tx *store.Tx, search memory.Searcher, thing []byte) error {
	s := &settling{tx: tx, search: search, loaded: map[string]bool{}, things: map[extract.Thing]string{}, places: map[string]int{}}
	related, err := s.load([][]byte{thing}, true)
	if err != nil {
		return err
	}
	superseding, err := s.load(related, false)
	if err != nil {
		return err
	}
	if _, err := s.load(superseding, false); err != nil {
		return err
	}
	s.all = extract.Settle(s.seen)
	for i := range s.all {
		s.places[s.things[s.all[i].Thing()]] = i
	}
	touched := append([][]byte{thing}, related...)
	for _, t := range touched {
		if err := s.promote(t); err != nil {
			return err
		}
	}
	for _, t := range touched {
		if err := s.retire(t); err != nil {
			return err
		}
	}
	return nil
}

// load reads things that are not loaded yet, and finds what may supersede them,
// and, if asked for, what they may supersede.
func (s *settling) load(things [][]byte, superseded bool) (related [][]byte, err error) {
	rows, keys := captures.In(s.tx), map[string]bool{}
	for _, thing := range things {
		if s.loaded[string(thing)] {
			continue
		}
		s.loaded[string(thing)] = true
		list, err := rows.Decisive(thing)
		if err != nil {
			return nil, err
		}
		for _, row := range list {
			seen := extract.Sighting{Session: row.Session, Turn: int(row.Dialogue), At: row.At}
			if err := json.Unmarshal(row.Candidate, &seen.Candidate); err != nil {
				return nil, err
			}
			s.seen = append(s.seen, seen)
			s.things[seen.Thing()] = string(thing)
			keys[string(row.Subject)], keys[string(row.Value)] = true, true
			if superseded {
				keys[string(row.Replaces)] = true
			}
		}
	}
	delete(keys, "")
	for key := range keys {
		near, err := rows.ThingsNear([]byte(key), superseded)
		if err != nil {
			return nil, err
		}
		related = append(related, near...)
	}
	return related, nil
}

// standing is what became of a thing; nil when nothing says it any more.
func (s *settling) standing(thing []byte) *extract.Standing {
	i, said := s.places[string(thing)]
	if !said {
		return nil
	}
	return &s.all[i]
}

// own is the insight that a thing became last, if it counts or was superseded;
// closed when somebody deleted or forgot it, or wrote a better one: that is the
// last word on the thing.
func (s *settling) own(thing []byte) (i *memories.Insight, closed bool, err error) {
	id, known, err := captures.In(s.tx).InsightOf(thing)
	if err != nil || id == 0 {
		return nil, known, err
	}
	if i, err = memories.In(s.tx).InsightAt(id); err != nil || i == nil {
		return nil, true, err
	}
	if i.SupersededBy == 0 {
		return i, !i.Deleted.IsZero() && i.Reason != laterSaid && i.Reason != notSaid, nil
	}
	next, err := memories.In(s.tx).InsightAt(i.SupersededBy)
	return i, err != nil || next == nil || memory.KindExtracted(next) == "", err
}

// promote makes an insight of a thing that stands.
func (s *settling) promote(thing []byte) error {
	t := s.standing(thing)
	if t == nil || !t.Stored || t.SupersededBy >= 0 {
		return nil
	}
	old, closed, err := s.own(thing)
	if err != nil || closed {
		return err
	}
	if overruled, err := s.overruled(thing, t); err != nil || overruled {
		return err
	}
	words := ownWords(t)
	if old != nil && old.Current() && old.Content == t.Text && len(old.SourceIDs) == 1 && old.SourceIDs[0] == int64(words.Turn) {
		return nil
	}
	e := memory.Extracted{Text: t.Text, Kind: string(t.Kind), Source: int64(words.Turn), At: words.At}
	if !t.Due.IsZero() {
		e.Due = t.Due.Format(time.DateOnly)
	}
	now, err := memory.StoreExtracted(s.tx, s.search, e)
	if err != nil {
		return err
	}
	if old != nil && old.Current() {
		if err := s.join(old, now, earlierSaid); err != nil {
			return err
		}
	}
	return captures.In(s.tx).NoteInsight(thing, now.ID)
}

// overruled reports whether somebody wrote, after the last sighting of a thing, an
// insight of what it would supersede.
func (s *settling) overruled(thing []byte, t *extract.Standing) (bool, error) {
	for i := range s.all {
		if s.all[i].SupersededBy != s.places[string(thing)] {
			continue
		}
		older, bettered, err := s.own([]byte(s.things[s.all[i].Thing()]))
		if err == nil && older != nil && bettered {
			older, err = s.current(older)
		}
		if err != nil || older != nil && bettered && stays(older, t) {
			return true, err
		}
	}
	return false, nil
}

// stays reports whether somebody wrote an insight after a thing was said last.
func stays(i *memories.Insight, later *extract.Standing) bool {
	said := later.Sightings[len(later.Sightings)-1].At
	return memory.KindExtracted(i) == "" && !i.Created.Before(said)
}

// ownWords is the sighting whose words stand for a thing.
func ownWords(t *extract.Standing) extract.Sighting {
	for _, seen := range t.Sightings {
		if seen.Explicit {
			return seen
		}
	}
	return t.Sightings[0]
}

// retire takes away the insight of a thing that is not said any more, or of which
// something else was said later: then that takes its place, if it is stored. What
// somebody wrote after that stays.
func (s *settling) retire(thing []byte) error {
	t := s.standing(thing)
	if t != nil && t.Stored && t.SupersededBy < 0 {
		return nil
	}
	i, bettered, err := s.own(thing)
	if err != nil || i == nil || !i.Current() && !bettered { // it went before
		return err
	}
	if t == nil || t.SupersededBy < 0 {
		return s.drop(i, notSaid)
	}
	later := &s.all[t.SupersededBy]
	if i, err = s.current(i); err != nil || i == nil || stays(i, later) {
		return err
	}
	successor, closed, err := s.own([]byte(s.things[later.Thing()]))
	switch {
	case err != nil:
		return err
	case successor == nil && closed: // it was wrong to keep that
		return nil
	case successor == nil:
		return s.drop(i, laterSaid)
	}
	if successor, err = s.current(successor); err != nil || successor == nil || successor.ID == i.ID {
		return err
	}
	return s.join(i, successor, laterSaid)
}

// current is what stands in the place of an insight today; nil: nothing.
func (s *settling) current(i *memories.Insight) (*memories.Insight, error) {
	now, err := memories.In(s.tx).CurrentInsights([]int64{i.ID})
	if err != nil || now[i.ID] == 0 {
		return nil, err
	}
	return memories.In(s.tx).InsightAt(now[i.ID])
}

func (s *settling) drop(i *memories.Insight, reason string) error {
	if !i.Current() {
		return nil
	}
	if err := memories.In(s.tx).DeleteInsight(i, reason); err != nil {
		return err
	}
	_, err := s.search.Index(s.tx, i.Row())
	return err
}

func (s *settling) join(old, successor *memories.Insight, reason string) error {
	if err := memories.In(s.tx).JoinInsights(old, successor, reason); err != nil {
		return err
	}
	_, err := s.search.Index(s.tx, old.Row())
	return err
}
