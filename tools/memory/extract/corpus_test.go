package extract

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
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

// wednesday is the time of every turn of the corpus, a Wednesday.
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

// measure counts, and shows what went wrong unless the turns are held out: whoever reads those
// makes patterns for them.
func measure(t *testing.T, turns []labelled, show bool) (m measured) {
	for _, turn := range turns {
		left := slices.Clone(turn.Expected)
		for _, c := range turn.candidates() {
			i := slices.IndexFunc(left, func(e expectation) bool { return e.meets(c) })
			if i < 0 {
				m.wrong++
				if show {
					t.Logf("%s wrong: %+v", turn.ID, c)
				}
				continue
			}
			m.right++
			if left[i].Explicit == c.Explicit {
				m.strength++
			}
			left = slices.Delete(left, i, i+1)
		}
		m.missed += len(left)
		for _, e := range left {
			if show {
				t.Logf("%s missed: %+v", turn.ID, e)
			}
		}
	}
	return m
}

func (m measured) precision() float64 { return float64(m.right) / float64(m.right+m.wrong) }
func (m measured) recall() float64    { return float64(m.right) / float64(m.right+m.missed) }

// Precision comes before number: what is kept wrongly comes back as what somebody is said to
// have decided. The development turns are those that patterns were made with. Held out are turns
// written before there were patterns, and later ones, written when the patterns were done; all are
// by one hand, so that other people's talk may give less.
func TestWhatIsExtractedIsRight(t *testing.T) {
	for _, name := range []string{"development", "held-out", "held-out-late"} {
		t.Run(name, func(t *testing.T) {
			turns := corpus(t, name)
			m := measure(t, turns, name == "development")
			t.Logf("%d turns: precision %.3f, recall %.3f (%d right, %d wrong, %d missed; explicit or not told right for %d of those right)",
				len(turns), m.precision(), m.recall(), m.right, m.wrong, m.missed, m.strength)
			if m.precision() < leastPrecision || m.right == 0 {
				t.Errorf("precision is %.3f, less than %.1f", m.precision(), leastPrecision)
			}
		})
	}
}

const leastPrecision = .9
