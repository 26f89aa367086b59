package language

import (
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/internal/testenv"
)

// datePair is a turn and a question about the same days.
type datePair struct {
	turn, question    string
	said, asked       time.Time
	spokenOf, askedOf DateRange
}

func calendarLines(t *testing.T, file string) (list []string) {
	t.Helper()
	text := testenv.Read(t, "testdata/"+file)
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	return list
}

func dayAt(t *testing.T, text string) time.Time {
	t.Helper()
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return day
}

func rangeOf(t *testing.T, text string) DateRange {
	t.Helper()
	from, to, found := strings.Cut(text, "..")
	if !found {
		to = from
	}
	return DateRange{From: dayAt(t, from), To: dayAt(t, to)}
}

func datePairs(t *testing.T) (list []datePair) {
	t.Helper()
	for _, line := range calendarLines(t, "date_pairs.txt") {
		f := strings.Split(line, " | ")
		if len(f) != 5 {
			t.Fatalf("%d fields: %s", len(f), line)
		}
		p := datePair{said: dayAt(t, f[0]), turn: f[1], spokenOf: rangeOf(t, f[2]), askedOf: rangeOf(t, f[4])}
		question, asked, found := strings.Cut(f[3], " @")
		if p.question = question; found {
			p.asked = dayAt(t, asked)
		}
		list = append(list, p)
	}
	return list
}

// meets reports whether a turn speaks of what a question asks for.
func (p datePair) meets(turn datePair) bool {
	terms := CalendarTerms(turn.turn, turn.said)
	for _, a := range ParseDateQuestion(p.question, p.asked) {
		if slices.ContainsFunc(a.Spoken, func(term string) bool { return slices.Contains(terms, term) }) {
			return true
		}
	}
	return false
}

func (n DateRange) overlaps(other DateRange) bool {
	return !n.From.After(other.To) && !n.To.Before(other.From)
}

// Questions meet the turns that speak of the same days, and no others. A question
// for a week or a month of which a turn names one day is about that turn too.
func TestQuestionsMeetTheTurnsThatSpeakOfTheSameDays(t *testing.T) {
	list := datePairs(t)
	for half, name := range []string{"chosen on", "reported"} {
		met, wrong, all := 0, 0, 0
		for i, p := range list {
			if i%2 != half {
				continue
			}
			all++
			if p.meets(p) {
				met++
			} else {
				t.Logf("%s: %q does not meet %q", name, p.question, p.turn)
			}
			for j, other := range list {
				if j%2 == half && !p.askedOf.overlaps(other.spokenOf) && p.meets(other) {
					t.Logf("%s: %q meets %q, said on %s", name, p.question, other.turn, other.said.Format(time.DateOnly))
					wrong++
					break
				}
			}
		}
		t.Logf("%s: of %d questions %d meet their turn, %d a wrong one", name, all, met, wrong)
		if share := float64(met) / float64(all); share < 0.9 {
			t.Errorf("%s: %.3f of the questions meet their turn", name, share)
		}
		if share := float64(wrong) / float64(all); share > 0.05 {
			t.Errorf("%s: %.3f of the questions meet a wrong turn", name, share)
		}
	}
}

func TestWhatIsNoDayIsNotReadAsOne(t *testing.T) {
	for _, line := range calendarLines(t, "no_dates.txt") {
		for _, n := range FindDates(line, dayAt(t, "2023-05-08")) {
			t.Errorf("%q: read as %s to %s", line, n.From.Format(time.DateOnly), n.To.Format(time.DateOnly))
		}
	}
}

// A month that is another word too is asked for with what says so.
func TestAMonthThatIsAnotherWordNeedsMore(t *testing.T) {
	for question, want := range map[string]int{
		"Mars rover": 0, "Où est la planète Mars ?": 0, "¿Queda mayo en la nevera?": 0, "march rehearsal": 0, "What may happen?": 0,
		"Qu'est-ce qu'on a dit en mars ?": 3, "le 3 mars": 3, "mars 2023": 3, "¿Qué pasó en mayo?": 5, "el 3 de mayo": 5, "à la mi-août": 8, "fin août": 8,
		"le budget de septembre": 9,
	} {
		months := map[int]bool{}
		for _, n := range readDates(t.Context(), question, dateReader{reference: dayAt(t, "2023-11-08"), furthest: yearOfDays, asked: true}) {
			months[int(n.From.Month())] = true
		}
		if len(months) > 1 || len(months) == 1 && !months[want] || want > 0 && len(months) == 0 {
			t.Errorf("%q: read as %v", question, months)
		}
	}
}
