package language

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"toolkit/internal/lazyregexp"
)

// NeutralizeUntrustedText returns a stored text as it may be shown to a model or on a terminal.
// Characters that command a terminal, turn text around or are not seen go, but for
// those that shape what is seen (see [ShapingLength]). What opens a tag or a mark of
// a chat template, such as </note>, <|im_start|> or [INST], begins with ‹ instead.
// Lines stay lines.
func NeutralizeUntrustedText(text string) string {
	text = mapHidden(text, func(r rune) string {
		if unicode.IsSpace(r) { // line endings of others
			return " "
		}
		return ""
	})
	if mayHoldTag(text) {
		text = tagStart().ReplaceAllString(text, "‹$1")
	}
	if mayHoldMark(text) {
		text = templateMark().ReplaceAllString(text, "‹$1$2")
	}
	return text
}

// QuoteLine returns Neutralize on one line: nothing in the text begins a line of its own.
func QuoteLine(text string) string {
	return strings.Join(strings.Fields(NeutralizeUntrustedText(text)), " ")
}

// InQuotes is QuoteLine between quotation marks, which nothing in the text closes.
func InQuotes(text string) string { return "“" + innerQuotes.Replace(QuoteLine(text)) + "”" }

// innerQuotes are the quotation marks within another one.
var innerQuotes = strings.NewReplacer("“", "‘", "”", "’")

// QuoteLines returns Neutralize with a > before each line, as mail quotes.
func QuoteLines(text string) string {
	return "> " + strings.ReplaceAll(NeutralizeUntrustedText(strings.TrimSpace(text)), "\n", "\n> ")
}

// EscapeHidden writes what Neutralize changes in a JSON text as JSON escapes it. A
// program reads the same values, but the text itself holds no such mark.
func EscapeHidden(json string) string {
	json = mapHidden(json, escapeRune)
	escapeFirst := func(mark string) string {
		r, size := utf8.DecodeRuneInString(mark)
		if r == '\\' || r == '&' { // escaped already
			return mark
		}
		return escapeRune(r) + mark[size:]
	}
	if mayHoldTag(json) {
		json = tagStart().ReplaceAllStringFunc(json, escapeFirst)
	}
	if mayHoldMark(json) {
		json = templateMark().ReplaceAllStringFunc(json, escapeFirst)
	}
	return json
}

// mayHoldTag reports whether a text has what a tag begins with. The expression alone
// takes as long as a search does on a large result.
func mayHoldTag(text string) bool {
	for _, beginning := range []string{"<", "&", "＜", "﹤", `\u003`, `\U003`, `\x3`, `\X3`} {
		if strings.Contains(text, beginning) {
			return true
		}
	}
	return false
}

// mayHoldMark reports whether a text has a bracket as a mark of a chat template begins or
// ends with it. Lists in JSON begin otherwise.
func mayHoldMark(text string) bool {
	for rest := text; ; {
		at := strings.IndexByte(rest, '[')
		if at < 0 || at+1 == len(rest) {
			break
		}
		if rest = rest[at+1:]; rest[0] == '/' || 'a' <= rest[0]|' ' && rest[0]|' ' <= 'z' {
			return true
		}
	}
	return strings.Contains(text, "]~")
}

// tagStart is how a tag or a mark between < and > begins: as it is, in wide letters,
// or escaped as in HTML or JSON, once or more often.
var tagStart = lazyregexp.New(`(?i)(?:[<＜﹤]|\\(?:u00|x)3c|&(?:amp;)*(?:lt|#0*60|#x0*3c);)[\p{Cf}]*([a-z!?|｜]|[\s\p{Cf}\\]*/)`)

// templateMark is a mark of a chat template that stands in square brackets.
var templateMark = lazyregexp.New(`(?i)\[(/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT)\]|e~\[)|\](~!?b[\[\]])`)

