package tools

import "strings"

// pocketRanges are the documented texts for arguments out of their range.
var pocketRanges = map[string]string{
	"since":       "since must be one of 1h, 1d, 7d, 30d, all",
	"limit":       "limit must be 1–500",
	"window_days": "window_days must be 1–365",
	"hours":       "hours must be 1–24",
}

// PocketsDialect prints the errors of pockets: error: <message>.
func PocketsDialect(e *Error, _ Call) ErrorText {
	message := e.Message
	switch documented, ranged := pocketRanges[e.Field]; {
	case e.Code == CodeMissing, e.Rule == "minLength 1":
		message = e.Field + " is required"
	case e.Field == "query" && strings.HasPrefix(e.Rule, "maxLength"):
		message = "query too long (max 80 chars)"
	case ranged && e.Kind == Validation:
		message = documented
	}
	return ErrorText{Plain: "error: " + message}
}
