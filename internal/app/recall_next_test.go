package app

import (
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/records"
	"toolkit/tools"
	"toolkit/tools/entities"
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
			if named++; a.Server.Pipeline.FindServedTool(hit.Next.Tool) == nil {
				t.Errorf("%s: %s is not served", name, hit.Next.Tool)
			}
		}
		if len(out.Found) < 2 || named == 0 || named == len(out.Found) && families != nil {
			t.Errorf("%s: %d hits of which %d continue: %s", name, len(out.Found), named, text)
		}
	}
}

// A record that was found by some of the words of a question is found again by the call that
// continues from it.
func TestRecallContinuesToTheRecordThatItFound(t *testing.T) {
	const id = "0b0e7f3e-0000-4000-8000-000000000001"
	a := openWith(t, Settings{DB: filepath.Join(t.TempDir(), "toolkit.db"), Getenv: func(name string) string {
		return map[string]string{"TOOLKIT_EMBEDDER": "off"}[name]
	}})
	storetest.Write(t, a.Store, func(tx *store.Tx) error {
		properties := `{"subject":"Boiler","body":"` + strings.Repeat("Hansen repaired the boiler in the cellar. ", 5) + `"}`
		_, _, _, err := entities.Intake{}.Add(tx, records.Record{ID: id, Type: "email", Properties: []byte(properties), CreatedAt: 1, UpdatedAt: 1}, 1, false)
		return err
	})
	out, text := recallOf(t, a, map[string]any{"query": "did Hansen repair the boiler and the chimney?"})
	if len(out.Found) != 1 || out.Found[0].Next.Tool == "" {
		t.Fatalf("recall answers %s", text)
	}
	if found := accept(t, a, out.Found[0].Next.Tool, out.Found[0].Next.Arguments).Text; !strings.Contains(found, id) {
		t.Errorf("%v gives %s", out.Found[0].Next, found)
	}
}
