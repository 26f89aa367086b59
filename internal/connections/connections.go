// Package connections bounds how many connections an HTTP server holds, without letting those that ask for nothing keep
// out those that do.
package connections

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// Limit closes connections beyond a number: those that wait, which have sent no whole request or none since their last
// answer, the ones that were never answered first and of these the ones that wait longest. Connections that are being
// answered are left alone, so that there may be more for a while, but never twice the number.
type Limit struct {
	most int

	mu   sync.Mutex
	open map[net.Conn]*connection
}

// connection is guarded by the mutex of its limit.
type connection struct {
	conn     net.Conn
	serving  bool
	answered bool
	since    time.Time // when it began to wait
}

// NewLimit returns a limit of at most so many connections.
func NewLimit(most int) *Limit { return &Limit{most: most, open: map[net.Conn]*connection{}} }

type connectionKey struct{}

// GuardServer makes a server keep the limit. It is called before the server serves.
func (l *Limit) GuardServer(s *http.Server) {
	s.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connectionKey{}, l.addConnection(c))
	}
	s.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateClosed || state == http.StateHijacked {
			l.mu.Lock()
			defer l.mu.Unlock()
			delete(l.open, c)
		}
	}
	handler := s.Handler
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connectionKey{}).(*connection); ok {
			l.setServing(c, true)
			defer l.setServing(c, false)
		}
		handler.ServeHTTP(w, r)
	})
}

// Serve serves on a listener, with at most so many connections, until the context ends. Then it calls end, which begins
// the end, and lets the requests under way finish for the grace period. The error is the one that ended listening before.
func Serve(ctx context.Context, s *http.Server, l net.Listener, most int, end func(), grace time.Duration) error {
	NewLimit(most).GuardServer(s)
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	end()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if s.Shutdown(ctx) != nil {
		s.Close() //nolint:errcheck // connections are abandoned here on purpose
	}
	return nil
}

func (l *Limit) addConnection(c net.Conn) *connection {
	l.mu.Lock()
	defer l.mu.Unlock()
	added := &connection{conn: c, since: time.Now()}
	if len(l.open) >= l.most && !l.closeIdleConnection() && len(l.open) >= 2*l.most {
		go c.Close()
		return added
	}
	l.open[c] = added
	return added
}

func (l *Limit) setServing(c *connection, serving bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.serving, c.since = serving, time.Now()
	c.answered = c.answered || !serving
}

// closeIdleConnection closes the connection that can best be spared, if there is one, beside the caller: the end of an encrypted
// connection may wait for its client.
func (l *Limit) closeIdleConnection() bool {
	var spared *connection
	for _, c := range l.open {
		if c.serving {
			continue
		}
		if spared == nil || c.answered != spared.answered && spared.answered || c.answered == spared.answered && c.since.Before(spared.since) {
			spared = c
		}
	}
	if spared != nil {
		delete(l.open, spared.conn)
		go spared.conn.Close()
	}
	return spared != nil
}
