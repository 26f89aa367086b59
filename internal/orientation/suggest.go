package orientation

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// frameNoun turns a text that names no creating into outcomes that do: "A podcast" into
// "Create a podcast". Every frame satisfies the level that asked for it.
func frameNoun(t text, level Level) []string {
	accepted := func(frame string) bool { return acceptsOutcome(frame, level) }
	if len(t.sentences) == 0 {
		return []string{"Create the result that is wanted, named so that it can be seen"}
	}
	s := t.sentences[0]
	if frames := keep(accepted, nounFrames(t, s)); len(frames) > 0 {
		return frames
	}
	return []string{"Create the result that is wanted, named so that it can be seen"}
}

// nounFrames finds the thing that a sentence is about and lets verbs create it. A sentence
// about an occupation ("Go to the gym") holds no such thing: its result is asked for.
func nounFrames(t text, s sentence) []string {
	i := findHead(s).at
	if i >= len(s) {
		i = afterLabel(s)
	}
	if wanting.is(s.word(i), base|gerund|third) && i+1 < len(s) {
		for i++; prepositions[s.word(i)] && i+1 < len(s); i++ {
		}
	} else if occupation(s, i) {
		return []string{"Create the result that “" + lowerFirst(t, s, i, len(s)) + "” is for"}
	}
	if s.word(i) == "some" && i+1 < len(s) {
		i++
	}
	end := deadline(s, i)
	if comparatives[s.word(i)] && i+1 < end {
		frames := []string{"Establish " + lowerFirst(t, s, i+1, end) + " at a chosen number"}
		if c := counterpart(s, i, end); c != "" {
			return []string{"Create " + c}
		}
		return frames
	}
	thing := lowerFirst(t, s, i, end)
	return []string{"Create " + thing, "Build " + thing}
}

func acceptsOutcome(frame string, level Level) bool {
	rule, _ := judgeOutcome(read(frame), level)
	return rule == ""
}

func acceptsStep(frame string) bool {
	rule, _, _, _ := judgeStep(read(frame))
	return rule == ""
}

func acceptsReality(frame string) bool {
	_, _, _, found := findAspiration(read(frame))
	return !found
}

// wanting verbs lead to a thing without saying that it comes about: "work on the website".
var wanting = conjugate("want need wish like desire crave work plan+ consider think:thought dream do:did,done")

// occupations are verbs of keeping busy; what they act on is not what is wanted.
var occupations = joined(conjugate(`go:went,gone attend check use review discuss research explore examine look try manage
	handle focus get:got be have:had continue keep:kept`), creative, problems, troubled[repairing], troubled[reducing], troubled[removing])

// occupation reports whether the sentence from i on is led by a verb, known or told by the
// article or preposition after it.
func occupation(s sentence, i int) bool {
	w, next := s.word(i), s.word(i+1)
	if determiners[w] || prepositions[w] || comparatives[w] {
		return false
	}
	return occupations.is(w, base) && !s.ends(i+1) || determiners[next] || comparatives[next] || vagueDegrees[next] ||
		separable[next] || s.ends(i+1) && creative.is(w, base)
}

// separable particles follow verbs, hardly ever nouns.
var separable = wordSet("up out down away off together")

// deadline returns the index where the sentence from i on has been said, leaving out "by June".
func deadline(s sentence, i int) int {
	for j := i + 1; j < len(s); j++ {
		if s[j].mark || s.word(j) == "by" && (calendar[s.word(j+1)] && s.word(j+1) != "the" || s.number(j+1)) {
			return j
		}
	}
	return len(s)
}

// frameProblem turns what a problem verb acts on into what may stand in its place.
func frameProblem(t text, p *problem, rule string) []string {
	s := p.sentence
	end := phraseEnd(s, p.object)
	if p.object < p.from { // passive: what is acted on stands before
		for end = p.from; end > p.object && isAuxiliary(s.word(end-1)); end-- {
		}
	}
	object := lowerFirst(t, s, p.object, end)
	if rule == RuleStepProblem {
		return keep(acceptsStep, append(laterResult(t, p, creative), stepFrames(p, object, troubles[lastWord(s, p.object, end)])...))
	}
	accepted := func(frame string) bool { return acceptsOutcome(frame, Standard) && acceptsOutcome(frame, Strict) }
	frames := laterResult(t, p, making)
	if c := counterpart(s, p.object, end); c != "" {
		frames = append(frames, "Create "+c)
	}
	return keep(accepted, append(frames, outcomeFrames(p, object, troubles[lastWord(s, p.object, end)])...))
}

