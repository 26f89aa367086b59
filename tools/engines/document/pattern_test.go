package document

import (
	"regexp"
	"testing"

	"toolkit/tools/engines/document/pattern"
)

func TestEveryPatternCompiles(t *testing.T) {
	if len(pattern.All()) < 30 {
		t.Fatalf("%d patterns are registered, want those of all readers", len(pattern.All()))
	}
	for _, each := range pattern.All() {
		if _, err := regexp.Compile(each.Expression()); err != nil {
			t.Error(err)
		}
	}
}
