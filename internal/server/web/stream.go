package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/server/access"
	"toolkit/internal/server/rpc"
)

// startEventStream begins an answer that is a stream of events.
func startEventStream(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // proxies must not hold events back
	w.WriteHeader(http.StatusOK)
}

// writeEvent writes a line of JSON as an event.
func writeEvent(w http.ResponseWriter, line []byte) error {
	return writeAndFlush(w, []byte("event: message\ndata: "), line, []byte("\n"))
}

func writeAndFlush(w http.ResponseWriter, parts ...[]byte) error {
	setWriteDeadline(w)
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return http.NewResponseController(w).Flush()
}

// serveStream keeps a GET request open and tells the client of changes in the resources it watches.
func (s *space) serveStream(w http.ResponseWriter, r *http.Request) *refusal {
	one, e := s.findAndHoldSession(r)
	if e != nil {
		return e
	}
	defer s.sessions.releaseEntry(one)
	if e := s.checkNotEnding(); e != nil {
		return e
	}
	if !s.streams.TryAcquire(1) {
		return newBusyRefusal("streams")
	}
	defer s.streams.Release(1)
	ctx, cancel := cancelWithServer(s.open, r.Context())
	defer cancel(nil)
	one.replaceStream(func() { cancel(nil) })
	startEventStream(w)
	if http.NewResponseController(w).Flush() != nil {
		return nil
	}
	s.relayChanges(ctx, w, r, one, func(uri string) error {
		line, _ := rpc.EncodeNotification(mcp.MethodNotificationResourceUpdated, map[string]any{"uri": uri}) // a text has a JSON form
		return writeEvent(w, line)
	})
	return nil
}

// serveSubscription serves a subscriptions/listen, which stays open until its client leaves.
func (s *space) serveSubscription(r *http.Request, e *exchange) (line []byte) {
	ctx, cancel := cancelWithServer(s.open, e.Context)
	defer cancel(nil)
	one := newSession(e.Client, "") // it stands in the table, under an id that nobody else knows, to be told of changes
	if _, room := s.sessions.acquireOrCreateEntry(one.SessionID(), func() *session { return one }); !room {
		return e.EncodeError(rpc.CodeRefused, "too many sessions are open; try again")
	}
	defer s.sessions.endEntry(one.SessionID())
	open, ended := e.OpenSubscription(ctx, s.tools)
	s.relayChanges(open, e.w, r, one, e.NotifyUpdated)
	cancel(nil) // the client is gone, or its token
	return <-ended
}

// relayChanges tells a client of changes until the context ends, or the client is gone, or its token was removed or has
// expired. What was not told waits for the next stream. Signs of life keep proxies from closing a stream that is quiet.
func (s *Server) relayChanges(ctx context.Context, w http.ResponseWriter, r *http.Request, one *session, send func(uri string) error) {
	ticker := time.NewTicker(defaultKeepAlive)
	defer ticker.Stop()
	defer one.addPendingAndWake(nil) // for the next stream, whose signal may have come here
	for ctx.Err() == nil {
		changes := one.takePending()
		for i, uri := range changes {
			if send(uri) != nil {
				one.addPendingAndWake(changes[i:])
				return
			}
		}
		select {
		case <-ctx.Done():
		case <-one.wake:
		case <-ticker.C:
			if _, err := s.identifyCallerOrAssumeOwner(r); errors.Is(err, access.ErrUnknown) || writeAndFlush(w, []byte(": still here\n\n")) != nil {
				return
			}
		}
	}
}
