package sentence

import (
	"context"
	"strings"
	"unicode"

	"toolkit/internal/language"
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

// SplitIntoFirstWindows cuts a text into parts of at most about 64 pieces: whole sentences as
// long as they fit, and parts of sentences that do not. It returns the first
// limit of them and reads no more of the text than these need, at most
// MaxTextLength bytes. The only error is that of ctx.
func (m *Model) SplitIntoFirstWindows(ctx context.Context, text string, limit int) ([]language.Span, error) {
	if len(text) > MaxTextLength {
		text = text[:runeStart(text, MaxTextLength)]
	}
	var windows []language.Span
	var window language.Span
	pieces := 0
	for _, sentence := range language.SentenceSpans(text) {
		for _, part := range cutSentence(text, sentence) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			count := len(m.tokenizer.tokenize(text[part.Start:part.End]))
			if pieces > 0 && pieces+count > maxWindowPieces {
				windows = append(windows, window)
				pieces = 0
			}
			if len(windows) == limit {
				return windows, nil
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
func cutSentence(text string, sentence language.Span) (parts []language.Span) {
	for sentence.End-sentence.Start > maxPartBytes {
		end := runeStart(text, sentence.Start+maxPartBytes)
		if space := strings.LastIndexFunc(text[sentence.Start:end], unicode.IsSpace); space > 0 {
			end = sentence.Start + space
		}
		parts = language.AppendTrimmed(parts, text, language.Span{Start: sentence.Start, End: end})
		sentence.Start = end
	}
	return language.AppendTrimmed(parts, text, sentence)
}
