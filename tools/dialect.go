package tools

import (
	"cmp"
	"maps"
)

// standardCodes are the error codes of the charts and graph documentation for
// what the pipeline itself reports.
var standardCodes = map[string]string{
	CodeMissing:     "MISSING_REQUIRED",
	CodeInvalid:     "VALIDATION_ERROR",
	CodeFormat:      "INVALID_FORMAT",
	CodePermission:  "PERMISSION_DENIED",
	CodeRateLimited: "RATE_LIMITED",
	CodeTimeout:     "TIMEOUT",
	CodeCancelled:   "CANCELLED",
	CodeBusy:        "STORAGE_BUSY",
	CodeStorage:     "STORAGE_ERROR",
	CodeInternal:    "INTERNAL_ERROR",
}

// FormatStandardError prints the standard error response of charts and graph:
// {"error":true,"code","message","details":{"field","constraint",…}}.
func FormatStandardError(e *Error, _ Call) ErrorText {
	code := cmp.Or(standardCodes[e.Code], e.Code)
	details := map[string]any{"field": e.Field, "constraint": e.Rule}
	maps.Copy(details, e.Details)
	return ErrorText{Code: code, Object: struct {
		Error   bool           `json:"error"`
		Code    string         `json:"code"`
		Message string         `json:"message"`
		Details map[string]any `json:"details"`
	}{true, code, e.Message, details}}
}
