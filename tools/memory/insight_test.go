package memory

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/memory"
)

func TestAnInsightIsStoredWithItsDensityAndItsSources(t *testing.T) {
	b := newBench(t)
	one := b.say("s1", "Anna", "The release moves from Friday to Monday because the tests are slow")
	two := b.say("s1", "Ben", "Fine with me")
	out := b.Call(compressName, args{"content": "Release moved to Monday by committee", "source_ids": []int64{one, two, 400, 300, 400}})
	if out["id"] != 1.0 || out["embedding_status"] != "success" || out["timestamp"] != "2026-01-15T12:00:00Z" {
		t.Errorf("result is %v", out)
	}
	// Release, moved, Monday, committee of six.
	if out["fidelity_score"] != 4.0/6 || out["warning"] != nil {
		t.Errorf("fidelity is %v, warning %v", out["fidelity_score"], out["warning"])
	}
	if fmt.Sprint(out["missing_source_ids"]) != "[400 300]" || fmt.Sprint(out["novel_terms"]) != "[committee]" {
		t.Errorf("missing %v, novel %v", out["missing_source_ids"], out["novel_terms"])
	}
	if c, _ := out["source_coverage"].(float64); c <= 0 || c >= 1 {
		t.Errorf("coverage is %v", out["source_coverage"])
	}
	entry := b.contents(insightsURI)[0]
	if fmt.Sprint(entry["source_ids"]) != "[1 2 400 300 400]" || fmt.Sprint(entry["metadata"]) != "map[fidelity_warning:false grounding:0.75 grounding_warning:Weak grounding (0.75 < 0.8): no source says committee - compare with the sources]" {
		t.Errorf("the resource shows %v", entry)
	}
}

func TestInsightWithoutSourcesHasNoGrounding(t *testing.T) {
	b := newBench(t)
	for _, sources := range [][]int64{{}, {77}} {
		out := b.Call(compressName, args{"content": "Release moved", "source_ids": sources})
		for _, key := range []string{"source_coverage", "grounding", "grounding_warning", "novel_terms", "compression_ratio", "warning"} {
			if _, ok := out[key]; ok {
				t.Errorf("with sources %v, %s is %v", sources, key, out[key])
			}
		}
		if _, ok := out["missing_source_ids"]; ok != (len(sources) > 0) {
			t.Errorf("with sources %v, missing ids are %v", sources, out["missing_source_ids"])
		}
	}
}

func TestAThinInsightIsStoredWithAWarning(t *testing.T) {
	const warning = "Low information density (0.33 < 0.5) - consider more detailed compression"
	b := newBench(t)
	out := b.Call(compressName, args{"content": "it is release", "source_ids": []int64{}})
	if out["fidelity_score"] != 1.0/3 || out["warning"] != warning {
		t.Errorf("result is %v", out)
	}
	entry := b.contents(insightsURI)[0]
	if metadata := entry["metadata"].(args); metadata["fidelity_warning"] != true || metadata["warning_message"] != warning {
		t.Errorf("metadata is %v", metadata)
	}
}

func TestTheThresholdIsASetting(t *testing.T) {
	tests := map[string]struct {
		env  string
		warn bool
		err  bool
	}{
		"the default":          {"", true, false},
		"a lower one":          {"0.3", false, false},
		"none":                 {"0", false, false},
		"not a number":         {"half", false, true},
		"beyond what can be":   {"1.5", false, true},
		"not a number at all!": {"NaN", false, true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var d Deps
			err := d.ConfigureFidelityAndJudges(func(key string) string {
				if key == "TOOLKIT_FIDELITY_THRESHOLD" {
					return tc.env
				}
				return ""
			})
			if (err != nil) != tc.err {
				t.Fatalf("error is %v", err)
			}
			if err != nil {
				return
			}
			b := newBench(t, func(e *Deps) { e.FidelityThreshold = d.FidelityThreshold })
			if _, warned := b.Call(compressName, args{"content": "it is release", "source_ids": []int64{}})["warning"]; warned != tc.warn {
				t.Errorf("warned is %v", warned)
			}
		})
	}
}

