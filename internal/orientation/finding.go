package orientation

import (
	"cmp"
	"fmt"
	"strings"
)

// Level is how much an outcome must show. The zero value is as [Standard].
type Level string

const (
	Lenient  Level = "lenient"  // refuses outcomes governed by a problem-solving verb
	Standard Level = "standard" // refuses also those that only name a process, and empty wishes
	Strict   Level = "strict"   // asks also for a verb of bringing something into being
)

// ParseLevel reads "strict", "standard" or "lenient" in any case. An empty text
// is [Standard], the default.
func ParseLevel(text string) (Level, error) {
	switch level := Level(strings.ToLower(strings.TrimSpace(text))); level {
	case Standard, Strict, Lenient, "":
		return cmp.Or(level, Standard), nil
	}
	return Standard, fmt.Errorf("unknown orientation level %q: choose strict, standard or lenient", text)
}

// The rules a [Finding] can name. They are stable: clients may branch on them.
const (
	RuleOutcomeProblem = "outcome.problem_solving"  // the governing verb is problem-solving
	RuleOutcomeResult  = "outcome.no_result"        // nothing says what will exist
	RuleOutcomeVerb    = "outcome.no_creative_verb" // strict only: no verb of bringing into being
	RuleReality        = "reality.not_factual"      // it speaks of readiness, wishes or the future
	RuleStepProblem    = "step.problem_solving"     // the governing verb is problem-solving
	RuleStepProcess    = "step.process"             // it names an activity instead of its result
	RuleLessonVague    = "lesson.vague"             // it has no words, or could be said of anything
)

// Finding says why a text was not accepted and what would be.
type Finding struct {
	Rule        string   // one of the Rule constants
	Message     string   // what is wrong and what to do about it
	Words       []string // the words of the text that decided, as they were written
	Suggestions []string // reframings that read well and that the rule accepts; often none
}
