package web

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"sync"

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
	usage
	caller string // who began it; nobody else may use it

	mu     sync.Mutex
	stream context.CancelCauseFunc // the stream that carries updates; nil for none
	over   bool
}

func (s *space) newSession(caller string) *session {
	client := rpc.NewClient(rand.Text(), s.turns.Line())
	client.Max = maxSubscriptions
	return &session{Client: client, updates: newUpdates(), caller: caller}
}

// startSession keeps a new session, in use until it is left; false where there is no room for it.
func (s *space) startSession(caller string) (*session, bool) {
	one := s.newSession(caller)
	return s.sessions.enter(one.SessionID(), func() *session { return one })
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

// findSession returns the session of the caller that a request names, in use until it is left.
func (s *space) findSession(r *http.Request) (*session, *refusal) {
	if version := r.Header.Get(mcp.HeaderProtocolVersion); version != "" && !mcp.IsValidProtocolVersion(version) {
		return nil, &refusal{status: http.StatusBadRequest, code: "INVALID_REQUEST", message: "protocol version not supported; use one of " + strings.Join(mcp.ValidProtocolVersions, ", ")}
	}
	id := r.Header.Get(server.HeaderKeySessionID)
	if id == "" {
		return nil, &refusal{status: http.StatusBadRequest, code: "INVALID_REQUEST", message: "the header " + server.HeaderKeySessionID + " is missing; the answer to initialize carries it"}
	}
	one, found := s.sessions.enter(id, nil)
	if found && one.caller != access.From(r.Context()).Name {
		s.sessions.leave(one)
		found = false
	}
	if !found {
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
	s.sessions.drop(one.SessionID())
	s.sessions.leave(one)
	w.WriteHeader(http.StatusNoContent)
	return nil
}
