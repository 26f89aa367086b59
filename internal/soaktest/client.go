package soaktest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// server is one `serve --stdio` process and its only client. It speaks by itself:
// mcp-go's client reads over a line that is no message, which is a failure here,
// and ends a server more gently than a power cut.
type server struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	next    int
	started time.Duration // from the start of the process to the answer to initialize
}

type message struct {
	ID     *int `json:"id"`
	Result struct {
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
	}
	Error *struct {
		Code    int
		Message string
	}
}

// start runs the program on a database and greets it as any MCP client does.
func start(program string, database string, errs io.Writer) (*server, error) {
	s := &server{cmd: exec.Command(program, "serve", "--stdio", "--db", database, "--file-root", filepath.Dir(database), "--log-level", "error")}
	s.cmd.Env = append(os.Environ(), "TOOLKIT_RATE_LIMITS=upload_file=off")
	s.cmd.Stderr = errs
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReaderSize(out, 1<<20)
	begun := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	if _, err := s.request("initialize", object{"protocolVersion": "2025-06-18", "capabilities": object{}, "clientInfo": object{"name": "soak", "version": "1"}}); err != nil {
		return s, err
	}
	s.started = time.Since(begun)
	if err := s.send(object{"jsonrpc": "2.0", "method": "notifications/initialized"}); err != nil {
		return s, err
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
			return nil, fmt.Errorf("%s: error %d: %s", method, m.Error.Code, m.Error.Message)
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
		text := "no text"
		if len(m.Result.Content) > 0 {
			text = m.Result.Content[0].Text
		}
		return nil, fmt.Errorf("refused: %.500s", text)
	}
	return m.Result.StructuredContent, nil
}

// kill ends the process as a power cut would.
func (s *server) kill() error { return s.cmd.Process.Kill() }

// end closes the conversation, as a client that leaves does, and waits.
func (s *server) end() error {
	err := s.in.Close()
	io.Copy(io.Discard, s.out) //nolint:errcheck // until the process is gone
	var exit *exec.ExitError
	if waited := s.cmd.Wait(); waited != nil && !errors.As(waited, &exit) {
		err = errors.Join(err, waited)
	}
	return err
}
