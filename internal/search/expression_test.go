package search

import (
	"fmt"
	"strings"
	"testing"
)

func TestAnExpressionFindsRareWordsAndFrequentOnesTogether(t *testing.T) {
	const budget = 100
	for name, test := range map[string]struct {
		words    []WordQuery
		want     string
		unranked bool
	}{
		"nothing is wanted":                     {nil, ``, false},
		"no row holds the word":                 {[]WordQuery{{`"a"`, 0}}, ``, false},
		"rare words, the rarest first":          {[]WordQuery{{`"b"`, 60}, {`"a"`, 3}}, `"a" OR "b"`, false},
		"a frequent word beside a rare one":     {[]WordQuery{{`"the"`, 9000}, {`"a"`, 3}}, `"a" OR ("the" AND ("a"))`, false},
		"two frequent words":                    {[]WordQuery{{`"x"`, 5000}, {`"y"`, 4000}}, `("y" AND ("x"))`, true},
		"a frequent word alone":                 {[]WordQuery{{`"x"`, 5000}, {`"none"`, 0}}, `"x"`, true},
		"what is over the budget is not ranked": {[]WordQuery{{`"x"`, 60}, {`"y"`, 61}, {`"z"`, 62}}, `"x" OR ("y" AND ("x" OR "z"))`, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got, unranked := Expression(test.words, budget); got != test.want || unranked != test.unranked {
				t.Errorf("%s, unranked %v; want %s, %v", got, unranked, test.want, test.unranked)
			}
		})
	}
}

func TestExpressionOfLongPromptHoldsRarestWords(t *testing.T) {
	var words []WordQuery
	for i := range 40 {
		words = append(words, WordQuery{fmt.Sprintf("w%02d", i), 40 - i})
	}
	got, _ := Expression(words, 1_000_000)
	if parts := strings.Split(got, " OR "); len(parts) != maxExpressionWords || parts[0] != "w39" || parts[maxExpressionWords-1] != "w30" {
		t.Errorf("%s; want the %d rarest words", got, maxExpressionWords)
	}
}
