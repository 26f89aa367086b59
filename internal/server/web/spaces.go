package web

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"toolkit/internal/server/access"
	"toolkit/internal/server/rpc"
	"toolkit/tools"
)

// maxSpaces is how many spaces are open at most.
const maxSpaces = 64

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
	sessions *idleTable[*session]

	start func() error // opens it, once, for all who wait for it
	close func()
}

func (s *Server) newSpace(name string) *space {
	one := &space{Server: s, name: name, sessions: newTable[*session](maxSessions, s.currentTime)}
	one.start = sync.OnceValue(one.openAndWatch)
	return one
}

func (s *space) notifySessions(uri string) {
	for _, one := range s.sessions.listEntries() {
		one.addChange(uri)
	}
}

func (s *space) openAndWatch() error {
	opened, err := s.options.OpenSpace(s.calls, s.name)
	if err != nil {
		s.spaces.endEntry(s.name) // to be tried again
		return err
	}
	s.tools, s.turns = opened.Tools, &rpc.Scheduler{}
	ctx, stop := context.WithCancel(s.calls)
	var watching sync.WaitGroup
	watching.Go(func() { opened.Watch(ctx, s.notifySessions) })
	s.close = func() {
		stop()
		watching.Wait()
		opened.Close()
	}
	return nil
}

var errNoSpaces = errors.New("this server has no spaces")

// serveInSpace serves a request in the space of its caller; who is nobody reads the manifest of the base.
func (s *Server) serveInSpace(serve func(*space, http.ResponseWriter, *http.Request) *refusal) endpoint {
	return func(w http.ResponseWriter, r *http.Request) *refusal {
		one, e := s.openAndHoldSpace(access.CallerFrom(r.Context()).Space)
		if e != nil {
			return e
		}
		if one != s.base {
			defer s.spaces.releaseEntry(one)
		}
		return serve(one, w, r)
	}
}

// openAndHoldSpace returns the space of a name, in use until it is left, and opens it if it is not.
func (s *Server) openAndHoldSpace(name string) (*space, *refusal) {
	if name == "" {
		return s.base, nil
	}
	failed := errNoSpaces
	if s.options.OpenSpace != nil {
		one, room := s.spaces.acquireOrCreateEntry(name, func() *space { return s.newSpace(name) })
		if !room {
			return nil, newBusyRefusal("spaces")
		}
		if failed = one.start(); failed == nil {
			return one, nil
		}
		s.spaces.releaseEntry(one)
	}
	s.options.Logger.Error("a space cannot be opened", "space", name, "error", failed.Error())
	return nil, &refusal{status: http.StatusServiceUnavailable, code: "SERVICE_UNAVAILABLE", retry: 5, message: "your space cannot be opened now; the server's log says why"}
}

// end closes a space that nobody uses, without keeping anybody waiting.
func (s *space) end() {
	s.closing.Go(func() {
		if s.start() == nil {
			s.close()
		}
	})
}

// closeSpaces closes every space and returns when that is done.
func (s *Server) closeSpaces() {
	for _, one := range s.spaces.listEntries() {
		s.spaces.endEntry(one.name)
	}
	s.closing.Wait()
}