func TestAChangedInsightSupersedesTheOld(t *testing.T) {
	b := newBench(t)
	turn := b.say("s1", "Anna", "Release on Friday")
	first := b.insight("Release planned Friday", turn)
	out := b.Call(updateName, args{"id": first, "content": "Release planned Monday", "reason": "moved"})
	if out["supersedes"] != float64(first) || out["version"] != 2.0 || out["fidelity_score"] != 1.0 {
		t.Fatalf("result is %v", out)
	}
	second := int64(out["id"].(float64))
	third := b.id(updateName, args{"id": second, "content": "Release planned Tuesday", "source_ids": []int64{}, "reason": "moved again"})

	if got := values(b.contents(insightsURI), "content"); got != "Release planned Tuesday" {
		t.Errorf("the resource shows %s", got)
	}
	if got := values(b.contents(insightsURI+"?include_superseded=true"), "id"); got != "3 2 1" {
		t.Errorf("with superseded ones it shows %s", got)
	}
	for _, id := range []int64{first, second, third} {
		h := b.Call(historyName, args{"id": id})
		versions := h["versions"].([]any)
		list := []args{versions[0].(args), versions[1].(args), versions[2].(args)}
		if h["current_id"] != float64(third) || values(list, "state") != "superseded superseded current" || values(list, "reason") != "moved moved again <nil>" ||
			values(list, "source_ids") != "[1] [1] []" || values(list, "superseded_by") != "2 3 <nil>" {
			t.Errorf("the history of %d is %v", id, h)
		}
	}
	b.refuse(updateName, args{"id": first, "content": "x"}, failed, "insight 1 was replaced by 3; change that one")
	b.refuse(deleteName, args{"id": first, "reason": "x"}, failed, "replaced by 3")
}

func TestADeletedInsightLeavesSearchAndStaysInTheHistory(t *testing.T) {
	b := newBench(t)
	id := b.insight("Release planned Friday")
	b.Clock.Advance(1e9)
	out := b.Call(deleteName, args{"id": id, "reason": "a joke"})
	if out["deleted_at"] != "2026-01-15T12:00:01Z" || out["reason"] != "a joke" {
		t.Errorf("result is %v", out)
	}
	if got := b.Call(hybridName, args{"query_text": "release"}); got["final_results_count"] != 0.0 {
		t.Errorf("it is found: %v", got)
	}
	got := b.Call(hybridName, args{"query_text": "release", "include_superseded": true})
	if hit := got["results"].([]any)[0].(args); hit["id"] != 1.0 || hit["superseded"] != true {
		t.Errorf("asked for, it is %v", hit)
	}
	if h := b.Call(historyName, args{"id": id}); h["current_id"] != nil {
		t.Errorf("the history is %v", h)
	}
	b.refuse(deleteName, args{"id": id, "reason": "again"}, failed, "was deleted (a joke)")
	b.refuse(updateName, args{"id": id, "content": "x"}, failed, "was deleted (a joke)")
}

func TestInsightRefusals(t *testing.T) {
	b := newBench(t)
	b.insight("Release planned Friday")
	tests := map[string]struct {
		tool          string
		in            args
		kind, details string
	}{
		"an id beyond 64 bits":       {compressName, args{"content": "x", "source_ids": []any{1e30}}, invalid, "source_ids"},
		"an update that is blank":    {updateName, args{"id": 1, "content": "  "}, invalid, "content must not be blank"},
		"an update of nothing":       {updateName, args{"id": 9, "content": "x"}, unknown, "insight 9 does not exist"},
		"a deletion, reason blank":   {deleteName, args{"id": 1, "reason": " "}, invalid, "reason must not be blank"},
		"the history of nothing":     {historyName, args{"id": 9}, unknown, "insight 9 does not exist"},
		"an id that is not positive": {historyName, args{"id": 0}, invalid, "at least 1"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) { b.refuse(tc.tool, tc.in, tc.kind, tc.details) })
	}
	if n := len(b.contents(insightsURI + "?include_superseded=1")); n != 1 {
		t.Errorf("refused calls left %d insights", n)
	}
}

