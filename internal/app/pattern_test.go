package app

import (
	"testing"

	"toolkit/internal/lazyregexp"
)

func TestEveryPatternCompiles(t *testing.T) {
	if len(lazyregexp.All) < 150 {
		t.Fatalf("%d patterns are registered, want those of all packages", len(lazyregexp.All))
	}
	defer func() {
		if failure := recover(); failure != nil {
			t.Error(failure)
		}
	}()
	for _, each := range lazyregexp.All {
		each()
	}
}
