package search

import (
	"fmt"
	"strings"
	"testing"
)

// expressionsOf are the expressions that are matched for words, those whose newest rows are
// taken marked with a plus.
func expressionsOf(t *testing.T, words []WordQuery, budget int) (expressions []string) {
	t.Helper()
	_, err := FindRowsByWords(words, budget, 2, func(expression string, newest bool) ([]int64, error) {
		if newest {
			expression = "+" + expression
		}
		expressions = append(expressions, expression)
		return []int64{int64(len(expressions) / 2)}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return expressions
}

func TestMatchWordsFindsRareWordsAndFrequentOnesTogether(t *testing.T) {
	const budget = 100
	for name, test := range map[string]struct {
		words []WordQuery
		want  string
	}{
		"nothing is wanted":                     {nil, ``},
		"no row holds the word":                 {[]WordQuery{{`"a"`, 0}}, ``},
		"rare words, the rarest first":          {[]WordQuery{{`"b"`, 60}, {`"a"`, 3}}, `"a" OR "b"`},
		"a frequent word beside a rare one":     {[]WordQuery{{`"the"`, 9000}, {`"a"`, 3}}, `"a"; +"the"`},
		"two frequent words":                    {[]WordQuery{{`"x"`, 5000}, {`"y"`, 4000}}, `+"y" AND "x"; +"y"`},
		"frequent words until rows are enough":  {[]WordQuery{{`"x"`, 5000}, {`"y"`, 4000}, {`"z"`, 6000}}, `+"y" AND "x" AND "z"; +"y" AND "x"`},
		"a frequent word alone":                 {[]WordQuery{{`"x"`, 5000}, {`"none"`, 0}}, `+"x"`},
		"what is over the budget is not ranked": {[]WordQuery{{`"x"`, 60}, {`"y"`, 61}, {`"z"`, 62}}, `"x"; +"y" AND "z"`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(expressionsOf(t, test.words, budget), "; "); got != test.want {
				t.Errorf("%s; want %s", got, test.want)
			}
		})
	}
}

func TestExpressionOfLongPromptHoldsRarestWords(t *testing.T) {
	var words []WordQuery
	for i := range 40 {
		words = append(words, WordQuery{fmt.Sprintf("w%02d", i), 40 - i})
	}
	got := expressionsOf(t, words, 1_000_000)
	if parts := strings.Split(strings.Join(got, ""), " OR "); len(parts) != maxExpressionWords || parts[0] != "w39" || parts[maxExpressionWords-1] != "w30" {
		t.Errorf("%s; want the %d rarest words", got, maxExpressionWords)
	}
}
