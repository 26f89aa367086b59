package orientation

import (
	"slices"
	"strings"
)

// principles are the ways of being in relation, in the order in which [Alignment] names them.
var principles = []string{
	"respect", "reciprocity", "responsibility", "kinship", "gratitude", "listening", "accountability", "care for land and community",
}

// ScoreAlignment scores how far the story of a beat is told in right relation, from 0 to 10, and
// names the principles it found, in a fixed order. Each of the eight counts a point when the
// description, the prose or the lessons show it, and one more when two of these parts do: it
// was done and told, or told and learned. A cue that is denied ("without respect") shows nothing.
func ScoreAlignment(description, prose string, lessons []string) (score int, found []string) {
	parts := []text{splitText(description), splitText(prose), splitText(strings.Join(lessons, ".\n"))}
	found = []string{}
	for _, principle := range principles {
		carried := 0
		for _, part := range parts {
			if findSentence(part, principle) != nil {
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

// findSentence returns the first sentence with a cue of a list that is not denied, or nil.
func findSentence(t text, list string) sentence {
	for _, s := range t.sentences {
		for i := range s {
			if !isDenied(s, i) && s.longestPhraseAt(i, list) > 0 {
				return s
			}
		}
	}
	return nil
}

// FindFourDirections returns the first sentence of the texts that speaks of vision (north),
// intention (east), emotion (south) and introspection (west), as it was written, or nil.
func FindFourDirections(texts ...string) (north, east, south, west *string) {
	direction := func(list string) *string {
		for _, written := range texts {
			t := splitText(written)
			if s := findSentence(t, list); s != nil {
				sentence := t.writtenSentence(s)
				return &sentence
			}
		}
		return nil
	}
	return direction("vision"), direction("intention"), direction("emotion"), direction("introspection")
}

// CheckLesson judges a lesson of a narrative beat: it must have words, and not be one of the
// phrases that fit any story.
func CheckLesson(written string) *Finding {
	var words []string
	for _, tok := range splitText(written).words() {
		if !isInList("lesson fillers", tok.word) {
			words = append(words, tok.word)
		}
	}
	if phrase := strings.Join(words, " "); phrase != "" && !slices.Contains(lists()["vague lessons"], phrase) {
		return nil
	}
	trimmed := strings.TrimSpace(written)
	return &Finding{
		Rule: RuleLessonVague,
		Message: "“" + trimmed + "” could be said of anything. Say what happened and what follows from it, " +
			"so that somebody who was not there could use it: “Guests speak more freely when they have the questions a day before”.",
		Words: []string{trimmed},
	}
}
