package cli

import (
	"fmt"
	"testing"

	"toolkit/internal/toolstest"
)

// The first of five results is the one result: top_k cuts the list, it does not
// change the order.
func TestTopKOnlyCutsTheListOfResults(t *testing.T) {
	c := serve(t, database(t))
	for _, content := range []string{"the machine learning algorithm processes data", "algorithm", "data about a garden"} {
		c.call("compress_to_l2_insight", map[string]any{"content": content, "source_ids": []int{}})
	}
	var longest []int
	for k := 5; k >= 1; k-- {
		var found struct{ Results []struct{ ID int } }
		toolstest.Decode(t, c.call("hybrid_search", map[string]any{"query_text": "algorithm", "top_k": k}), &found)
		var ids []int
		for _, r := range found.Results {
			ids = append(ids, r.ID)
		}
		if k == 5 {
			longest = ids
		}
		if want := longest[:min(k, len(longest))]; fmt.Sprint(ids) != fmt.Sprint(want) {
			t.Errorf("top_k %d gives %v, want %v", k, ids, want)
		}
	}
}

// Labels cannot be corrected later, so they must name what search can find.
func TestADeletedInsightIsNoExpectedAnswer(t *testing.T) {
	c := serve(t, database(t))
	c.call("compress_to_l2_insight", map[string]any{"content": "algorithm", "source_ids": []int{}})
	c.call("delete_insight", map[string]any{"id": 1, "reason": "a test"})
	if err := c.send("add_golden_query", map[string]any{"query": "algorithm?", "expected_docs": []int{1}}); err != nil {
		t.Fatal(err)
	}
	if a, err := c.read(); err != nil || !a.Result.IsError {
		t.Errorf("accepted: %v %+v", err, a)
	}
}
