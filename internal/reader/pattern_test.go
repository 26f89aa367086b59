package reader

import (
	"testing"

	"toolkit/internal/reader/pattern"
)

func TestEveryPatternCompiles(t *testing.T) {
	if len(pattern.All) < 30 {
		t.Fatalf("%d patterns are registered, want those of all readers", len(pattern.All))
	}
	defer func() {
		if failure := recover(); failure != nil {
			t.Error(failure)
		}
	}()
	for _, each := range pattern.All {
		each()
	}
}
