package graph

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"unicode/utf8"

	"toolkit/internal/language"
)

// minMisspeltLength is the length in characters from which a name may be another with one wrong letter.
const minMisspeltLength = 5

// A nameSummary tells of most names, without reading them, that they are not similar to another.
type nameSummary struct {
	pieces      uint64 // the mask of its pieces
	letterHash  uint64 // of its letters, as appendNameLetters has them
	letterCount int32  // in characters
	hasDigits   bool
}

var letterSeed = maphash.MakeSeed()

func newNameSummary(name []byte) nameSummary {
	letters := appendNameLetters(nil, name)
	return nameSummary{
		pieces:      language.PiecesOf(string(name)).Mask(),
		letterHash:  maphash.Bytes(letterSeed, letters),
		letterCount: int32(utf8.RuneCount(letters)),
		hasDigits:   bytes.ContainsAny(letters, digits),
	}
}

const digits = "0123456789"

// maskSimilarity is the likeness of two names as their masks tell it, which read no text.
func maskSimilarity(a, b uint64) float64 {
	return 2 * float64(bits.OnesCount64(a&b)) / float64(bits.OnesCount64(a)+bits.OnesCount64(b))
}

// A nearName is a name beside which nearly the same ones are sought.
type nearName struct {
	letters       []byte // as appendNameLetters has them
	summary       nameSummary
	allowsOneEdit bool // another with one wrong letter is near
	other         []byte
}

func newNearName(name string) nearName {
	summary := newNameSummary([]byte(name))
	return nearName{
		letters: appendNameLetters(nil, []byte(name)), summary: summary,
		allowsOneEdit: summary.letterCount >= minMisspeltLength && !summary.hasDigits,
	}
}

// mayBeNear reports by its summary whether a name may be near.
func (n *nearName) mayBeNear(other *nameSummary) bool {
	if other.letterHash == n.summary.letterHash && other.letterCount == n.summary.letterCount {
		return true
	}
	difference := other.letterCount - n.summary.letterCount
	return n.allowsOneEdit && !other.hasDigits && -1 <= difference && difference <= 1 &&
		maskSimilarity(n.summary.pieces, other.pieces) >= minNameSimilarity
}

// isNear reports whether a name has the same letters, or all but one.
func (n *nearName) isNear(other []byte) bool {
	n.other = appendNameLetters(n.other[:0], other)
	return bytes.Equal(n.other, n.letters) ||
		n.allowsOneEdit && !bytes.ContainsAny(n.other, digits) && language.WithinOneEdit(string(n.other), string(n.letters))
}

// appendNameLetters appends the letters and digits of a name, folded, and the signs that make
// C++ and C# other names than C.
func appendNameLetters(letters, name []byte) []byte {
	start := len(letters)
	for _, c := range name {
		switch {
		case c >= utf8.RuneSelf:
			return append(letters[:start], language.Fold(string(name))...)
		case 'A' <= c && c <= 'Z':
			letters = append(letters, c-'A'+'a')
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '+', c == '#':
			letters = append(letters, c)
		}
	}
	return letters
}
