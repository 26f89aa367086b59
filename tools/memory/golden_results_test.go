package memory

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/memory"
)

func TestAnEmptyGoldenSetNamesTheCommandThatFillsIt(t *testing.T) {
	b := newBench(t)
	b.refuse(goldenName, args{}, failed, "'toolkit admin golden import FILE'")
	b.Call(goldenQueryName, args{"query": "When?"})
	b.refuse(goldenName, args{}, failed, "has 1 queries, but none has expected_docs")
}

// goldenBench has six insights about tea, and one each about three other things.
func goldenBench(t *testing.T) *bench {
	b := newBench(t)
	for i := range 6 {
		b.insight(fmt.Sprintf("green tea fact%d", i)) // ids 1 to 6
	}
	b.insight("release monday")  // 7
	b.insight("coffee ethiopia") // 8
	b.insight("violin lessons")  // 9
	return b
}

func TestGoldenResultsAreMacroMeans(t *testing.T) {
	b := goldenBench(t)
	b.Call(goldenQueryName, args{"query": "green tea", "expected_docs": []int64{1, 2, 3, 4, 5, 6}})                 // 5 of 5
	b.Call(goldenQueryName, args{"query": "release monday", "expected_docs": []int64{7, 7}})                        // 1 of 5
	b.Call(goldenQueryName, args{"query": strings.Repeat("coffee ", 11), "expected_docs": []int64{9}})              // medium, 0
	b.Call(goldenQueryName, args{"query": "violin " + strings.Repeat("lessons ", 29), "expected_docs": []int64{9}}) // long, 1 of 5
	b.Call(goldenQueryName, args{"query": "not labelled"})
	out := b.Call(goldenName, args{})
	near := func(key string, want float64) {
		t.Helper()
		if got := out[key].(float64); fmt.Sprintf("%.12f", got) != fmt.Sprintf("%.12f", want) {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	near("precision_at_5", (1+0.2+0+0.2)/4)
	near("recall_at_5", (5.0/6+1+0+1)/4)
	near("mrr", (1+1+0+1)/4.0)
	near("ndcg_at_5", (1+1+0+1)/4.0)
	near("max_attainable_p5", (1+0.2+0.2+0.2)/4)
	want := "map[long:map[count:1 precision_at_5:0.2] medium:map[count:1 precision_at_5:0] short:map[count:2 precision_at_5:0.6]]"
	if got := fmt.Sprint(out["query_breakdown"]); got != want {
		t.Errorf("breakdown is %s, want %s", got, want)
	}
	if out["date"] != "2026-01-15" || out["baseline_precision"] != nil || out["drift_detected"] != false || out["queries_tested"] != 4.0 || out["unlabelled_queries"] != 1.0 {
		t.Errorf("result is %v", out)
	}
}

func TestAnEmptyClassIsNull(t *testing.T) {
	b := goldenBench(t)
	b.Call(goldenQueryName, args{"query": "release monday", "expected_docs": []int64{7}})
	out := b.Call(goldenName, args{})
	if got := fmt.Sprint(out["query_breakdown"].(args)["long"]); got != "map[count:0 precision_at_5:<nil>]" {
		t.Errorf("long queries are %s", got)
	}
}

func TestTheBaselineIsTheMeanOfThePreviousSevenDays(t *testing.T) {
	b := goldenBench(t)
	b.Call(goldenQueryName, args{"query": "release monday", "expected_docs": []int64{7}})
	day := func(back int, precision float64) {
		t.Helper()
		storetest.Write(t, b.Store, func(tx *store.Tx) error {
			return memory.In(tx).StoreGoldenDay(memory.GoldenDay{Day: noon.AddDate(0, 0, -back).Format(time.DateOnly), Precision: precision, Metrics: []byte(`{}`)})
		})
	}
	day(8, 1) // too old
	day(0, 1) // today: replaced, not counted
	if out := b.Call(goldenName, args{}); out["baseline_precision"] != nil || out["drift_detected"] != false {
		t.Errorf("without days before: %v", out)
	}
	day(7, 0.3)
	day(1, 0.1)
	out := b.Call(goldenName, args{}) // 0.2 today
	if out["baseline_precision"] != 0.2 || out["drift_detected"] != false || out["details"] != "All metrics within normal range" {
		t.Errorf("result is %v", out)
	}
	day(2, 0.8)
	out = b.Call(goldenName, args{}) // baseline 0.4
	if fmt.Sprintf("%.3f", out["baseline_precision"]) != "0.400" || out["drift_detected"] != true || !strings.Contains(out["details"].(string), "fell to 0.20 from a baseline of 0.40") {
		t.Errorf("result is %v", out)
	}
}

func TestOneResultADayIsKept(t *testing.T) {
	b := goldenBench(t)
	b.Call(goldenQueryName, args{"query": "release monday", "expected_docs": []int64{7}})
	b.Call(goldenName, args{})
	b.Call(goldenName, args{})
	b.Clock.Advance(24 * time.Hour)
	b.Call(deleteName, args{"id": 7, "reason": "test"})
	out := b.Call(goldenName, args{})
	if out["baseline_precision"] != 0.2 || out["precision_at_5"] != 0.0 || out["drift_detected"] != true || out["max_attainable_p5"] != 0.0 {
		t.Errorf("result is %v", out)
	}
	if got := fmt.Sprint(out["drops"]); got != "[map[id:1 precision_at_5:0 previous:0.2 query:release monday]]" {
		t.Errorf("drops are %s", got)
	}
	var days []float64
	if err := b.Store.Read(t.Context(), func(tx *store.Tx) (err error) {
		days, err = memory.In(tx).GoldenPrecisions("2026-01-01", "2026-02-01")
		return err
	}); err != nil || fmt.Sprint(days) != "[0.2 0]" {
		t.Errorf("kept are %v, %v", days, err)
	}
}

// A label follows its insight through its history.
func TestASupersededInsightIsFoundThroughItsSuccessor(t *testing.T) {
	b := goldenBench(t)
	b.Call(goldenQueryName, args{"query": "release monday", "expected_docs": []int64{7}})
	b.Call(updateName, args{"id": 7, "content": "release moved from monday to tuesday"})
	if out := b.Call(goldenName, args{}); out["precision_at_5"] != 0.2 || out["recall_at_5"] != 1.0 {
		t.Errorf("result is %v", out)
	}
}

func TestLabelsAreFrozen(t *testing.T) {
	b := goldenBench(t)
	for _, tool := range []string{goldenQueryName, groundTruthName} {
		first := b.Call(tool, args{"query": "When?"})
		if first["created"] != true || first["labelled"] != false {
			t.Errorf("%s: %v", tool, first)
		}
		labelled := b.Call(tool, args{"query": "When?", "expected_docs": []int64{1, 2}})
		if labelled["id"] != first["id"] || labelled["created"] != false || labelled["labelled"] != true {
			t.Errorf("%s: %v", tool, labelled)
		}
		again := b.Call(tool, args{"query": "When?", "expected_docs": []int64{2, 1, 2}})
		bare := b.Call(tool, args{"query": "When?"})
		if again["id"] != first["id"] || bare["id"] != first["id"] || bare["labelled"] != true {
			t.Errorf("%s: %v, %v", tool, again, bare)
		}
		b.refuse(tool, args{"query": "When?", "expected_docs": []int64{3}}, failed, "labels are frozen")
		b.refuse(tool, args{"query": " "}, invalid, "query must not be blank")
	}
	other := b.Call(goldenQueryName, args{"query": "When?", "session_id": "s2"})
	if other["id"] != 2.0 {
		t.Errorf("the query of another session is %v", other)
	}
	b.refuse(goldenQueryName, args{"query": "New?", "expected_docs": []int64{1, 99, 98}}, unknown, "do not exist: 99, 98; nothing was added")
	if out := b.Call(goldenQueryName, args{"query": "New?"}); out["created"] != true {
		t.Error("a refused query was added")
	}
	for name, change := range map[string]func(*store.Tx) error{
		"golden":       func(tx *store.Tx) error { return memory.In(tx).LabelGoldenQuery(1, []int64{3}) },
		"ground truth": func(tx *store.Tx) error { return memory.In(tx).LabelGroundTruth(1, []int64{3}) },
	} {
		if err := b.Store.Write(t.Context(), change); err == nil || !strings.Contains(err.Error(), "frozen") {
			t.Errorf("%s: the trigger let a label change: %v", name, err)
		}
	}
	// Judging a labelled query is no change of its label.
	b.Call(judgeName, args{"query_id": 1, "query": "When?", "docs": documents(1), "judge1_scores": []any{1}, "judge2_scores": []any{1}})
}
