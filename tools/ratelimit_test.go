package tools

import (
	"testing"
	"time"
)

func TestAWindowSlidesForEachKey(t *testing.T) {
	start := time.Unix(1000, 0)
	w := NewRateWindows[string](10)
	for _, step := range []struct {
		key    string
		second int
		wait   int // seconds
	}{
		{"a", 0, 0}, {"a", 20, 0}, {"a", 30, 30}, {"a", 59, 1}, {"b", 59, 0},
		{"a", 60, 0},  // the first has left the window; refused ones never were in it
		{"a", 61, 19}, // until the second does
	} {
		if wait := w.Take(step.key, 2, time.Minute, start.Add(time.Duration(step.second)*time.Second)); wait != time.Duration(step.wait)*time.Second {
			t.Errorf("%s at %d s waits %s, want %d s", step.key, step.second, wait, step.wait)
		}
	}
}

func TestTheKeyThatWasQuietLongestIsForgotten(t *testing.T) {
	now := time.Unix(0, 0)
	w := NewRateWindows[int](2)
	for _, key := range []int{1, 2, 1, 3} {
		w.Take(key, 1, time.Minute, now)
	}
	if w.recent.Len() != 2 || !w.recent.Contains(1) || w.recent.Contains(2) {
		t.Errorf("remembered are %v", w.recent.Keys())
	}
}
