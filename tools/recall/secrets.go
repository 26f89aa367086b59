package recall

import (
	"context"
	"strings"

	"toolkit/internal/capture/redact"
	"toolkit/internal/language"
	"toolkit/tools"
)

// maxCleanedLength is how much of a text is looked through for secrets before a part of it is told: more than
// any answer has room for.
const maxCleanedLength = 32_000

// redactSecrets takes the secrets out of what is told of candidates. Tools store texts as they are given, so that
// none may have been taken out yet. Texts are cut only afterwards: half a secret is not recognised.
func redactSecrets(ctx context.Context, q *tools.Question, list []ranked) error {
	clean := func(text *string) { *text, _ = redact.Text(ctx, *text) }
	for i := range list {
		r := &list[i]
		var kinds map[string]int
		r.Text, kinds = redact.Text(ctx, relevantPassage(q, r.Text, maxCleanedLength))
		r.noteHiddenNumbers(kinds)
		name := r.ID
		for _, text := range []*string{&r.ID, &r.Note, &r.Place.Chart, &r.Place.Step, &r.Place.Document} {
			clean(text)
		}
		for j := range r.Covers {
			clean(&r.Covers[j])
		}
		if r.ID != name {
			r.Tool, r.Arguments = "", nil // they name it too
		}
	}
	return ctx.Err()
}

// noteHiddenNumbers names the tool that shows numbers that were taken out of a text.
func (r *ranked) noteHiddenNumbers(kinds map[string]int) {
	for _, kind := range []string{redact.KindAccount, redact.KindCard} {
		if kinds[kind] > 0 && r.Tool != "" {
			r.Note = strings.TrimPrefix(r.Note+"; its "+kind+" is shown by "+r.Tool, "; ")
		}
	}
}

// shortenRedacted is [shortenToAnswer] of a text without its secrets.
func (t *noteWriter) shortenRedacted(ctx context.Context, text string, limit int) string {
	clean, _ := redact.Text(ctx, relevantPassage(t.q, text, maxCandidateLength))
	return shortenToAnswer(t.q, clean, limit)
}

// hasRedaction reports whether a secret was taken out of a text, so that what it said is gone.
func hasRedaction(text string) bool { return strings.Contains(text, redact.PlaceholderPrefix) }

// maxQuotedFrom is how much of a text is looked at to quote its beginning.
const maxQuotedFrom = 4000

// QuoteWithoutSecrets returns a text on one line, in quotation marks, of at most so many runes, without its secrets: tools store
// texts as they are given.
func QuoteWithoutSecrets(ctx context.Context, text string, maxRunes int) string {
	clean, _ := redact.Text(ctx, strings.ToValidUTF8(text[:min(len(text), maxQuotedFrom)], ""))
	runes := []rune(language.QuoteLine(clean)) // as many as are seen
	if len(runes) > maxRunes {
		runes = append(runes[:maxRunes-1], '…')
	}
	return language.InQuotes(string(runes))
}
