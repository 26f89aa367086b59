// Package lazyregexp compiles regular expressions when they are first used. A hook is a process
// for each prompt, and readers of documents have dozens: to compile at its start what few need
// takes as long as to answer.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Pattern returns its regular expression, which it compiles when first asked.
type Pattern func() *regexp.Regexp

// All keeps every pattern of the program, so that a test can compile them.
var All []Pattern

// New keeps an expression; one that is no regular expression panics on first use. It is for
// package variables.
func New(expression string) Pattern {
	return NewFrom(func() string { return expression })
}

// NewFrom is New for an expression that is made, of lists of words, when it is first used.
func NewFrom(expression func() string) Pattern {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression()) })
	All = append(All, compiled)
	return compiled
}
