package web

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/mark3labs/mcp-go/server"

	"toolkit/internal/server/access"
	"toolkit/internal/server/rpc"
	"toolkit/tools"
)

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
	usage
	name     string
	tools    *tools.Server
	turns    *rpc.Scheduler
	library  *server.StreamableHTTPServer
	sessions *table[*session]

	opened chan struct{} // closed once it is open, or failed
	failed error
	close  func()
}

func (s *Server) newSpace(name string) *space {
	return &space{
		Server: s, name: name, opened: make(chan struct{}),
		sessions: newTable[*session](s.options.MaxSessions, s.options.SessionIdle, s.options.Now),
	}
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
	for _, one := range s.sessions.list() {
		one.changed(uri)
	}
}

// begin opens it, for all who wait for it.
func (s *space) begin() {
	defer close(s.opened)
	opened, err := s.options.OpenSpace(s.calls, s.name)
	if err != nil {
		s.failed = err
		s.spaces.drop(s.name)
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

var errNoSpaces = errors.New("this server has no spaces")

// inSpace serves a request in the space of its caller; who is nobody reads the manifest of the base.
func (s *Server) inSpace(serve func(*space, http.ResponseWriter, *http.Request) *refusal) endpoint {
	return func(w http.ResponseWriter, r *http.Request) *refusal {
		one, e := s.enter(access.From(r.Context()).Space)
		if e != nil {
			return e
		}
		if one != s.base {
			defer s.spaces.leave(one)
		}
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
		one, room := s.spaces.enter(name, func() *space {
			one := s.newSpace(name)
			go one.begin()
			return one
		})
		if !room {
			return nil, tooBusy("spaces")
		}
		<-one.opened
		if one.failed == nil {
			return one, nil
		}
		s.spaces.leave(one)
		failed = one.failed
	}
	s.options.Logger.Error("a space cannot be opened", "space", name, "error", failed.Error())
	return nil, &refusal{status: http.StatusServiceUnavailable, code: "SERVICE_UNAVAILABLE", retry: 5, message: "your space cannot be opened now; the server's log says why"}
}

// end closes a space that nobody uses, without keeping anybody waiting.
func (s *space) end() {
	s.closing.Go(func() {
		<-s.opened
		if s.close != nil {
			s.close()
		}
	})
}

// closeSpaces closes every space and returns when that is done.
func (s *Server) closeSpaces() {
	for _, one := range s.spaces.list() {
		s.spaces.drop(one.name)
	}
	s.closing.Wait()
}
