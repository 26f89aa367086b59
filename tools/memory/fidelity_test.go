package memory

import (
	"math"
	"testing"
)

// Design, compress_to_l2_insight: the share of white-space tokens that, lower
// case and stripped of . , ! ? ; : ", have more than three code points and are
// no stop word.
func TestFidelityIsTheShareOfWordsThatCarryContent(t *testing.T) {
	tests := map[string]struct {
		text string
		want float64
	}{
		"five of six, the documented example":      {"the machine learning algorithm processes data", 5.0 / 6},
		"one of one, the documented example":       {"algorithm", 1},
		"a blank text":                             {"", 0},
		"white space alone":                        {" \t\n ", 0},
		"three code points do not count":           {"tea is hot now", 0},
		"four code points count":                   {"teas", 1},
		"umlauts are one code point each":          {"über Öle Möhren", 1.0 / 3}, // "über" is a stop word, "öle" has three
		"English stop words of four and more":      {"this that with from have been", 0},
		"German stop words of four and more":       {"aber nicht eine wird sind oder", 0},
		"words that a question leaves out too":     {"because somebody really might, perhaps", 0},
		"a German text":                            {"Trotzdem werden einige Menschen dann obwohl sonst", 2.0 / 7},
		"upper case makes no difference":           {"THE MACHINE", 0.5},
		"punctuation around a word is stripped":    {`"data!", (done)`, 1}, // (done) has six characters
		"punctuation can make a word too short":    {`tea!! a:`, 0},
		"punctuation inside a word stays":          {"a.b.c x", 0.5},
		"tokens of punctuation count as tokens":    {"data -- !!", 1.0 / 3},
		"three of nine":                            {"we do it and then go to Lisbon tomorrow", 2.0 / 9},
		"any white space separates":                {"alpha\u00a0beta\ngamma", 1},
		"a word of another script is four or more": {"привет мир", 0.5},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := measureWordDensity(tc.text); got != tc.want {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

func TestALowDensityIsWarnedAboutInTheDocumentedWords(t *testing.T) {
	tests := []struct {
		score, threshold float64
		want             string
	}{
		{1.0 / 3, 0.5, "Low information density (0.33 < 0.5) - consider more detailed compression"},
		{0.5, 0.5, ""},
		{0.499, 0.5, "Low information density (0.50 < 0.5) - consider more detailed compression"},
		{0, 0.75, "Low information density (0.00 < 0.75) - consider more detailed compression"},
		{0, 0, ""},
	}
	for _, tc := range tests {
		if got := fidelityWarning(tc.score, tc.threshold); got != tc.want {
			t.Errorf("%v below %v gives %q, want %q", tc.score, tc.threshold, got, tc.want)
		}
	}
}

func TestProvenanceComparesAnInsightWithItsSources(t *testing.T) {
	ln := math.Log1p
	tests := map[string]struct {
		insight             string
		sources, background []string
		coverage            float64
		compression         float64
	}{
		"everything kept": {
			"release monday", []string{"release monday"}, []string{"release monday"}, 1, 1,
		},
		"one of two terms that are equally rare": {
			"release", []string{"release monday"}, []string{"release monday"}, 0.5, 7.0 / 14,
		},
		"the rare term weighs more": {
			// Of three texts, release is in all (ln 2), monday in one (ln 4).
			"monday", []string{"release monday"}, []string{"release monday", "release", "release"}, ln(3) / (ln(1) + ln(3)), 6.0 / 14,
		},
		"inflected forms are the same term": {
			"released mondays", []string{"release monday"}, nil, 1, 16.0 / 14,
		},
		"words of no source count in the length alone": {
			"release tuesday berlin tuesday", []string{"release monday"}, nil, 0.5, 30.0 / 14,
		},
		"stop words do not count": {
			"the release is on monday", []string{"release monday"}, nil, 1, 24.0 / 14,
		},
		"nothing kept": {
			"coffee", []string{"release monday"}, nil, 0, 6.0 / 14,
		},
		"several sources count together": {
			"release coffee", []string{"release monday", "coffee"}, []string{"release monday", "coffee"}, 2.0 / 3, 14.0 / 20,
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			coverage, compression, ok := measureProvenance(tc.insight, tc.sources, tc.background)
			if !ok {
				t.Fatal("the sources say nothing")
			}
			if math.Abs(coverage-tc.coverage) > 1e-12 || math.Abs(compression-tc.compression) > 1e-12 {
				t.Errorf("got %v, %v, want %v, %v", coverage, compression, tc.coverage, tc.compression)
			}
		})
	}
	if _, _, ok := measureProvenance("anything", []string{"", "and so it is"}, nil); ok {
		t.Error("sources without content are compared with")
	}
}

// manyWords are different words that no stemmer joins.
func manyWords(n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = "x" + string(rune('a'+i/26)) + string(rune('a'+i%26)) + "q"
	}
	return words
}
