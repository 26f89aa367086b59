package memory

import (
	"strings"
	"unicode/utf8"

	"toolkit/tools"
)

// notBlank refuses a text of white space only.
func notBlank(field, text string) error {
	if !tools.Blank(text) {
		return nil
	}
	return tools.Invalid(tools.CodeInvalid, field, "not blank", "%s must not be blank; write what it should say", field)
}

// firstOf returns the first error of a list of checks.
func firstOf(checks ...error) error {
	for _, err := range checks {
		if err != nil {
			return err
		}
	}
	return nil
}

// notFound is a reference to a row that does not exist. The message says where
// the right id is found.
func notFound(field, format string, args ...any) *tools.Error {
	return tools.Refused(tools.CodeNotFound, field, "exists", format, args...)
}

// immediate starts the hints of a refusal.
func immediate(reason string) *tools.Hints {
	return tools.NewHints(tools.Evidence{Quality: tools.QualityHigh, Validity: tools.Immediate}).Because(reason)
}

// shown is how much of a stored text a message or a hint repeats.
const shown = 80

func shorten(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= shown {
		return text
	}
	return string([]rune(text)[:shown]) + "…"
}