// isAuxiliary reports whether a word belongs to the form of a passive: "is finally".
func isAuxiliary(word string) bool {
	return copulas[word] || word == "be" || word == "been" || adverbs[word] || isAdverb(word)
}

// outcomeFrames put something in the place of what a problem verb acts on.
func outcomeFrames(p *problem, object string, trouble bool) []string {
	switch {
	case object == "":
		return []string{"Create what is wanted instead, named so that it can be seen"}
	case p.quote:
		return []string{"Create what is wanted in place of “" + object + "”"}
	case p.class == repairing && !trouble:
		return []string{"Establish " + object + " in a state that works every time", "Create " + object + " in the form that is wanted"}
	case p.class == stopping && isGerund(firstWord(object)):
		return []string{"Establish a daily routine in the place of " + object}
	case p.class == reducing:
		return []string{"Establish " + object + " at a chosen number"}
	case p.class == preventing:
		return []string{"Design a way of working that holds up against " + object}
	}
	return []string{"Create what is wanted in place of " + object, "Create what is wanted in place of “" + object + "”"}
}

// stepFrames name the result that a problem verb is meant to bring.
func stepFrames(p *problem, object string, trouble bool) []string {
	switch {
	case object == "":
		return []string{"The result that is wanted instead agreed"}
	case p.class == repairing && !trouble:
		return []string{upperFirst(object) + " in working order", "The way " + object + " should be described"}
	case p.class == reducing:
		return []string{upperFirst(object) + " at the level chosen", "The level chosen for " + object + " written down"}
	case p.class == preventing:
		return []string{"A safeguard for the case of " + object + " in place"}
	}
	return []string{"What takes the place of " + object + " chosen", "What takes the place of “" + object + "” chosen"}
}

// laterResult returns the part of the sentence that speaks of creating, when the problem is
// only its beginning: "Fix the login and build a dashboard".
func laterResult(t text, p *problem, list verbs) []string {
	s := p.sentence
	for i := p.to; i < len(s)-1; i++ {
		before := s.word(i - 1)
		if list.is(s.word(i), base) && (before == "and" || before == "to" || before == "then" || s[i-1].mark) && !s.ends(i+1) {
			return []string{upperFirst(t.slice(s, i, len(s)))}
		}
	}
	return nil
}

// keep returns the frames that are accepted, without repeats.
func keep(accepted func(string) bool, frames []string) []string {
	var kept []string
	for _, frame := range frames {
		if len(kept) < 2 && !slices.Contains(kept, frame) && accepted(frame) {
			kept = append(kept, frame)
		}
	}
	return kept
}

// phraseEnd returns the index where what begins at i has been said: at a mark, or at a
// word that opens another thought.
func phraseEnd(s sentence, i int) int {
	j := i
	for j < len(s) && !s[j].mark {
		w := s.word(j)
		if j > i && (w == "so" || w == "because" || w == "before" || w == "until" || w == "when" || w == "since" || w == "while" ||
			w == "but" || w == "then" || w == "once" || w == "forever" || w == "again") {
			break
		}
		if j > i && w == "by" && (calendar[s.word(j+1)] || s.number(j+1)) {
			break
		}
		if j > i && (w == "and" || w == "to") && creative.is(s.word(j+1), base) {
			break
		}
		j++
	}
	return j
}

func lastWord(s sentence, i, j int) string {
	for k := i; k < j; k++ {
		if prepositions[s.word(k)] && k > i {
			return s.word(k - 1)
		}
	}
	return s.word(j - 1)
}

func firstWord(phrase string) string {
	first, _, _ := strings.Cut(strings.ToLower(phrase), " ")
	return first
}

// lowerFirst returns what was written between two tokens, as it reads inside a sentence.
// Names, acronyms and "I" keep their capital.
func lowerFirst(t text, s sentence, i, j int) string {
	phrase := t.slice(s, i, j)
	if phrase == "" || !isEnglish(t) || i > 0 && !s[i-1].mark || s.word(i) == "i" || properAdjectives[s.word(i)] {
		return phrase
	}
	for k, r := range phrase {
		if k > 0 && unicode.IsUpper(r) {
			return phrase
		}
		if unicode.IsSpace(r) {
			break
		}
	}
	r, size := utf8.DecodeRuneInString(phrase)
	return string(unicode.ToLower(r)) + phrase[size:]
}

var properAdjectives = wordSet(`english spanish french german italian portuguese dutch chinese japanese arabic russian korean hindi
	latin greek turkish polish swedish african american asian european`)

func upperFirst(phrase string) string {
	r, size := utf8.DecodeRuneInString(phrase)
	if size == 0 || r == utf8.RuneError {
		return phrase
	}
	return string(unicode.ToUpper(r)) + phrase[size:]
}
