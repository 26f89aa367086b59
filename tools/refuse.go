package tools

import (
	"toolkit/internal/language"
	"toolkit/internal/orientation"
)

// RequireText refuses a text of white space only.
func RequireText(field, text string) error {
	if !IsBlank(text) {
		return nil
	}
	return Invalid(CodeInvalid, field, "not blank", "%s must not be blank; write what it should say", field)
}

// WordingError refuses a text that breaks a rule of wording.
func WordingError(field string, f *orientation.Finding) *Error {
	return Refused(codeWording, field, f.Rule, "%s: %s", field, f.Message).
		WithDetail("words", append([]string{}, f.Words...)).WithDetail("suggestions", append([]string{}, f.Suggestions...))
}

// NewRefusalHints begin the hints of a refusal, which is true at the moment.
func NewRefusalHints() *Hints {
	return NewHints(Evidence{Quality: QualityHigh, Validity: Immediate})
}

// maxShortenedLength is how much of a stored or given text a message repeats.
const maxShortenedLength = 80

// ShortenForMessage cuts a text to what a message or a hint repeats of it.
func ShortenForMessage(text string) string { return language.Shorten(text, maxShortenedLength) }
