package language

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWordRunes bounds a word. Longer runs of letters (encoded data, minified
// code) are cut: they match nothing as a whole, and they would fill the index.
const maxWordRunes = 64

// Words splits a text into its words, folded as [Fold] does it. A word is a run of
// Unicode letters and digits.
//
//   - Identifiers come apart and stay together: parseHTTPRequest and
//     parse_http_request give parse, http, request and parsehttprequest.
//   - The clitic of a contraction falls away: Anna's gives anna, don't gives do
//     and not, we've gives we.
//   - Ordinals lose their ending: 3rd gives 3. An ISO date gives its year, the
//     English name of its month and its day: 2023-05-03 gives 2023, may, 3.
//   - Scripts without spaces (Chinese, Japanese, Thai) give pairs of
//     neighbouring characters.
//   - Pictures (😀) are words. C++ and C# give cplusplus and csharp.
func Words(text string) []string {
	words := SurfaceWords(text)
	for i, word := range words {
		words[i] = normalizeWord(word)
	}
	return words
}

// SurfaceWords are the same words as they stand in the text, one for each of [Words]:
// some languages are stemmed by their accents.
func SurfaceWords(text string) []string {
	words := make([]string, 0, len(text)/6+1)
	s := scanner{text: text, signs: true}
	for chunk := s.next(); chunk != ""; chunk = s.next() {
		words = appendWords(words, chunk)
	}
	return words
}

// normalizeWord returns the word of Words for one of Written.
func normalizeWord(word string) string { return ordinalToNumber(truncateWord(Fold(word))) }

// scanner cuts a text into chunks: runs of letters, digits, marks, and of
// apostrophes, underscores and hyphens that stand inside such a run.
type scanner struct {
	text  string
	at    int
	signs bool // pictures, and what C++ and C# end in, belong to what is read
}

func (s *scanner) next() string {
	for s.at < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.at:])
		if isWordRune(r) {
			break
		}
		s.at += size
		if s.signs && isPicture(r) {
			return s.text[s.at-size : s.at]
		}
	}
	start := s.at
	for s.at < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.at:])
		if !isWordRune(r) {
			if !joinsWordParts(r) {
				break
			}
			after, _ := utf8.DecodeRuneInString(s.text[s.at+size:])
			if !isWordRune(after) {
				break
			}
		}
		s.at += size
	}
	if s.signs && s.at-start == 1 {
		s.at += lengthOfPlusPlusOrSharp(s.text[s.at:])
	}
	return s.text[start:s.at]
}

// The signs that make a letter the name of a language.
const plusPlus, sharp = "++", "#"

// lengthOfPlusPlusOrSharp returns the length of such a sign behind a letter, if the word ends with it.
func lengthOfPlusPlusOrSharp(rest string) int {
	for _, sign := range []string{plusPlus, sharp} {
		if after, found := strings.CutPrefix(rest, sign); found {
			if r, _ := utf8.DecodeRuneInString(after); !isWordRune(r) {
				return len(sign)
			}
		}
	}
	return 0
}

// isPicture reports whether a rune is a picture that says something, not a line of a
// box or a dot of a progress bar.
func isPicture(r rune) bool {
	return r >= 0x2600 && r != utf8.RuneError && (r < 0x2800 || r > 0x28FF) && unicode.Is(unicode.So, r)
}

// IsPicture reports whether a word is one: an emoji.
func IsPicture(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return isPicture(r)
}

// RemoveWordSigns takes from a text what gives words beside letters and digits, which
// earlier versions did not read.
func RemoveWordSigns(text string) string {
	return strings.Map(func(r rune) rune {
		if isPicture(r) || r == '+' || r == '#' {
			return ' '
		}
		return r
	}, text)
}

// IsUnspacedCharacter reports whether a word is one character of a script without spaces,
// which stands in texts as a part of pairs.
func IsUnspacedCharacter(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && isUnspaced(r)
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r))
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

func joinsWordParts(r rune) bool { return r == '_' || r == '-' || isApostrophe(r) }

func appendWords(words []string, chunk string) []string {
	if letter, found := strings.CutSuffix(chunk, plusPlus); found {
		return append(words, letter+"plusplus")
	}
	if letter, found := strings.CutSuffix(chunk, sharp); found {
		return append(words, letter+"sharp")
	}
	if day, ok := parseISODate(chunk); ok {
		return append(words, strconv.Itoa(day.Year()), strings.ToLower(day.Month().String()), strconv.Itoa(day.Day()))
	}
	for part := range strings.SplitSeq(chunk, "-") {
		if i := strings.IndexFunc(part, isApostrophe); i >= 0 {
			words = appendContraction(words, part, i)
		} else {
			words = appendIdentifier(words, part)
		}
	}
	return words
}

