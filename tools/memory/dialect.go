package memory

import (
	"fmt"
	"strings"

	"toolkit/tools"
)

// codeKeyMissing says that a service is configured without its key.
const codeKeyMissing = "KEY_MISSING"

// memoryTypes are the error types of the memory documentation.
var memoryTypes = map[string]string{
	tools.CodeNotFound: "Resource not found",
	codeKeyMissing:     "API key not configured",
	tools.CodeBusy:     "Database operation failed",
	tools.CodeStorage:  "Database operation failed",
}

// formatError prints the standard error response of the memory family:
// {"error":<type>,"details":<message>,"tool":<name>}.
func formatError(e *tools.Error, call tools.Call) tools.ErrorText {
	kind, known := memoryTypes[e.Code]
	switch {
	case known:
	case e.Kind == tools.Validation:
		kind = "Parameter validation failed"
	default:
		kind = "Tool execution failed"
	}
	details := e.Message
	if e.Field == "query_embedding" && strings.HasSuffix(e.Rule, "Items 1536") { // minItems, maxItems
		details = fmt.Sprintf("Invalid embedding dimension: %d. Expected 1536", e.Size)
	}
	return tools.ErrorText{Object: struct {
		Error   string `json:"error"`
		Details string `json:"details"`
		Tool    string `json:"tool"`
	}{kind, details, call.Tool}}
}
