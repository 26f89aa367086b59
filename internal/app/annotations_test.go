package app

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/internal/toolstest"
	"toolkit/tools"
	"toolkit/tools/entities"
)

type arguments = map[string]any

// replacing are calls that meet what is already there, by tool; those before the
// last prepare it. What a tool's examples do not reach is reached here.
func replacing(r *tools.Registry) map[string][][]tools.SetupCall {
	example := func(tool string) tools.SetupCall {
		return tools.SetupCall{Tool: tool, Params: r.Get(tool).Examples()[0].Params}
	}
	twice := func(tool string, first, second any) []tools.SetupCall {
		return []tools.SetupCall{{Tool: tool, Params: first}, {Tool: tool, Params: second}}
	}
	heronry := tools.SetupCall{Tool: "create_structural_tension_chart", Params: arguments{"desiredOutcome": "Publish the heron almanac",
		"currentReality": "Twelve photographs", "dueDate": "2026-06-30T00:00:00Z", "actionSteps": []string{"Build the heron hide", "Draw the river map"}}}
	const invoice, payload = "ent_50dec6b48df7b9e05629e5bb", "fa73dc97-08e7-57b6-bf6f-736b004ce45a" // of the example
	return map[string][][]tools.SetupCall{
		"create_entities":                 {twice("create_entities", nutria("muskrat", "swims"), nutria("rodent", "dives"))},
		"add_ground_truth_query":          {twice("add_ground_truth_query", arguments{"query": "Where do herons nest?"}, arguments{"query": "Where do herons nest?", "expected_docs": []int{1}})},
		"add_golden_query":                {twice("add_golden_query", arguments{"query": "Where do herons nest?"}, arguments{"query": "Where do herons nest?", "expected_docs": []int{1}})},
		"store_dual_judge_scores":         {twice("store_dual_judge_scores", judged(0.8125), judged(0.1875))},
		"get_golden_test_results":         {{example("add_golden_query"), example("get_golden_test_results"), example("compress_to_l2_insight"), example("get_golden_test_results")}},
		"call_tool":                       {{{Tool: "create_entities", Params: nutria("rodent", "dives")}, {Tool: "call_tool", Params: arguments{"name": "delete_entities", "arguments": arguments{"entityNames": []string{"Nutria"}}}}}},
		"forget":                          {{{Tool: "store_raw_dialogue", Params: arguments{"session_id": "s", "speaker": "user", "content": "The bittern booms at dusk"}}, {Tool: "forget", Params: arguments{"text": "bittern"}}}},
		"update_action_step":              {{heronry, {Tool: "update_action_step", Params: arguments{"actionStepName": "Build the heron hide", "title": "Record the heron", "dueDate": "2026-04-04"}}}},
		"update_chart":                    {{heronry, {Tool: "update_chart", Params: arguments{"chartId": "Publish the heron almanac", "dueDate": "2026-07-07"}}}},
		"create_structural_tension_chart": {{example("create_structural_tension_chart"), example("create_structural_tension_chart")}},
		"submit_payload":                  {twice("submit_payload", invoiceOf("net 30", 1), invoiceOf("net 60", 1)), twice("submit_payload", invoiceOf("net 30", 1), invoiceOf("net 30", 222.5))},
		"update_record": {
			{example("submit_payload"), {Tool: "update_record", Params: arguments{"id": payload, "type": "bill", "properties": arguments{"amount": 333.5, "vendor_name": "Grebe AG"}, "embedding": []float64{0.1375}}},
				{Tool: "update_record", Params: arguments{"id": payload, "properties": arguments{"amount": 444.5}, "embedding": []float64{0.2375}}}},
			{example("upload_file"), {Tool: "update_record", Params: arguments{"id": idOfSample(r), "file_urls": []string{}}}},
		},
		"create_relationship": {twice("create_relationship", settles(r, 0.625), settles(r, 0.375))},
		"correct_field": {append([]tools.SetupCall{example("submit_payload")}, twice("correct_field",
			arguments{"entity_id": invoice, "field": "amount", "value": 444.5}, arguments{"entity_id": invoice, "field": "amount", "value": 555.5})...)},
		"upload_file":          {{example("upload_file"), {Tool: "upload_file", Params: arguments{"file_path": entities.SampleName, "properties": `{"vendor_name":"Grebe AG","amount":333.5}`}}}},
		"record_pocket_signal": {twice("record_pocket_signal", reading(0.6125), reading(0.3175))},
		"run_pocket_loop":      {{{Tool: "record_pocket_signal", Params: reading(0.6125)}, example("run_pocket_loop"), {Tool: "record_pocket_signal", Params: reading(0.3175)}, example("run_pocket_loop")}},
	}
}

