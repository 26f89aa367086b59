package tools

import (
	"errors"
	"testing"
)

func TestThePayloadEnvelopeNamesCodeStatusAndTrace(t *testing.T) {
	for _, c := range []struct {
		name string
		err  *Error
		want string
	}{
		{"a missing field", Invalid(CodeMissing, "body", "required", "body is required"),
			`{"error":{"code":"VALIDATION_ERROR","message":"body is required","details":{"constraint":"required","field":"body","http_status":400,"retryable":false},"trace_id":"t1"}}`},
		{"a wrong form", Invalid(CodeFormat, "entity_id", "pattern x", "m"),
			`{"error":{"code":"VALIDATION_ERROR","message":"m","details":{"constraint":"pattern x","field":"entity_id","http_status":400,"retryable":false},"trace_id":"t1"}}`},
		{"something not found, with details", Refused("ENTITY_NOT_FOUND", "", "", "m").WithDetail("reason", "r"),
			`{"error":{"code":"ENTITY_NOT_FOUND","message":"m","details":{"http_status":404,"reason":"r","retryable":false},"trace_id":"t1"}}`},
		{"a right that is missing", Refused(CodePermission, "", "records:delete", "m"),
			`{"error":{"code":"PERMISSION_DENIED","message":"m","details":{"constraint":"records:delete","http_status":403,"retryable":false},"trace_id":"t1"}}`},
		{"a timeout", Failed(CodeTimeout, true, nil, "m"),
			`{"error":{"code":"SERVICE_UNAVAILABLE","message":"m","details":{"http_status":503,"retryable":true},"trace_id":"t1"}}`},
		{"a failed write", Failed("DB_INSERT_FAILED", true, errors.New("disk"), "m"),
			`{"error":{"code":"DB_INSERT_FAILED","message":"m","details":{"http_status":500,"retryable":true},"trace_id":"t1"}}`},
		{"a defect", Failed(CodeInternal, false, nil, "m"),
			`{"error":{"code":"INTERNAL_ERROR","message":"m","details":{"http_status":500,"retryable":false},"trace_id":"t1"}}`},
	} {
		got := FormatPayloadError(c.err, Call{TraceID: "t1"})
		if text := string(mustEncodeJSON(got.Object)); text != c.want {
			t.Errorf("%s prints\n%s\nwant\n%s", c.name, text, c.want)
		}
	}
}
