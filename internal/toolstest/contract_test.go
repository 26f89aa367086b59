package toolstest

import (
	"context"
	"testing"

	"toolkit/tools"
)

func TestRunExampleComplainsOfAnotherResultAndOfMissingHints(t *testing.T) {
	for name, tc := range map[string]struct {
		want   string
		change func(*tools.Tool[greetIn, greetOut])
	}{
		"nothing wrong": {},
		"an example with another result": {want: "text: want Good evening", change: func(t *tools.Tool[greetIn, greetOut]) {
			t.Examples[0].Result.Text = "Good evening"
		}},
		"a handler without hints": {want: "failed", change: func(t *tools.Tool[greetIn, greetOut]) {
			handle := t.Handle
			t.Handle = func(ctx context.Context, in greetIn) (tools.Result[greetOut], error) {
				r, err := handle(ctx, in)
				r.Hints = nil
				return r, err
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := greetingBench(t, tc.change)
			d := b.Registry.Get("greet_person")
			requireComplaint(t, tc.want, func(l testing.TB) { RunExample(l, b.Pipeline, d, d.Examples()[0]) })
		})
	}
}

func TestSuggestionsMustBeReasonedAndCallable(t *testing.T) {
	b := greetingBench(t, nil)
	for name, tc := range map[string]struct {
		reason string
		data   Args
		want   string
	}{
		"all that it takes":         {"a test asked", Args{"name": "Bo", "count": 2, "parts": []Args{{"name": "Cy"}}}, ""},
		"what is required missing":  {"a test asked", Args{"parts": []Args{{}}}, ""},
		"no arguments":              {"a test asked", nil, ""},
		"an argument of another":    {"a test asked", Args{"nickname": "B"}, "nickname"},
		"a part of an argument":     {"a test asked", Args{"parts": []Args{{"nickname": "B"}}}, "nickname"},
		"an argument of wrong type": {"a test asked", Args{"count": "two"}, "got string, want integer"},
		"an argument out of range":  {"a test asked", Args{"count": 0}, "minimum"},
		"no reason":                 {"", nil, "no reasoned hints"},
	} {
		t.Run(name, func(t *testing.T) {
			hints := tools.NewHints(tools.NewReadEvidence(1)).SuggestCall("greet-person", tools.PriorityLow, tc.data, "").Because(tc.reason)
			requireComplaint(t, tc.want, func(l testing.TB) {
				(&Bench{T: l, Registry: b.Registry}).checkSuggestions("some_tool", &tools.Response{Hints: hints})
			})
		})
	}
}

func TestRequireDescriptionsComplainsOfANestedInputWithoutOne(t *testing.T) {
	var bare Args
	Decode(t, []byte(`{"type":"object","properties":{"list":{"type":"array","description":"Items","items":{"type":"object","properties":{"plain":{"type":"string"}}}}}}`), &bare)
	requireComplaint(t, "tool.list.plain has no description", func(t testing.TB) { requireDescriptions(t, "tool", bare) })
}
