package orientation

import "slices"

// Outcome judges a desired outcome. Every level refuses one that is governed by a
// problem-solving verb. Standard takes any other that names what will exist or a state, and
// refuses what only names a process ("work on the website") or an empty wish ("be better").
// Strict asks for a verb of bringing into being, except of a text that is not English.
func Outcome(written string, level Level) *Finding {
	t := read(written)
	if p := refusedProblem(t, true); p != nil {
		return problemFinding(t, p, RuleOutcomeProblem)
	}
	switch {
	case level == Strict && !bringsAbout(t) && !isForeign(t):
		return &Finding{Rule: RuleOutcomeVerb, Message: "The outcome does not say that something is brought into being. " +
			"Begin with a verb such as create, build, write, establish or launch, followed by the result you want to see."}
	case level != Lenient && (namesProcess(t.first()) || isEmptyWish(t.words())):
		return &Finding{Rule: RuleOutcomeResult, Message: "The outcome does not say what will exist. Begin with a creative verb (create, build, write, learn …), " +
			"give it a number you can count, or state the end as if it were so: " +
			"not “Better health” but “I climb four flights of stairs without a pause”."}
	}
	return nil
}

// OutcomeTitle judges the outcome of a chart that was an action step. Its words are the
// step's title, so only the governing verb is tried, as [Step] tries it: what Step
// accepts, OutcomeTitle accepts.
func OutcomeTitle(written string) *Finding {
	t := read(written)
	if p := refusedProblem(t, false); p != nil {
		return problemFinding(t, p, RuleOutcomeProblem)
	}
	return nil
}

// refusedProblem finds the governing problem verb, in English or a language next to it.
func refusedProblem(t text, passive bool) *problem {
	if p := governingProblem(t, passive); p != nil {
		return p
	}
	return foreignProblem(t.first())
}

// bringsAbout reports whether a sentence is governed by a verb of making, or names its
// result: "a published novel".
func bringsAbout(t text) bool {
	return slices.ContainsFunc(t.sentences, func(s sentence) bool {
		return isForm("making", s.word(findHead(s).at), base|gerund) || s.later(0, func(i int) bool { return isForm("making", s.word(i), past) })
	})
}

// examples show, for each class of problem verb, how such a wish is said as a result.
var examples = map[string]string{
	"repairing":  "not “Fix the onboarding” but “Create an onboarding that new colleagues finish in one day”",
	"stopping":   "not “Stop smoking” but “I breathe freely and run 5 km on Sundays”",
	"reducing":   "not “Reduce load times” but “Every page opens within 1 second”",
	"removing":   "not “Get rid of clutter” but “Create a room where everything has its place”",
	"preventing": "not “Prevent data loss” but “Every file is restored within 1 hour”",
}

// stepExample shows how a step that fights a problem is said as a result.
const stepExample = "not “Fix the audio” but “Audio recorded in a quiet room”"

func problemFinding(t text, p *problem, rule string) *Finding {
	word := t.slice(p.sentence, p.from, p.to)
	f := &Finding{Rule: rule, Words: []string{word}}
	what, example := "The outcome", examples[p.class]
	if rule == RuleStepProblem {
		what, example = "The step", stepExample
	} else if c := counterpart(p); c != "" {
		f.Suggestions = []string{"Create " + c}
	}
	f.Message = what + " is governed by “" + word + "”: it says what shall be gone or repaired, not what shall exist. " +
		"Say what you want in its place, as a result you can see: " + example + "."
	return f
}

// counterpart is what a problem that is named in one word gives way to, or "". A longer
// phrase is about something else: noise in the training data is no noise.
func counterpart(p *problem) string {
	s, i := p.sentence, p.object
	passive := i+1 == p.from
	i = s.after(i, "determiners")
	next := s.word(i + 1)
	onward := (next == "and" || next == "to") && creative.is(s.word(i+2), base)
	if passive || next == "" || next == "by" || onward {
		return values()["counterparts"][s.word(i)]
	}
	return ""
}
