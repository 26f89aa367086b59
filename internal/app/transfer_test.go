package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/internal/transfer"
	"toolkit/store"
)

// openApp opens an app on a new file whose clock goes on by a second and a bit
// at every look.
func openApp(t testing.TB, maxPages int) *App {
	t.Helper()
	var mu sync.Mutex
	now := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	return openWith(t, Settings{Logger: slog.New(slog.DiscardHandler), MaxPages: maxPages, Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(1001 * time.Millisecond)
		return now
	}})
}

func read(t testing.TB, file string) *transfer.ExchangeFile {
	t.Helper()
	d, err := transfer.ReadExchange(strings.NewReader(file))
	if err != nil {
		t.Fatalf("%v\n%s", err, file)
	}
	return d
}

func imported(t testing.TB, a *App, file string) *transfer.ExchangeResult {
	t.Helper()
	r, err := transfer.ImportExchange(t.Context(), a.Store, read(t, file), transfer.ExchangeOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, file)
	}
	return r
}

func exported(t testing.TB, a *App, format transfer.ExchangeFormat) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := transfer.ExportExchange(t.Context(), a.Store, &b, format); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// field reads one string of a result.
func field(t testing.TB, result json.RawMessage, name string) string {
	t.Helper()
	var fields map[string]any
	toolstest.Decode(t, result, &fields)
	text, ok := fields[name].(string)
	if !ok {
		t.Fatalf("no %s in %s", name, result)
	}
	return text
}

