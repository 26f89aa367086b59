// Package pattern holds regular expressions that are compiled on first use: the readers of
// documents have dozens, and a program that reads none should not pay for them at start.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression compiled when first used.
type Pattern struct {
	expression string
	compiled   func() *regexp.Regexp
}

// all keeps every pattern, so that a test can compile them.
var all []*Pattern

// New keeps an expression; one that is no regular expression panics on first use. It is
// for package variables.
func New(expression string) *Pattern {
	pattern := &Pattern{expression: expression}
	pattern.compiled = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern.expression) })
	all = append(all, pattern)
	return pattern
}

// All returns the patterns of the program.
func All() []*Pattern { return all }

// MatchString tells whether the text contains a match.
func (pattern *Pattern) MatchString(text string) bool { return pattern.compiled().MatchString(text) }

// FindString returns the first match, "" when there is none.
func (pattern *Pattern) FindString(text string) string { return pattern.compiled().FindString(text) }

// FindStringIndex returns the place of the first match, nil when there is none.
func (pattern *Pattern) FindStringIndex(text string) []int {
	return pattern.compiled().FindStringIndex(text)
}

// FindStringSubmatch returns the first match and its groups, nil when there is none.
func (pattern *Pattern) FindStringSubmatch(text string) []string {
	return pattern.compiled().FindStringSubmatch(text)
}

// FindAllString returns up to limit matches, all when it is negative.
func (pattern *Pattern) FindAllString(text string, limit int) []string {
	return pattern.compiled().FindAllString(text, limit)
}

// FindAllStringIndex returns the places of up to limit matches.
func (pattern *Pattern) FindAllStringIndex(text string, limit int) [][]int {
	return pattern.compiled().FindAllStringIndex(text, limit)
}

// FindAllStringSubmatch returns up to limit matches with their groups.
func (pattern *Pattern) FindAllStringSubmatch(text string, limit int) [][]string {
	return pattern.compiled().FindAllStringSubmatch(text, limit)
}

// ReplaceAllString replaces every match.
func (pattern *Pattern) ReplaceAllString(text, by string) string {
	return pattern.compiled().ReplaceAllString(text, by)
}

// Expression is the pattern as written.
func (pattern *Pattern) Expression() string { return pattern.expression }
