package tools

import (
	"context"
	"regexp"
	"slices"
	"strings"

	reflector "github.com/invopop/jsonschema"
)

// The doors of the small toolset: the tool that tells which tool does what is wanted, and those
// that call any tool, or one that only reads.
const (
	FindTool     = "find_tools"
	CallTool     = "call_tool"
	CallReadTool = "call_read_tool"
)

// ForwardedResult is the result of a tool that another forwards to.
type ForwardedResult struct{ Data any }

// JSONSchema is an object of any fields.
func (ForwardedResult) JSONSchema() *reflector.Schema {
	return &reflector.Schema{Type: "object", Properties: reflector.NewProperties()}
}

// MarshalJSON writes the result as the tool does.
func (r ForwardedResult) MarshalJSON() ([]byte, error) { return encodeJSON(r.Data) }

// resolveForwardedCall finds the call that a call stands for. What the caller may do, and whether
// the arguments are valid, is checked again when that is made.
func (p *Pipeline) resolveForwardedCall(ctx context.Context, s *callState, r Request) (target Request, err error) {
	arguments, err := p.checkRightsAndArguments(ctx, s, r.Arguments)
	if err != nil {
		return target, err
	}
	name, inner := s.d.Forward(arguments)
	d := p.FindServedTool(name)
	switch {
	case d == nil:
		return target, p.unknownToolError(name)
	case d.Forward != nil:
		return target, Refused(CodeInvalid, "name", "another tool", "%s is called by itself; name the tool that you want to reach", d.Name)
	case d.Writes() && !s.d.Writes():
		return target, Refused(CodePermission, "name", "a tool that only reads", "%s writes, and %s calls only tools that read; use call_tool", d.Name, s.d.Name)
	}
	return Request{Tool: d.Name, Arguments: inner, Call: r.Call}, nil
}

// WrapUnlistedToolCall is the call by which a client makes a call of a tool: that of the tool itself or, where
// the small toolset does not list it, of the door that leads to it.
func (p *Pipeline) WrapUnlistedToolCall(tool string, arguments map[string]any) (string, map[string]any) {
	d := p.FindServedTool(tool)
	if d == nil || p.o.Access.Toolset != CoreTools || p.o.Access.IsInToolset(d) {
		return tool, arguments
	}
	door := CallReadTool
	if d.Writes() || !p.isCallable(door) {
		door = CallTool
	}
	if !p.isCallable(door) {
		return tool, arguments
	}
	through := map[string]any{"name": d.Name}
	if len(arguments) > 0 {
		through["arguments"] = arguments
	}
	return door, through
}

// toolName is a word that may be the name of a tool.
var toolName = regexp.MustCompile(`\b[a-z]+(?:_[a-z0-9]+)+\b`)

// annotateUnlistedToolNames says in a text for a model how each tool that it names is reached, where that is not
// listed.
func (p *Pipeline) annotateUnlistedToolNames(text string) string {
	return toolName.ReplaceAllStringFunc(text, func(name string) string {
		if door, _ := p.WrapUnlistedToolCall(name, nil); door != name {
			return name + " (by " + door + ")"
		}
		return name
	})
}

// unknownToolError refuses a name that no served tool has.
func (p *Pipeline) unknownToolError(name string) *Error {
	near := slices.DeleteFunc(p.o.Registry.SuggestToolNames(name), func(n string) bool { return !p.isCallable(n) })
	message := "no tool is called " + ShortenForMessage(name) + "; " + FindTool + " names the one that does what you want"
	if len(near) > 0 {
		message = "no tool is called " + ShortenForMessage(name) + "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return Invalid(CodeNotFound, "name", "the name of a tool", "%s", message).
		WithHints(NewRefusalHints().SuggestCall(FindTool, PriorityHigh, map[string]any{"query": ShortenForMessage(strings.ReplaceAll(name, "_", " "))}, "find the tool").Because("the tool is not served"))
}
