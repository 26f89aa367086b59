package kinds

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"toolkit/internal/language"
)

// Whoever forgets a text means what it says, not how it was typed. So both it and
// what is searched are compared folded: LIKE knows the letters of ASCII only, and
// no white space.

// Fold is a text in the form in which what is kept is searched: compatible
// characters and letter cases are one, so is all white space in a row, and what
// shows nothing, such as a soft hyphen, is left out.
func Fold(text string) string {
	if !language.IsASCII(text) {
		text = norm.NFC.String(cases.Fold().String(norm.NFKC.String(text)))
	}
	var b strings.Builder
	b.Grow(len(text))
	space := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			space = true
			continue
		case r >= utf8.RuneSelf && unicode.Is(unicode.Cf, r):
			continue
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	if space {
		b.WriteByte(' ')
	}
	return b.String()
}

// needles are folded texts to look for.
type needles struct {
	texts   []string // found anywhere
	words   []string // found where no letter goes on
	numbers []string // as JSON writes them: found where no digit goes on
}

// newNeedles makes what is looked for of texts. A word is found where it stands for itself.
func newNeedles(texts []string) (n needles) {
	for _, text := range texts {
		folded := strings.TrimSpace(Fold(text))
		if folded == "" {
			continue // everything contains nothing
		}
		if IsWord(folded) {
			n.words = append(n.words, folded)
			continue
		}
		n.texts = append(n.texts, folded)
		if number := normalizeNumber(folded); number != "" && number != folded {
			n.numbers = append(n.numbers, number)
		}
	}
	return n
}

// newInnerNeedles makes what is looked for of the words among some texts, inside others too.
func newInnerNeedles(texts []string) (n needles) {
	n = newNeedles(texts)
	return needles{texts: n.words}
}

// withoutSpaces are the scripts in which no space or no letter of its own ends a word.
var withoutSpaces = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// IsWord reports whether a text is one word of letters alone, in a script that parts words.
func IsWord(text string) bool {
	for _, r := range text {
		if !isLetterOrMark(r) || unicode.IsOneOf(withoutSpaces, r) {
			return false
		}
	}
	return text != ""
}

func isLetterOrMark(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// containsWord reports whether a word stands in a text with no letter before or behind it.
func containsWord(text, word string) bool {
	for at := 0; ; {
		found := strings.Index(text[at:], word)
		if found < 0 {
			return false
		}
		at += found
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		if !isLetterOrMark(before) && !isLetterOrMark(after) {
			return true
		}
		at += len(word)
	}
}

var decimal = regexp.MustCompile(`^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$`)

// normalizeNumber is a number without what makes no difference to it: 1234.5 for
// 1,234.50. Of what is no number it is empty.
func normalizeNumber(text string) string {
	if !decimal.MatchString(text) {
		return ""
	}
	text = strings.ReplaceAll(text, ",", "")
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// matchText reports whether a text contains one of them, as it stands or as JSON writes
// it.
func (n needles) matchText(text string) bool {
	return n.matchFolded(Fold(text)) || strings.Contains(text, `\`) && n.matchFolded(Fold(unescapeJSON(text)))
}

// fieldName is the name of a field in JSON, as readers and schemas write it.
var fieldName = regexp.MustCompile(`"[a-z][a-z0-9_]*":`)

// bookkeeping are the names of fields that are written beside what a document says.
var bookkeeping = []string{"metadata", "field_sources", "label", "line", "page", "encoding"}

// matchRow returns matchText of a stored row. In the name of a field what is wanted must begin a word,
// and in ours it is not looked for: else "Ada" stands in the metadata of every document.
func (n needles) matchRow(text string) bool {
	quotes := func(wanted string) bool { return strings.Contains(wanted, `"`) }
	if !strings.Contains(text, `":`) || slices.ContainsFunc(n.texts, quotes) {
		return n.matchText(text)
	}
	return n.matchText(fieldName.ReplaceAllStringFunc(text, func(name string) string {
		field := strings.Trim(name, `":`)
		begins := func(wanted string) bool { return strings.Contains("_"+field, "_"+wanted) }
		if !slices.Contains(bookkeeping, field) && (slices.ContainsFunc(n.texts, begins) || slices.ContainsFunc(n.words, func(word string) bool { return containsWord(field, word) })) {
			return name
		}
		return ":"
	}))
}

func (n needles) matchFolded(folded string) bool {
	for _, text := range n.texts {
		if strings.Contains(folded, text) {
			return true
		}
	}
	for _, word := range n.words {
		if containsWord(folded, word) {
			return true
		}
	}
	for _, number := range n.numbers {
		if containsNumber(folded, number) {
			return true
		}
	}
	return false
}

// containsNumber reports whether a number stands in a text, as a whole.
func containsNumber(text, number string) bool {
	for {
		before, after, found := strings.Cut(text, number)
		if !found {
			return false
		}
		if !strings.ContainsAny(lastByte(before), "0123456789.-") && !numberContinues.MatchString(after) {
			return true
		}
		text = after
	}
}

// numberContinues is what makes another number of one before it.
var numberContinues = regexp.MustCompile(`^\.?\d|^e[+-]?\d`)

func lastByte(text string) string { return text[max(0, len(text)-1):] }

var escapes = regexp.MustCompile(`(?:\\u[0-9a-fA-F]{4})+|\\["\\/bfnrt]`)

// unescapeJSON is a text with the escapes of JSON strings undone.
func unescapeJSON(text string) string {
	return escapes.ReplaceAllStringFunc(text, func(escape string) (meant string) {
		if err := json.Unmarshal([]byte(`"`+escape+`"`), &meant); err != nil {
			return escape
		}
		return meant
	})
}
