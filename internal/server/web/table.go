package web

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// usage is how much an entry of a table is used. The table guards it.
type usage struct {
	busy int       // requests and streams under way
	last time.Time // when one of them ended
}

func (u *usage) inUse() *usage { return u }

// entry is what a table holds. Its end waits for nobody.
type entry interface {
	inUse() *usage
	end()
}

// table holds what clients come back to, by ids. What was idle for too long ends when somebody comes: until then it costs
// only memory, which the number of entries bounds.
type table[T entry] struct {
	most int
	idle time.Duration
	now  func() time.Time

	mu   sync.Mutex
	byID map[string]T
}

func newTable[T entry](most int, now func() time.Time) *table[T] {
	return &table[T]{most: most, idle: maxIdle, now: now, byID: map[string]T{}}
}

// enter returns the entry of an id, in use until it is left. One that is missing is created, where that is given and
// there is room or something idle can make it.
func (t *table[T]) enter(id string, create func() T) (one T, found bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	longest := t.endIdle()
	one, found = t.byID[id]
	if !found && create != nil {
		if len(t.byID) >= t.most {
			t.remove(longest)
		}
		if found = len(t.byID) < t.most; found {
			one = create()
			t.byID[id] = one
		}
	}
	if found {
		one.inUse().busy++
	}
	return one, found
}

// leave ends a use.
func (t *table[T]) leave(one T) {
	t.mu.Lock()
	defer t.mu.Unlock()
	u := one.inUse()
	u.busy--
	u.last = t.now()
}

// drop ends an entry.
func (t *table[T]) drop(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remove(id)
}

func (t *table[T]) remove(id string) {
	if one, found := t.byID[id]; found {
		delete(t.byID, id)
		one.end()
	}
}

// endIdle returns the id of the entry that can best make room, if one can.
func (t *table[T]) endIdle() (longest string) {
	now := t.now()
	for id, one := range t.byID {
		u := one.inUse()
		switch {
		case u.busy > 0:
		case now.Sub(u.last) >= t.idle:
			t.remove(id)
		case longest == "" || u.last.Before(t.byID[longest].inUse().last):
			longest = id
		}
	}
	return longest
}

// list returns all entries.
func (t *table[T]) list() []T {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Values(t.byID))
}
