package app

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"toolkit/internal/testenv"
	"toolkit/internal/transfer"
	"toolkit/tools"
)

// canary is a word that nothing else contains, whole or in part.
const canary = "Xqvorbinkulwepting"

// fragments are what of the word may stand in a file: parts of it in either letter
// case, as UTF-8 and UTF-16, so that a stem or a shared beginning is found as well.
func fragments() [][]byte {
	var list [][]byte
	for _, word := range []string{canary, strings.ToLower(canary), strings.ToUpper(canary)} {
		for at := 0; at+7 <= len(word)-4; at++ {
			part := word[at : at+7]
			list = append(list, []byte(part))
			var little, big []byte
			for _, unit := range utf16.Encode([]rune(part)) {
				little = append(little, byte(unit), byte(unit>>8))
				big = append(big, byte(unit>>8), byte(unit))
			}
			list = append(list, little, big)
		}
	}
	return list
}

// holding are the files below a folder in which a part of the word stands.
func holding(t *testing.T, folder string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, part := range fragments() {
			if bytes.Contains(raw, part) {
				names = append(names, filepath.Base(path)+": "+string(part))
				break
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

type forgetting struct {
	Forgotten                bool
	Going, Derived, Mentions []struct {
		Kind  string
		Count int
		Items []struct{ Ref, Line string }
	}
	Confirm, Message string
}

func (f forgetting) going() string {
	var parts []string
	for _, g := range f.Going {
		parts = append(parts, g.Kind+" "+strconv.Itoa(g.Count))
	}
	return strings.Join(parts, ", ")
}

func callForget(t *testing.T, a *App, in map[string]any) (f forgetting) {
	t.Helper()
	raw, err := json.Marshal(callTool(t, a, "forget", in))
	if err == nil {
		err = json.Unmarshal(raw, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// forgetWhat previews a call, confirms it and returns the preview.
func forgetWhat(t *testing.T, a *App, in map[string]any) forgetting {
	t.Helper()
	preview := callForget(t, a, in)
	if preview.Forgotten || preview.Confirm == "" {
		t.Fatalf("the preview is %+v", preview)
	}
	in["confirm"] = preview.Confirm
	if done := callForget(t, a, in); !done.Forgotten || strings.Contains(done.Message, "Not yet") {
		t.Fatalf("it says %+v", done)
	}
	return preview
}

// canaryFiles are files that hold the canary.
var canaryFiles = map[string]string{
	"Xqvorbinkulwepting.txt": "RECEIPT\nReceipt number: R-1\nDate: 2026-03-02\nVendor: Xqvorbinkulwepting Books\nTotal: EUR 23.50\n",
	"people.csv":             "name,email\nXqvorbinkulwepting,a@b.example\nAnna,anna@b.example\n",
}

// neighbours is what stays: enough that rows share pages with the canary's.
func neighbours(t *testing.T, a *App, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		n := strconv.Itoa(i)
		callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "stays", "speaker": "user", "content": "An ordinary sentence about gardens, number " + n})
		callTool(t, a, "create_entities", map[string]any{"entities": []any{map[string]any{"name": "Neighbour " + n, "entityType": "thing", "observations": []string{"stands here " + n}}}})
		callTool(t, a, "store_record", map[string]any{"type": "note", "properties": map[string]any{"title": "Ordinary " + n, "content": "a note about gardens " + n}})
	}
}

// Every kind of thing is stored with the canary, forgotten, and looked for in the
// bytes of every file, while another process has the database open.
func TestNothingForgottenIsLeftInAnyFile(t *testing.T) {
	type calls = []tools.SetupCall
	entity := map[string]any{"entities": []any{map[string]any{"name": "Xqvorbinkulwepting", "entityType": "person", "observations": []string{"likes tea"}}}}
	say := func(content string) tools.SetupCall {
		return tools.SetupCall{Tool: "store_raw_dialogue", Params: map[string]any{"session_id": "s1", "speaker": "user", "content": content}}
	}
	chart := map[string]any{"desiredOutcome": "Publish the Xqvorbinkulwepting album", "currentReality": "Two songs exist", "dueDate": "2030-01-01T00:00:00Z", "actionSteps": []string{"Xqvorbinkulwepting song recorded"}}
	tests := map[string]struct {
		calls calls
		in    map[string]any
		going string
	}{
		"dialogue": {calls{say("My secret is Xqvorbinkulwepting")}, map[string]any{"items": []string{"dialogue:4"}}, "dialogue 1"},
		"a session with its tags, and the golden query taken from it": {calls{
			{Tool: "store_raw_dialogue", Params: map[string]any{"session_id": "Xqvorbinkulwepting", "speaker": "user", "content": "where is it", "metadata": map[string]any{"tags": []string{"Xqvorbinkulwepting"}}}},
			{Tool: "add_golden_query", Params: map[string]any{"query": "where is it", "session_id": "Xqvorbinkulwepting", "expected_docs": []int{1}}},
		}, map[string]any{"items": []string{"session:Xqvorbinkulwepting"}}, "dialogue 1, golden_query 1"},
		"an insight with its history": {calls{
			{Tool: "compress_to_l2_insight", Params: map[string]any{"content": "The user hides Xqvorbinkulwepting in the garden", "source_ids": []int{1}}},
			{Tool: "update_insight", Params: map[string]any{"id": 2, "content": "The user hides a thing in the garden", "reason": "Xqvorbinkulwepting was wrong"}},
		}, map[string]any{"items": []string{"insight:3"}}, "insight 1"},
		"an insight made from a forgotten turn, by choice": {calls{
			say("My secret is Xqvorbinkulwepting"),
			{Tool: "compress_to_l2_insight", Params: map[string]any{"content": "The secret is Xqvorbinkulwepting", "source_ids": []int{4}}},
		}, map[string]any{"items": []string{"dialogue:4"}, "with_derived": true}, "dialogue 1, insight 1"},
		"an insight that stays loses the words of the turn": {calls{
			say("My secret is Xqvorbinkulwepting"),
			{Tool: "compress_to_l2_insight", Params: map[string]any{"content": "The user told a secret", "source_ids": []int{4, 1}}},
		}, map[string]any{"items": []string{"dialogue:4"}}, "dialogue 1"},
		"an episode": {calls{{Tool: "store_episode", Params: map[string]any{"query": "about Xqvorbinkulwepting", "reward": 0.5, "reflection": "Xqvorbinkulwepting helps"}}},
			map[string]any{"items": []string{"episode:1"}}, "episode 1"},
		"working memory": {calls{{Tool: "update_working_memory", Params: map[string]any{"content": "remember Xqvorbinkulwepting", "importance": 0.5}}},
			map[string]any{"items": []string{"working:1"}}, "working 1"},
		"stale memory": {calls{
			{Tool: "update_working_memory", Params: map[string]any{"content": "remember Xqvorbinkulwepting", "importance": 0.5}},
			{Tool: "archive_working_memory", Params: map[string]any{"id": 1}},
		}, map[string]any{"items": []string{"stale:1"}}, "stale 1"},
		"an entity of the graph": {calls{
			{Tool: "create_entities", Params: entity},
			{Tool: "create_relations", Params: map[string]any{"relations": []any{map[string]any{"from": "Xqvorbinkulwepting", "to": "Neighbour 0", "relationType": "knows"}}}},
		}, map[string]any{"items": []string{"entity:Xqvorbinkulwepting"}}, "entity 1, observation 1, relation 1"},
		"single observations, by text": {calls{{Tool: "add_observations", Params: map[string]any{"observations": []any{map[string]any{"entityName": "Neighbour 0", "contents": []string{"met XQVORBINKULWEPTING"}}}}}},
			map[string]any{"text": "xqvorbinkulwepting"}, "observation 1"},
		"a chart with its steps": {calls{{Tool: "create_structural_tension_chart", Params: chart}}, map[string]any{"text": canary}, ""},
		"a record":               {calls{{Tool: "store_record", Params: map[string]any{"type": "contact", "properties": map[string]any{"name": "Xqvorbinkulwepting", "note": "Ünlike \"others\""}}}}, map[string]any{"text": canary}, ""},
		"what an update of a record replaced": {calls{
			{Tool: "submit_payload", Params: map[string]any{"capability_id": "neotoma:store_invoice:v1",
				"body":       map[string]any{"invoice_number": "INV-001", "amount": 1500, "vendor_name": "Acme Corp", "customer_name": "Test Customer", "date": "2025-01-15"},
				"provenance": map[string]any{"source_refs": []string{}, "extracted_at": "2025-01-15T10:30:00Z", "extractor_version": "neotoma-mcp:v0.2.1"}}},
			{Tool: "update_record", Params: map[string]any{"id": "fa73dc97-08e7-57b6-bf6f-736b004ce45a", "file_urls": []string{"https://example.org/Xqvorbinkulwepting"}}},
			{Tool: "update_record", Params: map[string]any{"id": "fa73dc97-08e7-57b6-bf6f-736b004ce45a", "file_urls": []string{}}},
		}, map[string]any{"text": canary}, "record 1, truth_entity 3"},
		"an entity of documents, with its correction": {calls{
			{Tool: "store_record", Params: map[string]any{"type": "contact", "properties": map[string]any{"name": "Xqvorbinkulwepting", "email": "a@b.example"}}},
		}, map[string]any{"items": []string{"entity:xqvorbinkulwepting"}}, ""},
		"a document with its bytes and what cites it": {calls{
			{Tool: "upload_file", Params: map[string]any{"file_path": "Xqvorbinkulwepting.txt"}},
		}, map[string]any{"text": canary}, ""},
		"a table with its rows": {calls{
			{Tool: "upload_file", Params: map[string]any{"file_path": "people.csv"}},
		}, map[string]any{"text": canary}, ""},
		"what was brought in about pockets": {calls{
			{Tool: "record_pocket_signal", Params: map[string]any{"kind": "outlet", "records": []any{map[string]any{"pocket_id": "cluny", "outlet_id": "7d444840-9dc0-41d1-b245-5ffdce74fad2", "name": "Xqvorbinkulwepting Tea", "category": "cafe"}}}},
			{Tool: "record_pocket_signal", Params: map[string]any{"kind": "attention", "records": []any{map[string]any{"pocket_id": "cluny", "event": "accepted", "user_id": "Xqvorbinkulwepting"}}}},
			{Tool: "record_pocket_signal", Params: map[string]any{"kind": "atmosphere", "records": []any{map[string]any{"pocket_id": "cluny", "stress": 0.1, "calm": 0.7, "social_energy": 0.4, "productive": 0.6, "primary_state": "xqvorbinkulwepting"}}}},
			{Tool: "record_pocket_signal", Params: map[string]any{"kind": "ledger", "records": []any{map[string]any{"pocket_id": "cluny", "entry_id": "Xqvorbinkulwepting", "purposeful_trips": 2}}}},
		}, map[string]any{"text": canary}, "pocket_outlet 1, pocket_reading 1, pocket_ledger 1, pocket_attention 1"},
		"everything that contains a text": {calls{
			say("My secret is Xqvorbinkulwepting"),
			{Tool: "compress_to_l2_insight", Params: map[string]any{"content": "The secret is Xqvorbinkulwepting", "source_ids": []int{4}}},
			{Tool: "create_entities", Params: entity},
			{Tool: "update_working_memory", Params: map[string]any{"content": "remember Xqvorbinkulwepting", "importance": 0.5}},
			{Tool: "store_record", Params: map[string]any{"type": "note", "properties": map[string]any{"title": "Xqvorbinkulwepting"}}},
		}, map[string]any{"text": "xQVORBINKULwepting"}, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			path := filepath.Join(folder, "t.db")
			a, other := appOn(t, path), appOn(t, path)
			neighbours(t, a, 0, 3)
			callTool(t, a, "compress_to_l2_insight", map[string]any{"content": "Gardens are ordinary", "source_ids": []int{1}})
			uploads := t.TempDir()
			for name, text := range canaryFiles {
				testenv.Write(t, filepath.Join(uploads, name), text)
			}
			for _, c := range tc.calls {
				in := maps.Clone(c.Params.(map[string]any))
				if name, ok := in["file_path"]; ok {
					in["file_path"] = filepath.Join(uploads, name.(string))
				}
				callTool(t, a, c.Tool, in)
			}
			neighbours(t, other, 3, 6)
			callTool(t, other, "hybrid_search", map[string]any{"query_text": canary}) // its indexes know it
			callTool(t, other, "search_nodes", map[string]any{"query": canary})
			if len(holding(t, folder)) == 0 {
				t.Fatal("nothing holds the canary before; the test looks in the wrong place")
			}
			preview := forgetWhat(t, a, tc.in)
			if tc.going != "" && preview.going() != tc.going {
				t.Errorf("the preview says %s, want %s", preview.going(), tc.going)
			}
			if names := holding(t, folder); len(names) > 0 {
				t.Errorf("still in %v", names)
			}
			archive := filepath.Join(t.TempDir(), "backup.zip")
			if _, err := transfer.Backup(t.Context(), transfer.BackupOptions{Database: path, Target: archive, Now: time.Now()}); err != nil {
				t.Fatal(err)
			}
			if names := holding(t, unpacked(t, archive)); len(names) > 0 {
				t.Errorf("a new backup holds it: %v", names)
			}
			for _, each := range []*App{a, other} {
				if found := callForget(t, each, map[string]any{"text": canary}); len(found.Going) > 0 {
					t.Errorf("it is still found: %+v", found)
				}
				raw, _ := json.Marshal([]any{callTool(t, each, "hybrid_search", map[string]any{"query_text": canary}), callTool(t, each, "search_nodes", map[string]any{"query": canary})})
				if bytes.Contains(raw, []byte(canary)) {
					t.Errorf("a search still answers %s", raw)
				}
			}
			sound(t, a)
		})
	}
}

// appOn opens an app that takes files of the folders around its database's.
func appOn(t *testing.T, path string) *App {
	t.Helper()
	return openWith(t, Settings{DB: path, FileRoots: []string{filepath.Dir(filepath.Dir(filepath.Dir(path)))}, TimeoutFactor: 20})
}

// sound requires that what stays is as it was and that indexes and rows agree.
func sound(t *testing.T, a *App) {
	t.Helper()
	if stays := callTool(t, a, "search_nodes", map[string]any{"query": "Neighbour"})["entities"].([]any); len(stays) != 6 {
		t.Errorf("%d of 6 neighbours stay", len(stays))
	}
	report, err := a.Search.CheckIndex(t.Context())
	if err != nil || report.Faults > 0 {
		t.Errorf("search says %v %v", report, err)
	}
}

func unpacked(t *testing.T, archive string) string {
	t.Helper()
	r, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	folder := t.TempDir()
	for i, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(in)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, strconv.Itoa(i)), raw, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
