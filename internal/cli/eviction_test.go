package cli

import (
	"encoding/json"
	"fmt"
	"testing"
)

// Capacity ten holds for all processes together: every item that was added is
// either in working memory or archived, and nothing is archived twice.
func TestEvictionHoldsUnderConcurrentProcesses(t *testing.T) {
	const processes, items = 3, 20
	db := database(t)
	clients := make([]*client, processes)
	for i := range clients {
		clients[i] = serve(t, db)
	}
	inParallel(processes, func(p int) {
		for i := range items {
			if err := clients[p].send("update_working_memory", map[string]any{"content": fmt.Sprintf("p%d item %d", p, i), "importance": 0.5}); err != nil {
				t.Error(err)
				return
			}
			if a, err := clients[p].read(); err != nil || a.Result.IsError {
				t.Errorf("%v %+v", err, a)
				return
			}
		}
	})
	seen := map[string]int{}
	for _, uri := range []string{"memory://working-memory", "memory://stale-memory?limit=1000"} {
		contents := clients[0].resource(uri)
		if uri == "memory://working-memory" && len(contents) != 10 {
			t.Errorf("working memory holds %d items", len(contents))
		}
		for _, c := range contents {
			seen[c.Content+c.OriginalContent]++
		}
	}
	if len(seen) != processes*items {
		t.Errorf("%d of %d items are left", len(seen), processes*items)
	}
	for content, n := range seen {
		if n != 1 {
			t.Errorf("%q is there %d times", content, n)
		}
	}
}

type memoryItem struct {
	Content         string
	OriginalContent string `json:"original_content"`
}

// resource reads a memory:// resource.
func (c *client) resource(uri string) []memoryItem {
	c.t.Helper()
	c.next++
	if _, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"uri":%q}}`+"\n", c.next, uri); err != nil {
		c.t.Fatal(err)
	}
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	var a struct {
		Result struct{ Contents []struct{ Text string } }
	}
	var body struct{ Contents []memoryItem }
	if err := json.Unmarshal(line, &a); err != nil || len(a.Result.Contents) != 1 {
		c.t.Fatalf("%v %.300s", err, line)
	}
	if err := json.Unmarshal([]byte(a.Result.Contents[0].Text), &body); err != nil {
		c.t.Fatal(err)
	}
	return body.Contents
}