// Row, full-text entry and vector are written in one transaction.
func TestEveryRowIsIndexedInItsTransaction(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "its file is changed by hand")
	b := newBench(t)
	turn := b.say("s1", "Anna", "Release on Friday")
	b.insight("Release planned Friday", turn)
	b.Call(updateName, args{"id": 1, "content": "Release planned Monday"})
	b.Call(deleteName, args{"id": 2, "reason": "doubtful"})
	b.Call(episodeName, args{"query": "When?", "reward": -1, "reflection": "Problem: a. Lesson: b."})
	var indexed []string
	storetest.Read(t, b.Store, func(tx *store.Tx) error {
		for _, source := range memory.Sources {
			list, err := memory.In(tx).IndexedAfter(source, 0, 9)
			if err != nil {
				return err
			}
			for _, m := range list {
				indexed = append(indexed, fmt.Sprint(m.Source, " ", m.RowID, " ", m.Retired, " ", m.SessionID, " ", m.Speaker))
			}
		}
		return nil
	})
	if want := []string{"l0 1 false s1 Anna", "l2 1 true  ", "l2 2 true  ", "episode 1 false  "}; !slices.Equal(indexed, want) {
		t.Errorf("indexed are %q, want %q", indexed, want)
	}
	b.sound()

	raw, err := sql.Open("sqlite", b.Store.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Exec(`ALTER TABLE memory_statistics RENAME TO broken`); err != nil {
		t.Fatal(err)
	}
	for tool, in := range map[string]args{
		dialogueName: {"session_id": "s1", "speaker": "u", "content": "x"},
		compressName: {"content": "x", "source_ids": []int64{}},
		episodeName:  {"query": "q", "reward": 0, "reflection": "r"},
	} {
		if r := b.CallAllowingRefusal(tool, in); !r.IsError {
			t.Errorf("%s succeeded although its row was not indexed", tool)
		}
	}
	storetest.Read(t, b.Store, func(tx *store.Tx) error {
		rows := memory.In(tx)
		l0, err := rows.Dialogues(memory.DialogueFilter{Limit: 9})
		if err != nil || len(l0) != 1 {
			t.Errorf("%d rows of dialogue, %v", len(l0), err)
		}
		l2, err := rows.Insights(memory.InsightFilter{IncludeRetired: true, Limit: 9})
		if err != nil || len(l2) != 2 {
			t.Errorf("%d insights, %v", len(l2), err)
		}
		episodes, err := rows.Episodes(memory.EpisodeFilter{RewardMin: -1, Limit: 9})
		if err != nil || len(episodes) != 1 {
			t.Errorf("%d episodes, %v", len(episodes), err)
		}
		return nil
	})
}

func TestPendingEmbeddingIsReported(t *testing.T) {
	model := toolstest.NewSynonyms("remote:a")
	model.FailWith(toolstest.ErrModel)
	b := newBench(t, searchWith(t, model))
	if out := b.Call(compressName, args{"content": "Release moved", "source_ids": []int64{}}); out["embedding_status"] != "pending" {
		t.Errorf("result is %v", out)
	}
	if out := b.Call(episodeName, args{"query": "q", "reward": 0, "reflection": "r"}); out["embedding_status"] != "pending" {
		t.Errorf("result is %v", out)
	}
}

func TestMissingSourceIDIsNotBoundToLaterDialogue(t *testing.T) {
	b := newBench(t)
	first := b.say("s1", "Anna", "The harbour opens at six")
	insight := b.id(compressName, args{"content": "Ferry timetable noted", "source_ids": []int64{first, first + 1, first + 2}})
	b.say("s2", "Ben", "My tortoise is called Zenobia")
	check := func() {
		t.Helper()
		if found := ids(b.look("Zenobia the tortoise")); len(found) > 0 {
			t.Errorf("what was said later is a source of %v", found)
		}
		if found := ids(b.look("harbour")); len(found) != 1 || found[0] != insight {
			t.Errorf("the source that existed is none: %v", found)
		}
		b.sound()
	}
	check()
	if _, err := b.deps.Search.RebuildIndex(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	check()
}

func TestTooManySourcesAreRefused(t *testing.T) {
	b := newBench(t)
	sources := make([]int64, maxNamedSources+1)
	for i := range sources {
		sources[i] = int64(i + 1)
	}
	var refusal struct{ Details string }
	if b.CallRefused(compressName, args{"content": "Everything at once", "source_ids": sources}, &refusal); !strings.Contains(refusal.Details, "at most 1000") {
		t.Errorf("refused with %q", refusal.Details)
	}
}
