package web

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"toolkit/internal/server/access"
	"toolkit/internal/server/rpc"
	"toolkit/tools"
)

// serving runs Serve on a free port and returns how it ended.
func (w *world) serving(ctx context.Context) <-chan error {
	w.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	w.url = "http://" + listener.Addr().String()
	ended := make(chan error, 1)
	go func() { ended <- w.server.Serve(ctx, listener) }()
	return ended
}

func TestAnAddressThatOthersReachNeedsAToken(t *testing.T) {
	w := newServer(t, Options{}, tools.Access{})
	listener, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.server.Serve(t.Context(), listener); !errors.Is(err, ErrTokenRequired) {
		t.Errorf("it serves: %v", err)
	}
	if _, err := listener.Accept(); err == nil {
		t.Error("the port is still open")
	}
}

func TestTheEndWaitsForCallsAndClosesStreams(t *testing.T) {
	w := newServer(t, Options{}, tools.Access{})
	ctx, stop := context.WithCancel(t.Context())
	ended := w.serving(ctx)
	session := w.begin()
	e := w.stream(w.request(t.Context(), http.MethodGet, PathMCP, "", append(session, "Accept", "text/event-stream")...))
	held := w.background(t.Context(), call(1, "hold", map[string]any{"pocket_id": "late"}), session...)
	<-w.started
	stop()
	if m := e.next(); m != nil {
		t.Errorf("the stream says %v", m)
	}
	close(w.release)
	if a := <-held; path(a.json(t), "result", "structuredContent", "pocket_id") != "late" {
		t.Errorf("the call was answered with %s", a.body)
	}
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestCallsAreCutOffAtTheEndOfTheGracePeriod(t *testing.T) {
	w := newServer(t, Options{}, tools.Access{})
	w.server.grace = time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	ended := w.serving(ctx)
	w.background(t.Context(), call(1, "hold", nil))
	<-w.started
	stop()
	if err := <-ended; !errors.Is(err, rpc.ErrUnfinished) {
		t.Errorf("Serve: %v", err)
	}
	if err := <-w.ended; err == nil {
		t.Error("the call was not cancelled")
	}
}

// pipes is a listener whose connections are handed to it.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// dial is the client's end of a new connection.
func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.conns <- server
	return client
}

// piped serves over pipes until stop is called; ended then waits for the end, which
// must be a good one.
func (w *world) piped(t *testing.T) (listener *pipes, stop, ended func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	listener = newPipes()
	result := make(chan error, 1)
	go func() { result <- w.server.Serve(ctx, listener) }()
	return listener, stop, func() {
		t.Helper()
		if err := <-result; err != nil {
			t.Error(err)
		}
	}
}

// Time passes at once here: every wait is for the fake clock.
func TestASlowClientIsCutOff(t *testing.T) {
	for _, test := range []struct {
		name, sends string
		within      time.Duration
		status      string // of the answer, if there is one
	}{
		{"that sends nothing", "", defaultHeaderTime, ""},
		{"that stops within the headers", "POST /api/mcp HTTP/1.1\r\nHost: localh", defaultHeaderTime, ""},
		{"that stops within the body", "POST /api/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", defaultBodyTime, "408"},
		{"that stops within a chunk", "POST /api/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{", defaultBodyTime, "408"},
		{"that stops within a body that nobody reads", "POST /api/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{", defaultBodyTime, "404"},
		{"that asks nothing more", "GET /.well-known/mcp.json HTTP/1.1\r\nHost: localhost\r\n\r\n", defaultIdleTime, "200"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newServer(t, Options{}, tools.Access{})
				listener, stop, ended := w.piped(t)
				client := listener.dial()
				begun := time.Now()
				go io.WriteString(client, test.sends) //nolint:errcheck // the server hangs up
				answer, _ := io.ReadAll(client)
				if took := time.Since(begun); took > test.within+time.Second {
					t.Errorf("the connection was held for %s", took)
				}
				if status, _, _ := strings.Cut(strings.TrimPrefix(string(answer), "HTTP/1.1 "), " "); status != test.status && !(test.status == "" && status == "408") {
					t.Errorf("it was answered with %q", answer)
				}
				client.Close()
				stop()
				ended()
			})
		})
	}
}

// Time passes only where something waits for it: a good call that waited for others would take seconds.
func TestIdleAndSlowConnectionsDoNotKeepAGoodCallWaiting(t *testing.T) {
	for name, sends := range map[string]string{
		"that send nothing":            "",
		"that stop within the headers": "POST /api/mcp HTTP/1.1\r\nHost: localh",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newServer(t, Options{}, tools.Access{})
				listener, stop, ended := w.piped(t)
				var idle []net.Conn
				for range 2 * maxConnections {
					client := listener.dial()
					idle = append(idle, client)
					io.WriteString(client, sends) //nolint:errcheck // it may be closed already
				}
				begun := time.Now()
				good := &http.Client{Transport: &http.Transport{DialContext: listener.dialContext}}
				response, err := good.Post("http://localhost"+PathMCP, "application/json", strings.NewReader(call(1, "echo", nil)))
				if err != nil {
					t.Fatal(err)
				}
				response.Body.Close()
				if response.StatusCode != http.StatusOK || time.Since(begun) > 0 {
					t.Errorf("answered with %s after %s", response.Status, time.Since(begun))
				}
				for _, client := range idle {
					client.Close()
				}
				good.CloseIdleConnections()
				stop()
				ended()
			})
		})
	}
}

func TestAClientThatDoesNotReadIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newServer(t, Options{}, tools.Access{})
		listener, stop, ended := w.piped(t)
		client := listener.dial()
		begun := time.Now()
		io.WriteString(client, "GET /.well-known/mcp.json HTTP/1.1\r\nHost: localhost\r\n\r\n") //nolint:errcheck // a pipe
		time.Sleep(defaultWriteTime + defaultIdleTime)                                          // of the fake clock
		synctest.Wait()
		if _, err := client.Write([]byte("x")); err == nil {
			t.Errorf("the connection is open after %s", time.Since(begun))
		}
		stop()
		ended()
	})
}

func TestAQuietStreamIsKeptAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newServer(t, Options{}, tools.Access{})
		listener, stop, ended := w.piped(t)
		one := started(t, w, access.Owner.Name)
		w.server.base.sessions.releaseEntry(one)
		client := listener.dial()
		begun := time.Now()
		io.WriteString(client, "GET /api/mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: "+one.SessionID()+"\r\n\r\n") //nolint:errcheck // a pipe
		lines := bufio.NewScanner(client)
		pings := 0
		for pings < 20 && lines.Scan() {
			if strings.HasPrefix(lines.Text(), ": ") {
				pings++
			}
		}
		if took := time.Since(begun); pings != 20 || took != 20*defaultKeepAlive {
			t.Errorf("%d signs of life in %s", pings, took)
		}
		stop()
		io.Copy(io.Discard, client) //nolint:errcheck // it ends with the stream
		ended()
	})
}
