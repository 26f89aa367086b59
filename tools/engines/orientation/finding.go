package orientation

import (
	"fmt"
	"slices"
	"strings"
)

// Level is how much an outcome must show. The zero value is [Standard].
type Level int

const (
	// Standard refuses outcomes governed by a problem-solving verb, those that only
	// name a process, and empty wishes.
	Standard Level = iota
	// Strict refuses the same, and asks of the others a verb of bringing
	// something into being: create, build, manifest and their like.
	Strict
	// Lenient only refuses outcomes governed by a problem-solving verb.
	Lenient
)

var levelNames = []string{Standard: "standard", Strict: "strict", Lenient: "lenient"}

// ParseLevel reads "strict", "standard" or "lenient" in any case. An empty text
// is [Standard], the default.
func ParseLevel(text string) (Level, error) {
	name := strings.ToLower(strings.TrimSpace(text))
	if at := slices.Index(levelNames, name); at >= 0 || name == "" {
		return Level(max(at, 0)), nil
	}
	return Standard, fmt.Errorf("unknown orientation level %q: choose strict, standard or lenient", text)
}

// String returns the name that [ParseLevel] reads.
func (l Level) String() string { return levelNames[l] }

// The rules a [Finding] can name. They are stable: clients may branch on them.
const (
	// RuleOutcomeProblem: the governing verb of the outcome is problem-solving.
	RuleOutcomeProblem = "outcome.problem_solving"
	// RuleOutcomeResult: nothing in the outcome says what will exist.
	RuleOutcomeResult = "outcome.no_result"
	// RuleOutcomeVerb: strict only, no verb of bringing into being.
	RuleOutcomeVerb = "outcome.no_creative_verb"
	// RuleReality: the reality speaks of readiness, wishes or the future.
	RuleReality = "reality.not_factual"
	// RuleStepProblem: the governing verb of the step is problem-solving.
	RuleStepProblem = "step.problem_solving"
	// RuleStepProcess: the step names an activity instead of its result.
	RuleStepProcess = "step.process"
	// RuleLessonEmpty: the lesson has no words.
	RuleLessonEmpty = "lesson.empty"
	// RuleLessonVague: the lesson could be said of anything.
	RuleLessonVague = "lesson.vague"
)

// Finding says why a text was not accepted and what would be.
type Finding struct {
	// Rule is one of the Rule constants.
	Rule string
	// Message says what is wrong and what to do about it.
	Message string
	// Words are the words of the text that decided, as they were written.
	Words []string
	// Suggestions are reframings that read well and that the rule accepts; often none,
	// then the message has an example.
	Suggestions []string
}
