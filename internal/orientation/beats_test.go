package orientation

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAlignmentCountsPrinciplesAndWhatCarriesThem(t *testing.T) {
	for _, c := range []struct {
		name               string
		description, prose string
		lessons            []string
		score              int
		principles         []string
	}{
		{"nothing relational scores nothing", "Deployed version 2", "The build turned green.", []string{"Cache the index"}, 0, []string{}},
		{"empty texts score nothing", "", "", nil, 0, []string{}},
		{"one principle in one part is one point", "We listened", "The build turned green.", nil, 1, []string{"listening"}},
		{"a principle that two parts carry is two points", "We listened", "", []string{"Listening first changed the plan"}, 2, []string{"listening"}},
		{"three parts carry no further", "We listened", "She listens", []string{"Listening first"}, 2, []string{"listening"}},
		{"principles come in their fixed order", "The community thanked the elders", "", nil, 3,
			[]string{"kinship", "gratitude", "care for land and community"}},
		{"what is denied shows nothing", "Without respect for anybody", "They did not listen and never apologised.", nil, 0, []string{}},
		{"words are matched whole", "The landlord relisted an island", "Dutyfree waterproof thankless", nil, 0, []string{}},
		{"ten is the most", "We listened with respect, gave back, cared for the river, thanked our elders and apologised.",
			"They listened with respect, gave back, cared for the river, thanked our elders and apologised.", nil, 10,
			[]string{"respect", "reciprocity", "responsibility", "kinship", "gratitude", "listening", "accountability", "care for land and community"}},
	} {
		score, principles := ScoreAlignment(c.description, c.prose, c.lessons)
		if score != c.score {
			t.Errorf("%s: score %d, want %d (%q)", c.name, score, c.score, principles)
		}
		if diff := cmp.Diff(c.principles, principles); diff != "" {
			t.Errorf("%s: principles (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestFourDirectionsReturnTheFirstSentenceThatSpeaksOfEach(t *testing.T) {
	trimmed := func(s string) *string { return &s }
	for _, c := range []struct {
		name  string
		texts []string
		want  [4]*string
	}{
		{"silence in every direction", []string{"The build turned green.", ""}, [4]*string{}},
		{"one sentence for each", []string{
			"She imagined a town of gardens. She decided to plant one. Her hands trembled! Later she wondered why.",
		}, [4]*string{trimmed("She imagined a town of gardens."), trimmed("She decided to plant one."), trimmed("Her hands trembled!"), trimmed("Later she wondered why.")}},
		{"one sentence may speak of several", []string{"I felt my dream ask for a promise to begin"},
			[4]*string{trimmed("I felt my dream ask for a promise to begin"), trimmed("I felt my dream ask for a promise to begin"), trimmed("I felt my dream ask for a promise to begin"), nil}},
		{"earlier texts come first", []string{"We were proud.", "We wept."}, [4]*string{nil, nil, trimmed("We were proud."), nil}},
		{"words are matched whole", []string{"The loveseat was reflective, the visionary proudly aimless."}, [4]*string{}},
		{"what is denied is not said", []string{"There was no vision. Nobody felt it."}, [4]*string{}},
		{"a point ends no sentence after a title or in a number", []string{"Dr. Li wept at 1.5 million letters. She left."},
			[4]*string{nil, nil, trimmed("Dr. Li wept at 1.5 million letters."), nil}},
		{"a sentence is returned as written", []string{"Start.  “One day, we sail…” End."}, [4]*string{trimmed("“One day, we sail…”"), nil, nil, nil}},
	} {
		north, east, south, west := FindFourDirections(c.texts...)
		if diff := cmp.Diff(c.want, [4]*string{north, east, south, west}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
