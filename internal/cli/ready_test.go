package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"toolkit/internal/testenv"
)

func TestReadyAsksAServerWhetherItServes(t *testing.T) {
	t.Parallel()
	s := serveHTTP(t, "a-token-of-some-length")
	address := strings.TrimSuffix(s.url, "/api/mcp")
	for _, form := range []string{address, strings.TrimPrefix(address, "http://"), s.url} {
		if out, errs, code := run(t, "", "ready", form); code != exitOK || out != "ready\n" {
			t.Errorf("%s: %d %s%s", form, code, out, errs)
		}
	}
	db := s.cmd.Args[len(s.cmd.Args)-1]
	if err := os.Rename(db, db+".away"); err != nil {
		t.Fatal(err)
	}
	until(t, "it is not ready without its database", func(context.Context) bool {
		_, errs, code := run(t, "", "ready", address)
		return code == exitFailure && strings.Contains(errs, "not ready: 503")
	})
	if _, errs, code := run(t, "", "ready", "http://"); code != exitUsage || !strings.Contains(errs, "is not an address") {
		t.Errorf("no address: %d %s", code, errs)
	}
}

// generations are the servers that follow each other on one address.
type generations struct {
	mu   sync.Mutex
	next chan struct{} // closed when the next one serves
}

func (g *generations) now() (next <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.next
}

func (g *generations) advance() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.next)
	g.next = make(chan struct{})
}

// caller is a client over HTTP that makes calls one after the other in a session.
type caller struct{ url, session string }

func (c *caller) post(body string) (status int, header http.Header, text []byte, err error) {
	r, err := http.NewRequest(http.MethodPost, c.url, strings.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	text, err = io.ReadAll(response.Body)
	return response.StatusCode, response.Header, text, err
}

const initializeLine = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// try makes a call, if need be in a new session. It was not answered where the server takes no calls now, or is gone;
// an answer must be that of the call.
func (c *caller) try(id int, content string) (answered bool, err error) {
	body := callLine(id, "store_raw_dialogue", map[string]any{"session_id": "load", "speaker": "user", "content": content})
	starts := c.session == ""
	if starts {
		body = initializeLine
	}
	status, header, text, err := c.post(body)
	switch {
	case err != nil, status == http.StatusServiceUnavailable:
		return false, nil //nolint:nilerr // the server is ending, or has ended
	case status == http.StatusNotFound: // the session went with its server
		c.session = ""
		return c.try(id, content)
	case status != http.StatusOK:
		return false, fmt.Errorf("call %d: %d %s", id, status, text)
	case starts:
		c.session = header.Get("Mcp-Session-Id")
		return c.try(id, content)
	}
	var a answer
	if err := json.Unmarshal(text, &a); err != nil || a.Error != nil || a.Result.IsError || string(a.ID) != fmt.Sprint(id) {
		return false, fmt.Errorf("call %d was answered with %s, %v", id, text, err)
	}
	return true, nil
}

// say makes a call until a server has answered it.
func (c *caller) say(g *generations, id int, content string) error {
	for {
		next := g.now()
		answered, err := c.try(id, content)
		if answered || err != nil {
			return err
		}
		<-next
	}
}

func TestRestartsUnderLoadLoseNothingAndAnswerEveryCallOnce(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGTERM on Windows")
	}
	const callers, restarts, each = 6, 4, 60 // calls between two restarts, of all
	db := database(t)
	s := serveHTTP(t, "", "--db", db, "--http-rate-limit", "0")
	g := &generations{next: make(chan struct{})}
	var answered atomic.Int64
	var over atomic.Bool
	said, failed := make([][]string, callers), make([]error, callers)
	var all sync.WaitGroup
	for n := range callers {
		all.Go(func() {
			c := &caller{url: s.url}
			for i := 1; !over.Load() && failed[n] == nil; i++ {
				content := fmt.Sprintf("caller %d says %d", n, i)
				if failed[n] = c.say(g, i, content); failed[n] == nil {
					said[n] = append(said[n], content)
					answered.Add(1)
				}
			}
		})
	}
	for restart := range restarts {
		want := int64((restart + 1) * each)
		until(t, "calls were answered", func(context.Context) bool { return answered.Load() >= want })
		if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if code, log := s.end(); code != exitOK {
			t.Errorf("it ended with %d: %s", code, log)
		}
		s = serveHTTP(t, "", "--db", db, "--http-rate-limit", "0", "--http", strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/api/mcp"))
		g.advance()
	}
	over.Store(true)
	all.Wait()
	stored := exported(t, db)
	for n := range callers {
		if failed[n] != nil {
			t.Error(failed[n])
		}
		for _, content := range said[n] {
			if times := bytes.Count(stored, []byte(`"`+content+`"`)); times != 1 {
				t.Errorf("%q was answered and is stored %d times", content, times)
			}
		}
	}
	if n := bytes.Count(stored, []byte(`{"table":"l0_raw"`)); n != int(answered.Load()) {
		t.Errorf("%d calls were answered and %d are stored", answered.Load(), n)
	}
}

// exported is every row of a database as text.
func exported(t *testing.T, db string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "all.jsonl")
	if _, errs, code := run(t, "", "export", out, "--db", db); code != exitOK {
		t.Fatal(errs)
	}
	return testenv.Read(t, out)
}
