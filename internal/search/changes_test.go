package search

import (
	"testing"
	"time"
)

// stated are statements of one project, each a day after the one before, with their vectors.
func stated(t *testing.T, texts ...string) []Statement {
	t.Helper()
	list, all := make([]Statement, len(texts)), make([]*Statement, len(texts))
	for i, text := range texts {
		list[i] = Statement{Text: text, At: time.Date(2026, 3, 1+i, 9, 0, 0, 0, time.UTC)}
		all[i] = &list[i]
	}
	if err := Embed(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestOnlyWhatALaterStatementMakesUntrueStandsBehindIt(t *testing.T) {
	for name, test := range map[string]struct {
		said []string
		want map[string]string // the earlier, by the later behind which it stands
	}{
		"another tool":             {[]string{"We use Stripe for payments in the shop.", "We moved to Mollie for payments."}, map[string]string{"We use Stripe for payments in the shop.": "We moved to Mollie for payments."}},
		"another day, in German":   {[]string{"Wir deployen immer mittwochs.", "Ab jetzt deployen wir donnerstags."}, map[string]string{"Wir deployen immer mittwochs.": "Ab jetzt deployen wir donnerstags."}},
		"the contrary":             {[]string{"I'm vegetarian", "I'm no longer vegetarian"}, map[string]string{"I'm vegetarian": "I'm no longer vegetarian"}},
		"another price":            {[]string{"The wholesale price of Franzbrötchen is 1.60 EUR", "The wholesale price of Franzbrötchen is 1.70 EUR"}, map[string]string{"The wholesale price of Franzbrötchen is 1.60 EUR": "The wholesale price of Franzbrötchen is 1.70 EUR"}},
		"the price of other rolls": {[]string{"The wholesale price of Franzbrötchen is 1.60 EUR", "The wholesale price of Roggenbrot is 4.40 EUR"}, nil},
		"more of one matter":       {[]string{"We decided to write the bakery site in Astro.", "Mara is the owner of the bakery and signs off the design.", "The bakery site must go live on 12 December."}, nil},
		"another child":            {[]string{"My daughter Anna is 4 years old", "My son Ben is 7 years old"}, nil},
		"changed twice": {[]string{"The release is on Fridays.", "The release is on Tuesdays.", "From now on we release on Mondays."},
			map[string]string{"The release is on Fridays.": "From now on we release on Mondays.", "The release is on Tuesdays.": "From now on we release on Mondays."}},
	} {
		got := map[string]string{}
		for _, topic := range GroupByTopic(stated(t, test.said...)) {
			for _, earlier := range topic[1:] {
				got[earlier.Text] = topic[0].Text
			}
		}
		if len(got) != len(test.want) {
			t.Errorf("%s: %v", name, got)
		}
		for earlier, later := range test.want {
			if got[earlier] != later {
				t.Errorf("%s: %q stands behind %q", name, earlier, got[earlier])
			}
		}
	}
}

func TestAStatementChangesNothingThatWasSaidLater(t *testing.T) {
	list := stated(t, "We moved to Mollie for payments.", "We use Stripe for payments in the shop.")
	if score := ChangeScore(&list[1], &list[0]); score != 0 {
		t.Error(score)
	}
	if score := ChangeScore(&Statement{At: list[0].At}, &list[1]); score != 0 {
		t.Error("without a vector", score)
	}
}
