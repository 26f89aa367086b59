package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// fullStops end a sentence whatever follows.
	fullStops = "。！？؟।"
	// closingMarks may follow the mark that ends a sentence.
	closingMarks = "\"'”’»)]」』"
	// openingMarks may stand before a word.
	openingMarks = "\"'“‘«([„「『"
	// maxAbbreviation is how long a word with points in it may be to be an abbreviation,
	// without its last point.
	maxAbbreviation = len("a.b.c")
)

// Span is a part of a text: text[Start:End].
type Span struct{ Start, End int }

// Sentences are the sentences of a text, with one space for all that stand between words.
func Sentences(text string) (list []string) {
	for _, s := range SentenceSpans(text) {
		list = append(list, strings.Join(strings.Fields(text[s.Start:s.End]), " "))
	}
	return list
}

// SentenceSpans returns the sentences of a text, without the spaces around them. A
// sentence ends with its mark or its line.
func SentenceSpans(text string) []Span {
	var spans []Span
	start := 0
	for i, r := range text {
		if i < start || !unicode.IsSpace(r) && !strings.ContainsRune(fullStops, r) {
			continue
		}
		end := i
		switch {
		case !unicode.IsSpace(r):
			end += utf8.RuneLen(r)
			end += len(text[end:]) - len(strings.TrimLeft(text[end:], fullStops+closingMarks))
		case r != '\n' && !endsSentence(text[start:i], text[i:]):
			continue
		}
		spans = AppendTrimmed(spans, text, Span{start, end})
		start = end
	}
	return AppendTrimmed(spans, text, Span{start, len(text)})
}

// AppendTrimmed appends a part of a text without the spaces around it, unless it is empty.
func AppendTrimmed(spans []Span, text string, s Span) []Span {
	part := text[s.Start:s.End]
	s.Start += len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace))
	s.End -= len(part) - len(strings.TrimRightFunc(part, unicode.IsSpace))
	if s.Start >= s.End {
		return spans
	}
	return append(spans, s)
}

// endsSentence reports whether a part before a space ends like a sentence, and not with an
// ordinal or an abbreviation: "28. März", "z. B.", "e.g. this", "Dr. Quandt", "Jan. 15".
func endsSentence(part, rest string) bool {
	part = strings.TrimRight(part, closingMarks)
	last, size := utf8.DecodeLastRuneInString(part)
	next := strings.TrimLeftFunc(rest, unicode.IsSpace)
	following, _ := utf8.DecodeRuneInString(next)
	switch last {
	case '!', '?':
		return true
	case '…':
		return !unicode.IsLower(following) && !strings.HasSuffix(part, " …")
	case '.':
	default:
		return false
	}
	word := part[max(0, len(part)-maxWordRunes) : len(part)-size]
	word = strings.TrimLeft(word[strings.LastIndexAny(word, " \t\n")+1:], openingMarks)
	before, size := utf8.DecodeLastRuneInString(word)
	switch {
	case before == '.': // three points: a pause, where the sentence goes on
		return !unicode.IsLower(following) && strings.Trim(word, ".") != "" // or they stand for words: "MERGE ... RETURNING"
	case unicode.IsDigit(before):
		return strings.TrimSpace(part) != word+"." && !isOrdinal(word, next) // it may number a line
	case unicode.IsLetter(before) && size == len(word), strings.Contains(word, ".") && len(word) <= maxAbbreviation:
		return false
	}
	return !isAbbreviation(word, next)
}

// isOrdinal reports whether the point behind a number makes it an ordinal: "am 28. November",
// "am 28. frei", "am 20.11. 400 Euro". A sentence that ends in a number goes on with a capital letter.
func isOrdinal(number, next string) bool {
	first, _ := utf8.DecodeRuneInString(next)
	if day, month, isDate := strings.Cut(number, "."); isDate {
		return isShortNumber(day) && isShortNumber(month) && (unicode.IsLower(first) || unicode.IsDigit(first))
	}
	if !isShortNumber(number) {
		return false
	}
	word := Words(next[:min(len(next), maxWordRunes)])
	return unicode.IsLower(first) || len(word) > 0 && slices.Contains(known().germanMonths, word[0])
}

// isShortNumber reports whether a text is a number that a day or a month may have.
func isShortNumber(text string) bool {
	return text != "" && len(text) <= 2 && strings.Trim(text, "0123456789") == ""
}

// isAbbreviation reports whether a word whose point stands before other words is cut short
// and ends no sentence.
func isAbbreviation(written, next string) bool {
	word := Fold(written)
	first, _ := utf8.DecodeRuneInString(written)
	after, _ := utf8.DecodeRuneInString(next)
	return isListed("abbreviations before anything", word) || isListed("abbreviations written large", word) && unicode.IsUpper(first) ||
		isListed("abbreviations before numbers", word) && unicode.IsDigit(after) || isListed("abbreviations before small letters", word) && unicode.IsLower(after)
}
