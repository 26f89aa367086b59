package tools

import (
	"maps"
	"sync"
	"time"
)

// ToolStats counts the calls of one tool since the process started.
type ToolStats struct {
	Calls     int64
	Errors    int64
	CacheHits int64
	Total     time.Duration // sum of durations
	Longest   time.Duration
}

type stats struct {
	mu     sync.Mutex
	byTool map[string]ToolStats
}

func (s *stats) countCall(tool string, took time.Duration, failed, cached bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byTool == nil {
		s.byTool = map[string]ToolStats{}
	}
	t := s.byTool[tool]
	t.Calls++
	if failed {
		t.Errors++
	}
	if cached {
		t.CacheHits++
	}
	t.Total += took
	t.Longest = max(t.Longest, took)
	s.byTool[tool] = t
}

func (s *stats) snapshot() map[string]ToolStats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.byTool)
}
