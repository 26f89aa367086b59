package orientation

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// A suggestion is made only where the text itself, or the table of counterparts,
// holds words that read well: an awkward one is worse than none. The message of
// a finding carries an example for every other case.

// examples show, for each class of problem verb, how such a wish is said as a result.
var examples = map[class]string{
	repairing:  "not “Fix the onboarding” but “Create an onboarding that new colleagues finish in one day”",
	ceasing:    "not “Stop smoking” but “I breathe freely and run 5 km on Sundays”",
	reducing:   "not “Reduce load times” but “Every page opens within 1 second”",
	removing:   "not “Get rid of clutter” but “Create a room where everything has its place”",
	preventing: "not “Prevent data loss” but “Every file is restored within 1 hour”",
}

// stepExample shows how a step that fights a problem is said as a result.
const stepExample = "not “Fix the audio” but “Audio recorded in a quiet room”"

// frameNoun makes an outcome of a text that only names a thing: "A podcast" is
// "Create a podcast". Only a phrase with its article is sure to name one.
func frameNoun(t text, level Level) []string {
	if len(t.sentences) == 0 {
		return nil
	}
	s := t.sentences[0]
	i := findHead(s).at
	if wanting.is(s.word(i), base|gerund) {
		i++
		if prepositions(s.word(i)) {
			i++
		}
	}
	article := s.word(i)
	if article != "a" && article != "an" || s.ends(i+1) {
		return nil
	}
	accepted := func(frame string) bool { return acceptsOutcome(frame, level) }
	return keep(accepted, []string{"Create " + article + " " + t.slice(s, i+1, phraseEnd(s, i))})
}

// wanting verbs lead to a thing without saying that it comes about: "work on a website".
var wanting = conjugate("wanting")

func acceptsOutcome(frame string, level Level) bool {
	rule, _ := judgeOutcome(read(frame), level)
	return rule == ""
}

func acceptsStep(frame string) bool {
	rule, _, _, _ := judgeStep(read(frame))
	return rule == ""
}

// frameProblem offers what the text itself wants to create, or else the counterpart of a
// problem that it names in one word.
func frameProblem(t text, p *problem, rule string) []string {
	if rule == RuleStepProblem {
		return keep(acceptsStep, laterResult(t, p, creative))
	}
	accepted := func(frame string) bool { return acceptsOutcome(frame, Strict) }
	if frames := keep(accepted, laterResult(t, p, making)); len(frames) > 0 || p.quote {
		return frames
	}
	if c := counterpart(p); c != "" {
		return keep(accepted, []string{"Create " + c})
	}
	return nil
}

// laterResult returns the part of the sentence that speaks of creating, when the problem is
// only its beginning: "Fix the login and build a dashboard".
func laterResult(t text, p *problem, list verbs) []string {
	s := p.sentence
	for i := p.to; i < len(s)-1; i++ {
		before := s.word(i - 1)
		if list.is(s.word(i), base) && (before == "and" || s[i-1].mark) && !s.ends(i+1) {
			return []string{upperFirst(t.slice(s, i, len(s)))}
		}
	}
	return nil
}

// frameStep names the result of an activity that is a verb with its object: "Writing
// chapter one" gives "Chapter one written" and "Write chapter one".
func frameStep(t text, s sentence, to int) []string {
	at := to - 1
	if s.word(at) == "to" {
		at = to
	}
	if s.word(at+1) == "to" && actions.is(s.word(at+2), base) { // "learning to play"
		at += 2
	}
	object, end := at+1, phraseEnd(s, at+1)
	preposition := prepositions(s.word(object))
	if preposition {
		object++
	}
	if w := s.word(object); object >= end || isAdverb(w) || frequencies(w) || comparatives(w) || pronouns(w) {
		return nil
	}
	thing, action := t.slice(s, object, end), actions()[s.word(at)]
	switch reached := reaching()[s.word(at)]; {
	case preposition && reached != "":
		return keep(acceptsStep, []string{upperFirst(thing) + " " + reached})
	case preposition || action.base == "":
		return nil
	}
	return keep(acceptsStep, []string{upperFirst(thing) + " " + action.participle, upperFirst(action.base) + " " + thing})
}

// actions are the verbs whose participle a reframing can name.
var actions = conjugate("making", "attaining", "living", "leading", "repairing", "stopping", "reducing", "removing", "preventing", "acting")

// reaching maps activities that are named by what they look for to what is there at their end.
var reaching = table("reaching")

// keep returns the frames that are accepted, without repeats.
func keep(accepted func(string) bool, frames []string) []string {
	var kept []string
	for _, frame := range frames {
		if !slices.Contains(kept, frame) && accepted(frame) {
			kept = append(kept, frame)
		}
	}
	return kept
}

// phraseEnd returns the index where what begins at i has been said: at a mark, or at a
// word that opens another thought.
func phraseEnd(s sentence, i int) int {
	j := i
	for ; j < len(s) && !s[j].mark; j++ {
		w := s.word(j)
		if j > i && (opensThought(w) || w == "by" && s.when(j+1) && s.word(j+1) != "the" ||
			(w == "and" || w == "to" && !isGerund(s.word(j-1))) && creative.is(s.word(j+1), base)) {
			break
		}
	}
	return j
}

var opensThought = wordSet("opens thought")

func upperFirst(phrase string) string {
	r, size := utf8.DecodeRuneInString(phrase)
	return string(unicode.ToUpper(r)) + phrase[size:]
}

var counterparts = table("counterparts")

// counterpart is what a problem that is named in one word gives way to, or "". A longer
// phrase is about something else: noise in the training data is no noise.
func counterpart(p *problem) string {
	s, i := p.sentence, p.object
	end := phraseEnd(s, i)
	if i < p.from { // passive: what is acted on stands before
		end = i + 1
	}
	for i < end && determiners(s.word(i)) {
		i++
	}
	if i+1 != end {
		return ""
	}
	return counterparts()[s.word(i)]
}
