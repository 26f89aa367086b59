// Package toolset is the family of the doors: find_tools, call_tool and
// call_read_tool, by which a client that lists few tools reaches all others. They are
// listed in the small toolset alone.
//
// find.go ranks tools by what is wanted, and vectors.go has what their descriptions
// mean, computed beforehand. The two doors that call only say which tool is meant: the
// pipeline makes the call of it, so that rights, limits and results are its own.
package toolset

import (
	"context"
	"encoding/json"

	"toolkit/tools"
)

// Name is the family's name.
const Name = "toolset"

// Deps are what the family works with.
type Deps struct {
	// Reachable are the tools that a caller may use.
	Reachable func(ctx context.Context) []*tools.Definition
	// WordsAlone keeps the sentence model from being asked.
	WordsAlone bool
}

type family struct{ Deps }

// New returns the family. It reads nothing before the first call.
func New(d Deps) tools.Family {
	f := family{d}
	return tools.Family{
		Name:    Name,
		Dialect: tools.FormatStandardError,
		Advice: []tools.Advice{
			{Tool: tools.FindTool, Text: "For more tools, find_tools."},
			{Tool: tools.CallReadTool, Text: "call_read_tool calls one that reads."},
			{Tool: tools.CallTool, Text: "call_tool calls any."},
		},
		Tools: []*tools.Definition{tools.Define(f.defineFindTools()), tools.Define(defineCallTool()), tools.Define(defineCallReadTool())},
	}
}

type callInput struct {
	Name      string          `json:"name" jsonschema:"required,minLength=1,maxLength=200" jsonschema_description:"A name from find_tools"`
	Arguments json.RawMessage `json:"arguments,omitempty" jsonschema_extras:"fields=query" jsonschema_description:"By its input_schema"`
}

func forwardTarget(in callInput) (string, json.RawMessage) { return in.Name, in.Arguments }

func defineCallTool() tools.Tool[callInput, tools.ForwardedResult] {
	return tools.Tool[callInput, tools.ForwardedResult]{
		Name: tools.CallTool, Title: "Call a tool",
		Description: "Call any tool that is not listed; call_read_tool calls one that only reads. Returns what the tool returns. Example: update_insight with id and content.",
		Permissions: []tools.Permission{}, Category: tools.Mutation, ResponseTime: tools.Slow, Destructive: true, OpenWorld: true, Strict: true, Version: "1.0.1",
		Tags: []string{"tools"}, Door: true, Forward: forwardTarget,
		Examples: []tools.Example[callInput, tools.ForwardedResult]{{
			Description: "An episode that is remembered",
			Params:      callInput{"store_episode", json.RawMessage(`{"query":"How is dough kept?","reward":0.5,"reflection":"Problem: it dried. Lesson: cover it."}`)},
			Result:      tools.ForwardedResult{Data: map[string]any{"id": 1, "embedding_status": "success", "query": "How is dough kept?", "reward": 0.5, "created_at": "2025-01-15T10:35:00Z"}},
			Varies:      []string{"created_at", "embedding_status"},
		}},
	}
}

func defineCallReadTool() tools.Tool[callInput, tools.ForwardedResult] {
	return tools.Tool[callInput, tools.ForwardedResult]{
		Name: tools.CallReadTool, Title: "Call a tool that reads",
		Description: "Call a tool that is not listed and only reads; one that writes is refused. Returns what the tool returns. Example: get_chart_progress with chartId.",
		Permissions: []tools.Permission{}, Category: tools.Query, ResponseTime: tools.Slow, Idempotent: true, OpenWorld: true, Strict: true, Version: "1.0.1",
		Tags: []string{"tools"}, Door: true, Forward: forwardTarget,
		Examples: []tools.Example[callInput, tools.ForwardedResult]{{
			Description: "The graph, where nothing is known yet",
			Params:      callInput{"read_graph", json.RawMessage(`{"limit":1}`)},
			Result:      tools.ForwardedResult{Data: map[string]any{"entities": []any{}, "relations": []any{}}},
		}},
	}
}
