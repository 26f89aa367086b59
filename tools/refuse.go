package tools

import (
	"unicode/utf8"

	"toolkit/tools/engines/orientation"
)

// NotBlank refuses a text of white space only.
func NotBlank(field, text string) error {
	if !Blank(text) {
		return nil
	}
	return Invalid(CodeInvalid, field, "not blank", "%s must not be blank; write what it should say", field)
}

// Misworded refuses a text that breaks a rule of wording.
func Misworded(field string, f *orientation.Finding) *Error {
	return Refused(codeMisworded, field, f.Rule, "%s: %s", field, f.Message).
		With("words", append([]string{}, f.Words...)).With("suggestions", append([]string{}, f.Suggestions...))
}

// RefusalHints begin the hints of a refusal, which is true at the moment.
func RefusalHints() *Hints {
	return NewHints(Evidence{Quality: QualityHigh, Validity: Immediate})
}

// shown is how much of a stored or given text a message repeats.
const shown = 80

// Shorten cuts a text to what a message or a hint repeats of it.
func Shorten(text string) string {
	if utf8.RuneCountInString(text) <= shown {
		return text
	}
	return string([]rune(text)[:shown]) + "…"
}
