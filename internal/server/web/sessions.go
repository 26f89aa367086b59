package web

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolkit/internal/server/access"
	"toolkit/internal/server/rpc"
)

// maxSessions is how many sessions a space has at most; where there is no room, the one that is idle the longest ends.
const maxSessions = 1000

// session is what the server remembers of a client between its requests. Before 2026-07-28 it starts with initialize;
// a request without one has a session of its own, which ends with it.
type session struct {
	*rpc.Client
	usage
	caller string        // who began it; nobody else may use it
	wake   chan struct{} // says that something is pending

	mu      sync.Mutex
	stream  context.CancelFunc // the stream that carries updates; nil for none
	pending []string           // the resources whose change the client has not been told yet, each once
}

func newSession(client *rpc.Client, caller string) *session {
	return &session{Client: client, caller: caller, wake: make(chan struct{}, 1)}
}

// addChange notes that a resource has changed, under each address at which the client watches it.
func (s *session) addChange(resource string) { s.addPendingAndWake(s.WatchedAddresses(resource)) }

// addPendingAndWake adds resources to those whose change the client has not been told yet, and wakes whoever tells it.
func (s *session) addPendingAndWake(uris []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, uri := range uris {
		if !slices.Contains(s.pending, uri) {
			s.pending = append(s.pending, uri)
		}
	}
	if len(s.pending) > 0 && len(s.wake) == 0 {
		s.wake <- struct{}{}
	}
}

// takePending returns the resources whose change the client is to be told of now.
func (s *session) takePending() (uris []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	uris, s.pending = s.pending, nil
	return uris
}

// replaceStream makes a stream the one that carries updates, and ends the one before it, whose client has usually lost it.
func (s *session) replaceStream(cancel context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stream != nil {
		s.stream()
	}
	s.stream = cancel
}

// end cancels everything under way.
func (s *session) end() {
	s.replaceStream(nil)
	s.CancelAllRequests(rpc.ErrCancelled)
}

// findAndHoldSession returns the session of the caller that a request names, in use until it is left.
func (s *space) findAndHoldSession(r *http.Request) (*session, *refusal) {
	if version := r.Header.Get(mcp.HeaderProtocolVersion); version != "" && !mcp.IsValidProtocolVersion(version) {
		return nil, &refusal{status: http.StatusBadRequest, code: "INVALID_REQUEST", message: "protocol version not supported; use one of " + strings.Join(mcp.ValidProtocolVersions, ", ")}
	}
	id := r.Header.Get(server.HeaderKeySessionID)
	if id == "" {
		return nil, &refusal{status: http.StatusBadRequest, code: "INVALID_REQUEST", message: "the header " + server.HeaderKeySessionID + " is missing; the answer to initialize carries it"}
	}
	one, found := s.sessions.acquireOrCreateEntry(id, nil)
	if found && one.caller == access.CallerFrom(r.Context()).Name {
		return one, nil
	}
	if found {
		s.sessions.releaseEntry(one)
	}
	return nil, &refusal{status: http.StatusNotFound, code: "NOT_FOUND", message: "the session has ended or never was; start one with initialize"}
}

func (s *space) endSession(w http.ResponseWriter, r *http.Request) *refusal {
	one, e := s.findAndHoldSession(r)
	if e != nil {
		return e
	}
	s.sessions.endEntry(one.SessionID())
	s.sessions.releaseEntry(one)
	w.WriteHeader(http.StatusNoContent)
	return nil
}
