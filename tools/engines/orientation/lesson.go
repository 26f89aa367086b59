package orientation

import (
	"slices"
	"strings"
)

// Lesson judges a lesson of a narrative beat: it must have words, and not be one of the
// phrases that fit any story.
func Lesson(written string) *Finding {
	words := read(written).words()
	if len(words) == 0 {
		return &Finding{
			Rule:    RuleLessonEmpty,
			Message: "The lesson is empty. Leave it out of the list, or say what was learned.",
		}
	}
	if !slices.Contains(lists()["vague lessons"], bareLesson(words)) {
		return nil
	}
	said := strings.TrimSpace(written)
	return &Finding{
		Rule: RuleLessonVague,
		Message: "“" + said + "” could be said of anything. Say what happened and what follows from it, " +
			"so that somebody who was not there could use it: “Guests speak more freely when they have the questions a day before”.",
		Words: []string{said},
	}
}

// bareLesson removes openings ("we should"), fillers ("really") and "next time".
func bareLesson(tokens []token) string {
	var words []string
	for i, tok := range tokens {
		opening := len(words) == 0 && i < len(tokens)-1 && in("lesson openings", tok.word)
		if !opening && !in("lesson fillers", tok.word) {
			words = append(words, tok.word)
		}
	}
	phrase := strings.Join(words, " ")
	for _, ending := range lists()["lesson endings"] {
		phrase = strings.TrimSuffix(phrase, " "+ending)
	}
	return phrase
}
