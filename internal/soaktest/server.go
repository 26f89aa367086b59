package soaktest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// server is one `serve --stdio` process and its only client.
type server struct {
	cmd    *exec.Cmd
	client *client.Client
}

// startServer runs the program on a database and greets it.
func startServer(ctx context.Context, o Options) (*server, error) {
	s := &server{cmd: exec.CommandContext(ctx, o.Program, "serve", "--stdio", "--db", o.Database, "--file-root", filepath.Dir(o.Database), "--log-level", "error")}
	s.cmd.Env, s.cmd.Stderr = append(slices.Clip(o.Env), "TOOLKIT_RATE_LIMITS=upload_file=off"), os.Stderr
	command := func(context.Context, string, []string, []string) (*exec.Cmd, error) { return s.cmd, nil }
	s.client = client.NewClient(transport.NewStdioWithOptions(o.Program, nil, nil, transport.WithCommandFunc(command)))
	err := s.client.Start(ctx)
	if err == nil {
		_, err = s.client.Initialize(ctx, mcp.InitializeRequest{})
	}
	if err != nil {
		s.client.Close()                                           //nolint:errcheck // it may be gone
		return nil, fmt.Errorf("a server does not start: %v", err) // not wrapped: nobody has killed it
	}
	return s, nil
}

// call is a [Caller].
func (s *server) call(ctx context.Context, tool string, arguments json.RawMessage) ([]byte, error) {
	result, err := s.client.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: arguments}})
	if err != nil {
		return nil, err
	}
	if result.IsError {
		return nil, fmt.Errorf("refused: %.500v", result.Content)
	}
	return json.Marshal(result.StructuredContent)
}

// isGone reports whether a call failed because its server went away before it answered.
func isGone(err error) bool {
	return errors.Is(err, transport.ErrTransportClosed) || errors.Is(err, syscall.EPIPE)
}
