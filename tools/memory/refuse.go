package memory

import (
	"strings"

	"toolkit/tools"
)

// notFound is a reference to a row that does not exist. The message says where
// the right id is found.
func notFound(field, format string, args ...any) *tools.Error {
	return tools.Refused(tools.CodeNotFound, field, "exists", format, args...)
}

// refusalHints starts the hints of a refusal.
func refusalHints(reason string) *tools.Hints {
	return tools.NewRefusalHints().Because(reason)
}

// shorten is what a message or a hint repeats of a stored text, in one line.
func shorten(text string) string {
	return tools.ShortenForMessage(strings.Join(strings.Fields(text), " "))
}
