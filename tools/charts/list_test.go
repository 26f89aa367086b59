package charts

import (
	"fmt"
	"math"
	"math/big"
	"testing"
	"time"

	"toolkit/store/graph"
)

func TestActiveChartsComeInTreeOrder(t *testing.T) {
	b := newBench(t)
	same(t, "the list of an empty database", b.active(), "[]")
	one := b.chart("Create a podcast", "A chosen", "B chosen", "C chosen")
	two := b.chart("Create a book", "D chosen")
	open := func(step string, steps ...string) string {
		return b.Call(telescopeName, args{"actionStepName": step, "newCurrentReality": "x", "initialActionSteps": nonNil(steps)})["chartId"].(string)
	}
	d := open("D chosen")
	c := open("C chosen")
	a := open("A chosen", "A1 chosen", "A2 chosen")
	a2 := open("A2 chosen")
	e := b.Call(addName, addArgs(one, "E chosen"))["chartId"].(string)
	a1 := open("A1 chosen")
	same(t, "order", b.active(), []string{one, a, a1, a2, c, e, two, d})
}

func TestTelescopedChartsDropOutWhenTheirStepIsCompleteAndNothingBelowIsOpen(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "A chosen")
	sub := b.Call(telescopeName, args{"actionStepName": "A chosen", "newCurrentReality": "x", "initialActionSteps": []string{"A1 chosen"}})["chartId"].(string)
	deep := b.Call(telescopeName, args{"actionStepName": "A1 chosen", "newCurrentReality": "x"})["chartId"].(string)
	same(t, "before", b.active(), []string{id, sub, deep})
	b.complete("A chosen") // all steps of the master are complete
	same(t, "with an open step below", b.active(), []string{id, sub, deep})
	b.complete("A1 chosen")
	same(t, "with nothing open below", b.active(), []string{id})
	same(t, "status of a chart whose step is complete", b.progressOf(deep)["status"], "completed")
}

func TestListReportsChartLevel(t *testing.T) {
	b := newBench(t)
	parent := b.chart("Create a podcast")
	for level := 1; level <= 30; level++ {
		child := b.Call(addName, addArgs(parent, fmt.Sprintf("Part %d made", level)))["chartId"].(string)
		charts := b.Call("list_active_charts", args{})["charts"].([]any)
		last := charts[len(charts)-1].(args)
		same(t, "level and parent", []any{last["chartId"], last["level"], last["parentChart"]}, []any{child, level, parent})
		parent = child
	}
}

func TestListsAreBoundedAndSayHowToReadOn(t *testing.T) {
	b := newBench(t)
	var ids []string
	for i := range 5 {
		ids = append(ids, b.chart(fmt.Sprintf("Create %d podcasts", i)))
	}
	var read []string
	for offset := 0; offset < 6; offset += 2 {
		r := b.CallAllowingRefusal("list_active_charts", args{"limit": 2, "offset": offset})
		cut := len(r.Hints.Warnings) > 0
		same(t, "warned", cut, offset < 4)
		for _, c := range b.Call("list_active_charts", args{"limit": 2, "offset": offset})["charts"].([]any) {
			read = append(read, c.(args)["chartId"].(string))
		}
	}
	same(t, "pages", read, ids)
	b.refuse("list_active_charts", args{"limit": 0}, "VALIDATION_ERROR", "limit")
	b.refuse("list_active_charts", args{"limit": 1001}, "VALIDATION_ERROR", "limit")
	b.refuse("list_active_charts", args{"offset": -1}, "VALIDATION_ERROR", "offset")
}

func TestTheTextOfTheListIsAPlainArray(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "A chosen")
	want := `[{"chartId":"` + id + `","desiredOutcome":"Create a podcast","currentReality":"Have a desk","dueDate":"2026-05-01T12:00:00Z","progress":0,"completedActions":0,"totalActions":1,"level":0,"parentChart":null,"actionSteps":["A chosen"]}]`
	same(t, "text", b.CallAllowingRefusal("list_active_charts", args{}).Text, want)
}

func TestOverdueStepsComeFirstInTheHints(t *testing.T) {
	b := newBench(t)
	b.chart("Create a podcast", "A chosen")
	late := b.Call(createName, args{"desiredOutcome": "Create a book", "currentReality": "x", "dueDate": "2026-01-02T00:00:00Z", "actionSteps": []string{"B chosen"}})["chartId"]
	b.Clock.Advance(24 * time.Hour)
	first := b.CallAllowingRefusal("list_active_charts", args{}).Hints.SuggestedNextActions[0]
	same(t, "first suggestion", []any{first.Action, first.Data["chartId"]}, []any{"get-chart-progress", late})
	risks := b.CallAllowingRefusal("get_chart_progress", args{"chartId": late}).Hints.RiskFactors
	if len(risks) != 1 {
		t.Fatalf("%d risks, want one about the overdue step", len(risks))
	}
	contains(t, "the risk", risks[0].Description, "B chosen")
}

func TestProgressRounding(t *testing.T) {
	for total := 1; total <= 400; total++ {
		for done := 0; done <= total; done++ {
			percent, exact := big.NewRat(0, 1).SetFloat64(graph.NewProgress(done, total).Progress), big.NewRat(int64(100*done), int64(total))
			percent.Mul(percent, big.NewRat(100, 1))
			rounded, _ := percent.Float64()
			off := new(big.Rat).Sub(new(big.Rat).SetInt64(int64(math.Round(rounded))), exact)
			if math.Abs(rounded-math.Round(rounded)) > 1e-9 || off.Cmp(big.NewRat(1, 2)) > 0 || off.Cmp(big.NewRat(-1, 2)) <= 0 {
				t.Fatalf("%d of %d is %v, which is not rounded half up to two decimals", done, total, graph.NewProgress(done, total).Progress)
			}
		}
	}
	same(t, "thirds and eighths", []float64{graph.NewProgress(1, 3).Progress, graph.NewProgress(2, 3).Progress, graph.NewProgress(1, 8).Progress, graph.NewProgress(0, 0).Progress}, "[0.33 0.67 0.13 0]")
}
