// Package redact takes secrets out of a text before it is stored: keys and tokens
// of known services by the rules of gitleaks, private keys, passwords, card
// numbers, and whatever the user marked with <private>…</private>. What goes is
// replaced by [redacted: kind], so that a reader sees that something was there.
//
// The time is linear in the text. Rules look at a line at a time, and at parts of
// a very long one.
package redact

import (
	"cmp"
	"slices"
	"strings"
)

// Opening is how what stands in the place of a secret begins.
const Opening = "[redacted: "

// span is a part of a text that goes.
type span struct {
	start, end int
	kind       string
}

// finders look for kinds of secrets. What an earlier one found comes first where
// two overlap.
var finders = []func(t *text) []span{private, privateKeys, addresses, knownSecrets, passwords, tokens, numbers}

// text is what is looked through; lower has the same length.
type text struct{ whole, lower string }

// Text returns a text without its secrets, and how many of each kind were in it,
// nil when there was none.
func Text(whole string) (string, map[string]int) {
	t := &text{whole: whole, lower: lowerASCII(whole)}
	var found []span
	for _, find := range finders {
		found = append(found, find(t)...)
	}
	if len(found) == 0 {
		return whole, nil
	}
	slices.SortStableFunc(found, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	var kept strings.Builder
	kinds := map[string]int{}
	end := 0
	for _, s := range found {
		if s.end <= end {
			continue
		}
		if s.start < end { // two that overlap go as one
			end = s.end
			continue
		}
		kept.WriteString(whole[end:s.start])
		kept.WriteString(Opening + s.kind + "]")
		kinds[s.kind]++
		end = s.end
	}
	kept.WriteString(whole[end:])
	return kept.String(), kinds
}

// lowerASCII leaves every byte where it is.
func lowerASCII(s string) string {
	if !strings.ContainsFunc(s, func(c rune) bool { return 'A' <= c && c <= 'Z' }) {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
