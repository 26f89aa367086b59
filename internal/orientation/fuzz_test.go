package orientation

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzEveryRule holds for any text: no rule panics, every rule answers the same twice, and
// a finding is complete.
func FuzzEveryRule(f *testing.F) {
	for _, phrase := range everyPhrase(f) {
		f.Add(phrase)
	}
	for _, odd := range []string{"\xff fix \xfe", "1.", "1. ", "to", "I", "get rid of", "keep", "no", "'", "-", "“", "not", "l'", "re-", "I'd", "by", "make", "peace", "\u200d"} {
		f.Add(odd)
	}
	f.Fuzz(func(t *testing.T, text string) {
		judge := func() []*Finding {
			return []*Finding{
				CheckOutcome(text, Standard), CheckOutcome(text, Strict), CheckOutcome(text, Lenient), CheckOutcomeTitle(text),
				CheckStep(text), CheckReality(text), CheckLesson(text),
			}
		}
		first := judge()
		if diff := cmp.Diff(first, judge()); diff != "" {
			t.Fatalf("%q: two answers differ:\n%s", text, diff)
		}
		for _, finding := range first {
			if finding != nil && (finding.Rule == "" || finding.Message == "") {
				t.Fatalf("%q: incomplete finding %+v", text, finding)
			}
		}
		if first[4] == nil && first[3] != nil {
			t.Fatalf("%q is a good step, but refused as the outcome of its chart", text)
		}
		score, principles := ScoreAlignment(text, text, []string{text})
		if score < 0 || score > 10 || score > 2*len(principles) {
			t.Fatalf("%q: score %d with principles %q", text, score, principles)
		}
		FindFourDirections(text)
	})
}
