package app

import (
	"testing"

	"toolkit/tools"
)

// The budget of everything a model reads before its first call, and of what
// hints add to a result.
const (
	inputBudget = 60_000 // bytes, all families together
	hintsBudget = 450    // bytes, median over the examples
)

func TestAllToolsTogetherStayWithinTheContextBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	costs, err := Costs(t.Context(), withBank)
	if err != nil {
		t.Fatal(err)
	}
	input, hints := 0, []int{}
	for _, c := range costs {
		if c.Input < 100 || len(c.Hints) == 0 {
			t.Errorf("%s: %d bytes of input and %d results weighed; that cannot be all", c.Tool, c.Input, len(c.Hints))
		}
		input += c.Input
		hints = append(hints, c.Hints...)
	}
	if input > inputBudget {
		t.Errorf("the tools cost a model %d bytes, more than %d", input, inputBudget)
	}
	if median := tools.Median(hints); median > hintsBudget {
		t.Errorf("hints add %d bytes at the median, more than %d", median, hintsBudget)
	}
}
