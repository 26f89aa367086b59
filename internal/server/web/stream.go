package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/server/access"
	"toolkit/internal/server/rpc"
)

// openStream begins an answer that is a stream of events.
func openStream(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // proxies must not hold events back
	w.WriteHeader(http.StatusOK)
}

// writeEvent writes a line of JSON as an event.
func writeEvent(w http.ResponseWriter, line []byte) error {
	return writeNow(w, []byte("event: message\ndata: "), line, []byte("\n"))
}

// writePing keeps proxies from closing a stream that is quiet.
func writePing(w http.ResponseWriter) error { return writeNow(w, []byte(": still here\n\n")) }

func writeNow(w http.ResponseWriter, parts ...[]byte) error {
	limitWrite(w)
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return http.NewResponseController(w).Flush()
}

// serveStream keeps a GET request open and tells the client of changes in the resources it watches.
func (s *space) serveStream(w http.ResponseWriter, r *http.Request) *refusal {
	one, e := s.findSession(r)
	if e != nil {
		return e
	}
	defer s.sessions.leave(one)
	if e := s.ending(); e != nil {
		return e
	}
	if !s.streams.TryAcquire(1) {
		return tooBusy("streams")
	}
	defer s.streams.Release(1)
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	defer context.AfterFunc(s.open, func() { cancel(rpc.ErrShutdown) })()
	if !one.setStream(cancel) {
		return sessionGone()
	}
	openStream(w)
	if http.NewResponseController(w).Flush() != nil {
		return nil
	}
	one.relay(ctx, func(uri string) error {
		line, _ := rpc.Notification(mcp.MethodNotificationResourceUpdated, map[string]any{"uri": uri}) // a text has a JSON form
		return writeEvent(w, line)
	}, s.whileTokenIsValid(r, func() error { return writePing(w) }))
	return nil
}

// whileTokenIsValid is a sign of life that ends the stream of a token that was removed or has expired.
func (s *Server) whileTokenIsValid(r *http.Request, ping func() error) func() error {
	return func() error {
		if _, err := s.who(r); errors.Is(err, access.ErrUnknown) {
			return err
		}
		return ping()
	}
}

// listen serves a subscriptions/listen, which stays open until its client leaves.
func (s *space) listen(ctx context.Context, r *http.Request, e *exchange) (line []byte) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.open, func() { cancel(rpc.ErrShutdown) })()
	id := e.session.SessionID() // which nobody else knows; it stands in the table to be told of changes
	if _, room := s.sessions.enter(id, func() *session { return e.session }); !room {
		return e.Fail(rpc.CodeRefused, "too many sessions are open; try again")
	}
	defer s.sessions.drop(id)
	defer s.sessions.leave(e.session)
	relaying, stop := context.WithCancel(ctx)
	var relayed sync.WaitGroup
	relayed.Go(func() {
		select {
		case <-e.Acknowledged():
		case <-relaying.Done():
			return
		}
		e.session.relay(relaying, e.Updated, s.whileTokenIsValid(r, e.ping))
		cancel(nil) // the client is gone, or its token
	})
	line = s.ask(ctx, r, e)
	stop()
	relayed.Wait()
	return line
}

// updates are the resources whose change a client has not been told yet, each once.
type updates struct {
	wake chan struct{}

	pendingMu sync.Mutex
	pending   []string
}

func newUpdates() updates { return updates{wake: make(chan struct{}, 1)} }

func (u *updates) add(uri string) {
	u.pendingMu.Lock()
	defer u.pendingMu.Unlock()
	if !slices.Contains(u.pending, uri) {
		u.pending = append(u.pending, uri)
	}
	u.rouse()
}

func (u *updates) rouse() {
	select {
	case u.wake <- struct{}{}:
	default: // it is awake already
	}
}

func (u *updates) take() []string {
	u.pendingMu.Lock()
	defer u.pendingMu.Unlock()
	taken := u.pending
	u.pending = nil
	return taken
}

// relay passes updates on until the context ends or the client is gone. What was not told waits for the next stream.
func (u *updates) relay(ctx context.Context, send func(uri string) error, ping func() error) {
	ticker := time.NewTicker(defaultKeepAlive)
	defer ticker.Stop()
	defer u.rouse()
	u.rouse() // something may be waiting since before
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if ping() != nil {
				return
			}
		case <-u.wake:
			if ctx.Err() != nil {
				return
			}
			for i, taken := 0, u.take(); i < len(taken); i++ {
				if send(taken[i]) == nil {
					continue
				}
				for _, untold := range taken[i:] {
					u.add(untold)
				}
				return
			}
		}
	}
}
