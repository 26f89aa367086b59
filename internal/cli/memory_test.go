package cli

import (
	"fmt"
	"strings"
	"testing"

	"toolkit/internal/app"
	"toolkit/internal/toolstest"
)

type searchResult struct {
	Results []struct {
		ID           int64
		Content      string
		SemanticRank *int `json:"semantic_rank"`
		KeywordRank  *int `json:"keyword_rank"`
	}
}

func (c *client) search(text string) (r searchResult) {
	c.t.Helper()
	toolstest.Decode(c.t, c.call("hybrid_search", map[string]any{"query_text": text}), &r)
	return r
}

func insight(content string) map[string]any {
	return map[string]any{"content": content, "source_ids": []int{}}
}

func TestAfterAKillEveryAcknowledgedMemoryIsFoundAndTheIndexesAreSound(t *testing.T) {
	db := database(t)
	acknowledged := map[string]bool{}
	for round := range 3 {
		serve(t, db).untilKilled(15+5*round, acknowledged, "compress_to_l2_insight", func(i int) (string, any) {
			word := fmt.Sprintf("word%dx%d", round, i)
			return word, insight("The harbour of " + word)
		})
	}
	a, err := app.Open(t.Context(), app.Settings{DB: db})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	report, err := a.Search.Check(t.Context())
	if err != nil || report.Faults != 0 || report.Pending != 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	if report.Rows < len(acknowledged) || report.Rows > len(acknowledged)+3 || len(acknowledged) < 3*15 {
		t.Errorf("%d acknowledged, %d stored", len(acknowledged), report.Rows)
	}
	c := serve(t, db)
	for word := range acknowledged {
		if found := c.search(word); len(found.Results) == 0 || !strings.HasSuffix(found.Results[0].Content, word) {
			t.Errorf("%s is not found: %+v", word, found)
		}
	}
}
