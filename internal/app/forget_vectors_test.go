package app

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"toolkit/embed"
	"toolkit/internal/search"
	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/memory"
	"toolkit/store/sessions"
	family "toolkit/tools/memory"
)

// vectorsOn is an App whose vectors the model in the program makes.
func vectorsOn(t *testing.T, path string) *App {
	t.Helper()
	return openWith(t, Settings{DB: path, TimeoutFactor: 20, Getenv: func(string) string { return "" }})
}

// storedVectors are the packed vectors of all rows, by what they say.
func storedVectors(t *testing.T, a *App) map[string][]byte {
	t.Helper()
	vectors := map[string][]byte{}
	storetest.Read(t, a.Store, func(tx *store.Tx) error {
		for _, source := range memory.Sources {
			page, err := memory.In(tx).IndexedAfter(source, 0, 1000)
			if err != nil {
				return err
			}
			ids := make([]int64, len(page))
			for i, indexed := range page {
				ids[i] = indexed.ID
			}
			rows, err := memory.In(tx).RowsAt(ids)
			if err != nil {
				return err
			}
			stored, err := memory.In(tx).Vectors(embed.BuiltInModel, ids)
			if err != nil {
				return err
			}
			for id, vector := range stored {
				vectors[rows[id].EmbeddedText()] = vector
			}
		}
		return nil
	})
	return vectors
}

// Turns, insights and an episode are stored with vectors and forgotten at each door,
// while another process has the vectors in its memory.
func TestNoVectorAndNoTopicOfTheForgottenStays(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "the bytes of its files are looked at")
	const said, learned, asked = "Did the " + canary + " reach Lisbon?", "The " + canary + " sails in June", "Where does the " + canary + " sail?"
	for name, door := range map[string]struct {
		in   map[string]any
		gone []string // of the texts above
	}{
		"a text":                             {map[string]any{"text": canary}, []string{said, learned, asked}},
		"a turn":                             {map[string]any{"items": []string{"dialogue:1"}}, []string{said}},
		"a turn with what was made of it":    {map[string]any{"items": []string{"dialogue:1"}, "with_derived": true}, []string{said, learned}},
		"an insight":                         {map[string]any{"items": []string{"insight:1"}}, []string{learned}},
		"an episode":                         {map[string]any{"items": []string{"episode:1"}}, []string{asked}},
		"a session":                          {map[string]any{"items": []string{"session:claude-code/s"}}, []string{said}},
		"a session with what came of it":     {map[string]any{"items": []string{"session:claude-code/s"}, "with_derived": true}, []string{said, learned}},
		"a project":                          {map[string]any{"items": []string{"project:ship"}}, []string{said}},
		"a project with what was made of it": {map[string]any{"items": []string{"project:ship"}, "with_derived": true}, []string{said, learned}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			path := filepath.Join(folder, "t.db")
			a, other := vectorsOn(t, path), vectorsOn(t, path)
			captured(t, a, filepath.Join(t.TempDir(), "s.jsonl"), "s", "/srv/ship", said)
			callTool(t, a, "compress_to_l2_insight", map[string]any{"content": learned, "source_ids": []int{1}})
			callTool(t, a, "store_episode", map[string]any{"query": asked, "reward": 0.5, "reflection": "Problem: none. Lesson: ask."})
			callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "stays", "speaker": "user", "content": "An ordinary sentence about gardens"})
			callTool(t, a, "compress_to_l2_insight", map[string]any{"content": "Gardens are watered on Monday", "source_ids": []int{}})
			if _, err := a.Search.EmbedAll(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			callTool(t, other, "hybrid_search", map[string]any{"query_text": "Where does it sail?"})
			before := storedVectors(t, a)
			forgetWhat(t, a, door.in)
			after := storedVectors(t, a)
			if len(after) != len(before)-len(door.gone) {
				t.Errorf("%d of %d vectors are left", len(after), len(before))
			}
			for _, text := range door.gone {
				if before[text] == nil {
					t.Fatalf("%q had no vector", text)
				}
				for _, file := range filesWith(t, folder, before[text]) {
					t.Errorf("the vector of %q is in %s", text, file)
				}
				for _, topic := range statementsOf(t, a, "/srv/ship") {
					if strings.Contains(topic, text) {
						t.Errorf("%q is on a topic", topic)
					}
				}
				if hits := similarTo(t, other, text); strings.Contains(hits, text) {
					t.Errorf("another process finds %q", hits)
				}
			}
			if report, err := other.Search.CheckIndex(t.Context()); err != nil || report.Faults > 0 || report.Pending > 0 {
				t.Errorf("%+v, %v", report, err)
			}
		})
	}
}

