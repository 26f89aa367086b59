package tools

import (
	"context"
	"slices"
	"strings"

	reflector "github.com/invopop/jsonschema"
)

// FindTool is the tool that tells which tool does what is wanted.
const FindTool = "find_tools"

// ForwardedResult is the result of a tool that another forwards to.
type ForwardedResult struct{ Data any }

// JSONSchema is an object of any fields.
func (ForwardedResult) JSONSchema() *reflector.Schema {
	return &reflector.Schema{Type: "object", Properties: reflector.NewProperties()}
}

// MarshalJSON writes the result as the tool does.
func (r ForwardedResult) MarshalJSON() ([]byte, error) { return encode(r.Data) }

// forward finds the call that a call stands for. What the caller may do, and whether
// the arguments are valid, is checked again when that is made.
func (p *Pipeline) forward(ctx context.Context, s *callState, r Request) (target Request, err error) {
	arguments, err := p.admit(ctx, s, r.Arguments)
	if err != nil {
		return target, err
	}
	name, inner := s.d.Forward(arguments)
	d := p.Resolve(name)
	switch {
	case d == nil:
		return target, p.unknownTarget(name)
	case d.Forward != nil:
		return target, Refused(CodeInvalid, "name", "another tool", "%s is called by itself; name the tool that you want to reach", d.Name)
	case d.Writes() && !s.d.Writes():
		return target, Refused(CodePermission, "name", "a tool that only reads", "%s writes, and %s calls only tools that read; use call_tool", d.Name, s.d.Name)
	}
	return Request{Tool: d.Name, Arguments: inner, Call: r.Call}, nil
}

// unknownTarget refuses a name that no served tool has.
func (p *Pipeline) unknownTarget(name string) *Error {
	near := slices.DeleteFunc(p.o.Registry.Near(name), func(n string) bool { return !p.offers(n) })
	message := "no tool is called " + Shorten(name) + "; " + FindTool + " names the one that does what you want"
	if len(near) > 0 {
		message = "no tool is called " + Shorten(name) + "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return Invalid(CodeNotFound, "name", "the name of a tool", "%s", message).
		WithHints(RefusalHints().Next(FindTool, PriorityHigh, map[string]any{"query": Shorten(strings.ReplaceAll(name, "_", " "))}, "find the tool").Because("the tool is not served"))
}