// IsHidden reports whether a character does something else than to be seen: it
// commands a terminal, ends a line in another way than \n, turns text around, has no
// width, or selects a variant of the one before.
func IsHidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r != '\n' && r != '\t' && unicode.IsControl(r)
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

const (
	zeroWidthNonJoiner, zeroWidthJoiner = '\u200c', '\u200d'
	textStyle, emojiStyle               = '\ufe0e', '\ufe0f'
	keycap, blackFlag                   = '\u20e3', '\U0001f3f4'
	mongolianVowelSeparator             = '\u180e'
)

// subdivisions are the hidden letters that make a black flag that of England, Scotland
// or Wales.
var subdivisions = []string{
	"\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
	"\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
	"\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
}

// joiningScripts have words that are misspelt without joiners.
var joiningScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Adlam, unicode.Mongolian, unicode.Phags_Pa, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
	unicode.Balinese, unicode.Javanese, unicode.Tai_Tham, unicode.Inherited, // marks of vowels
}

// ShapingLength is the length in bytes of the hidden characters at the beginning of a
// text that shape what stands around them; 0: they hide something. One joiner may
// stand between letters of a script that needs it, and between pictures; one selector
// behind a picture, a keycap or a Mongolian letter. before is the character before.
func ShapingLength(before rune, text string) int {
	r, size := utf8.DecodeRuneInString(text)
	after, _ := utf8.DecodeRuneInString(text[size:])
	shapes := false
	switch r {
	case zeroWidthJoiner:
		shapes = mayStandBetween(before, after) || (isEmoji(before) || before == emojiStyle) && isEmoji(after)
	case zeroWidthNonJoiner:
		shapes = mayStandBetween(before, after)
	case textStyle, emojiStyle:
		shapes = isEmoji(before) || after == keycap && strings.ContainsRune("0123456789#*", before)
	case '\u180b', '\u180c', '\u180d', '\u180f', mongolianVowelSeparator:
		shapes = unicode.IsLetter(before) && unicode.Is(unicode.Mongolian, before)
	}
	if shapes {
		return size
	}
	if before == blackFlag {
		for _, letters := range subdivisions {
			if strings.HasPrefix(text, letters) {
				return len(letters)
			}
		}
	}
	return 0
}

// mayStandBetween reports whether a joiner may stand between two characters.
func mayStandBetween(before, after rune) bool {
	return isJoining(before) && isJoining(after)
}

func isJoining(r rune) bool {
	return unicode.In(r, joiningScripts...) && unicode.In(r, unicode.L, unicode.M) && !unicode.Is(unicode.Variation_Selector, r)
}

// isEmoji reports whether a character may be shown as an emoji.
func isEmoji(r rune) bool {
	switch r {
	case '‼', '⁉', 'ℹ', '〰', '〽':
		return true
	}
	return r >= '©' && r != utf8.RuneError && unicode.In(r, unicode.So, unicode.Sm) || '\U0001f3fb' <= r && r <= '\U0001f3ff'
}

// mapHidden replaces the hidden characters of a text that shape nothing.
func mapHidden(text string, replace func(r rune) string) string {
	if isPlainASCII(text) || strings.IndexFunc(text, IsHidden) < 0 {
		return text
	}
	var b strings.Builder
	before := rune(0)
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case !IsHidden(r):
			b.WriteRune(r)
			before = r
		default:
			if n := ShapingLength(before, text); n > 0 {
				b.WriteString(text[:n])
				before, _ = utf8.DecodeLastRuneInString(text[:n])
				text = text[n:]
				continue
			}
			b.WriteString(replace(r))
		}
		text = text[size:]
	}
	return b.String()
}

// isPlainASCII reports whether a text is of ASCII that is seen, which is told faster than
// whether a character is hidden.
func isPlainASCII(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c == 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// escapeRune is a character as JSON escapes it.
func escapeRune(r rune) string {
	escaped := ""
	for _, unit := range utf16.Encode([]rune{r}) {
		escaped += fmt.Sprintf(`\u%04x`, unit)
	}
	return escaped
}
