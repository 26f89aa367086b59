package redact

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/language"
)

// Told are the secrets that were taken out of a session, so that they go wherever
// else they stand in it: an assistant repeats them, and makes files of them. Of each
// only its length and the beginning of a salted hash are kept. Whoever has these can
// try out guesses; so what is short, or a short number, is not kept at all.
type Told struct {
	entries []trace
	grew    bool
}

// trace is of one secret: salt, length and hash.
type trace [saltBytes + 1 + hashBytes]byte

const (
	saltBytes = 8
	hashBytes = 5
	// Bounds of a secret that is kept, in bytes; a number needs the second.
	leastTold, leastToldDigits, mostToldLength = 6, 8, 200
	// mostTold is how many are kept of a session. The oldest go first.
	mostTold = 32
	// leastPrivate is how many letters a word has that tells what was private.
	leastPrivate = 5
)

// Repeated is the kind of what was taken out elsewhere.
const Repeated = "repeated"

// Known makes of what Bytes returned the secrets that it stands for.
func Known(stored []byte) *Told {
	t := &Told{}
	t.Join(stored)
	t.grew = false
	return t
}

// Join takes those in that another reader of the session found.
func (t *Told) Join(stored []byte) {
	for chunk := range slices.Chunk(stored, len(trace{})) {
		if len(chunk) == len(trace{}) && leastTold <= chunk[saltBytes] && chunk[saltBytes] <= mostToldLength && !slices.Contains(t.entries, trace(chunk)) {
			t.entries = append(t.entries, trace(chunk))
			t.grew = true
		}
	}
	t.entries = t.entries[max(0, len(t.entries)-mostTold):]
}

// Bytes is what may be stored; nil when nothing was told.
func (t *Told) Bytes() (stored []byte) {
	for _, e := range t.entries {
		stored = append(stored, e[:]...)
	}
	return stored
}

// Grew reports whether there are more of them since Known.
func (t *Told) Grew() bool { return t.grew }

// Without is a text without what was told before, or the empty one when the context has ended.
func (t *Told) Without(ctx context.Context, whole string) string {
	x := newText(ctx, whole)
	clean, _ := x.without(t.repeated(x))
	return clean
}

// note keeps a secret that was found.
func (t *Told) note(secret string) {
	secret = strings.ToValidUTF8(strings.TrimFunc(secret, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }), "")
	lower := lowerASCII(secret)
	if n := len(lower); n < leastTold || n > mostToldLength || n < leastToldDigits && strings.Trim(lower, digits+" -.") == "" || slices.Contains(words()["open"], lower) || everyday(lower) {
		return
	}
	var e trace
	for _, known := range t.entries {
		if int(known[saltBytes]) == len(lower) && known == entry(known, lower) {
			return
		}
		e = known // one salt for all that one reader finds, so that a text is hashed once
	}
	if len(t.entries) == 0 {
		rand.Read(e[:saltBytes]) //nolint:errcheck // it never fails
	}
	t.entries = append(t.entries, entry(e, lower))
	t.entries = t.entries[max(0, len(t.entries)-mostTold):]
	t.grew = true
}

// everyday reports whether a secret is a word that everybody uses.
func everyday(lower string) bool {
	return !strings.ContainsAny(lower, digits+" !$%&*+?@^~=§#_-/") && language.Common(language.Stem(lower), language.Unknown) > 0
}

// notePrivate keeps the rare words of what was marked as private and stands nowhere
// else in the turn.
func (t *Told) notePrivate(whole string, s span) {
	open := strings.ToLower(whole[:s.start] + " " + whole[s.end:])
	for _, word := range language.Written(tagless(whole[s.start:s.end])) {
		if len([]rune(word)) >= leastPrivate && language.Common(language.Stem(strings.ToLower(word)), language.Unknown) == 0 && !strings.Contains(open, strings.ToLower(word)) {
			t.note(word)
		}
	}
}

func tagless(text string) string {
	for _, tag := range slices.Backward(marks.In(text)) {
		text = text[:tag.Start] + " " + text[tag.End:]
	}
	return text
}

// entry is a secret with the salt of another.
func entry(salted trace, lower string) trace {
	salted[saltBytes] = byte(len(lower))
	var text [saltBytes + mostToldLength]byte
	copy(text[:], salted[:saltBytes])
	n := copy(text[saltBytes:], lower)
	sum := sha256.Sum256(text[:saltBytes+n])
	copy(salted[saltBytes+1:], sum[:])
	return salted
}

// repeated finds what was told before.
func (t *Told) repeated(x *text) (found []span) {
	heads, entries := map[[saltBytes + 1]byte]bool{}, map[trace]bool{}
	for _, e := range t.entries {
		heads[[saltBytes + 1]byte(e[:])], entries[e] = true, true
	}
	if len(heads) == 0 {
		return nil
	}
	ends, starts := make([]bool, len(x.lower)+1), []int{}
	for at := range len(x.lower) {
		if x.stopsAfterSteps() {
			return nil
		}
		if ends[at+1] = !inWord(x.lower, at+1) && part(x.lower[at]); part(x.lower[at]) && (at == 0 || !inWord(x.lower, at-1)) {
			starts = append(starts, at)
		}
	}
	for head := range heads {
		length, salted, last := int(head[saltBytes]), trace{}, 0
		copy(salted[:], head[:])
		for _, at := range starts {
			if x.stopsAfterSteps() {
				return nil
			}
			if at < last || at+length > len(x.lower) || !ends[at+length] {
				continue
			}
			if entries[entry(salted, x.lower[at:at+length])] {
				last = at + length
				found = append(found, span{at, last, Repeated})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return found
}

// part reports whether a byte may begin or end a secret: a letter or a digit.
func part(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c >= utf8.RuneSelf
}
