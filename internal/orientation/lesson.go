package orientation

import "strings"

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
	var folded []string
	for _, tok := range words {
		folded = append(folded, tok.word)
	}
	if !vagueLessons[bareLesson(folded)] {
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

// vagueLessons is the stop list, without the openings and fillers that bareLesson removes.
var vagueLessons = phraseSet(`be better/do better/get better/better/be good/good/great/nice/fine/bad/ok/okay/cool/amazing/
	interesting/success/successful/failure/learned/learned something/learned things/learned stuff/learned many things/
	learned lots/learned a lot/learned lots of things/learned everything/a lot/many things/lots of things/try harder/
	work harder/improve/be careful/good experience/great experience/experience/good job/well done/went well/went good/went ok/
	went badly/was good/was great/was bad/was interesting/was fun/fun/lesson/lessons/lesson learned/lessons learned/none/nothing/n a/na/
	tbd/todo/yes/no/`)

func phraseSet(list string) map[string]bool {
	set := map[string]bool{}
	for phrase := range strings.SplitSeq(list, "/") {
		if words := strings.Fields(phrase); len(words) > 0 {
			set[strings.Join(words, " ")] = true
		}
	}
	return set
}

var lessonFillers = wordSet(`very really so much just always simply truly quite pretty extremely`)

var lessonOpenings = wordSet(`i we you they it that this have has had to need must should will would can could am is are want`)

// bareLesson removes openings ("we should"), fillers ("really") and "next time".
func bareLesson(words []string) string {
	for len(words) > 1 && lessonOpenings[words[0]] {
		words = words[1:]
	}
	var bare []string
	for _, word := range words {
		switch {
		case lessonFillers[word]:
			continue
		case word == "learnt":
			word = "learned"
		}
		bare = append(bare, word)
	}
	phrase := strings.Join(bare, " ")
	for _, ending := range []string{" next time", " in future", " in the future", " from now on", " today", " overall", " again"} {
		phrase = strings.TrimSuffix(phrase, ending)
	}
	return phrase
}
