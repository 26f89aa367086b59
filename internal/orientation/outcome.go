package orientation

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// CheckOutcome judges a desired outcome. Every level refuses one that is governed by a
// problem-solving verb. Standard takes any other that names what will exist or a state, and
// refuses what only names a process ("work on the website") or an empty wish ("be better").
// Strict asks for a verb of bringing into being, except of a text that is not English.
func CheckOutcome(written string, level Level) *Finding {
	t := splitText(written)
	if f := checkForProblem(t, RuleOutcomeProblem, true); f != nil {
		return f
	}
	s := t.sentences[0]
	switch {
	case level == Strict && !isForm("making", s.wordAt(findHead(s).at), base|gerund) && !isForeign(t):
		return &Finding{Rule: RuleOutcomeVerb, Message: "The outcome does not say that something is brought into being. " +
			"Begin with a verb such as create, build, write, establish or launch, followed by the result you want to see."}
	case level != Lenient && (namesEndlessActivity(s) || isEmptyWish(t.words())):
		return &Finding{Rule: RuleOutcomeResult, Message: "The outcome does not say what will exist. Begin with a creative verb (create, build, write, learn …), " +
			"give it a number you can count, or state the end as if it were so: " +
			"not “Better health” but “I climb four flights of stairs without a pause”."}
	}
	return nil
}

// CheckOutcomeTitle judges the outcome of a chart that was an action step: what [CheckStep] accepts,
// it accepts.
func CheckOutcomeTitle(written string) *Finding {
	return checkForProblem(splitText(written), RuleOutcomeProblem, false)
}

// isForeign reports whether a text has words of another language or script.
func isForeign(t text) bool {
	return slices.ContainsFunc(t.words(), func(tok token) bool {
		return isInList("foreign words", tok.word) || strings.ContainsFunc(tok.word, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) })
	})
}

// namesEndlessActivity reports whether a sentence is governed by an activity without an end: "work
// on the website", "keep improving the onboarding", "review the budget".
func namesEndlessActivity(s sentence) bool {
	next := s.wordAt(1)
	if isForm("continuing", s.wordAt(0), base|gerund) && (isGerund(next) || isInList("prepositions", next)) {
		return true
	}
	i := findHead(s).at
	return s.longestPhraseAt(i, "process phrases") > 0 || isForm("process verbs", s.wordAt(i), base|gerund) && isInList("determiners", s.wordAt(i+1))
}

// isEmptyWish reports whether no word of a text says what is wished for: "be better",
// "success", "a happier life". A comparison with one word is such a wish, too: "more money",
// and so is one with a trouble, wherever it is wished for: "less stress at work".
func isEmptyWish(words []token) bool {
	for len(words) > 0 && (isInList("pronouns", words[0].word) || isForm("desiring", words[0].word, base)) {
		words = words[1:]
	}
	if len(words) == 2 && (isInList("comparatives", words[0].word) || isInList("comparatives", words[1].word)) {
		return true
	}
	measured := slices.ContainsFunc(words, func(tok token) bool { return tok.number })
	if len(words) > 2 && isInList("comparatives", words[0].word) && isInList("troubles", words[1].word) && isInList("prepositions", words[2].word) && !measured {
		return true
	}
	return !slices.ContainsFunc(words, func(tok token) bool {
		return tok.number || !isEmptyWord(tok.word) && (len(words) > 1 || !creative.hasForm(tok.word, base))
	})
}

// checkForProblem returns the finding of a rule when a problem verb governs, in English or a
// language next to it. With passive, results of problem verbs ("Debt eliminated") govern too.
func checkForProblem(t text, rule string, passive bool) *Finding {
	s := t.sentences[0]
	h := findHead(s)
	var result *problem
	if passive {
		result = findPassiveProblem(s, h.at)
	}
	p := cmp.Or(findGoverningProblem(s, h), result, findForeignProblem(s))
	if p == nil {
		return nil
	}
	word := t.writtenBetween(s, p.from, p.to)
	f := &Finding{Rule: rule, Words: []string{word}}
	what, example := "The outcome", "not “Reduce load times” but “Every page opens within 1 second”"
	if rule == RuleStepProblem {
		what, example = "The step", "not “Fix the audio” but “Audio recorded in a quiet room”"
	} else if c := findOpposite(s, p); c != "" {
		f.Suggestions = []string{"Create " + c}
	}
	f.Message = what + " is governed by “" + word + "”: it says what shall be gone or repaired, not what shall exist. " +
		"Say what you want in its place, as a result you can see: " + example + "."
	return f
}

// findOpposite returns what a problem that is named in one word gives way to, or "". A longer
// phrase is about something else: noise in the training data is no noise.
func findOpposite(s sentence, p *problem) string {
	i := s.skipListed(p.objectStart, "determiners")
	if next := s.wordAt(i + 1); next != "" && next != "by" && p.objectStart+1 != p.from { // "Debt eliminated" has it behind
		return ""
	}
	return values()["counterparts"][s.wordAt(i)]
}
