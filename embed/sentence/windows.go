package sentence

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxWindowPieces is the length of a window: a few sentences.
	maxWindowPieces = 64
	// maxPartBytes is the longest part of a text that is not cut before its
	// pieces are counted: about 64 of them in any language.
	maxPartBytes = 192
	// MaxTextLength is how many bytes of a text Windows reads.
	MaxTextLength = 1 << 20
)

// Span is a part of a text: text[Start:End].
type Span struct{ Start, End int }

// Sentences returns the sentences of a text, without the spaces around them. A
// sentence ends with its mark or its line.
func Sentences(text string) []Span {
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
		case r != '\n' && !isWholeSentence(text[start:i]):
			continue
		}
		spans = appendTrimmed(spans, text, Span{start, end})
		start = end
	}
	return appendTrimmed(spans, text, Span{start, len(text)})
}

const (
	// fullStops end a sentence whatever follows.
	fullStops = "。！？؟।"
	// closingMarks may follow the mark that ends a sentence.
	closingMarks = "\"'”’»)]」』"
	// maxWordBytes is how much of a word is looked at.
	maxWordBytes = 32
)

// isWholeSentence reports whether a part before a space ends like a sentence, and
// not with an ordinal or an abbreviation: "28. März", "z. B.", "e.g. this".
func isWholeSentence(part string) bool {
	part = strings.TrimRight(part, closingMarks)
	last, size := utf8.DecodeLastRuneInString(part)
	if last != '.' {
		return strings.ContainsRune("!?…", last)
	}
	word := part[max(0, len(part)-maxWordBytes) : len(part)-size]
	word = word[strings.LastIndexAny(word, " \t")+1:]
	before, size := utf8.DecodeLastRuneInString(word)
	if unicode.IsDigit(before) || unicode.IsLetter(before) && size == len(word) {
		return false
	}
	return before == '.' || !strings.Contains(word, ".") || len(word) > len("a.b.c")
}

// Windows cuts a text into parts of at most about 64 pieces: whole sentences as
// long as they fit, and parts of sentences that do not. It reads the first
// MaxTextLength bytes. The only error is that of ctx.
func (m *Model) Windows(ctx context.Context, text string) ([]Span, error) {
	if len(text) > MaxTextLength {
		text = text[:runeStart(text, MaxTextLength)]
	}
	var windows []Span
	var window Span
	pieces := 0
	for _, sentence := range Sentences(text) {
		for _, part := range cutSentence(text, sentence) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			count := len(m.tokenizer.tokenize(text[part.Start:part.End]))
			if pieces > 0 && pieces+count > maxWindowPieces {
				windows = append(windows, window)
				pieces = 0
			}
			if pieces == 0 {
				window.Start = part.Start
			}
			window.End = part.End
			pieces += count
		}
	}
	if pieces > 0 {
		windows = append(windows, window)
	}
	return windows, nil
}

// cutSentence cuts a long sentence after words, and a long word anywhere.
func cutSentence(text string, sentence Span) (parts []Span) {
	for sentence.End-sentence.Start > maxPartBytes {
		end := runeStart(text, sentence.Start+maxPartBytes)
		if space := strings.LastIndexFunc(text[sentence.Start:end], unicode.IsSpace); space > 0 {
			end = sentence.Start + space
		}
		parts = appendTrimmed(parts, text, Span{sentence.Start, end})
		sentence.Start = end
	}
	return appendTrimmed(parts, text, sentence)
}

// appendTrimmed appends a part without the spaces around it, unless it is empty.
func appendTrimmed(spans []Span, text string, s Span) []Span {
	part := text[s.Start:s.End]
	s.Start += len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace))
	s.End -= len(part) - len(strings.TrimRightFunc(part, unicode.IsSpace))
	if s.Start >= s.End {
		return spans
	}
	return append(spans, s)
}
