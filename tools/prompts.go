package tools

import (
	"context"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// ServedPrompt is a conversation starter that a user picks.
type ServedPrompt struct {
	Name        string
	Title       string
	Description string
	Arguments   []PromptArgument
	// Render returns the text that is put to the model as the user's words.
	Render func(ctx context.Context, arguments map[string]string) (string, error)
}

// PromptArgument is an input of a prompt; values are always text.
type PromptArgument struct {
	Name        string
	Description string
	Required    bool
}

// Completion proposes values for an argument that start with, or contain, what
// was typed so far, best first.
type Completion func(ctx context.Context, typed string) ([]string, error)

// maxCompletions is the protocol's limit on values in one answer.
const maxCompletions = 100

func registerPrompts(s *server.MCPServer, p *Pipeline) {
	for _, f := range p.o.Registry.families {
		if len(p.o.Access.Families) > 0 && !slices.Contains(p.o.Access.Families, f.Name) {
			continue
		}
		for _, one := range f.Prompts {
			prompt := mcp.Prompt{Name: one.Name, Title: one.Title, Description: one.Description}
			for _, a := range one.Arguments {
				prompt.Arguments = append(prompt.Arguments, mcp.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
			}
			s.AddPrompt(prompt, p.renderPrompt(one))
		}
	}
}

func (p *Pipeline) renderPrompt(one ServedPrompt) server.PromptHandlerFunc {
	return func(ctx context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		if err := mayRead(ctx); err != nil {
			return nil, err
		}
		for _, a := range one.Arguments {
			if a.Required && strings.TrimSpace(r.Params.Arguments[a.Name]) == "" {
				setFault(ctx, mcp.INVALID_PARAMS, "the prompt "+one.Name+" needs the argument "+a.Name)
				return nil, Invalid(CodeMissing, a.Name, "required", "the prompt %s needs the argument %s", one.Name, a.Name)
			}
		}
		text, err := one.Render(ctx, r.Params.Arguments)
		if err != nil {
			p.o.Logger.Error("rendering a prompt", "prompt", one.Name, "error", err.Error())
			return nil, Failed(CodeInternal, false, err, "the prompt %s could not be prepared; the details are in the server's log", one.Name)
		}
		return &mcp.GetPromptResult{
			Description: one.Description,
			Messages:    []mcp.PromptMessage{{Role: mcp.RoleUser, Content: mcp.TextContent{Type: "text", Text: text}}},
		}, nil
	}
}

// completer answers completion/complete for prompts and resource templates by
// the name of the argument.
type completer struct{ p *Pipeline }

// CompletePromptArgument proposes values for an argument of a prompt.
func (c completer) CompletePromptArgument(ctx context.Context, _ string, a mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	return c.complete(ctx, a)
}

// CompleteResourceArgument proposes values for a variable of a template.
func (c completer) CompleteResourceArgument(ctx context.Context, uri string, a mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	if strings.HasPrefix(uri, "toolkit://tools/") {
		var names []string
		for _, d := range c.p.Listed() {
			if strings.Contains(d.Name, a.Value) {
				names = append(names, d.Name)
			}
		}
		return limited(names), nil
	}
	return c.complete(ctx, a)
}

func (c completer) complete(ctx context.Context, a mcp.CompleteArgument) (*mcp.Completion, error) {
	if err := mayRead(ctx); err != nil {
		return nil, err
	}
	for _, f := range c.p.o.Registry.families {
		propose := f.Completions[a.Name]
		if propose == nil {
			continue
		}
		values, err := propose(ctx, a.Value)
		if err != nil {
			c.p.o.Logger.Error("completing an argument", "argument", a.Name, "error", err.Error())
			return limited(nil), nil
		}
		return limited(values), nil
	}
	return limited(nil), nil
}

func limited(values []string) *mcp.Completion {
	shown := values[:min(len(values), maxCompletions)]
	return &mcp.Completion{Values: OrEmpty(shown), Total: len(values), HasMore: len(shown) < len(values)}
}