func nutria(kind, does string) arguments {
	return arguments{"entities": []arguments{{"name": "Nutria", "entityType": kind, "observations": []string{does}}}}
}

func judged(score float64) arguments {
	return arguments{"query_id": 1, "query": "When is the release?", "docs": []arguments{{"id": 7, "content": "On Monday."}},
		"judge1_scores": []float64{score}, "judge2_scores": []float64{score}, "judge1_model": "a", "judge2_model": "b"}
}

func invoiceOf(terms string, amount float64) arguments {
	return arguments{"capability_id": "neotoma:store_invoice:v1", "body": arguments{"invoice_number": "H-1", "terms": terms, "amount": amount},
		"provenance": arguments{"source_refs": []string{}, "extracted_at": "2025-01-15T10:30:00Z", "extractor_version": "test:v1"}}
}

func settles(r *tools.Registry, share float64) arguments {
	var in arguments
	if err := json.Unmarshal(r.Get("create_relationship").Examples()[0].Params, &in); err != nil {
		panic(err)
	}
	in["metadata"] = arguments{"share": share}
	return in
}

func idOfSample(r *tools.Registry) string {
	var out struct{ Record struct{ ID string } }
	if err := json.Unmarshal(r.Get("upload_file").Examples()[0].Result, &out); err != nil {
		panic(err)
	}
	return out.Record.ID
}

func reading(calm float64) arguments {
	return arguments{"kind": "atmosphere", "records": []arguments{{
		"pocket_id": "cluny", "stress": 0.18, "calm": calm, "social_energy": 0.42, "productive": 0.68, "primary_state": "calm-productive", "captured_at": "2026-01-01T11:55:00Z"}}}
}

// What is replaced in these tables and columns is nothing that anybody said: they
// follow from others, count, date, or tell how a connection stands.
var (
	derived = []string{
		"change_sequence", "goose_db_version", "sqlite_", "entity_changes", "entity_words", "observation_words", "memory_rows", "memory_statistics", "memory_vectors", "node_vectors",
		"memory_spaces", "memory_words", "memory_vocabulary", "record_types", "record_values", "record_words", "record_vectors", "record_spaces", "snapshots", "snapshot_values",
		"snapshot_words", "timeline_events", "imported_items", "import_documents", "telemetry_", "metric_", "call_events", "analytics_",
		"golden_results", "golden_query_results", "pocket_quality", "import_runs", "invoice_status", "relationship_sources",
	}
	counting = []string{"name_key", "status", "error_code", "updated_at", "last_accessed", "access_seq", "next_step", "next_beat", "next_sub", "evaluated_at", "tested_at", "cursor", "synced_at"}
)

// house is a database with its folder that tools are called on.
type house struct {
	t       *testing.T
	folder  string
	options tools.ServerOptions
	p       *tools.Pipeline
	close   func()
}

var noonOfTheHouse = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// enter opens the database in a folder.
func enter(t *testing.T, folder string) *house {
	t.Helper()
	settings := withBank()
	settings.Now = func() time.Time { return noonOfTheHouse }
	options, a, err := fresh(t.Context(), settings, folder)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, folder: folder, options: options, close: func() { a.Close() }}
	h.options.Observe, h.options.Now = nil, toolstest.NewLeapingClock(noonOfTheHouse)
	if h.p, err = tools.NewPipeline(h.options); err != nil {
		t.Fatal(err)
	}
	return h
}

// call calls a tool; a refusal changes nothing and is no matter. What a preview
// asks to be confirmed is confirmed.
func (h *house) call(c tools.SetupCall) {
	h.t.Helper()
	raw := []byte(toolstest.EncodeJSON(c.Params))
	r, err := h.p.Call(context.Background(), tools.Request{Tool: c.Tool, Arguments: raw})
	if err != nil {
		h.t.Fatal(err)
	}
	var preview struct{ Confirm string }
	if json.Unmarshal(r.Data, &preview) != nil || preview.Confirm == "" {
		return
	}
	var in arguments
	toolstest.Decode(h.t, raw, &in)
	in["confirm"] = preview.Confirm
	h.call(tools.SetupCall{Tool: c.Tool, Params: in})
}

