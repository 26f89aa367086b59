package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
	if err := EmbedStatements(t.Context(), all); err != nil {
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
		list := stated(t, test.said...)
		for _, topic := range groupByChange(list, FindChanges(list, MinChangeScore)) {
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
	const least = 0.01
	if changes := FindChanges(list, least); changes[1] != 0 || len(changes) > 1 {
		t.Error(changes)
	}
	if changes := FindChanges([]Statement{{At: list[0].At}, list[1]}, least); len(changes) > 0 {
		t.Error("without a vector", changes)
	}
}

// chooseHeaviest chooses changes between all statements, the heaviest first, each statement at most
// once as the earlier and once as the later one.
func chooseHeaviest(list []Statement, least float64) map[int]int {
	var all []change
	for later := range list {
		var compared []change
		for earlier := range list {
			if list[earlier].At.Before(list[later].At) {
				compared = append(compared, change{earlier, later, vectorSimilarity(&list[earlier], &list[later])})
			}
		}
		slices.SortFunc(compared, change.compare)
		for _, one := range compared[:min(len(compared), maxCompared)] {
			if one.weight < minChangeSimilarity {
				continue
			}
			if score := changeScore(&list[one.earlier], &list[later], one.weight); score >= least {
				all = append(all, change{one.earlier, later, score * one.weight})
			}
		}
	}
	slices.SortFunc(all, change.compare)
	madeUntrue, changing := map[int]int{}, map[int]bool{}
	for _, one := range all {
		if _, known := madeUntrue[one.earlier]; !known && !changing[one.later] {
			madeUntrue[one.earlier], changing[one.later] = one.later, true
		}
	}
	return madeUntrue
}

func TestEachStatementIsDecidedAsAmongAll(t *testing.T) {
	var texts []string
	for i := range 60 {
		what := []string{"the release is on %s", "we deploy with %s", "%s signs off the design", "from now on %s signs off the design", "the release moved to %s"}
		whom := []string{"Fridays", "Jenkins", "Mara", "Keller", "Netlify", "Mondays", "the bakery"}
		texts = append(texts, fmt.Sprintf(what[i%len(what)], whom[i*i%len(whom)]))
	}
	list := stated(t, texts...)
	for _, least := range []float64{0.1, 0.5, MinChangeScore} {
		want, found := chooseHeaviest(list, least), 0
		for _, place := range rand.New(rand.NewPCG(1, 2)).Perm(len(list)) {
			changes := NewChanges(list, least) // what is asked first must not matter
			later, untrue := changes.LaterOf(place)
			if wanted, known := want[place]; known != untrue || known && later != wanted {
				t.Errorf("from %v on, %d is made untrue by %d (%v), and among all by %d (%v)", least, place, later, untrue, wanted, known)
			}
			if !untrue {
				continue
			}
			found++
			if earlier, _ := changes.EarlierOf(later); earlier != place {
				t.Errorf("from %v on, %d makes %d untrue, and not %d", least, later, earlier, place)
			}
		}
		if found < 5 {
			t.Errorf("only %d changes from %v on", found, least)
		}
	}
}

func TestOfTwoStatementsTheLaterMayReplaceTheEarlierAlone(t *testing.T) {
	list := []Statement{{Text: "We use Stripe for payments."}, {Text: "We moved to Mollie for payments."}}
	list[1].At = list[0].At.AddDate(0, 0, 1)
	if err := EmbedStatements(t.Context(), []*Statement{&list[0], &list[1]}); err != nil {
		t.Fatal(err)
	}
	if !MayReplace(&list[0], &list[1], MinChangeScore) || MayReplace(&list[1], &list[0], MinChangeScore) {
		t.Error("the later does not replace the earlier, or the earlier the later")
	}
}

func TestStatementsOfUnlikeWordsChangeEachOtherOnlyWhereTheyAreMuchAlike(t *testing.T) {
	for _, pair := range []struct {
		earlier, later string
		replaces       bool
	}{
		{"i volunteer at the hospice sunday mornings", "faccio l'infermiere in dialisi, turni da 12 ore lun mer ven", false},
		{"the daily standup of the kestrel team is at 9:45", "deploy went fine but we had 20 min downtime because of the migration", false},
		{"We use Stripe", "We moved to Mollie", true},
		{"the budget for the kitchen is 12k", "ok the kitchen budget went up to 14.500", true},
	} {
		list := []Statement{{Text: pair.earlier, At: time.Unix(1, 0)}, {Text: pair.later, At: time.Unix(2, 0)}}
		if err := EmbedStatements(t.Context(), []*Statement{&list[0], &list[1]}); err != nil {
			t.Fatal(err)
		}
		if got := MayReplace(&list[0], &list[1], MinChangeScore); got != pair.replaces {
			t.Errorf("%q replaces %q: %v", pair.later, pair.earlier, got)
		}
	}
}

func TestWhatWasSaidInAnotherProjectChangesNothingThatThisOneSays(t *testing.T) {
	list := stated(t, "Answer me in French.", "Answer me in English, not in French.")
	if len(FindChanges(list, MinChangeScore)) != 1 {
		t.Fatal("said in one project the later statement replaces nothing")
	}
	list[1].SaidElsewhere = true
	if changes := FindChanges(list, MinChangeScore); len(changes) != 0 {
		t.Errorf("said elsewhere it replaces %v", changes)
	}
	list[0].SaidElsewhere = true
	if len(FindChanges(list, MinChangeScore)) != 1 {
		t.Error("of two that were said elsewhere the later replaces nothing")
	}
}
