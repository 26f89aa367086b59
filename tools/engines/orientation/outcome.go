package orientation

// Outcome judges a desired outcome. Every level refuses one that is governed by a
// problem-solving verb. Standard takes any other that names what will exist or a state, and
// refuses what only names a process ("work on the website") or an empty wish ("be better").
// Strict asks for a verb of bringing into being. A text that is not English is only tried
// for its governing verb.
func Outcome(written string, level Level) *Finding {
	t := read(written)
	rule, p := judgeOutcome(t, level)
	switch rule {
	case RuleOutcomeProblem:
		return problemFinding(t, p, rule)
	case RuleOutcomeVerb:
		return &Finding{
			Rule: rule,
			Message: "The outcome does not say that something is brought into being. " +
				"Begin with a verb such as create, build, write, establish or launch, followed by the result you want to see.",
			Suggestions: frameNoun(t, level),
		}
	case RuleOutcomeResult:
		return &Finding{
			Rule: rule,
			Message: "The outcome does not say what will exist. Begin with a creative verb (create, build, write, learn …), " +
				"give it a number you can count, or state the end as if it were so: " +
				"not “Better health” but “I climb four flights of stairs without a pause”.",
			Suggestions: frameNoun(t, level),
		}
	}
	return nil
}

// judgeOutcome returns the rule that an outcome breaks, or "", and the governing problem
// when it is that.
func judgeOutcome(t text, level Level) (string, *problem) {
	if p := refusedProblem(t, true); p != nil {
		return RuleOutcomeProblem, p
	}
	switch {
	case level == Lenient || !isEnglish(t):
		return "", nil
	case level == Strict && !usesVerb(t, making):
		return RuleOutcomeVerb, nil
	case level == Standard && (namesProcess(t) || isEmptyWish(t)):
		return RuleOutcomeResult, nil
	}
	return "", nil
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
	return foreignProblem(t)
}

func problemFinding(t text, p *problem, rule string) *Finding {
	word := t.slice(p.sentence, p.from, p.to)
	what, example := "The outcome", examples[p.class]
	if rule == RuleStepProblem {
		what, example = "The step", stepExample
	}
	return &Finding{
		Rule: rule,
		Message: what + " is governed by “" + word + "”: it says what shall be gone or repaired, not what shall exist. " +
			"Say what you want in its place, as a result you can see: " + example + ".",
		Words:       []string{word},
		Suggestions: frameProblem(t, p, rule),
	}
}
