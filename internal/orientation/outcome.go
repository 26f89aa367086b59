package orientation

import "strings"

// Outcome judges a desired outcome. Every level refuses one that is governed by a
// problem-solving verb. Standard then asks for one of: a creative verb, a measure, a
// result noun, a stated end state. Strict asks for a verb of bringing into being. A text
// that is not English is only tried for its governing verb.
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
	if level == Lenient || !isEnglish(t) {
		return "", nil
	}
	if level == Strict {
		if usesVerb(t, making) {
			return "", nil
		}
		return RuleOutcomeVerb, nil
	}
	if usesVerb(t, creative) || hasMeasure(t) || hasResultNoun(t) || hasEndState(t) {
		return "", nil
	}
	return RuleOutcomeResult, nil
}

// OutcomeTitle judges the outcome of a chart that was an action step. Its words are the
// step's title, so only the governing verb is tried, as [Step] tries it: what Step
// accepts, OutcomeTitle accepts at every level.
func OutcomeTitle(written string, _ Level) *Finding {
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

// usesVerb reports whether a verb of the list is used as a verb, not as a noun: "Design
// a chair" and "we designed a chair", not "a podcast about design".
func usesVerb(t text, list verbs) bool {
	for _, s := range t.sentences {
		h := findHead(s)
		for i := range s {
			if s[i].mark || s[i].number {
				continue
			}
			if isVerbUse(s, i, h, list) {
				return true
			}
		}
	}
	return false
}

func isVerbUse(s sentence, i int, h head, list verbs) bool {
	w, before, next := s.word(i), s.word(i-1), s.word(i+1)
	if !list.stemIs(w, base|third|gerund|past) || problems.is(w, base|gerund) {
		return false
	}
	if i == h.at && (!s.ends(i+1) || h.modal || h.subject) {
		return !(vagueDegrees[next] && s.ends(i+2)) // "eat less", "get better"
	}
	switch {
	case list.stemIs(w, base) && asksForVerb(before, s, i):
		return true
	case list.stemIs(w, gerund) && (copulas[before] || before == "be" || determiners[next] || s.number(i+1)):
		return i > 0
	case list.stemIs(w, past) && !list.is(w, base):
		// "a published novel", "novel published": a participle with its noun.
		return next != "" || i > 0 && !determiners[before]
	}
	return false
}

var vagueDegrees = wordSet("better more less fewer healthier harder smarter faster")

// asksForVerb reports whether the word before i calls for a verb at i.
func asksForVerb(before string, s sentence, i int) bool {
	switch {
	case before == "to" || pronouns[before] || before == "that" || before == "which" || before == "not":
		return !s.ends(i + 1)
	case modals[before] && before != "may":
		return true
	case before == "and" || before == "or" || before == "then":
		// "Plan and host dinners": the first word of the pair is a verb when it leads.
		return i == 2 || determiners[s.word(i+1)] || s.number(i+1)
	case i > 0 && s[i-1].mark:
		return determiners[s.word(i+1)] || s.number(i+1)
	case isAdverb(before):
		return determiners[s.word(i+1)]
	}
	return false
}

func (s sentence) number(i int) bool { return i >= 0 && i < len(s) && s[i].number }

// hasMeasure reports whether the text counts something: "5 new clients", "€40k", "B2". Years,
// dates, clock times and the number in a name ("chapter 3") measure nothing.
func hasMeasure(t text) bool {
	if len(t.words()) < 2 {
		return false
	}
	for _, s := range t.sentences {
		for i := range s {
			w := s.word(i)
			if s[i].number && measures(s, i) {
				return true
			}
			if at := strings.IndexByte(w, '-'); at > 0 && numberWords[w[:at]] {
				return true
			}
			if numberWords[w] && w != "half" && s.word(i-1) != "by" && !isTimeUnit(s, i) || languageLevels[w] {
				return true
			}
		}
	}
	return false
}

// isTimeUnit reports that a number is only a deadline: "in two years".
func isTimeUnit(s sentence, i int) bool {
	before := s.word(i - 1)
	return (before == "in" || before == "within" || before == "next" || before == "for") && calendar[s.word(i+1)]
}

var languageLevels = wordSet("a1 a2 b1 b2 c1 c2")

// numberedNames are nouns whose number is a name.
var numberedNames = wordSet(`version chapter phase step part level act season episode volume windows python iphone stage section
	round sprint quarter week day month year grade module unit task no number item goal page web release room highway route`)

var months = wordSet(`january february march april may june july august september october november december
	jan feb mar apr jun jul aug sep sept oct nov dec`)

func measures(s sentence, i int) bool {
	w, before, next := s[i].word, s.word(i-1), s.word(i+1)
	switch {
	case isYear(w) && !moneyBefore(s, i):
		return false
	case months[before] || months[next] || strings.Count(w, "-") == 2:
		return false
	case hasSuffix(w, "st", "nd", "rd", "th") && w[len(w)-3] >= '0' && w[len(w)-3] <= '9':
		return false
	case numberedNames[before] || isTimeUnit(s, i):
		return false
	case before == "by" && (next == "" || next == "am" || next == "pm" || strings.HasSuffix(w, "am") || strings.HasSuffix(w, "pm")):
		return false
	}
	return true
}

func isYear(word string) bool {
	if len(word) != 4 {
		return false
	}
	for _, r := range word {
		if r < '0' || r > '9' {
			return false
		}
	}
	return word >= "1900" && word < "2200"
}

// moneyBefore reports whether what counts follows a four-digit number: "2000 readers".
func moneyBefore(s sentence, i int) bool {
	before, next := s.word(i-1), s.word(i+1)
	if before == "by" || before == "in" || before == "before" || before == "until" || before == "of" || before == "since" || months[before] {
		return false
	}
	return next != "" && !prepositions[next] && !calendar[next]
}

// resultNouns name something attained, whatever stands around them.
var resultNouns = wordSet(`mastery fluency proficiency expertise competence competency command ownership completion graduation
	certification accreditation admission sense citizenship residency membership licence license diploma degree doctorate phd mba
	profitability sustainability self-sufficiency independence solvency championship title medal award prize scholarship
	tenure promotion partnership belt literacy sovereignty serenity vitality virtuosity black-belt authorship readiness`)

// conditions name a result when something says which: "vibrant health", "peace of mind".
var conditions = wordSet(`peace calm health fitness wellbeing well-being confidence harmony balance freedom knowledge understanding
	strength marriage friendship friendships abundance reputation presence clarity stamina flexibility endurance posture`)

var comparatives = wordSet("better more less fewer greater higher lower bigger smaller faster nicer some")

func hasResultNoun(t text) bool {
	if len(t.words()) < 2 {
		return false
	}
	for _, s := range t.sentences {
		for i := range s {
			w, before := s.word(i), s.word(i-1)
			if resultNouns[w] {
				return true
			}
			if !conditions[w] || i > 0 && (prepositions[before] && before != "and") {
				continue
			}
			if described := before != "" && w != "peace" && !determiners[before] && !comparatives[before] && !adverbs[before] && before != "and"; described {
				return true
			}
			if w == "peace" && before == "inner" {
				return true
			}
			if next := s.word(i + 1); !comparatives[before] && (next == "of" || next == "with" || next == "between" || next == "in" || next == "from" || next == "to" || next == "on") {
				return true
			}
		}
	}
	return false
}
