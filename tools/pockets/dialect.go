package pockets

import (
	"strings"

	"toolkit/tools"
)

// pocketRanges are the documented texts for arguments out of their range.
var pocketRanges = map[string]string{
	"since":       "since must be one of 1h, 1d, 7d, 30d, all",
	"limit":       "limit must be 1–500",
	"window_days": "window_days must be 1–365",
	"hours":       "hours must be 1–24",
}

// dialect prints the errors of pockets: error: <message>.
func dialect(e *tools.Error, _ tools.Call) tools.ErrorText {
	message := e.Message
	switch documented, ranged := pocketRanges[e.Field]; {
	case e.Code == tools.CodeMissing, e.Rule == "minLength 1":
		message = e.Field + " is required"
	case e.Field == "query" && strings.HasPrefix(e.Rule, "maxLength"):
		message = "query too long (max 80 chars)"
	case ranged && e.Kind == tools.Validation:
		message = documented
	}
	return tools.ErrorText{Plain: "error: " + message}
}