// contents are all cells of what is stored by table, row and column, and the
// files.
func (h *house) contents() map[string]string {
	h.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(h.folder, "toolkit.db"))
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	cells := map[string]string{}
	for table, key := range h.tables(db) {
		rows, err := db.Query(`SELECT * FROM ` + table)
		if err != nil {
			h.t.Fatal(err)
		}
		columns, _ := rows.Columns()
		for rows.Next() {
			row := make([]any, len(columns))
			for i := range row {
				row[i] = new(any)
			}
			if err := rows.Scan(row...); err != nil {
				h.t.Fatal(err)
			}
			if at := slices.Index(columns, "said"); table == "typed_relationships" && fmt.Sprint(*row[at].(*any)) == "0" {
				continue // it follows from what documents say
			}
			name := table
			for _, at := range key {
				name += fmt.Sprint(" ", *row[at].(*any))
			}
			for i, column := range columns {
				if v := *row[i].(*any); v != nil && fmt.Sprint(v) != "" && !slices.Contains(counting, column) {
					cells[name+" "+column] = fmt.Sprint(v)
				}
			}
		}
		if err := rows.Err(); err != nil {
			h.t.Fatal(err)
		}
	}
	filepath.WalkDir(filepath.Join(h.folder, "files", "sha256"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			cells["the file "+d.Name()] = "its bytes: " + d.Name()
		}
		return nil
	})
	return cells
}

// tables are the tables that hold what was said, with the places of their keys.
func (h *house) tables(db *sql.DB) map[string][]int {
	h.t.Helper()
	found := map[string][]int{}
	rows, err := db.Query(`SELECT m.name, c.cid, c.pk FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`)
	if err != nil {
		h.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var table string
		var place, key int
		if err := rows.Scan(&table, &place, &key); err != nil {
			h.t.Fatal(err)
		}
		if slices.ContainsFunc(derived, func(prefix string) bool { return strings.HasPrefix(table, prefix) }) {
			continue
		}
		found[table] = append(found[table], nil...)
		if key > 0 {
			found[table] = append(found[table], place)
		}
	}
	if len(found) < 20 {
		h.t.Fatalf("only %d tables are compared", len(found))
	}
	return found
}

// lost names the cells of before whose contents stand nowhere in after.
func lost(before, after map[string]string) []string {
	kept := map[string]bool{}
	for _, cell := range after {
		kept[cell] = true
	}
	all := strings.Join(slices.Sorted(maps.Values(after)), "\x00")
	var gone []string
	for _, name := range slices.Sorted(maps.Keys(before)) {
		cell := before[name]
		if after[name] != cell && !kept[cell] && (len(cell) < 3 || !strings.Contains(all, cell)) {
			gone = append(gone, name)
		}
	}
	return gone
}

// changed names the cells that are not the same.
func changed(before, after map[string]string) []string {
	var list []string
	for name := range after {
		if before[name] != after[name] {
			list = append(list, name)
		}
	}
	for name := range before {
		if _, kept := after[name]; !kept {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// deeds is what the calls of a tool did.
type deeds struct{ lost, wrote, repeated []string }

// observe makes calls on a copy of a filled database and looks at the last one, and
// at the same once more.
func observe(t *testing.T, filled string, calls []tools.SetupCall) (d deeds) {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filled)); err != nil {
		t.Fatal(err)
	}
	h := enter(t, folder)
	defer h.close()
	last := calls[len(calls)-1]
	for _, c := range calls[:len(calls)-1] {
		h.call(c)
	}
	before := h.contents()
	h.call(last)
	after := h.contents()
	h.call(last)
	return deeds{lost(before, after), changed(before, after), changed(after, h.contents())}
}

// TestAnnotationsFollowFromWhatAToolDoes calls every tool on a copy of a filled
// database and compares what went, came and changed with its annotations.
func TestAnnotationsFollowFromWhatAToolDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	registry := allTools(t)
	cases := replacing(registry)
	filled := t.TempDir()
	h := enter(t, filled)
	for _, d := range registry.All() {
		for _, e := range d.Examples() {
			if !d.Destructive {
				for _, c := range append(slices.Clone(e.Setup), tools.SetupCall{Tool: d.Name, Params: e.Params}) {
					h.call(c)
				}
			}
			cases[d.Name] = append(cases[d.Name], append(slices.Clone(e.Setup), tools.SetupCall{Tool: d.Name, Params: e.Params}))
		}
	}
	h.close()
	for _, d := range registry.All() {
		t.Run(d.Name, func(t *testing.T) {
			var all deeds
			for _, calls := range cases[d.Name] {
				one := observe(t, filled, calls)
				all.lost, all.wrote, all.repeated = append(all.lost, one.lost...), append(all.wrote, one.wrote...), append(all.repeated, one.repeated...)
			}
			if len(all.lost) > 0 && !d.Destructive {
				t.Errorf("it is not called destructive, and this is gone for good: %q", all.lost)
			}
			if len(all.wrote) > 0 && !d.Writes() {
				t.Errorf("it is called read-only and wrote %q", all.wrote)
			}
			if len(all.repeated) > 0 && d.Idempotent {
				t.Errorf("it is called idempotent, and the same call again wrote %q", all.repeated)
			}
			// A deleted insight stays in its history, but no tool brings it back.
			if len(all.lost) == 0 && d.Destructive && d.Name != "delete_insight" {
				t.Errorf("it is called destructive, and nothing was gone")
			}
		})
	}
}
