// Package lazyregexp compiles regular expressions when they are first used. A hook is a process
// for each prompt; to compile at its start what few prompts need takes as long as to answer.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles an expression once and returns it. The expression must
// be valid.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
