// Package pattern holds regular expressions that are compiled on first use: the readers of
// documents have dozens, and a program that reads none should not pay for them at start.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern returns its regular expression, which it compiles when first asked.
type Pattern func() *regexp.Regexp

// all keeps every pattern, so that a test can compile them.
var all []Pattern

// New keeps an expression; one that is no regular expression panics on first use. It is
// for package variables.
func New(expression string) Pattern { return Made(func() string { return expression }) }

// Made is New for an expression that is made, of lists of words, when it is first used.
func Made(expression func() string) Pattern {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression()) })
	all = append(all, compiled)
	return compiled
}

// All returns the patterns of the program.
func All() []Pattern { return all }
