package tools

import (
	"fmt"
	"strings"
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

// StandardDialect prints the standard error response of charts and graph:
// {"error":true,"code","message","details":{"field","constraint",…}}.
func StandardDialect(e *Error, _ Call) ErrorText {
	code := e.Code
	if known, ok := standardCodes[code]; ok {
		code = known
	}
	details := map[string]any{"field": e.Field, "constraint": e.Rule}
	for key, value := range e.Details {
		details[key] = value
	}
	return ErrorText{Code: code, JSON: mustEncode(struct {
		Error   bool           `json:"error"`
		Code    string         `json:"code"`
		Message string         `json:"message"`
		Details map[string]any `json:"details"`
	}{true, code, e.Message, details})}
}

// Codes of the memory family that its dialect knows besides those of the
// pipeline.
const (
	CodeNotFound   = "NOT_FOUND"   // what an argument names does not exist
	CodeKeyMissing = "KEY_MISSING" // a service is configured without its key
)

// memoryTypes are the error types of the memory documentation.
var memoryTypes = map[string]string{
	CodeNotFound:   "Resource not found",
	CodeKeyMissing: "API key not configured",
	CodeBusy:       "Database operation failed",
	CodeStorage:    "Database operation failed",
}

// MemoryDialect prints the standard error response of the memory family:
// {"error":<type>,"details":<message>,"tool":<name>}.
func MemoryDialect(e *Error, call Call) ErrorText {
	kind, known := memoryTypes[e.Code]
	switch {
	case known:
	case e.Kind == Validation:
		kind = "Parameter validation failed"
	default:
		kind = "Tool execution failed"
	}
	details := e.Message
	if e.Field == "query_embedding" && strings.HasSuffix(e.Rule, "Items 1536") { // minItems, maxItems
		details = fmt.Sprintf("Invalid embedding dimension: %d. Expected 1536", e.Size)
	}
	return ErrorText{JSON: mustEncode(struct {
		Error   string `json:"error"`
		Details string `json:"details"`
		Tool    string `json:"tool"`
	}{kind, details, call.Tool})}
}
