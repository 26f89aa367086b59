package tools

import (
	"encoding/json"
	"errors"
	"testing"

	reflector "github.com/invopop/jsonschema"
)

// Source: memory API, "Error Handling".
func TestMemoryErrorsAreTheDocumentedObject(t *testing.T) {
	cause := errors.New("disk I/O error")
	tests := map[string]struct {
		err  *Error
		want string
	}{
		"a missing argument":    {Invalid(CodeMissing, "content", "required", "content is required"), `{"error":"Parameter validation failed","details":"content is required","tool":"a_tool"}`},
		"a wrong format":        {Invalid(CodeFormat, "date", "x", "no date"), `{"error":"Parameter validation failed","details":"no date","tool":"a_tool"}`},
		"an unknown id":         {Refused(CodeNotFound, "id", "exists", "insight 9 does not exist"), `{"error":"Resource not found","details":"insight 9 does not exist","tool":"a_tool"}`},
		"a missing key":         {Refused(CodeKeyMissing, "", "", "set OPENAI_API_KEY"), `{"error":"API key not configured","details":"set OPENAI_API_KEY","tool":"a_tool"}`},
		"a busy database":       {Failed(CodeBusy, true, cause, "try again"), `{"error":"Database operation failed","details":"try again","tool":"a_tool"}`},
		"a full disk":           {Failed(CodeStorage, false, cause, "the disk is full"), `{"error":"Database operation failed","details":"the disk is full","tool":"a_tool"}`},
		"a timeout":             {Failed(CodeTimeout, true, cause, "too slow"), `{"error":"Tool execution failed","details":"too slow","tool":"a_tool"}`},
		"a defect":              {Failed(CodeInternal, false, cause, "trace 7"), `{"error":"Tool execution failed","details":"trace 7","tool":"a_tool"}`},
		"a rule of the domain":  {Refused("FROZEN", "docs", "", "labels are frozen"), `{"error":"Tool execution failed","details":"labels are frozen","tool":"a_tool"}`},
		"a missing permission":  {Refused(CodePermission, "", "memory:read", "grant it"), `{"error":"Tool execution failed","details":"grant it","tool":"a_tool"}`},
		"a short embedding":     {&Error{Kind: Validation, Code: CodeInvalid, Field: "query_embedding", Rule: "minItems 1536", Size: 3}, `{"error":"Parameter validation failed","details":"Invalid embedding dimension: 3. Expected 1536","tool":"a_tool"}`},
		"a long embedding":      {&Error{Kind: Validation, Code: CodeInvalid, Field: "query_embedding", Rule: "maxItems 1536", Size: 3072}, `{"error":"Parameter validation failed","details":"Invalid embedding dimension: 3072. Expected 1536","tool":"a_tool"}`},
		"too many of something": {&Error{Kind: Validation, Code: CodeInvalid, Field: "docs", Rule: "maxItems 50", Size: 51, Message: "docs takes at most 50 items"}, `{"error":"Parameter validation failed","details":"docs takes at most 50 items","tool":"a_tool"}`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := string(MemoryDialect(tc.err, Call{Tool: "a_tool"}).JSON); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// shares has members that depend on each other, and a default of its own.
type shares struct {
	Left  *float64 `json:"left,omitempty" jsonschema:"default=0.7"`
	Right *float64 `json:"right,omitempty" jsonschema:"default=0.3"`
}

// JSONSchemaExtend gives the whole its default.
func (shares) JSONSchemaExtend(s *reflector.Schema) {
	s.Default = map[string]float64{"left": 0.7, "right": 0.3}
}

func TestAnObjectWithADefaultIsFilledInWholeOrNotAtAll(t *testing.T) {
	type input struct {
		Shares *shares `json:"shares,omitempty"`
		Count  int     `json:"count,omitempty" jsonschema:"default=5"`
	}
	d := Define(Tool[input, sampleOut]{})
	tests := map[string]string{
		`{}`:                        `{"count":5,"shares":{"left":0.7,"right":0.3}}`,
		`{"shares":{}}`:             `{"count":5,"shares":{}}`,
		`{"shares":{"left":0.5}}`:   `{"count":5,"shares":{"left":0.5}}`,
		`{"shares":null,"count":1}`: `{"count":1,"shares":{"left":0.7,"right":0.3}}`,
	}
	for given, want := range tests {
		v, err := d.validate(json.RawMessage(given))
		if err != nil || string(v.arguments) != want {
			t.Errorf("%s becomes %s, %v; want %s", given, v.arguments, err, want)
		}
	}
}

func TestANumberBeyond64BitsIsTheCallersError(t *testing.T) {
	p := pipelineOf(t, nil, sampleTool(nil))
	for _, arguments := range []string{`{"name":"a","date":"2026","count":99999999999999999999}`, `{"name":"a","date":"2026","ratio":1e400}`} {
		r := callSample(t, p, arguments)
		if !r.IsError || r.Err.Kind != Validation || r.Err.Field == "" {
			t.Errorf("%s gives %v", arguments, r.Text)
		}
	}
}
