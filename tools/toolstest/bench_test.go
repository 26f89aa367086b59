package toolstest

import (
	"testing"
	"time"

	"toolkit/store"
	"toolkit/tools"
)

func TestAClockStandsUntilItIsMoved(t *testing.T) {
	c := NewClock(noon)
	Same(t, "the time", c.Now(), noon)
	c.Advance(time.Minute)
	Same(t, "a minute later", c.Now().Sub(noon), time.Minute)
	c.Set(noon)
	Same(t, "the time again", c.Now(), noon)
	leaping := Limitless(noon)
	leaping()
	Same(t, "the second look of a time without limits", leaping().Sub(noon), 2*time.Hour)
}

func TestABenchAnswersAsAServerDoes(t *testing.T) {
	b := greetingBench(t, nil)
	heard := 0
	b.Heard = func(*tools.Response) { heard++ }
	Same(t, "a result", b.Call("greet_person", Args{"name": "Ann"}), Args{"text": "Hello Ann"})
	Same(t, "its text", b.Accepted("greet_person", Args{"name": "Ann"}).Text, `{"text":"Hello Ann"}`)
	var e struct{ Code string }
	b.Refused("greet_person", Args{"name": "nobody"}, &e)
	Same(t, "the code of a refusal", e.Code, "NOT_FOUND")
	Same(t, "the responses heard", heard, 3)
	b.Clock.Advance(time.Hour)
	Same(t, "the time of the store", b.Store.Now(), noon.Add(time.Hour))
}

func TestTwoBenchesShareAFile(t *testing.T) {
	first := greetingBench(t, nil)
	second := NewBench(t, first.Clock, store.Options{Path: first.Store.Path()})
	Same(t, "the file", second.Store.Path(), first.Store.Path())
}

func TestABenchFailsTheTestWhoseCallEndsOtherwise(t *testing.T) {
	var e struct{ Code int }
	for name, tc := range map[string]struct {
		want string
		call func(*Bench)
	}{
		"a refusal where a result is wanted": {"failed", func(b *Bench) { b.Call("greet_person", Args{"name": "nobody"}) }},
		"a result where a refusal is wanted": {"succeeded", func(b *Bench) { b.Refused("greet_person", Args{"name": "Ann"}, &e) }},
		"an error of another shape":          {"cannot unmarshal", func(b *Bench) { b.Refused("greet_person", Args{"name": "nobody"}, &e) }},
		"no such tool":                       {"wave_hand", func(b *Bench) { b.Respond("wave_hand", Args{}) }},
		"arguments that are no JSON":         {"unsupported type", func(b *Bench) { b.Respond("greet_person", func() {}) }},
	} {
		t.Run(name, func(t *testing.T) {
			b := greetingBench(t, nil)
			requireComplaint(t, tc.want, func(t testing.TB) {
				b.T = t
				tc.call(b)
			})
		})
	}
}

func TestComparisonsFail(t *testing.T) {
	requireComplaint(t, "", func(t testing.TB) { Same(t, "x", 1, "1") })
	requireComplaint(t, "x is\n1\nwant\n2", func(t testing.TB) { Same(t, "x", 1, 2) })
	requireComplaint(t, "", func(t testing.TB) { Contains(t, "x", "abc", "b") })
	requireComplaint(t, `x is "abc"; it should contain "d"`, func(t testing.TB) { Contains(t, "x", "abc", "d") })
	requireComplaint(t, "invalid character", func(t testing.TB) { Decode(t, []byte("no"), new(int)) })
	Same(t, "a value as text", JSON(Args{"a": []int{1}}), `{"a":[1]}`)
}
