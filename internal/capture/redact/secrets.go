package redact

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/language"
)

// Secrets are the secrets that were taken out of a session, so that they go wherever
// else they stand in it: an assistant repeats them, and makes files of them. Of each
// only its length and the beginning of a salted hash are kept. Whoever has these can
// try out guesses; so what is short, or a short number, is not kept at all.
type Secrets struct {
	hashes  []secretHash
	changed bool
}

// secretHash is of one secret: salt, length and hash.
type secretHash [saltBytes + 1 + hashBytes]byte

const (
	saltBytes = 8
	hashBytes = 5
	// Bounds of a secret that is kept, in bytes; a number needs the second.
	minSecretLength, minNumberLength, maxSecretLength = 6, 8, 200
	// maxSecrets is how many are kept of a session. The oldest go first.
	maxSecrets = 32
	// minPrivateLetters is how many letters a word has that tells what was private.
	minPrivateLetters = 5
)

// Repeated is the kind of what was taken out elsewhere.
const Repeated = "repeated"

// ParseSecrets makes of what Bytes returned the secrets that it stands for.
func ParseSecrets(stored []byte) *Secrets {
	t := &Secrets{}
	t.Merge(stored)
	t.changed = false
	return t
}

// Merge takes those in that another reader of the session found.
func (t *Secrets) Merge(stored []byte) {
	for chunk := range slices.Chunk(stored, len(secretHash{})) {
		if len(chunk) == len(secretHash{}) && minSecretLength <= chunk[saltBytes] && chunk[saltBytes] <= maxSecretLength && !slices.Contains(t.hashes, secretHash(chunk)) {
			t.hashes = append(t.hashes, secretHash(chunk))
			t.changed = true
		}
	}
	t.hashes = t.hashes[max(0, len(t.hashes)-maxSecrets):]
}

// Encode is what may be stored; nil when nothing was told.
func (t *Secrets) Encode() (stored []byte) {
	for _, e := range t.hashes {
		stored = append(stored, e[:]...)
	}
	return stored
}

// HasChanged reports whether there are more of them since Known, or since they were saved.
func (t *Secrets) HasChanged() bool { return t.changed }

// MarkSaved notes that they are stored.
func (t *Secrets) MarkSaved() { t.changed = false }

// RemoveFrom returns a text without what was told before, or the empty one when the context has ended.
func (t *Secrets) RemoveFrom(ctx context.Context, whole string) string {
	x := newText(ctx, whole)
	clean, _ := x.redactSpans(t.findKnownSecrets(x))
	return clean
}

// addSecretHash keeps a secret that was found.
func (t *Secrets) addSecretHash(secret string) {
	secret = strings.ToValidUTF8(strings.TrimFunc(secret, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }), "")
	lower := lowerASCII(secret)
	if n := len(lower); n < minSecretLength || n > maxSecretLength || n < minNumberLength && strings.Trim(lower, digits+" -.") == "" || slices.Contains(words()["open"], lower) || isCommonWord(lower) {
		return
	}
	var e secretHash
	for _, known := range t.hashes {
		if int(known[saltBytes]) == len(lower) && known == hashSecret(known, lower) {
			return
		}
		e = known // one salt for all that one reader finds, so that a text is hashed once
	}
	if len(t.hashes) == 0 {
		rand.Read(e[:saltBytes]) //nolint:errcheck // it never fails
	}
	t.hashes = append(t.hashes, hashSecret(e, lower))
	t.hashes = t.hashes[max(0, len(t.hashes)-maxSecrets):]
	t.changed = true
}

// isCommonWord reports whether a secret is a word that everybody uses.
func isCommonWord(lower string) bool {
	return !strings.ContainsAny(lower, digits+" !$%&*+?@^~=§#_-/") && language.TermFrequency(language.Stem(lower), language.Unknown) > 0
}

// addPrivateWords keeps the names in capitals of what was marked as private, such as those of a
// project that nobody is to hear of, unless they stand elsewhere in the turn. Other words of it are
// words that everybody uses, however rare they are: they are no secrets by themselves.
func (t *Secrets) addPrivateWords(whole string, s span) {
	private := stripPrivateTags(whole[s.start:s.end])
	if strings.ToUpper(private) == private { // capitals say nothing where all are
		return
	}
	open := strings.ToLower(whole[:s.start] + " " + whole[s.end:])
	for _, word := range language.SurfaceWords(private) {
		if isNameInCapitals(word) && !strings.Contains(open, strings.ToLower(word)) {
			t.addSecretHash(word)
		}
	}
}

// isNameInCapitals reports whether a word is written in capitals and is none that everybody uses.
func isNameInCapitals(word string) bool {
	hasCase := strings.ToLower(word) != strings.ToUpper(word)
	return hasCase && strings.ToUpper(word) == word && len([]rune(word)) >= minPrivateLetters && language.TermFrequency(language.Stem(strings.ToLower(word)), language.Unknown) == 0
}

func stripPrivateTags(text string) string {
	for _, tag := range slices.Backward(privateTags.FindTags(text)) {
		text = text[:tag.Start] + " " + text[tag.End:]
	}
	return text
}

// hashSecret returns a secret with the salt of another.
func hashSecret(salted secretHash, lower string) secretHash {
	salted[saltBytes] = byte(len(lower))
	var text [saltBytes + maxSecretLength]byte
	copy(text[:], salted[:saltBytes])
	n := copy(text[saltBytes:], lower)
	sum := sha256.Sum256(text[:saltBytes+n])
	copy(salted[saltBytes+1:], sum[:])
	return salted
}

// findKnownSecrets finds what was told before.
func (t *Secrets) findKnownSecrets(x *text) (found []span) {
	heads, entries := map[[saltBytes + 1]byte]bool{}, map[secretHash]bool{}
	for _, e := range t.hashes {
		heads[[saltBytes + 1]byte(e[:])], entries[e] = true, true
	}
	if len(heads) == 0 {
		return nil
	}
	ends, starts := make([]bool, len(x.lower)+1), []int{}
	for at := range len(x.lower) {
		if x.isStoppedAfterSteps() {
			return nil
		}
		if ends[at+1] = !isLetterOrDigitAt(x.lower, at+1) && isSecretByte(x.lower[at]); isSecretByte(x.lower[at]) && (at == 0 || !isLetterOrDigitAt(x.lower, at-1)) {
			starts = append(starts, at)
		}
	}
	for head := range heads {
		length, salted, last := int(head[saltBytes]), secretHash{}, 0
		copy(salted[:], head[:])
		for _, at := range starts {
			if x.isStoppedAfterSteps() {
				return nil
			}
			if at < last || at+length > len(x.lower) || !ends[at+length] {
				continue
			}
			if entries[hashSecret(salted, x.lower[at:at+length])] {
				last = at + length
				found = append(found, span{at, last, Repeated})
			}
		}
	}
	sortSpans(found)
	return found
}

// isSecretByte reports whether a byte may begin or end a secret: a letter or a digit.
func isSecretByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c >= utf8.RuneSelf
}
