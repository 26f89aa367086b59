package memory

import (
	"strings"

	"toolkit/tools"
)

// notFoundError is a reference to a row that does not exist. The message says where
// the right id is found.
func notFoundError(field, format string, args ...any) *tools.Error {
	return tools.Refused(tools.CodeNotFound, field, "exists", format, args...)
}

// newRefusalHints starts the hints of a refusal.
func newRefusalHints(reason string) *tools.Hints {
	return tools.NewRefusalHints().Because(reason)
}

// shortenToLine is what a message or a hint repeats of a stored text, in one line.
func shortenToLine(text string) string {
	return tools.ShortenForMessage(strings.Join(strings.Fields(text), " "))
}
