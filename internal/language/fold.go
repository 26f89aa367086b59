package language

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// foldedLetters are the small letters that no decomposition takes apart, as they are
// written where they are missing.
var foldedLetters = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ħ': "h", 'ı': "i", 'ς': "σ",
}

// Fold gives the form in which words are compared: [FoldText] without what is no letter,
// number or picture. Its characters stay apart (한 is ᄒ, ᅡ and ᆫ), as stored terms are.
func Fold(word string) string {
	if IsASCII(word) {
		return strings.ToLower(word) // the same string where it is lower case
	}
	return strings.Map(keepWordRune, fold(word, foldedLetters))
}

// FoldText writes a text as every search compares it: in small letters without marks,
// each in its common form (ﬁ, Ａ and ё are fi, a and е; ł is l and ß is ss).
func FoldText(text string) string {
	if IsASCII(text) {
		return strings.ToLower(text)
	}
	return norm.NFC.String(fold(text, foldedLetters))
}

func fold(text string, letters map[rune]string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(text) {
		r = unicode.ToLower(r)
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else if letter := letters[r]; letter != "" {
			b.WriteString(letter)
		} else if !unicode.Is(unicode.M, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func keepWordRune(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsNumber(r) || isPicture(r) {
		return r
	}
	return -1
}

// foldAsEarlierVersion returns a word as [Fold] wrote it in earlier versions, whose terms are stored;
// empty where there is no difference.
func foldAsEarlierVersion(written string) string {
	if IsASCII(written) {
		return ""
	}
	before := truncateWord(strings.Map(keepWordRune, fold(written, map[rune]string{'ß': "ss"})))
	if !strings.ContainsFunc(before, func(r rune) bool { return foldedLetters[r] != "" }) {
		return ""
	}
	return before
}

// IsASCII reports whether a text has no letters but those of ASCII.
func IsASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
