package tools

import (
	"cmp"
	"maps"
)

// payloadCodes are the documented error codes of payloads and integrations for
// what the pipeline itself reports.
var payloadCodes = map[string]string{
	CodeMissing:     "VALIDATION_ERROR",
	CodeInvalid:     "VALIDATION_ERROR",
	CodeFormat:      "VALIDATION_ERROR",
	CodePermission:  "PERMISSION_DENIED",
	CodeRateLimited: "RATE_LIMIT_EXCEEDED",
	CodeTimeout:     "SERVICE_UNAVAILABLE",
	CodeCancelled:   "CANCELLED",
	CodeBusy:        "SERVICE_UNAVAILABLE",
	CodeStorage:     "SERVICE_UNAVAILABLE",
	CodeInternal:    "INTERNAL_ERROR",
}

// payloadStatus is the HTTP status the documentation gives a code; what is not
// listed follows from the kind of the error.
var payloadStatus = map[string]int{
	"RECORD_NOT_FOUND":              404,
	"FILE_NOT_FOUND":                404,
	"ENTITY_NOT_FOUND":              404,
	"FIELD_NOT_FOUND":               404,
	"PROVIDER_NOT_FOUND":            404,
	"CONNECTOR_NOT_FOUND":           404,
	"METRIC_NOT_FOUND":              404,
	"PLAID_ITEM_NOT_FOUND":          404,
	"PERMISSION_DENIED":             403,
	"RATE_LIMIT_EXCEEDED":           429,
	"CANCELLED":                     499,
	"PLAID_NOT_CONFIGURED":          503,
	"METRICS_SERVICE_UNAVAILABLE":   503,
	"ANALYTICS_SERVICE_UNAVAILABLE": 503,
	"SERVICE_UNAVAILABLE":           503,
}

// FormatPayloadError prints the error envelope of payloads and integrations:
// {"error":{"code","message","details":{"http_status","retryable",…},"trace_id"}}.
func FormatPayloadError(e *Error, call Call) ErrorText {
	code := cmp.Or(payloadCodes[e.Code], e.Code)
	details := map[string]any{"http_status": payloadHTTPStatus(code, e.Kind), "retryable": e.Retryable}
	if e.Field != "" {
		details["field"] = e.Field
	}
	if e.Rule != "" {
		details["constraint"] = e.Rule
	}
	maps.Copy(details, e.Details)
	type envelope struct {
		Code    string         `json:"code"`
		Message string         `json:"message"`
		Details map[string]any `json:"details"`
		TraceID string         `json:"trace_id"`
	}
	return ErrorText{Code: code, Object: struct {
		Error envelope `json:"error"`
	}{envelope{code, e.Message, details, call.TraceID}}}
}

func payloadHTTPStatus(code string, kind Kind) int {
	if status, ok := payloadStatus[code]; ok {
		return status
	}
	if kind == System {
		return 500
	}
	return 400
}
