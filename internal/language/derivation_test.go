package language

import "testing"

func TestAWordThatIsMadeOfAnotherIsNotThatWord(t *testing.T) {
	for _, c := range []struct {
		text, word string
		derived    bool
	}{
		{"production runs 15.4", "product", true}, {"the product owner", "product", false}, {"products and production", "product", false},
		{"a productive day", "products", true}, {"the university library", "universe", true}, {"an organization of many", "organ", true},
		{"we deployed it", "deploy", false}, {"the products", "production", true}, {"nothing of it", "product", false}, {"relations", "relation", false},
	} {
		if got := HasOnlyDerivation(c.text, c.word); got != c.derived {
			t.Errorf("%q has %q only derived: %v", c.text, c.word, got)
		}
	}
}
