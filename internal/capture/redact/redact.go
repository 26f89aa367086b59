// Package redact takes secrets out of a text before it is stored: keys and tokens
// of known services by the rules of gitleaks, private keys, passwords, card
// numbers, and whatever the user marked with <private>…</private>. What goes is
// replaced by [redacted: kind], so that a reader sees that something was there.
//
// The time is linear in the text. Rules look at a line at a time, and at parts of
// a very long one. All ends soon after its context, and gives nothing back then: a
// text that was not looked through must not be stored.
package redact

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// PlaceholderPrefix is how what stands in the place of a secret begins.
const PlaceholderPrefix = "[redacted: "

// Kinds of numbers that are known by their check digits. Documents hold them openly.
const KindAccount, KindCard = "bank account", "card number"

// span is a part of a text that goes.
type span struct {
	start, end int
	kind       string
}

// finders look for kinds of secrets. What an earlier one found comes first where
// two overlap.
var finders = []func(t *text) []span{findPrivateBlocks, findPrivateKeys, findSecretsByRules, findMnemonics, findNamedSecrets, findSecretsInTables, findLoginPasswords, findCardsAndAccounts}

// text is what is looked through, as fold writes it; lower has the same length.
type text struct {
	original     string
	whole, lower string
	places       []int // of whole in the original; see fold
	ctx          context.Context
	keywords     map[string][]int  // of rules, with their places in it; see findKeywords
	names        []secretName      // in it; see findSecretNames
	listed       map[int]listEntry // of passwords, by where they begin
	steps        int               // of little work
	ended        bool              // nobody waits for the result
}

func newText(ctx context.Context, whole string) *text {
	folded, places := normalizeCharacters(whole)
	return &text{ctx: ctx, original: whole, whole: folded, places: places, lower: lowerASCII(folded), listed: map[int]listEntry{}}
}

// isStopped tells whether to look no further. It is asked before each piece of work of
// some milliseconds at most.
func (t *text) isStopped() bool {
	t.ended = t.ended || t.ctx.Err() != nil
	return t.ended
}

// stepsAtOnce is how much little work is done until it is asked who waits.
const stepsAtOnce = 1024

// isStoppedAfterSteps is [text.isStopped], asked once in a while.
func (t *text) isStoppedAfterSteps() bool {
	t.steps++
	return t.ended || t.steps%stepsAtOnce == 0 && t.isStopped()
}

// Text returns a text without its secrets, and how many of each kind were in it,
// nil when there was none; the empty text when the context has ended.
func Text(ctx context.Context, whole string) (string, map[string]int) {
	t := newText(ctx, whole)
	return t.redactSpans(t.findSecrets())
}

// TextExcept is [Text] that leaves some kinds in.
func TextExcept(ctx context.Context, whole string, kinds ...string) (string, map[string]int) {
	t := newText(ctx, whole)
	found := slices.DeleteFunc(t.findSecrets(), func(s span) bool { return slices.Contains(kinds, s.kind) })
	return t.redactSpans(found)
}

// RedactText is likewise, without what was told before, too, and notes what is told in it.
// bare is the text with that.
func (t *Secrets) RedactText(ctx context.Context, whole string) (clean, locallyRedacted string, kinds map[string]int) {
	said := newText(ctx, whole)
	found := said.findSecrets()
	locallyRedacted, kinds = said.redactSpans(found)
	for _, s := range found {
		if s.kind == privateKind {
			t.addPrivateWords(said.whole, s)
		} else {
			t.addSecretHash(said.whole[s.start:s.end])
		}
	}
	if len(t.hashes) == 0 {
		return locallyRedacted, locallyRedacted, kinds
	}
	left := newText(ctx, locallyRedacted)
	clean, more := left.redactSpans(t.findKnownSecrets(left))
	if more != nil && kinds == nil {
		kinds = map[string]int{}
	}
	for kind, n := range more {
		kinds[kind] += n
	}
	return clean, locallyRedacted, kinds
}

func (t *text) findSecrets() (found []span) {
	for _, find := range finders {
		if t.isStopped() {
			return nil
		}
		found = append(found, find(t)...)
	}
	sortSpans(found)
	return found
}

func sortSpans(found []span) {
	slices.SortStableFunc(found, func(a, b span) int { return cmp.Compare(a.start, b.start) })
}

// redactSpans is the text without what was found in it, in order.
func (t *text) redactSpans(found []span) (string, map[string]int) {
	if t.isStopped() {
		return "", nil
	}
	if len(found) == 0 {
		return t.original, nil
	}
	var kept strings.Builder
	kinds := map[string]int{}
	end := 0
	for _, s := range found {
		s = t.originalSpan(s)
		if s.end <= end {
			continue
		}
		if s.start < end { // two that overlap go as one
			end = s.end
			continue
		}
		kept.WriteString(t.original[end:s.start])
		kept.WriteString(PlaceholderPrefix + s.kind + "]")
		kinds[s.kind]++
		end = s.end
	}
	kept.WriteString(t.original[end:])
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
