package web

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Paths of the probes, for whoever watches over the process. They need no token and tell nothing but yes or no.
const (
	// PathHealth answers as long as the process does.
	PathHealth = "/healthz"
	// PathReady answers 200 where calls can be served, else 503.
	PathReady = "/readyz"
)

const (
	// readyFor is how long an answer about the database holds: strangers can ask, and asking takes the write lock.
	readyFor = time.Second
	// readyTimeout is how long the database may take to say that it can be written.
	readyTimeout = 2 * time.Second
)

// readiness is whether calls can be served.
type readiness struct {
	ending atomic.Bool

	mu     sync.Mutex // held while the database is asked
	asked  time.Time
	failed error // of the database, when it was last asked
}

func serveHealth(w http.ResponseWriter, _ *http.Request) *refusal {
	writeJSON(w, http.StatusOK, map[string]string{"status": "alive"})
	return nil
}

func (s *Server) serveReadiness(w http.ResponseWriter, r *http.Request) *refusal {
	if e := s.checkNotEnding(); e != nil {
		return e
	}
	if s.checkDatabaseReady(r.Context()) != nil {
		return &refusal{status: http.StatusServiceUnavailable, code: "SERVICE_UNAVAILABLE", retry: 1, message: "the database cannot be used now; the log says why"}
	}
	writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
	return nil
}

// checkDatabaseReady asks the database at most once in readyFor, for all who want to know, and logs what has changed.
func (s *Server) checkDatabaseReady(ctx context.Context) error {
	if s.options.Ready == nil {
		return nil
	}
	s.ready.mu.Lock()
	defer s.ready.mu.Unlock()
	now := s.now()
	if !s.ready.asked.IsZero() && now.Sub(s.ready.asked) < readyFor {
		return s.ready.failed
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTimeout) // whoever asks next hears it too
	defer cancel()
	before := s.ready.failed
	s.ready.asked, s.ready.failed = now, s.options.Ready(ctx)
	switch {
	case s.ready.failed != nil && before == nil:
		s.options.Logger.Error("not ready: the database cannot be used", "error", s.ready.failed.Error())
	case s.ready.failed == nil && before != nil:
		s.options.Logger.Info("ready again")
	}
	return s.ready.failed
}

// checkNotEnding refuses what would begin something new while the server ends; nil: it does not.
func (s *Server) checkNotEnding() *refusal {
	if !s.ready.ending.Load() {
		return nil
	}
	return &refusal{status: http.StatusServiceUnavailable, code: "SERVICE_UNAVAILABLE", retry: 1, message: "the server is ending; connect again, where another one or its next start answers"}
}

// announceEndingAndWait gives whoever sends requests here the time to notice that the server is ending: it is not ready, and begins no
// session and no stream, but serves everything else.
func (s *Server) announceEndingAndWait() {
	s.ready.ending.Store(true)
	if s.options.Drain > 0 {
		s.options.Logger.Info("ending: no longer ready", "drain", s.options.Drain.String())
		time.Sleep(s.options.Drain)
	}
}
