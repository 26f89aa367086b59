package tools

import (
	"strings"

	"github.com/google/uuid"
	reflector "github.com/invopop/jsonschema"
)

// newUUIDv7 is a time-ordered UUID.
func newUUIDv7() string { return uuid.Must(uuid.NewV7()).String() }

// TraceID returns the trace id of a W3C traceparent header, or "" when the
// header is malformed.
func TraceID(traceparent string) string {
	parts := strings.Split(traceparent, "-")
	if len(parts) < 4 || len(parts[0]) != 2 || len(parts[1]) != 32 || strings.Trim(parts[1], "0123456789abcdef") != "" || strings.Trim(parts[1], "0") == "" {
		return ""
	}
	return parts[1]
}

// ChartID names a structural tension chart, such as chart_1765629421446. Ids of
// imported charts are kept as they were, so the form is not enforced.
type ChartID string

// JSONSchema describes the id.
func (ChartID) JSONSchema() *reflector.Schema {
	return &reflector.Schema{Type: "string", Description: "chart id, such as chart_1765629421446"}
}
