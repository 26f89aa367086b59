package tools

import (
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// RateWindows are the latest times of each key, such as a caller. When there are too many keys, the one that was quiet
// longest is forgotten.
type RateWindows[K comparable] struct {
	mu     sync.Mutex
	recent *lru.Cache[K, []int64] // nanoseconds, oldest first
}

// NewRateWindows returns windows for at most so many keys, at least one.
func NewRateWindows[K comparable](maxKeys int) *RateWindows[K] {
	recent, err := lru.New[K, []int64](max(1, maxKeys))
	if err != nil {
		panic(err) // the size is positive
	}
	return &RateWindows[K]{recent: recent}
}

// Take counts an event of a key, or returns how long to wait until the next one is allowed. What is refused does not count.
func (w *RateWindows[K]) Take(key K, most int, window time.Duration, now time.Time) (wait time.Duration) {
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
