package reader

import (
	"testing"

	"toolkit/internal/reader/value"
)

func TestEveryPatternCompiles(t *testing.T) {
	if len(value.AllPatterns) < 30 {
		t.Fatalf("%d patterns are registered, want those of all readers", len(value.AllPatterns))
	}
	defer func() {
		if failure := recover(); failure != nil {
			t.Error(failure)
		}
	}()
	for _, each := range value.AllPatterns {
		each()
	}
}
