package toolstest

import (
	"context"
	"testing"

	"toolkit/tools"
)

type changedGreeting = func(*tools.Tool[greetIn, greetOut])

func TestTheChecklistNoticesWhatIsWrong(t *testing.T) {
	for name, tc := range map[string]struct {
		want   string
		change changedGreeting
		only   []string
	}{
		"nothing wrong": {},
		"an example with another result": {want: "greet_person: ", change: func(t *tools.Tool[greetIn, greetOut]) {
			t.Examples[0].Result.Text = "Good evening"
		}},
		"hints without a reason of their own": {want: "greet_person: ", change: func(t *tools.Tool[greetIn, greetOut]) {
			handle := t.Handle
			t.Handle = func(ctx context.Context, in greetIn) (tools.Result[greetOut], error) {
				r, err := handle(ctx, in)
				r.Hints = nil
				return r, err
			}
		}},
		"a tool that is not there": {want: "wave_hand is missing", only: []string{"wave_hand"}},
	} {
		t.Run(name, func(t *testing.T) {
			said := complaints(t, func(l testing.TB) {
				Checklist(l, func() *Bench { return greetingBench(t, tc.change) }, tc.only...)
			})
			if tc.want == "" {
				Same(t, "the complaints", said, []string{})
				return
			}
			if len(said) == 0 {
				t.Fatal("no complaint")
			}
			Contains(t, "the complaint", said[0], tc.want)
		})
	}
}

func TestTheChecklistIsNotEmpty(t *testing.T) {
	requireComplaint(t, "there is no tool", func(l testing.TB) {
		Checklist(l, func() *Bench {
			b := greetingBench(t, nil)
			b.Serve()
			return b
		})
	})
}

func TestSuggestionsMustBeCallable(t *testing.T) {
	r := greetingBench(t, nil).Registry
	for name, tc := range map[string]struct {
		action string
		data   Args
		want   string
		seen   int
	}{
		"all that it takes":         {"greet-person", Args{"name": "Bo", "count": 2, "parts": []Args{{"name": "Cy"}}}, "", 1},
		"what is required missing":  {"greet-person", Args{"parts": []Args{{}}}, "", 1},
		"no arguments":              {"greet-person", nil, "", 1},
		"no tool":                   {"wave-hand", nil, "which is no tool", 0},
		"an argument of another":    {"greet-person", Args{"nickname": "B"}, "nickname", 1},
		"a part of an argument":     {"greet-person", Args{"parts": []Args{{"nickname": "B"}}}, "nickname", 1},
		"an argument of wrong type": {"greet-person", Args{"count": "two"}, "got string, want integer", 1},
		"an argument out of range":  {"greet-person", Args{"count": 0}, "minimum", 1},
	} {
		t.Run(name, func(t *testing.T) {
			hints := tools.NewHints(tools.ReadEvidence(1)).Next(tc.action, tools.PriorityLow, tc.data, "").Because("a test asked")
			requireComplaint(t, tc.want, func(l testing.TB) {
				Same(t, "the suggestions seen", Suggestions(l, r, "some_tool", hints), tc.seen)
			})
		})
	}
}

func TestHintsMustBeReasoned(t *testing.T) {
	b := greetingBench(t, nil)
	requireComplaint(t, "no reasoned hints", func(t testing.TB) { Suggestions(t, b.Registry, "greet_person", nil) })
	requireComplaint(t, "no reasoned hints", func(t testing.TB) {
		Suggestions(t, b.Registry, "greet_person", tools.NewHints(tools.ReadEvidence(1)))
	})
	Same(t, "the suggestions of a call", b.Suggestions("greet_person", Args{"name": "Ann"}), 1)
}

func TestInputsMustBeTheDocumentedOnes(t *testing.T) {
	const documented = `{"type":"object","properties":{"name":{"type":"string","minLength":1},"parts":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}},"required":["name"]}`
	r := greetingBench(t, nil).Registry
	for name, tc := range map[string]struct {
		tool, documented string
		ours             []string
		want             string
	}{
		"as documented, with one of ours":     {"greet_person", documented, []string{"count"}, ""},
		"an input that is not documented":     {"greet_person", documented, nil, "the schema is"},
		"another bound":                       {"greet_person", documented[:len(documented)-1] + `,"minProperties":1}`, []string{"count"}, "the schema is"},
		"no such tool":                        {"wave_hand", documented, nil, "wave_hand is missing"},
		"one of ours that is no longer there": {"greet_person", documented, []string{"count", "tone"}, "the optional input tone is missing"},
		"documentation that cannot be read":   {"greet_person", `{`, []string{"count"}, "unexpected end"},
	} {
		t.Run(name, func(t *testing.T) {
			requireComplaint(t, tc.want, func(l testing.TB) { SameInput(l, r, tc.tool, tc.documented, tc.ours...) })
		})
	}
}

func TestEveryInputMustBeDescribedHoweverDeep(t *testing.T) {
	b := greetingBench(t, nil)
	requireComplaint(t, "", func(t testing.TB) { EveryInputIsDescribed(t, b.Registry) })
	var bare Args
	Decode(t, []byte(`{"type":"object","properties":{"list":{"type":"array","description":"Items","items":{"type":"object","properties":{"plain":{"type":"string"}}}}}}`), &bare)
	requireComplaint(t, "tool.list.plain has no description", func(t testing.TB) { undescribe(t, "tool", bare) })
}

func TestTheKeysOfAResultAreKnown(t *testing.T) {
	r := greetingBench(t, nil).Registry
	out := Output(t, r, "greet_person")
	Same(t, "the required keys", out.Required, []string{"text"})
	Same(t, "the number of keys", len(out.Properties), 1)
	requireComplaint(t, "wave_hand is missing", func(t testing.TB) { Output(t, r, "wave_hand") })
}
