package memory

import (
	"errors"
	"testing"

	"toolkit/internal/toolstest"
	"toolkit/tools"
)

// Source: memory API, "Error Handling".
func TestMemoryErrorsAreTheDocumentedObject(t *testing.T) {
	cause := errors.New("disk I/O error")
	tests := map[string]struct {
		err  *tools.Error
		want string
	}{
		"a missing argument":    {tools.Invalid(tools.CodeMissing, "content", "required", "content is required"), `{"error":"Parameter validation failed","details":"content is required","tool":"a_tool"}`},
		"a wrong format":        {tools.Invalid(tools.CodeFormat, "date", "x", "no date"), `{"error":"Parameter validation failed","details":"no date","tool":"a_tool"}`},
		"an unknown id":         {tools.Refused(tools.CodeNotFound, "id", "exists", "insight 9 does not exist"), `{"error":"Resource not found","details":"insight 9 does not exist","tool":"a_tool"}`},
		"a missing key":         {tools.Refused(codeKeyMissing, "", "", "set OPENAI_API_KEY"), `{"error":"API key not configured","details":"set OPENAI_API_KEY","tool":"a_tool"}`},
		"a busy database":       {tools.Failed(tools.CodeBusy, true, cause, "try again"), `{"error":"Database operation failed","details":"try again","tool":"a_tool"}`},
		"a full disk":           {tools.Failed(tools.CodeStorage, false, cause, "the disk is full"), `{"error":"Database operation failed","details":"the disk is full","tool":"a_tool"}`},
		"a timeout":             {tools.Failed(tools.CodeTimeout, true, cause, "too slow"), `{"error":"Tool execution failed","details":"too slow","tool":"a_tool"}`},
		"a defect":              {tools.Failed(tools.CodeInternal, false, cause, "trace 7"), `{"error":"Tool execution failed","details":"trace 7","tool":"a_tool"}`},
		"a rule of the domain":  {tools.Refused("FROZEN", "docs", "", "labels are frozen"), `{"error":"Tool execution failed","details":"labels are frozen","tool":"a_tool"}`},
		"a missing permission":  {tools.Refused(tools.CodePermission, "", "memory:read", "grant it"), `{"error":"Tool execution failed","details":"grant it","tool":"a_tool"}`},
		"a short embedding":     {&tools.Error{Kind: tools.Validation, Code: tools.CodeInvalid, Field: "query_embedding", Rule: "minItems 1536", Size: 3}, `{"error":"Parameter validation failed","details":"Invalid embedding dimension: 3. Expected 1536","tool":"a_tool"}`},
		"a long embedding":      {&tools.Error{Kind: tools.Validation, Code: tools.CodeInvalid, Field: "query_embedding", Rule: "maxItems 1536", Size: 3072}, `{"error":"Parameter validation failed","details":"Invalid embedding dimension: 3072. Expected 1536","tool":"a_tool"}`},
		"too many of something": {&tools.Error{Kind: tools.Validation, Code: tools.CodeInvalid, Field: "docs", Rule: "maxItems 50", Size: 51, Message: "docs takes at most 50 items"}, `{"error":"Parameter validation failed","details":"docs takes at most 50 items","tool":"a_tool"}`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := toolstest.EncodeJSON(formatError(tc.err, tools.Call{Tool: "a_tool"}).Object); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}
