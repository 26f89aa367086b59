package orientation

import "strings"

// actions are the verbs whose participle a reframing can name.
var actions = joined(creative, living, leading, problems, conjugate(`cut+:cut hang:hung lay:laid dig+:dug bind:bound spin+:spun
	lend:lent tell:told say:said think:thought babysit+:babysat catch:caught do:did,done`))

// reaching maps activities that are named by what they look for to what is there at their end.
var reaching = map[string]string{
	"looking": "found", "searching": "found", "hunting": "found", "reaching": "contacted", "talking": "interviewed",
	"speaking": "interviewed", "listening": "interviewed", "thinking": "decided", "applying": "applied for", "going": "visited", "negotiating": "agreed with",
}

// frameStep names the result of the activity: "Writing chapter one" gives "Chapter one
// written" and "Write chapter one".
func frameStep(t text, s sentence, from, to int) []string {
	at := to - 1
	if s.word(at) == "to" {
		at = to
	}
	if s.word(at+1) == "to" && actions.is(s.word(at+2), base) { // "learning to play"
		at += 2
	}
	end := phraseEnd(s, at+1)
	object := at + 1
	for prepositions[s.word(object)] && object+1 < end {
		object++
	}
	if object >= end || whenever(s, object) {
		activity := gerundFor(s.word(at))
		return keep(acceptsStep, []string{upperFirst(activity) + " complete", "First result of " + activity + " written down"})
	}
	thing := t.slice(s, object, end)
	frames := participleFrames(s.word(at), thing, object == at+1)
	if particle := s.word(at + 1); separable[particle] && object == at+2 {
		frames = []string{upperFirst(thing) + " " + actions[s.word(at)].participle + " " + particle}
	}
	if firstWord(thing) == "it" {
		return keep(acceptsStep, append(frames, "The result for “"+thing+"” described"))
	}
	return keep(acceptsStep, append(frames, upperFirst(thing)+" complete", "The result for “"+thing+"” described"))
}

// participleFrames let what the activity acts on have been acted on.
func participleFrames(activity, thing string, direct bool) []string {
	if reached := reaching[activity]; reached != "" && !direct {
		return []string{upperFirst(thing) + " " + reached}
	}
	action, known := actions[activity]
	switch {
	case !direct:
		return nil
	case known && (action.base == "get" || action.base == "make" && firstWord(thing) == "it"):
		return []string{upperFirst(action.base) + " " + thing}
	case known:
		return []string{upperFirst(thing) + " " + action.participle, upperFirst(action.base) + " " + thing}
	}
	stem, ok := strings.CutSuffix(activity, "ing")
	if !ok {
		return nil
	}
	return []string{upperFirst(thing) + " " + pastOf(stem)}
}

// gerundFor returns the form in -ing of an activity given in any form.
func gerundFor(activity string) string {
	if isGerund(activity) {
		return activity
	}
	name := actions[activity].base
	longest := ""
	for word, v := range actions {
		if v.base == name && v.forms&gerund != 0 {
			longest = max(longest, word) // "programming" before "programing"
		}
	}
	if longest == "" {
		return gerundOf(activity)
	}
	return longest
}

// whenever reports that what follows an activity says how often, not what.
func whenever(s sentence, i int) bool {
	w, next := s.word(i), s.word(i+1)
	return adverbs[w] || isAdverb(w) || notAdverbs[w] || (w == "every" || w == "each") && calendar[next] ||
		next == "times" || w == "every" && (next == "morning" || next == "evening" || next == "night") || w == "more" || w == "less"
}
