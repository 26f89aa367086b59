package charts

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"toolkit/store"
	"toolkit/tools"
)

// fill creates charts of three steps each, the first step of every second one
// telescoped.
func (b *bench) fill(charts int) (ids []string) {
	for i := range charts / 3 * 2 {
		b.Clock.Advance(time.Millisecond)
		id := b.chart(fmt.Sprintf("Create thing number %d", i), fmt.Sprintf("Part A%d made", i), fmt.Sprintf("Part B%d made", i), fmt.Sprintf("Part C%d made", i))
		ids = append(ids, id)
		if i%2 == 0 {
			b.Call(telescopeName, args{"actionStepName": id + "_action_1", "newCurrentReality": "Nothing", "initialActionSteps": []string{fmt.Sprintf("Piece %d made", i)}})
		}
	}
	return ids
}

func (b *bench) run(loop *testing.B, tool string, in func(i int) args) {
	i := 0
	for loop.Loop() {
		b.Clock.Advance(time.Millisecond)
		raw, err := json.Marshal(in(i))
		if err != nil {
			loop.Fatal(err)
		}
		r, err := b.Pipeline.Call(loop.Context(), tools.Request{Tool: tool, Arguments: raw})
		if err != nil || r.IsError {
			loop.Fatalf("%v %s", err, r.Text)
		}
		i++
	}
}

func BenchmarkCreate(loop *testing.B) {
	b := newBench(loop)
	b.run(loop, createName, func(i int) args {
		return args{"desiredOutcome": fmt.Sprintf("Create thing %d", i), "currentReality": "Have a desk", "dueDate": "2027-01-01T00:00:00Z", "actionSteps": []string{"A made", "B made", "C made"}}
	})
}

func BenchmarkComplete(loop *testing.B) {
	b := newBench(loop)
	ids := b.fill(300)
	b.run(loop, "mark_action_complete", func(i int) args {
		return args{"actionStepName": fmt.Sprintf("%s_action_%d", ids[i/3%len(ids)], i%3+1)}
	})
}

func BenchmarkProgressAmong3000Charts(loop *testing.B) {
	b := newBench(loop)
	ids := b.fill(3000)
	b.run(loop, "get_chart_progress", func(i int) args { return args{"chartId": ids[i%len(ids)]} })
}

func BenchmarkProgressByTitleAmong3000Charts(loop *testing.B) {
	b := newBench(loop)
	ids := b.fill(3000)
	b.run(loop, "get_chart_progress", func(i int) args { return args{"chartId": fmt.Sprintf("create thing number %d", i%len(ids))} })
}

func BenchmarkNotFoundAmong3000Charts(loop *testing.B) {
	b := newBench(loop)
	b.fill(3000)
	for loop.Loop() {
		if r := b.Respond("get_chart_progress", args{"chartId": "create thing numbr 77"}); !r.IsError {
			loop.Fatal(r.Text)
		}
	}
}

func BenchmarkListHandlerOver1000Charts(loop *testing.B) {
	b := newBench(loop)
	b.fill(1000)
	f := &family{Deps{Store: b.Store}}
	for loop.Loop() {
		out, err := store.ReadValue(loop.Context(), b.Store, func(tx *store.Tx) (out listOutput, err error) {
			out, _, err = f.list(tx, listInput{})
			return out, err
		})
		if err != nil || len(out.Charts) < 990 {
			loop.Fatalf("%d charts, %v", len(out.Charts), err)
		}
	}
}

func BenchmarkListOver1000Charts(loop *testing.B) {
	b := newBench(loop)
	b.fill(1000)
	b.run(loop, "list_active_charts", func(int) args { return args{} })
}