// appendContraction adds what a contraction says beside its grammar. Where the
// part behind the apostrophe is a word of its own (l'amour) both are added.
func appendContraction(words []string, part string, at int) []string {
	_, size := utf8.DecodeRuneInString(part[at:])
	head, tail := part[:at], strings.TrimFunc(part[at+size:], isApostrophe)
	switch Fold(tail) {
	case "s", "m", "re", "ve", "ll", "d", "":
		return appendIdentifier(words, head)
	case "t":
		if trimmed, found := strings.CutSuffix(strings.ToLower(head), "n"); found {
			return append(appendIdentifier(words, restoreVerb(trimmed)), "not")
		}
	}
	words = appendIdentifier(words, head)
	for rest := range strings.FieldsFuncSeq(tail, isApostrophe) {
		words = appendIdentifier(words, rest)
	}
	return words
}

// restoreVerb restores the verb in front of n't where English has worn it down.
func restoreVerb(stem string) string {
	switch stem {
	case "ca":
		return "can"
	case "wo":
		return "will"
	case "sha":
		return "shall"
	}
	return stem
}

// appendIdentifier adds the parts of snake_case and camelCase and, when there
// is more than one, the whole without its seams.
func appendIdentifier(words []string, identifier string) []string {
	if identifier == "" {
		return words
	}
	before := len(words)
	for part := range strings.SplitSeq(identifier, "_") {
		words = appendCamel(words, part)
	}
	if len(words)-before > 1 && !hasUnspaced(identifier) {
		words = append(words, strings.ReplaceAll(identifier, "_", ""))
	}
	return words
}

func appendCamel(words []string, part string) []string {
	start, previous := 0, rune(0)
	for i, r := range part {
		if i > start && isCamelBoundary(previous, r, part[i:]) {
			words = appendWord(words, part[start:i])
			start = i
		}
		previous = r
	}
	return appendWord(words, part[start:])
}

// isCamelBoundary reports whether an identifier comes apart before r: at aB, and before
// the last capital of ABc.
func isCamelBoundary(previous, r rune, rest string) bool {
	if !unicode.IsUpper(r) {
		return false
	}
	if unicode.IsLower(previous) {
		return true
	}
	after, _ := utf8.DecodeRuneInString(rest[utf8.RuneLen(r):])
	return unicode.IsUpper(previous) && unicode.IsLower(after)
}

func appendWord(words []string, word string) []string {
	if word == "" {
		return words
	}
	if hasUnspaced(word) {
		return appendCharacterPairs(words, Fold(word))
	}
	if !IsASCII(word) && Fold(word) == "" { // marks alone
		return words
	}
	return append(words, word)
}

func truncateWord(word string) string {
	if len(word) <= maxWordRunes {
		return word
	}
	runes := 0
	for i := range word {
		if runes == maxWordRunes {
			return word[:i]
		}
		runes++
	}
	return word
}

// ordinalToNumber turns 1st, 22nd, 3rd and 4th into their numbers.
func ordinalToNumber(word string) string {
	if len(word) < 3 || word[0] < '0' || word[0] > '9' {
		return word
	}
	digits, ending := word[:len(word)-2], word[len(word)-2:]
	switch ending {
	case "st", "nd", "rd", "th":
		if strings.Trim(digits, "0123456789") == "" {
			return digits
		}
	}
	return word
}

func isUnspaced(r rune) bool {
	return r > 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func hasUnspaced(word string) bool {
	for i := 0; i < len(word); i++ {
		if word[i] >= utf8.RuneSelf {
			return strings.ContainsFunc(word[i:], isUnspaced)
		}
	}
	return false
}

// appendCharacterPairs adds the overlapping pairs of characters of a word in a script
// without spaces; a single character stands alone.
func appendCharacterPairs(words []string, word string) []string {
	runes := []rune(word)
	if len(runes) == 1 {
		return append(words, word)
	}
	for i := 0; i+1 < len(runes); i++ {
		words = append(words, string(runes[i:i+2]))
	}
	return words
}

// KeepRunes is what is left of a text when all runes are taken out but those that are wanted.
func KeepRunes(text string, wanted func(r rune) bool) string {
	return strings.Map(func(r rune) rune {
		if wanted(r) {
			return r
		}
		return -1
	}, text)
}
