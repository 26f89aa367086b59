package tools

import (
	"sync"
	"time"
)

// key is what the calls of a tool are counted under.
func (r *RateLimit) key(tool string) string {
	if r.Shared != "" {
		return "shared " + r.Shared // no name of a tool has a space
	}
	return tool
}

// limits keeps a sliding window of call times per tool, or per group of tools.
type limits struct {
	mu    sync.Mutex
	calls map[string][]time.Time
}

// take counts a call, or returns how long to wait until the next one is
// allowed. Refused calls do not count.
func (l *limits) take(tool string, r RateLimit, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calls == nil {
		l.calls = map[string][]time.Time{}
	}
	recent := l.calls[tool]
	for len(recent) > 0 && now.Sub(recent[0]) >= r.Window {
		recent = recent[1:]
	}
	l.calls[tool] = recent
	if len(recent) >= r.MaxCalls {
		return r.Window - now.Sub(recent[0])
	}
	l.calls[tool] = append(recent, now)
	return 0
}
