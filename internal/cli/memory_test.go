package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"toolkit/internal/app"
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
	if err := json.Unmarshal(c.call("hybrid_search", map[string]any{"query_text": text}), &r); err != nil {
		c.t.Fatal(err)
	}
	return r
}

func insight(content string) map[string]any {
	return map[string]any{"content": content, "source_ids": []int{}}
}

func TestWhatOneServerRemembersAnotherFindsByBothChannels(t *testing.T) {
	db := database(t)
	writer, reader := serve(t, db), serve(t, db)
	if found := reader.search("volcano"); len(found.Results) != 0 {
		t.Fatalf("%+v", found)
	}
	for i := range 5 {
		want := fmt.Sprintf("The volcano %d erupted", i)
		writer.call("compress_to_l2_insight", insight(want))
		found := reader.search(fmt.Sprintf("volcano %d", i))
		if len(found.Results) == 0 || found.Results[0].Content != want || found.Results[0].SemanticRank == nil || found.Results[0].KeywordRank == nil {
			t.Fatalf("%d: %+v", i, found)
		}
		if found := reader.search("vulcano"); len(found.Results) != i+1 { // by vectors alone
			t.Errorf("%d: %+v", i, found)
		}
	}
}

func TestAfterAKillEveryAcknowledgedMemoryIsFoundAndTheIndexesAreSound(t *testing.T) {
	db := database(t)
	acknowledged := map[string]bool{}
	for round := range 5 {
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
	if report.Rows < len(acknowledged) || report.Rows > len(acknowledged)+5 || len(acknowledged) < 5*15 {
		t.Errorf("%d acknowledged, %d stored", len(acknowledged), report.Rows)
	}
	c := serve(t, db)
	for word := range acknowledged {
		if found := c.search(word); len(found.Results) == 0 || !strings.HasSuffix(found.Results[0].Content, word) {
			t.Errorf("%s is not found: %+v", word, found)
		}
	}
}
