package language

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/lazyregexp"
)

// Mention is a word of content in a text.
type Mention struct {
	Word string // folded
	// Particular says that the word is a name or a number: what no other word
	// can stand for.
	Particular bool
}

// ContentWords gives the words of content of a text, each once, in order. Small
// numbers count as such whether they are spelt or written in digits. A name is
// known by a capital letter inside a sentence, so that there are none in German,
// which writes every noun so.
func ContentWords(text string) []Mention {
	text = groupedNumber().ReplaceAllStringFunc(text, removeSeparators)
	lang := DetectLanguage(SurfaceWords(text))
	var list []Mention
	s, end := scanner{text: text}, 0
	for chunk := s.next(); chunk != ""; chunk = s.next() {
		start := s.at - len(chunk)
		opens := end == 0 || strings.ContainsAny(text[end:start], ".!?:\n")
		named := lang != German && looksLikeName(chunk, opens)
		for _, word := range appendWords(nil, chunk) {
			word = numberWordToDigits(normalizeWord(word))
			known := slices.ContainsFunc(list, func(m Mention) bool { return m.Word == word })
			if !known && !lang.IsStopWord(word) {
				list = append(list, Mention{Word: word, Particular: named || word[0] <= '9'})
			}
		}
		end = s.at
	}
	return list
}

// looksLikeName reports whether a chunk begins with a capital inside a sentence, or has
// one inside itself.
func looksLikeName(chunk string, opensSentence bool) bool {
	first, size := utf8.DecodeRuneInString(chunk)
	return unicode.IsUpper(first) && !opensSentence || strings.ContainsFunc(chunk[size:], unicode.IsUpper)
}

// WordForms are words that a text, or several, can be held to.
type WordForms map[string]bool

// Add enters every word of a text under all its forms.
func (c WordForms) Add(text string) {
	for _, word := range Words(groupedNumber().ReplaceAllStringFunc(text, removeSeparators)) {
		for _, form := range StemForms(numberWordToDigits(word), Unknown) {
			c[form] = true
		}
	}
}

// Has reports whether a word was added in any of its forms.
func (c WordForms) Has(word string) bool {
	return slices.ContainsFunc(StemForms(word, Unknown), func(form string) bool { return c[form] })
}

// groupedNumber is a number whose thousands are set apart.
var groupedNumber = lazyregexp.New(`\b\d{1,3}(?:[.,]\d{3})+\b`)

func removeSeparators(number string) string {
	return strings.NewReplacer(",", "", ".", "").Replace(number)
}

func numberWordToDigits(word string) string {
	for _, spelt := range [][]string{known().englishNumbers, known().germanNumbers} {
		if n := slices.Index(spelt, word); n >= 0 {
			return strconv.Itoa(n)
		}
	}
	return word
}
