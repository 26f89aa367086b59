package web

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// maxIdle is how long an entry, a session or a space, is unused before it ends.
const maxIdle = 30 * time.Minute

// usage is how much an entry of a table is used. The table guards it.
type usage struct {
	busy int       // requests and streams under way
	last time.Time // when one of them ended
}

func (u *usage) getUsage() *usage { return u }

// entry is what a table holds. Its end waits for nobody.
type entry interface {
	getUsage() *usage
	end()
}

// idleTable holds what clients come back to, by ids. What was idle for too long ends when somebody comes: until then it costs
// only memory, which the number of entries bounds.
type idleTable[T entry] struct {
	most int
	idle time.Duration
	now  func() time.Time

	mu   sync.Mutex
	byID map[string]T
}

func newTable[T entry](most int, now func() time.Time) *idleTable[T] {
	return &idleTable[T]{most: most, idle: maxIdle, now: now, byID: map[string]T{}}
}

// acquireOrCreateEntry returns the entry of an id, in use until it is left. One that is missing is created, where that is given and
// there is room or something idle can make it.
func (t *idleTable[T]) acquireOrCreateEntry(id string, create func() T) (one T, found bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	longest := t.endIdleEntries()
	one, found = t.byID[id]
	if !found && create != nil {
		if len(t.byID) >= t.most {
			t.removeEntry(longest)
		}
		if found = len(t.byID) < t.most; found {
			one = create()
			t.byID[id] = one
		}
	}
	if found {
		one.getUsage().busy++
	}
	return one, found
}

// releaseEntry ends a use.
func (t *idleTable[T]) releaseEntry(one T) {
	t.mu.Lock()
	defer t.mu.Unlock()
	u := one.getUsage()
	u.busy--
	u.last = t.now()
}

// endEntry ends an entry.
func (t *idleTable[T]) endEntry(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.removeEntry(id)
}

func (t *idleTable[T]) removeEntry(id string) {
	if one, found := t.byID[id]; found {
		delete(t.byID, id)
		one.end()
	}
}

// endIdleEntries returns the id of the entry that can best make room, if one can.
func (t *idleTable[T]) endIdleEntries() (longest string) {
	now := t.now()
	for id, one := range t.byID {
		u := one.getUsage()
		switch {
		case u.busy > 0:
		case now.Sub(u.last) >= t.idle:
			t.removeEntry(id)
		case longest == "" || u.last.Before(t.byID[longest].getUsage().last):
			longest = id
		}
	}
	return longest
}

// listEntries returns all entries.
func (t *idleTable[T]) listEntries() []T {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Values(t.byID))
}
