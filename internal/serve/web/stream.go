package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/serve/access"
	"toolkit/internal/serve/peer"
)

// openStream begins an answer that is a stream of events.
func openStream(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // proxies must not hold events back
	w.WriteHeader(http.StatusOK)
}

// writeEvent writes a line of JSON as an event.
func writeEvent(w http.ResponseWriter, line []byte) error {
	armWrite(w)
	for _, part := range [][]byte{[]byte("event: message\ndata: "), line, []byte("\n")} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return http.NewResponseController(w).Flush()
}

func writePing(w http.ResponseWriter) error {
	armWrite(w)
	if _, err := io.WriteString(w, ": still here\n\n"); err != nil {
		return err
	}
	return http.NewResponseController(w).Flush()
}

// serveStream keeps a GET request open and tells the client of changes in the resources it watches.
func (s *space) serveStream(w http.ResponseWriter, r *http.Request) {
	one, e := s.findSession(r)
	if e != nil {
		refuse(w, r, *e)
		return
	}
	defer s.sessions.release(one)
	if e := s.ending(); e != nil {
		refuse(w, r, *e)
		return
	}
	if !s.streams.TryAcquire(1) {
		refuse(w, r, tooBusy("streams"))
		return
	}
	defer s.streams.Release(1)
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	defer context.AfterFunc(s.open, func() { cancel(peer.ErrShutdown) })()
	if !one.setStream(cancel) {
		refuse(w, r, sessionGone())
		return
	}
	openStream(w)
	if http.NewResponseController(w).Flush() != nil {
		return
	}
	relay(ctx, &one.updates, func(uri string) error {
		line, err := notificationLine(mcp.MethodNotificationResourceUpdated, map[string]any{"uri": uri})
		if err != nil {
			return err
		}
		return writeEvent(w, line)
	}, s.whileKnown(r, func() error { return writePing(w) }))
}

// whileKnown is a sign of life that ends the stream of a token that was removed or has expired.
func (s *Server) whileKnown(r *http.Request, ping func() error) func() error {
	return func() error {
		if _, err := s.who(r); errors.Is(err, access.ErrUnknown) {
			return err
		}
		return ping()
	}
}

// relay passes updates on until the context ends or the client is gone.
func relay(ctx context.Context, u *updates, send func(uri string) error, ping func() error) {
	ticker := time.NewTicker(defaultKeepAlive)
	defer ticker.Stop()
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
				u.rouse() // for the stream that took over
				return
			}
			taken := u.take()
			for i, uri := range taken {
				if send(uri) != nil {
					for _, untold := range taken[i:] {
						u.add(untold) // the next stream tells it
					}
					return
				}
			}
		}
	}
}

// listen serves a subscriptions/listen, which stays open until its client leaves.
func (s *space) listen(ctx context.Context, r *http.Request, e *exchange, handle func(context.Context)) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.open, func() { cancel(peer.ErrShutdown) })()
	s.sessions.add(e.view.session) // so that it is told of changes; nobody else knows its id
	defer s.sessions.drop(e.view.session)
	relayed := make(chan struct{})
	relaying, stop := context.WithCancel(ctx)
	go func() {
		defer close(relayed)
		select {
		case <-e.acknowledged:
		case <-relaying.Done():
			return
		}
		relay(relaying, &e.view.updates, func(uri string) error {
			return e.send(peer.Tag(peer.Updated(uri), e.ID))
		}, s.whileKnown(r, e.ping))
		cancel(nil) // the client is gone, or its token
	}()
	handle(ctx)
	stop()
	<-relayed
}
