package value

import (
	"regexp"
	"sync"
)

// Pattern returns its regular expression, which it compiles when first asked: the readers
// of documents have dozens, and a program that reads none should not pay for them at start.
type Pattern func() *regexp.Regexp

// AllPatterns keeps every pattern of the program, so that a test can compile them.
var AllPatterns []Pattern

// NewPattern keeps an expression; one that is no regular expression panics on first use. It is
// for package variables.
func NewPattern(expression string) Pattern {
	return NewPatternFrom(func() string { return expression })
}

// NewPatternFrom is NewPattern for an expression that is made, of lists of words, when it is first used.
func NewPatternFrom(expression func() string) Pattern {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression()) })
	AllPatterns = append(AllPatterns, compiled)
	return compiled
}