// filesWith are the files in a folder that hold some bytes.
func filesWith(t *testing.T, folder string, part []byte) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		raw := testenv.Read(t, file)
		if bytes.Contains(raw, part) {
			names = append(names, filepath.Base(file))
		}
	}
	return names
}

// statementsOf are what a hook would tell of the project of a folder, and of none.
func statementsOf(t *testing.T, a *App, folder string) (texts []string) {
	t.Helper()
	storetest.Read(t, a.Store, func(tx *store.Tx) error {
		p, err := sessions.In(tx).ProjectByKey("folder:" + folder)
		if err != nil {
			return err
		}
		list, err := search.ListStatements(t.Context(), tx, p.ID, "")
		for _, statement := range list {
			texts = append(texts, statement.Text)
		}
		return err
	})
	return texts
}

// similarTo are the texts of what a search with vectors finds.
func similarTo(t *testing.T, a *App, text string) string {
	t.Helper()
	var found []string
	for _, source := range memory.Sources {
		result, err := a.Search.Search(context.Background(), family.Query{Text: text, TopK: 5, Weights: search.DefaultWeights, Sources: []memory.Source{source}})
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range result.Hits {
			found = append(found, hit.Row.EmbeddedText())
		}
	}
	return strings.Join(found, "\n")
}

// A deleted insight keeps its row and its vector for its history, and is on no topic.
func TestADeletedInsightIsOnNoTopic(t *testing.T) {
	a := vectorsOn(t, filepath.Join(t.TempDir(), "t.db"))
	callTool(t, a, "compress_to_l2_insight", map[string]any{"content": "The ferry sails in June", "source_ids": []int{}})
	if list := statementsOf(t, a, "/srv/ship"); len(list) != 1 {
		t.Fatalf("before it is deleted: %v", list)
	}
	callTool(t, a, "delete_insight", map[string]any{"id": 1, "reason": "wrong"})
	if list := statementsOf(t, a, "/srv/ship"); len(list) != 0 {
		t.Errorf("%v", list)
	}
	if found := similarTo(t, a, "The ferry sails in June"); found != "" {
		t.Errorf("it is found: %s", found)
	}
}

// An entity is stored with its vector and forgotten at each door, while another process
// has the vector in its memory.
func TestNoVectorOfAForgottenEntityStays(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "the bytes of its files are looked at")
	for name, forget := range map[string]func(*testing.T, *App){
		"a text": func(t *testing.T, a *App) { forgetWhat(t, a, map[string]any{"text": canary}) },
		"an entity": func(t *testing.T, a *App) {
			forgetWhat(t, a, map[string]any{"items": []string{"entity:" + canary}})
		},
		"an observation": func(t *testing.T, a *App) {
			forgetWhat(t, a, map[string]any{"items": []string{"observation:1"}})
			if _, err := a.Nodes.EmbedAll(t.Context(), nil); err != nil { // of what is left of the entity
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			a, other := vectorsOn(t, filepath.Join(folder, "t.db")), vectorsOn(t, filepath.Join(folder, "t.db"))
			callTool(t, a, "create_entities", map[string]any{"entities": []any{map[string]any{"name": canary, "entityType": "ship", "observations": []string{"sails to Lisbon in June"}}}})
			if done, err := a.Nodes.EmbedAll(t.Context(), nil); err != nil || done != 1 {
				t.Fatal(done, err)
			}
			var before []store.Vector
			storetest.Read(t, a.Store, func(tx *store.Tx) (err error) {
				before, err = graph.In(tx).ListVectorChanges(embed.BuiltInModel, 0, 10)
				return err
			})
			if len(before) != 1 || len(before[0].Vector) == 0 || len(filesWith(t, folder, before[0].Vector)) == 0 {
				t.Fatalf("%d vectors before", len(before))
			}
			callTool(t, other, "recall", map[string]any{"query": "which boat goes to Portugal?"})
			forget(t, a)
			for _, file := range filesWith(t, folder, before[0].Vector) {
				t.Errorf("the vector is in %s", file)
			}
			for _, app := range []*App{a, other} {
				vector, err := embed.BuiltIn().Query(t.Context(), "which boat sails to Lisbon in June?")
				if err != nil {
					t.Fatal(err)
				}
				near, _, err := app.Nodes.FindNearest(t.Context(), vector, 10)
				if err != nil || name != "an observation" && len(near) > 0 || near[before[0].ID] > 0.5 {
					t.Errorf("%v is near, %v", near, err)
				}
			}
		})
	}
}
