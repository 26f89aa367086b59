package search

import "testing"

func TestWhatNamesAnotherThingReplacesNothing(t *testing.T) {
	for name, test := range map[string]struct {
		question, old, later string
		want                 bool
	}{
		"another bread":             {"wholesale price of Franzbrötchen", "The wholesale price of Franzbrötchen is 1.60 EUR", "The wholesale price of Roggenbrot is 4.40 EUR", true},
		"a new price":               {"wholesale price of Franzbrötchen", "The wholesale price of Franzbrötchen is 1.60 EUR", "The wholesale price of Franzbrötchen is 1.70 EUR", false},
		"a price without a name":    {"wholesale price of Franzbrötchen", "The wholesale price of Franzbrötchen is 1.60 EUR", "the price is 1.70 from now on", false},
		"a question without name":   {"how do we deploy?", "We deploy with Jenkins", "We moved to Buildkite", false},
		"another name that changed": {"do we use Jenkins?", "We deploy with Jenkins", "We moved to Buildkite", false},
		"a choice":                  {"do we use Jenkins or Buildkite?", "We deploy with Jenkins", "We deploy with Buildkite", false},
		"both names":                {"do we use Jenkins?", "We deploy with Jenkins", "Buildkite took the place of Jenkins", false},
	} {
		old, later := Statement{Text: test.old}, Statement{Text: test.later}
		if got := Analyse(test.question).NamesOther(&old, &later); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
