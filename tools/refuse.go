package tools

import "unicode/utf8"

// NotBlank refuses a text of white space only.
func NotBlank(field, text string) error {
	if !Blank(text) {
		return nil
	}
	return Invalid(CodeInvalid, field, "not blank", "%s must not be blank; write what it should say", field)
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
