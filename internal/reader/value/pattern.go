package value

import (
	"regexp"
	"sync"
)

// Pattern returns its regular expression, which it compiles when first asked: the readers
// of documents have dozens, and a program that reads none should not pay for them at start.
type Pattern func() *regexp.Regexp

// All keeps every pattern of the program, so that a test can compile them.
var All []Pattern

// New keeps an expression; one that is no regular expression panics on first use. It is
// for package variables.
func New(expression string) Pattern { return Made(func() string { return expression }) }

// Made is New for an expression that is made, of lists of words, when it is first used.
func Made(expression func() string) Pattern {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression()) })
	All = append(All, compiled)
	return compiled
}
