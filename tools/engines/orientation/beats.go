package orientation

import (
	"slices"
	"strings"
	"sync"
)

// principles are the ways of being in relation, in the order in which [Alignment] names them.
var principles = []string{
	"respect", "reciprocity", "responsibility", "kinship", "gratitude", "listening", "accountability", "care for land and community",
}

// cuesOf holds, by principle and by direction, the words and phrases by which a story shows
// it. One that ends in * stands for every word that begins so.
var cuesOf = sync.OnceValue(func() map[string][][]string {
	all := map[string][][]string{}
	for _, name := range append([]string{"vision", "intention", "emotion", "introspection"}, principles...) {
		for cue := range strings.SplitSeq(strings.Join(lists()[name], " "), "|") {
			all[name] = append(all[name], strings.Fields(cue))
		}
	}
	return all
})

// Alignment scores how far the story of a beat is told in right relation, from 0 to 10, and
// names the principles it found, in a fixed order:
//
//   - one point for each of the eight principles that the description, the prose or the lessons show;
//   - one more point for each principle that two or three of these parts carry: it was
//     done and told, or told and learned;
//   - ten at most.
//
// A cue that is denied ("without respect", "did not listen") shows nothing. Words are matched whole, in any
// case. The principles are respect, reciprocity, responsibility, kinship, gratitude,
// listening, accountability, and care for land and community.
func Alignment(description, prose string, lessons []string) (score int, found []string) {
	parts := []text{read(description), read(prose), read(strings.Join(lessons, ".\n"))}
	found = []string{}
	for _, principle := range principles {
		carried := 0
		for _, part := range parts {
			if speaksOf(part, principle) != nil {
				carried++
			}
		}
		if carried > 0 {
			found = append(found, principle)
			score += min(carried, 2)
		}
	}
	return min(score, 10), found
}

// speaksOf returns the first sentence with a cue that is not denied, or nil. Words are
// whole: "well-respected" is another word.
func speaksOf(t text, name string) sentence {
	for _, s := range t.sentences {
		for i := range s {
			if !denied(s, i) && slices.ContainsFunc(cuesOf()[name], func(cue []string) bool {
				stem, open := strings.CutSuffix(cue[0], "*")
				return open && strings.HasPrefix(s.word(i), stem) || s.has(i, cue)
			}) {
				return s
			}
		}
	}
	return nil
}

// FourDirections returns, for each direction, the first sentence of the texts that speaks of
// it, as it was written, or nil: vision in the north, intention in the east,
// emotion in the south, introspection in the west. One sentence may speak of several. What
// is denied ("no vision") does not count.
func FourDirections(texts ...string) (north, east, south, west *string) {
	direction := func(name string) *string {
		for _, written := range texts {
			t := read(written)
			if s := speaksOf(t, name); s != nil {
				sentence := t.whole(s)
				return &sentence
			}
		}
		return nil
	}
	return direction("vision"), direction("intention"), direction("emotion"), direction("introspection")
}
