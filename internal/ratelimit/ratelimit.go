// Package ratelimit bounds how often something may happen in a sliding window of time: calls of a tool, requests of an
// address.
package ratelimit

import (
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Windows are the latest times of each key, such as a caller. When there are too many keys, the one that was quiet
// longest is forgotten.
type Windows[K comparable] struct {
	mu     sync.Mutex
	recent *lru.Cache[K, []int64] // nanoseconds, oldest first
}

// New returns windows for at most so many keys, at least one.
func New[K comparable](maxKeys int) *Windows[K] {
	recent, err := lru.New[K, []int64](max(1, maxKeys))
	if err != nil {
		panic(err) // the size is positive
	}
	return &Windows[K]{recent: recent}
}

// Take counts an event of a key, or returns how long to wait until the next one is allowed. What is refused does not count.
func (w *Windows[K]) Take(key K, most int, window time.Duration, now time.Time) (wait time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := now.UnixNano()
	times, _ := w.recent.Get(key)
	for len(times) > 0 && at-times[0] >= int64(window) {
		times = times[1:]
	}
	if len(times) >= most {
		wait = window - time.Duration(at-times[0])
	} else {
		times = append(times, at)
	}
	w.recent.Add(key, times)
	return wait
}
