package web

import (
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/serve/peer"
	"toolkit/internal/serve/schedule"
)

// session is what the server remembers of a client between its requests. Before 2026-07-28 it starts with initialize;
// a request without one has a session of its own, which ends with it.
type session struct {
	peer.Peer
	peer.InFlight
	updates
	id     string
	caller string // who began it; nobody else may use it
	line   *schedule.Line

	// Guarded by sessions.mu.
	busy int // requests and streams under way
	used time.Time

	mu     sync.Mutex
	stream context.CancelCauseFunc // the stream that carries updates; nil for none
	over   bool
}

func (s *space) newSession() *session {
	return &session{
		Peer: peer.Peer{Subscriptions: peer.Subscriptions{Max: maxSubscriptions}}, updates: newUpdates(),
		id: rand.Text(), line: s.turns.Line(s.calls),
	}
}

// SessionID returns the id that the client repeats in its requests.
func (s *session) SessionID() string { return s.id }

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
		s.stream(peer.ErrCancelled)
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

func newSessions(most int, idle time.Duration, now func() time.Time, fresh func() *session) *sessions {
	return &sessions{most: most, idle: idle, now: now, fresh: fresh, byID: map[string]*session{}}
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
	s.byID[created.id] = created
	return created
}

// add keeps a session that ends with its one request.
func (s *sessions) add(one *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one.busy = 1
	s.byID[one.id] = one
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
	delete(s.byID, one.id)
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

// view is the session as one request sees it: what the library sends from within the request goes to the request's own
// stream.
type view struct {
	*session
	mailbox peer.Mailbox
}

var _ peer.Full = (*view)(nil)

// NotificationChannel takes what the library tells the client during the request.
func (v *view) NotificationChannel() chan<- mcp.JSONRPCNotification { return v.mailbox.Open() }