func sequence(t testing.TB, a *App) int64 {
	t.Helper()
	n, err := a.Store.SumSequences(t.Context(), store.TopicGraph, store.TopicCharts)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestImportingAFileTwiceChangesNothing(t *testing.T) {
	for seed := range testenv.Choose[uint64](8, 40) {
		file := newFileMaker(seed).file()
		a := openApp(t, 0)
		first := imported(t, a, file)
		before, at := exported(t, a, transfer.ExchangeCoaia), sequence(t, a)
		second := imported(t, a, file)
		if after := exported(t, a, transfer.ExchangeCoaia); after != before || sequence(t, a) != at {
			t.Fatalf("seed %d: sequence %d to %d\n%s\n%s", seed, at, sequence(t, a), cmp.Diff(before, after), file)
		}
		for _, tally := range [][2]transfer.ExchangeTally{
			{first.Entities, second.Entities}, {first.Charts, second.Charts}, {first.Steps, second.Steps}, {first.Beats, second.Beats},
		} {
			if want := (transfer.ExchangeTally{Unchanged: tally[0].New}); tally[1] != want {
				t.Errorf("seed %d: %+v, want %+v, problems %v", seed, tally[1], want, second.Problems)
			}
		}
		if second.Relations.New+second.Relations.Merged+second.Kept.New > 0 {
			t.Errorf("seed %d: %+v", seed, second)
		}
	}
}

func TestADryRunTellsWhatTheImportWillAndWritesNothing(t *testing.T) {
	for seed := range uint64(10) {
		a := openApp(t, 0)
		imported(t, a, newFileMaker(seed+1000).file())
		before, at := exported(t, a, transfer.ExchangeCoaia), sequence(t, a)
		document := read(t, newFileMaker(seed).file())
		dry, err := transfer.ImportExchange(t.Context(), a.Store, document, transfer.ExchangeOptions{DryRun: true})
		if err != nil {
			t.Fatal(err)
		}
		if after := exported(t, a, transfer.ExchangeCoaia); after != before || sequence(t, a) != at {
			t.Fatalf("seed %d: the dry run wrote", seed)
		}
		wet, err := transfer.ImportExchange(t.Context(), a.Store, document, transfer.ExchangeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(dry, wet); diff != "" {
			t.Errorf("seed %d (-dry +wet):\n%s", seed, diff)
		}
	}
}

// Two files that know some of the same names: whatever collides, the result can
// be exported, read and imported again.
func TestAnImportIntoAFilledDatabaseLeavesAGraphThatCanTravel(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	for seed := range testenv.Choose[uint64](8, 40) {
		a := openApp(t, 0)
		imported(t, a, newFileMaker(seed).file())
		imported(t, a, newFileMaker(seed+500).file())
		first := exported(t, a, transfer.ExchangeCoaia)
		b := openApp(t, 0)
		if r := imported(t, b, first); r.SkippedCount > 0 {
			t.Errorf("seed %d: %v", seed, r.Problems)
		}
		// A relation whose end came later stands elsewhere in the second file.
		if second := exported(t, b, transfer.ExchangeCoaia); sortLines(first) != sortLines(second) {
			t.Fatalf("seed %d:\n%s", seed, cmp.Diff(first, second))
		}
	}
}

func sortLines(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// fill makes one of everything through the tools.
func fill(t testing.TB, a *App) (chart string) {
	t.Helper()
	chart = field(t, call(t, a, "create_structural_tension_chart", `{"desiredOutcome":"Create a chapel organ — 木 & \"pipes\"","currentReality":"Have a workshop; no pipes","dueDate":"2027-06-30T00:00:00Z","actionSteps":["Tight bellows","Tuned pipes","First concert"]}`), "chartId")
	own := field(t, call(t, a, "add_action_step", `{"parentChartId":"`+chart+`","actionStepTitle":"Audience of 100 listeners","currentReality":"Three friends listen"}`), "chartId")
	call(t, a, "add_action_step", `{"parentChartId":"`+own+`","actionStepTitle":"Printed programme","currentReality":"A draft exists","dueDate":"2026-12-01T00:00:00+01:00"}`)
	sub := field(t, call(t, a, "telescope_action_step", `{"actionStepName":"Tuned pipes","newCurrentReality":"Half of them are cut","initialActionSteps":["Every pipe cut","Every pipe voiced"]}`), "chartId")
	call(t, a, "telescope_action_step", `{"actionStepName":"`+sub+`_action_2","newCurrentReality":"None is voiced"}`)
	call(t, a, "update_action_progress", `{"actionStepName":"Every pipe cut","progressObservation":"24 of 48\nare cut","updateCurrentReality":true}`)
	call(t, a, "mark_action_complete", `{"actionStepName":"Every pipe cut"}`)
	call(t, a, "mark_action_complete", `{"actionStepName":"`+own+`"}`)
	call(t, a, "mark_action_complete", `{"actionStepName":"Tuned pipes"}`)
	call(t, a, "update_current_reality", `{"chartId":"`+chart+`","newObservations":["The room is 20 °C","Ünïcode \u2028 text"]}`)
	beat := field(t, call(t, a, "create_narrative_beat", `{"parentChartId":"`+chart+`","title":"First sound","act":2,"type_dramatic":"Climax","universes":["engineer-world","ceremony-world"],"description":"A stop speaks.","prose":"Thin as a <thread>.","lessons":["Wind comes before tone"],"assessRelationalAlignment":true}`), "name")
	call(t, a, "telescope_narrative_beat", `{"parentBeatName":"`+beat+`","newCurrentReality":"One stop speaks","initialSubBeats":[{"title":"The hush","type_dramatic":"Crisis","description":"It was quiet.","prose":"Hush.","lessons":["Listen first to the room"]}]}`)
	call(t, a, "create_entities", `{"entities":[{"name":"Ada","entityType":"person","observations":["builds organs","lives in Zürich","a\u0000b"]},{"name":"Bach","entityType":"composer","observations":[]}]}`)
	call(t, a, "create_relations", `{"relations":[{"from":"Ada","to":"`+chart+`","relationType":"leads"},{"from":"`+chart+`_action_1","to":"Ada","relationType":"assigned to"},{"from":"`+sub+`","to":"`+beat+`","relationType":"told in"},{"from":"`+chart+`","to":"`+own+`","relationType":"depends on"}]}`)
	call(t, a, "add_observations", `{"observations":[{"entityName":"`+beat+`","contents":["a listener wept"]},{"entityName":"`+chart+`_action_1","contents":["leather ordered"]}]}`)
	return chart
}

func TestADatabaseFilledByToolsTravels(t *testing.T) {
	a := openApp(t, 0)
	fill(t, a)
	for _, format := range []transfer.ExchangeFormat{transfer.ExchangeCoaia, transfer.ExchangeMemory} {
		first := exported(t, a, format)
		b := openApp(t, 0)
		if r := imported(t, b, first); len(r.Problems) > 0 {
			t.Errorf("%s: %v", format, r.Problems)
		}
		if second := exported(t, b, format); first != second {
			t.Errorf("%s:\n%s", format, cmp.Diff(first, second))
		}
		r := imported(t, a, exported(t, a, format))
		if format == transfer.ExchangeCoaia && (r.Entities.Unchanged != 2 || r.Charts.Unchanged != 5 || r.Beats.Unchanged != 2 || r.Relations.Unchanged != 4 || len(r.Problems) > 0) {
			t.Errorf("an export imported where it comes from: %+v", r)
		}
	}
}

func TestTheToolsFindAllInADatabaseThatCameOver(t *testing.T) {
	a, b := openApp(t, 0), openApp(t, 0)
	chart := fill(t, a)
	imported(t, b, exported(t, a, transfer.ExchangeCoaia))
	for tool, arguments := range map[string]string{
		"list_active_charts":   `{}`,
		"list_narrative_beats": `{}`,
		"get_chart_progress":   `{"chartId":"` + chart + `"}`,
		"search_nodes":         `{"query":"hush"}`,
	} {
		if diff := cmp.Diff(string(call(t, a, tool, arguments)), string(call(t, b, tool, arguments))); diff != "" {
			t.Errorf("%s (-first +second):\n%s", tool, diff)
		}
	}
	if diff := cmp.Diff(graphOf(t, a), graphOf(t, b)); diff != "" {
		t.Errorf("read_graph (-first +second):\n%s", diff)
	}
	// And both go on alike.
	for _, x := range []*App{a, b} {
		if id := field(t, call(t, x, "add_action_step", `{"parentChartId":"`+chart+`","actionStepTitle":"Encore","currentReality":"No piece chosen"}`), "chartId"); id != chart+"_action_5" {
			t.Errorf("the next step is %s", id)
		}
		if name := field(t, call(t, x, "create_narrative_beat", `{"parentChartId":"`+chart+`","title":"Second sound","act":3,"type_dramatic":"Resolution","universes":["engineer-world"],"description":"d","prose":"p","lessons":["Pipes settle overnight"]}`), "name"); name != chart+"_beat_2" {
			t.Errorf("the next beat is %s", name)
		}
	}
}

// graphOf is the graph that tools show, in an order that does not depend on
// when a node was stored.
func graphOf(t testing.TB, a *App) []string {
	t.Helper()
	var graph struct{ Entities, Relations []json.RawMessage }
	toolstest.Decode(t, call(t, a, "read_graph", `{}`), &graph)
	var lines []string
	for _, raw := range append(graph.Entities, graph.Relations...) {
		lines = append(lines, string(raw))
	}
	slices.Sort(lines)
	return lines
}

func TestAnImportThatFillsTheDiskLeavesWholeParts(t *testing.T) {
	var file strings.Builder
	for n := range 3000 {
		fmt.Fprintf(&file, `{"type":"entity","name":"n%d","entityType":"t","observations":["%s"]}`+"\n", n, strings.Repeat("word ", 200))
	}
	a := openApp(t, 300)
	imported(t, a, `{"type":"entity","name":"first","entityType":"t","observations":[]}`)
	_, err := transfer.ImportExchange(t.Context(), a.Store, read(t, file.String()), transfer.ExchangeOptions{})
	if !errors.Is(err, store.ErrFull) {
		t.Fatalf("got %v", err)
	}
	if entities := read(t, exported(t, a, transfer.ExchangeCoaia)).Entities; len(entities)%1000 != 1 {
		t.Errorf("%d entities", len(entities))
	}
}

func TestACancelledImportGoesOnWhenRepeated(t *testing.T) {
	var file strings.Builder
	for n := range 2000 {
		fmt.Fprintf(&file, `{"type":"entity","name":"n%d","entityType":"t","observations":[]}`+"\n", n)
	}
	a := openApp(t, 0)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := transfer.ImportExchange(ctx, a.Store, read(t, file.String()), transfer.ExchangeOptions{Progress: func(done, all int) {
		if done > all/2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	result, err := transfer.ImportExchange(t.Context(), a.Store, read(t, file.String()), transfer.ExchangeOptions{})
	if err != nil || result.Entities.Unchanged != 1000 || result.Entities.New != 1000 {
		t.Errorf("again: %+v, %v", result, err)
	}
}
