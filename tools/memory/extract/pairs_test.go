package extract

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// pair is an earlier and a later saying of testdata/pairs.txt.
type pair struct {
	language, earlier, later string
	replaced                 bool // the later one takes the place of the earlier
	heldOut                  bool
}

func pairs(t *testing.T) (all []pair) {
	t.Helper()
	text, err := os.ReadFile("testdata/pairs.txt")
	if err != nil {
		t.Fatal(err)
	}
	language, seen := "", map[string]int{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			language = strings.Trim(line, "[]")
			continue
		}
		earlier, later, two := strings.Cut(line[2:], " | ")
		if !two {
			t.Fatalf("%q is no pair", line)
		}
		kind := language + line[:1]
		all = append(all, pair{language, earlier, later, line[0] == '+', seen[kind]%2 == 1})
		seen[kind]++
	}
	return all
}

// replaces reports whether anything of the earlier saying is superseded by the later one, and
// whether both said anything at all.
func (p pair) replaces() (replaced, heard bool) {
	var seen []Sighting
	for i, text := range []string{p.earlier, p.later} {
		at := wednesday.AddDate(0, 0, 7*i)
		found := From(Turn{Speaker: User, Text: text, At: at}, nil)
		for _, c := range found {
			seen = append(seen, Sighting{Candidate: c, Session: text, At: at})
		}
		if len(found) == 0 {
			return false, false
		}
	}
	for _, s := range Settle(seen) {
		replaced = replaced || s.SupersededBy >= 0 && s.Sightings[0].Session == p.earlier
	}
	return replaced, true
}

// A wrong supersession loses what holds, a missing one only leaves two things standing: the first
// is held to be rarer. Half of the pairs is held out, and only counted.
func TestALaterSayingTakesThePlaceOfAnEarlierOneOnTheSameSubjectAlone(t *testing.T) {
	type counts struct{ replaced, missed, kept, lost int }
	count := map[string]*counts{}
	all := pairs(t)
	for _, p := range all {
		half := "development"
		if p.heldOut {
			half = "held out"
		}
		replaced, heard := p.replaces()
		for _, name := range []string{half, half + ", " + p.language} {
			if count[name] == nil {
				count[name] = &counts{}
			}
			c := count[name]
			switch {
			case p.replaced && replaced:
				c.replaced++
			case p.replaced:
				c.missed++
			case replaced:
				c.lost++
			default:
				c.kept++
			}
		}
		if !p.heldOut && replaced != p.replaced {
			t.Logf("replaced is %v (both heard: %v): %q, %q", replaced, heard, p.earlier, p.later)
		}
	}
	var names []string
	for name := range count {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		c := count[name]
		t.Logf("%s: of %d replaced %d were found, of %d that both stand %d were lost", name, c.replaced+c.missed, c.replaced, c.kept+c.lost, c.lost)
	}
	for _, half := range []string{"development", "held out"} {
		if c := count[half]; c.lost*20 > c.kept+c.lost || c.replaced*10 < 8*(c.replaced+c.missed) {
			t.Errorf("%s: %+v", half, *c)
		}
	}
}
