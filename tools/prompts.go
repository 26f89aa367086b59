package tools

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// ServedPrompt is a conversation starter that a user picks.
type ServedPrompt struct {
	Name        string
	Title       string
	Description string
	Arguments   []PromptArgument
	// Tool is the tool that the prompt stands for, without which it is not served; empty:
	// it stands for none.
	Tool string
	// Render returns the text that is put to the model as the user's words.
	Render func(ctx context.Context, arguments map[string]string) (string, error)
}

// PromptArgument is an input of a prompt; values are always text.
type PromptArgument = mcp.PromptArgument

func registerPrompts(s *server.MCPServer, p *Pipeline) {
	for _, f := range p.o.Registry.families {
		if !p.o.Access.servesFamily(f.Name, f.System) {
			continue
		}
		for _, one := range f.Prompts {
			if one.Tool != "" && !p.isCallable(one.Tool) {
				continue
			}
			prompt := mcp.Prompt{Name: one.Name, Title: one.Title, Description: one.Description, Arguments: one.Arguments}
			s.AddPrompt(prompt, p.newPromptHandler(one))
		}
	}
}

func (p *Pipeline) newPromptHandler(one ServedPrompt) server.PromptHandlerFunc {
	return func(ctx context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		if err := requireReadRight(ctx); err != nil {
			return nil, err
		}
		for _, a := range one.Arguments {
			if a.Required && IsBlank(r.Params.Arguments[a.Name]) {
				setRPCError(ctx, mcp.INVALID_PARAMS, "the prompt "+one.Name+" needs the argument "+a.Name)
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
