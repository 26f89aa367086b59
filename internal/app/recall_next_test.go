package app

import (
	"path/filepath"
	"testing"

	"toolkit/tools"
)

// What continues from a hit is a call that this server takes.
func TestRecallNamesOnlyToolsThatAreServed(t *testing.T) {
	db := filepath.Join(t.TempDir(), "toolkit.db")
	a := openWith(t, Settings{DB: db})
	accept(t, a, "store_raw_dialogue", map[string]any{"session_id": "s", "speaker": "user", "content": "The heron nests behind the boathouse."})
	accept(t, a, "create_entities", map[string]any{"entities": []map[string]any{{"name": "heron", "entityType": "bird", "observations": []string{"nests behind the boathouse"}}}})
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	for name, families := range map[string][]string{"all": nil, "some": {"graph", "recall"}} {
		a := openWith(t, Settings{DB: db, Access: tools.Access{Families: families}})
		out, text := recallOf(t, a, map[string]any{"query": "where does the heron nest"})
		named := 0
		for _, hit := range out.Found {
			if hit.Next.Tool == "" {
				continue
			}
			if named++; a.Server.Pipeline.Resolve(hit.Next.Tool) == nil {
				t.Errorf("%s: %s is not served", name, hit.Next.Tool)
			}
		}
		if len(out.Found) < 2 || named == 0 || named == len(out.Found) && families != nil {
			t.Errorf("%s: %d hits of which %d continue: %s", name, len(out.Found), named, text)
		}
	}
}
