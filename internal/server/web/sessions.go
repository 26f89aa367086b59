package web

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolkit/internal/server/access"
	"toolkit/internal/server/rpc"
)

var errReplaced = errors.New("another stream took over")

// session is what the server remembers of a client between its requests. Before 2026-07-28 it starts with initialize;
// a request without one has a session of its own, which ends with it.
type session struct {
	*rpc.Client
	updates
	caller string // who began it; nobody else may use it

	// Guarded by sessions.mu.
	busy int // requests and streams under way
	used time.Time

	mu     sync.Mutex
	stream context.CancelCauseFunc // the stream that carries updates; nil for none
	over   bool
}

func (s *space) newSession() *session {
	client := rpc.NewClient(rand.Text(), s.turns.Line())
	client.Max = maxSubscriptions
	return &session{Client: client, updates: newUpdates()}
}

// changed notes that a resource has changed, under each address at which the client watches it.
func (s *session) changed(resource string) {
	for _, uri := range s.AddressesOf(resource) {
		s.add(uri)
	}
}

// setStream makes a stream the one that carries updates, and ends the one before it, whose client has usually lost it.
// It fails when the session is over.
func (s *session) setStream(cancel context.CancelCauseFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return false
	}
	if s.stream != nil {
		s.stream(errReplaced)
	}
	s.stream = cancel
	return true
}

// end cancels everything under way.
func (s *session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	if s.stream != nil {
		s.stream(rpc.ErrCancelled)
	}
	s.CancelAll()
}

// sessions are the sessions by their ids. Idle ones end when a new one is asked for: until then they cost only memory,
// which their number bounds.
type sessions struct {
	most  int
	idle  time.Duration
	now   func() time.Time
	fresh func() *session

	mu   sync.Mutex
	byID map[string]*session
}

// create starts a session of a caller, under way. It returns nil when there are too many and none of them is at rest.
func (s *sessions) create(caller string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	var longest *session
	for _, one := range s.byID {
		switch {
		case one.busy > 0:
		case now.Sub(one.used) >= s.idle:
			s.remove(one)
		case longest == nil || one.used.Before(longest.used):
			longest = one
		}
	}
	if len(s.byID) >= s.most {
		if longest == nil {
			return nil
		}
		s.remove(longest)
	}
	created := s.fresh()
	created.caller, created.busy, created.used = caller, 1, now
	s.byID[created.SessionID()] = created
	return created
}

// keep keeps a session that ends with its one request.
func (s *sessions) keep(one *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one.busy++
	s.byID[one.SessionID()] = one
}

// use finds a session of a caller and notes something under way in it, until release. It returns nil for one that has
// ended, or is another caller's.
func (s *sessions) use(id, caller string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.byID[id]
	if one == nil || one.caller != caller {
		return nil
	}
	now := s.now()
	if one.busy == 0 && now.Sub(one.used) >= s.idle {
		s.remove(one)
		return nil
	}
	one.busy++
	one.used = now
	return one
}

func (s *sessions) release(one *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one.busy--
	one.used = s.now()
}

// drop ends a session.
func (s *sessions) drop(one *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(one)
}

func (s *sessions) remove(one *session) {
	delete(s.byID, one.SessionID())
	one.end()
}

func (s *sessions) each(visit func(*session)) {
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.byID))
	s.mu.Unlock()
	for _, one := range all {
		visit(one)
	}
}

// findSession returns the session a request names, in use until it is released.
func (s *space) findSession(r *http.Request) (*session, *refusal) {
	if version := r.Header.Get(mcp.HeaderProtocolVersion); version != "" && !mcp.IsValidProtocolVersion(version) {
		return nil, &refusal{status: http.StatusBadRequest, code: "INVALID_REQUEST", message: "protocol version not supported; use one of " + strings.Join(mcp.ValidProtocolVersions, ", ")}
	}
	id := r.Header.Get(server.HeaderKeySessionID)
	if id == "" {
		return nil, &refusal{status: http.StatusBadRequest, code: "INVALID_REQUEST", message: "the header " + server.HeaderKeySessionID + " is missing; the answer to initialize carries it"}
	}
	one := s.sessions.use(id, access.From(r.Context()).Name)
	if one == nil {
		return nil, sessionGone()
	}
	return one, nil
}

func sessionGone() *refusal {
	return &refusal{status: http.StatusNotFound, code: "NOT_FOUND", message: "the session has ended or never was; start one with initialize"}
}

func (s *space) endSession(w http.ResponseWriter, r *http.Request) *refusal {
	one, e := s.findSession(r)
	if e != nil {
		return e
	}
	s.sessions.drop(one)
	s.sessions.release(one)
	w.WriteHeader(http.StatusNoContent)
	return nil
}
