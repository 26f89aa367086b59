package reader

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"toolkit/internal/reader/layout"
)

// token is a word of a cell made comparable: lower case, without accents and punctuation.
// Colon tells that a colon followed it, which ends a label.
type token struct {
	norm        string
	raw         string
	left, right float64
	colon       bool
}

// tokensOf cuts a cell into tokens. A label glued to its value ("Date:2025-01-05",
// "Invoice#12") is cut at the sign between them.
func tokensOf(cell layout.Cell) []token {
	var tokens []token
	for _, word := range cell.Words {
		width := (word.Right - word.Left) / float64(max(utf8.RuneCountInString(word.Text), 1))
		left := word.Left
		for _, part := range wordParts(word.Text) {
			right := left + width*float64(utf8.RuneCountInString(part))
			next := token{norm: normalizeWord(part), raw: part, left: left, right: right}
			left = right
			if rest := strings.TrimPrefix(part, ":"); rest != part && rest != "" && len(tokens) == 0 {
				next.raw = rest // it ends the label in the cell before
			}
			if trimmed, ok := strings.CutSuffix(strings.TrimSuffix(part, "."), ":"); ok {
				next.colon, next.raw = true, trimmed
			}
			switch {
			case next.norm == "" && (next.colon && trimPunctuation(next.raw) == "" || part == "=") && len(tokens) > 0:
				tokens[len(tokens)-1].colon = true
			case next.raw != "":
				tokens = append(tokens, next)
			}
		}
	}
	return tokens
}

// wordTokens are words without places as tokens.
func wordTokens(words []string) []token {
	tokens := make([]token, len(words))
	for index, word := range words {
		tokens[index] = token{norm: normalizeWord(word), raw: word}
	}
	return tokens
}

// wordParts cuts a word after a colon between letters and something else, after a point between
// letters and digits, and around "#".
func wordParts(word string) []string {
	if at := strings.IndexByte(word, ':'); at > 0 && at < len(word)-1 && onlyLetters(word[:at]) && !strings.HasPrefix(word[at:], "://") {
		return append([]string{word[:at+1]}, wordParts(word[at+1:])...)
	}
	if at := strings.IndexByte(word, '('); at > 0 && (unicode.In([]rune(word)[0], unicode.Han, unicode.Hiragana, unicode.Katakana) || onlyLetters(word[:at]) && beginsWithRate(word[at+1:])) {
		return []string{word[:at], word[at:]} // "消費税(10%)", of a script without spaces; "VAT(20%)"
	}
	if at := strings.IndexByte(word, '#'); at >= 0 && len(word) > 1 {
		return slices.DeleteFunc([]string{word[:at], "#", word[at+1:]}, func(part string) bool { return part == "" })
	}
	return []string{word}
}

// beginsWithRate tells whether a text begins with a rate, or with its sign.
func beginsWithRate(text string) bool {
	return strings.HasPrefix(text, "%") || text != "" && unicode.IsDigit(rune(text[0])) && strings.Contains(text, "%")
}

func onlyLetters(text string) bool {
	for _, character := range text {
		if !unicode.IsLetter(character) && character != '.' && character != '-' && character != '/' {
			return false
		}
	}
	return text != ""
}

// letterPairs are letters without accents that are written as others where they are missing.
var letterPairs = map[rune]string{'ß': "ss", 'ø': "o", 'æ': "ae", 'œ': "oe", 'ł': "l", 'đ': "d", 'ı': "i", 'ς': "σ"}

// normalizeWord folds case, accents and punctuation of a word; "#", "№", "nr." and the like
// become "no".
func normalizeWord(word string) string {
	var folded strings.Builder
	for _, character := range norm.NFD.String(strings.ToLower(word)) {
		switch {
		case unicode.Is(unicode.Mn, character):
		case letterPairs[character] != "":
			folded.WriteString(letterPairs[character])
		case character == '’':
			folded.WriteByte('\'')
		default:
			folded.WriteRune(character)
		}
	}
	text := trimPunctuation(folded.String())
	switch text {
	case "#", "№", "nr", "num", "nbr", "no", "n°", "nº", "n.º", "n.°", "n", "number", "nummer", "numero":
		return "no"
	}
	return text
}

func trimPunctuation(text string) string {
	return strings.Trim(text, " .:;,()[]{}*|'\"“”„‘’_=•·–—-!?")
}

// phraseKey is a phrase as the lexicon keeps it.
func phraseKey(phrase string) string {
	var words []string
	for _, word := range strings.Fields(strings.ReplaceAll(phrase, "#", " # ")) {
		if folded := normalizeWord(word); folded != "" {
			words = append(words, folded)
		}
	}
	return strings.Join(words, " ")
}

func rawText(tokens []token) string {
	parts := make([]string, len(tokens))
	for index, next := range tokens {
		parts[index] = next.raw
		if next.colon && index < len(tokens)-1 {
			parts[index] += ":"
		}
	}
	return strings.TrimSpace(strings.Join(parts, " "))
}
