package web

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"toolkit/internal/server/access"
	"toolkit/internal/server/rpc"
	"toolkit/tools"
)

// sweepInterval is how often spaces are looked through for such as nobody uses.
const sweepInterval = time.Minute

// Space is what is served to the callers of a space.
type Space struct {
	Tools *tools.Server
	// Watch tells of every resource that changes, until the context ends.
	Watch func(ctx context.Context, updated func(uri string))
	// Close ends it. Nothing is under way in it then.
	Close func()
}

// space is an open space with the sessions of its callers: of its data, nothing is reached but through it. What all
// spaces share, such as limits, is the server's.
type space struct {
	*Server
	name     string
	tools    *tools.Server
	turns    *rpc.Scheduler
	library  *server.StreamableHTTPServer
	sessions *sessions

	opened chan struct{} // closed once it is open, or failed
	failed error
	close  func()

	// Guarded by spaces.mu.
	busy int // requests and streams under way
	used time.Time
}

func (s *Server) newSpace(name string) *space {
	one := &space{Server: s, name: name, opened: make(chan struct{})}
	one.sessions = &sessions{
		most: s.options.MaxSessions, idle: s.options.SessionIdle, now: s.options.Now, fresh: one.newSession,
		byID: map[string]*session{},
	}
	return one
}

// use makes it a space of these tools.
func (s *space) use(t *tools.Server, turns *rpc.Scheduler) {
	s.tools, s.turns = t, turns
	s.library = server.NewStreamableHTTPServer(t.MCP,
		server.WithStateLess(true), // the sessions are ours
		server.WithHTTPContextFunc(s.enterSession),
		server.WithStreamableHTTPLogger(s.options.Logger),
	)
}

func (s *space) updated(uri string) {
	s.sessions.each(func(one *session) { one.changed(uri) })
}

// begin opens it, for all who wait for it.
func (s *space) begin() {
	defer close(s.opened)
	opened, err := s.options.OpenSpace(s.calls, s.name)
	if err != nil {
		s.failed = err
		s.spaces.forget(s)
		return
	}
	s.use(opened.Tools, &rpc.Scheduler{})
	ctx, stop := context.WithCancel(s.calls)
	var watching sync.WaitGroup
	watching.Go(func() { opened.Watch(ctx, s.updated) })
	s.close = func() {
		stop()
		watching.Wait()
		opened.Close()
	}
}

// spaces are the open spaces besides the base.
type spaces struct {
	mu      sync.Mutex
	byName  map[string]*space
	closing sync.WaitGroup
}

var errNoSpaces = errors.New("this server has no spaces")

// inSpace serves a request in the space of its caller; who is nobody reads the manifest of the base.
func (s *Server) inSpace(serve func(*space, http.ResponseWriter, *http.Request) *refusal) endpoint {
	return func(w http.ResponseWriter, r *http.Request) *refusal {
		one, e := s.enter(access.From(r.Context()).Space)
		if e != nil {
			return e
		}
		defer s.leave(one)
		return serve(one, w, r)
	}
}

// enter returns the space of a name, in use until it is left, and opens it if it is not.
func (s *Server) enter(name string) (*space, *refusal) {
	if name == "" {
		return s.base, nil
	}
	failed := errNoSpaces
	if s.options.OpenSpace != nil {
		one := s.find(name)
		if one == nil {
			return nil, tooBusy("spaces")
		}
		<-one.opened
		if one.failed == nil {
			return one, nil
		}
		failed = one.failed
	}
	s.options.Logger.Error("a space cannot be opened", "space", name, "error", failed.Error())
	return nil, &refusal{status: http.StatusServiceUnavailable, code: "SERVICE_UNAVAILABLE", retry: 5, message: "your space cannot be opened now; the server's log says why"}
}

// find notes that a space is used, and has it opened if it is not; nil where there is no room for it.
func (s *Server) find(name string) *space {
	s.spaces.mu.Lock()
	defer s.spaces.mu.Unlock()
	one := s.spaces.byName[name]
	if one == nil {
		if len(s.spaces.byName) >= s.options.MaxSpaces && !s.spaces.makeRoom() {
			return nil
		}
		one = s.newSpace(name)
		s.spaces.byName[name] = one
		go one.begin()
	}
	one.busy++
	return one
}

// leave ends a use of a space.
func (s *Server) leave(one *space) {
	if one == s.base {
		return
	}
	s.spaces.mu.Lock()
	defer s.spaces.mu.Unlock()
	one.busy--
	one.used = s.options.Now()
}

func (s *spaces) forget(one *space) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byName, one.name)
}

// makeRoom closes the space that nobody used for longest; its sessions end with it. It reports whether there is one.
func (s *spaces) makeRoom() bool {
	var longest *space
	for _, one := range s.byName {
		if one.busy == 0 && (longest == nil || one.used.Before(longest.used)) {
			longest = one
		}
	}
	if longest != nil {
		s.end(longest)
	}
	return longest != nil
}

// end closes a space that nobody uses, without keeping anybody waiting.
func (s *spaces) end(one *space) {
	delete(s.byName, one.name)
	s.closing.Go(func() {
		<-one.opened
		if one.close != nil {
			one.close()
		}
	})
}

// sweep closes the spaces that nobody has used since a moment.
func (s *spaces) sweep(since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.byName {
		if one.busy == 0 && !one.used.After(since) {
			s.end(one)
		}
	}
}

// closeUnused sweeps until the context ends.
func (s *Server) closeUnused(ctx context.Context) {
	ticker := time.NewTicker(sweepInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.spaces.sweep(s.options.Now().Add(-s.options.SessionIdle))
		}
	}
}

// closeAll closes every space and returns when that is done.
func (s *spaces) closeAll() {
	s.mu.Lock()
	for _, one := range s.byName {
		s.end(one)
	}
	s.mu.Unlock()
	s.closing.Wait()
}
