package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// Rights are what a caller may do with what is stored. The zero value may do nothing.
type Rights uint8

// The rights there are.
const (
	MayRead   Rights = 1 << iota // tools that only read, resources, prompts
	MayWrite                     // tools that write
	MayForget                    // tools that remove for good
	AllRights = MayRead | MayWrite | MayForget
)

var rightNames = []string{"read", "write", "forget"} // in the order of the bits

// ParseRights reads rights by their names.
func ParseRights(names []string) (r Rights, err error) {
	for _, name := range names {
		i := slices.Index(rightNames, name)
		if i < 0 {
			return 0, fmt.Errorf("%q is no right; there are %s", name, strings.Join(rightNames, ", "))
		}
		r |= 1 << i
	}
	return r, nil
}

// Names are the names of the rights, which ParseRights reads.
func (r Rights) Names() (names []string) {
	for i, name := range rightNames {
		if r&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Has reports whether all of some rights are among these.
func (r Rights) Has(some Rights) bool { return r&some == some }

type rightsKey struct{}

// WithRights says what the caller of a request may do. Without it he may do everything: it is the person whose process
// this is.
func WithRights(ctx context.Context, r Rights) context.Context {
	return context.WithValue(ctx, rightsKey{}, r)
}

func rightsOf(ctx context.Context) Rights {
	if r, ok := ctx.Value(rightsKey{}).(Rights); ok {
		return r
	}
	return AllRights
}

// RequiredRight is the right that a call of the tool takes.
func (d *Definition) RequiredRight() Rights {
	removes := func(p Permission) bool { return strings.HasSuffix(string(p), ":delete") }
	switch {
	case !d.Writes():
		return MayRead
	case d.Destructive && slices.ContainsFunc(d.Permissions, removes):
		return MayForget
	}
	return MayWrite
}

// RequiredRightOf is the right that a request takes; the tool is that of a tools/call. What only describes the server takes none.
func (s *Server) RequiredRightOf(method, tool string) Rights {
	switch mcp.MCPMethod(method) {
	case mcp.MethodToolsCall:
		if d := s.Pipeline.FindServedTool(tool); d != nil {
			return d.RequiredRight()
		}
	case mcp.MethodResourcesRead, mcp.MethodResourcesSubscribe, mcp.MethodSubscriptionsListen, mcp.MethodPromptsGet:
		return MayRead
	}
	return 0
}

// requireReadRight refuses a request of a caller who may not read, for everything that is read without a tool.
func requireReadRight(ctx context.Context) error {
	if rightsOf(ctx).Has(MayRead) {
		return nil
	}
	const text = "this needs the right read, which your token does not give"
	setRPCError(ctx, mcp.INVALID_REQUEST, text)
	return errors.New(text)
}
