package soaktest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
)

// server is one `serve --stdio` process and its only client. It speaks by itself:
// mcp-go's client reads over a line that is no message, which is a failure here,
// and ends a server more gently than a power cut.
type server struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	next int
}

type message struct {
	ID     *int `json:"id"`
	Result struct {
		IsError                    bool
		Content, StructuredContent json.RawMessage
	}
	Error json.RawMessage
}

// start runs the program on a database and greets it as any MCP client does.
func start(ctx context.Context, command func(context.Context, ...string) *exec.Cmd, database string) (*server, error) {
	cmd := command(ctx, "serve", "--stdio", "--db", database, "--file-root", filepath.Dir(database), "--log-level", "error")
	cmd.Env = append(cmd.Environ(), "TOOLKIT_RATE_LIMITS=upload_file=off")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	_, err = s.request("initialize", object{"protocolVersion": "2025-06-18", "capabilities": object{}, "clientInfo": object{"name": "soak", "version": "1"}})
	if err == nil {
		err = s.send(object{"jsonrpc": "2.0", "method": "notifications/initialized"})
	}
	if err != nil {
		s.kill() //nolint:errcheck // it may be gone
		s.end()
		return nil, fmt.Errorf("the server does not start: %w", err)
	}
	return s, nil
}

func (s *server) send(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := s.in.Write(append(raw, '\n')); err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return nil
}

// request waits for the answer; notifications between are read over.
func (s *server) request(method string, params any) (*message, error) {
	s.next++
	id := s.next
	if err := s.send(object{"jsonrpc": "2.0", "id": id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrLost, err)
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			return nil, fmt.Errorf("a line that is no message: %.200s", line)
		}
		if m.ID == nil || *m.ID != id {
			continue
		}
		if m.Error != nil {
			return nil, fmt.Errorf("%s: error %s", method, m.Error)
		}
		return &m, nil
	}
}

// call is a Caller.
func (s *server) call(_ context.Context, name string, arguments any) (json.RawMessage, error) {
	m, err := s.request("tools/call", object{"name": name, "arguments": arguments})
	if err != nil {
		return nil, err
	}
	if m.Result.IsError {
		return nil, fmt.Errorf("refused: %.500s", m.Result.Content)
	}
	return m.Result.StructuredContent, nil
}

// kill ends the process as a power cut would.
func (s *server) kill() error { return s.cmd.Process.Kill() }

// end closes the conversation, as a client that leaves does, and waits.
func (s *server) end() {
	s.in.Close()               //nolint:errcheck // it may be gone
	io.Copy(io.Discard, s.out) //nolint:errcheck // until the process is gone
	s.cmd.Wait()               //nolint:errcheck // what it acknowledged is checked
}
