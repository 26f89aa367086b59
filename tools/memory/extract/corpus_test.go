package extract

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// labelled is a turn of the corpus with what should become of it.
type labelled struct {
	ID, Topic string
	Speaker   Speaker
	Text      string
	Before    []Turn
	Expected  []expectation
}

type expectation struct {
	Kind               Kind
	Text               string // the clause, or a part of it
	Explicit, Negative bool
	Date               string
}

// said is the time of every turn of the corpus, a Wednesday.
var wednesday = time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)

func corpus(t testing.TB, name string) (all []labelled) {
	t.Helper()
	file, err := os.Open("testdata/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var turn labelled
		if err := json.Unmarshal(lines.Bytes(), &turn); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		all = append(all, turn)
	}
	return all
}

func (l labelled) candidates() []Candidate {
	return From(Turn{Speaker: l.Speaker, Text: l.Text, At: wednesday}, l.Before)
}

// meets holds a candidate to a label: the same kind, polarity and day, and the text of one inside
// the other's.
func (e expectation) meets(c Candidate) bool {
	day := ""
	if !c.Due.IsZero() {
		day = c.Due.Format(time.DateOnly)
	}
	return c.Kind == e.Kind && c.Against == e.Negative && day == e.Date && (strings.Contains(c.Text, e.Text) || strings.Contains(e.Text, c.Text))
}

type measured struct{ right, wrong, missed, strength int }

func measure(t testing.TB, turns []labelled, tell bool) (m measured) {
	for _, turn := range turns {
		left := turn.Expected
		for _, c := range turn.candidates() {
			right := false
			for i, e := range left {
				if right = e.meets(c); right {
					m.right++
					if e.Explicit == c.Explicit {
						m.strength++
					} else if tell {
						t.Logf("%s strength: %q explicit %v", turn.ID, c.Text, c.Explicit)
					}
					left = append(append([]expectation{}, left[:i]...), left[i+1:]...)
					break
				}
			}
			if !right {
				m.wrong++
				if tell {
					t.Logf("%s wrong: %q: %+v", turn.ID, turn.Text, c)
				}
			}
		}
		m.missed += len(left)
		if tell {
			for _, e := range left {
				t.Logf("%s missed: %+v in %q", turn.ID, e, turn.Text)
			}
		}
	}
	return m
}

func (m measured) precision() float64 { return float64(m.right) / float64(m.right+m.wrong) }
func (m measured) recall() float64    { return float64(m.right) / float64(m.right+m.missed) }

func TestDev(t *testing.T) {
	m := measure(t, corpus(t, "development"), true)
	t.Logf("%+v precision %.3f recall %.3f", m, m.precision(), m.recall())
}
