package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/net/netutil"
	"golang.org/x/sync/semaphore"

	"toolkit/internal/serve/peer"
	"toolkit/internal/serve/schedule"
	"toolkit/tools"
)

// Paths of the endpoints.
const (
	PathMCP        = "/api/mcp"
	PathLegitimacy = "/api/legitimacy"
	PathManifest   = "/.well-known/mcp.json"
)

// DefaultRateLimit is the published limit: POST requests a minute from one address.
const DefaultRateLimit = 30

const (
	defaultMaxBody     = 16 << 20 // as on standard input
	defaultMaxSessions = 1000
	defaultSessionIdle = 30 * time.Minute
	defaultGrace       = 30 * time.Second
	defaultHeaderTime  = 10 * time.Second
	defaultBodyTime    = 30 * time.Second
	defaultWriteTime   = 60 * time.Second // for one write, not for a whole stream
	defaultIdleTime    = 2 * time.Minute
	defaultKeepAlive   = 25 * time.Second // below the patience of usual proxies
	maxHeaderBytes     = 64 << 10
	maxConnections     = 512
	maxBodies          = 32 // being read; a cancellation must find room while calls wait
	maxInFlight        = 64 // calls; with maxBody it bounds the memory of their bodies
	maxStreams         = 100
	maxSubscriptions   = 1000 // of one session or listening request
)

// ErrTokenRequired reports an address that others can reach, without a token to keep them out.
var ErrTokenRequired = errors.New("serving an address that other machines can reach needs a token")

// Options adjust a [Server]. The zero value serves without a rate limit and without a token.
type Options struct {
	// Token is what clients must send as a bearer token; empty asks for none, which only a loopback address may.
	Token string
	// Hosts are further names by which clients may address the server, without a port.
	Hosts []string
	// RateLimit is how many POST requests a minute one client address may make; 0 means any number.
	RateLimit int
	// MaxBody is the longest accepted request body in bytes, 16 MiB by default.
	MaxBody int64
	// MaxSessions is how many sessions may exist, 1000 by default; the longest idle one makes room for a new one.
	MaxSessions int
	// SessionIdle is how long a session may go unused, 30 minutes by default.
	SessionIdle time.Duration
	// Drain is how long the server goes on when it is to end, saying that it is not ready, so that a load balancer hears it.
	Drain time.Duration
	// Ready tells why calls cannot be served for now; nil, or an answer of nil: they can.
	Ready func(ctx context.Context) error
	// Grace is how long the end of the context waits for the calls under way, 30 s by default.
	Grace time.Duration
	// Calls decides when a call may run; nil is a scheduler of its own. Transports of one process share one.
	Calls *schedule.Scheduler
	// Logger receives what went wrong; nil discards it.
	Logger *slog.Logger
	// Now is the clock of rate limits and sessions; nil is time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	o.MaxBody = cmp.Or(max(o.MaxBody, 0), defaultMaxBody)
	o.MaxSessions = cmp.Or(max(o.MaxSessions, 0), defaultMaxSessions)
	o.SessionIdle = cmp.Or(max(o.SessionIdle, 0), defaultSessionIdle)
	o.Grace = cmp.Or(max(o.Grace, 0), defaultGrace)
	o.Calls = cmp.Or(o.Calls, &schedule.Scheduler{})
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Server serves a toolkit over HTTP. It is an [http.Handler], guards included.
type Server struct {
	tools    *tools.Server
	options  Options
	library  *server.StreamableHTTPServer
	sessions *sessions
	limiter  *rateLimiter
	bodies   *semaphore.Weighted
	inFlight *semaphore.Weighted
	streams  *semaphore.Weighted
	manifest func() (manifest, error)
	ready    readiness

	// The contexts of calls outlive the one of Serve: its end only stops new ones. Streams end first, since nothing else
	// would end them.
	calls       context.Context
	cancelCalls context.CancelCauseFunc
	open        context.Context
	closeOpen   context.CancelCauseFunc
}

// New returns a server for the tools. It listens to nothing before [Server.Serve].
func New(t *tools.Server, options Options) *Server {
	o := options.withDefaults()
	s := &Server{
		tools: t, options: o,
		limiter:  newRateLimiter(o.RateLimit, time.Minute, o.Now),
		bodies:   semaphore.NewWeighted(maxBodies),
		inFlight: semaphore.NewWeighted(maxInFlight),
		streams:  semaphore.NewWeighted(maxStreams),
	}
	s.calls, s.cancelCalls = context.WithCancelCause(context.Background())
	s.sessions = newSessions(o.MaxSessions, o.SessionIdle, o.Now, s.newSession)
	s.open, s.closeOpen = context.WithCancelCause(s.calls)
	s.manifest = sync.OnceValues(s.buildManifest)
	s.library = server.NewStreamableHTTPServer(t.MCP,
		server.WithStateLess(true), // the sessions are ours
		server.WithHTTPContextFunc(s.enterSession),
		server.WithStreamableHTTPLogger(o.Logger),
	)
	return s
}

// Loopback tells whether only this machine can reach a listener's address.
func Loopback(address net.Addr) bool {
	tcp, ok := address.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// Serve answers requests until the context ends, then for [Options.Drain], and then for at most [Options.Grace] until
// those under way are answered. It refuses an address that other machines can reach if there is no token. It closes the listener.
//
// It returns nil, [ErrTokenRequired], [peer.ErrUnfinished] or the error that ended listening. A Server serves once.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	if s.options.Token == "" && !Loopback(listener.Addr()) {
		listener.Close() //nolint:errcheck // nothing was accepted
		return ErrTokenRequired
	}
	h := &http.Server{
		Handler: s, ReadHeaderTimeout: defaultHeaderTime, IdleTimeout: defaultIdleTime, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(s.options.Logger.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(netutil.LimitListener(listener, maxConnections)) }()
	select {
	case err := <-failed:
		s.cancelCalls(peer.ErrShutdown)
		return fmt.Errorf("serve HTTP: %w", err)
	case <-ctx.Done():
	}
	s.drain(failed)
	return s.shutDown(h)
}

// shutDown waits for the calls under way. The last part of the grace period is for calls that answer when they are
// cancelled.
func (s *Server) shutDown(h *http.Server) error {
	s.closeOpen(peer.ErrShutdown)
	defer s.cancelCalls(peer.ErrShutdown)
	last := min(time.Second, s.options.Grace/10)
	if shutDownWithin(h, s.options.Grace-last) == nil {
		return nil
	}
	s.options.Logger.Warn("calls are cut off at the end of the grace period")
	s.cancelCalls(peer.ErrShutdown)
	if shutDownWithin(h, last) != nil {
		h.Close() //nolint:errcheck // connections are abandoned here on purpose
	}
	return peer.ErrUnfinished
}

func shutDownWithin(h *http.Server, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return h.Shutdown(ctx)
}

// ResourceUpdated tells every client that watches this URI, or part of it with a query, that the resource has changed. It never waits for a
// client: updates of one resource that a client has not read yet become one.
func (s *Server) ResourceUpdated(uri string) {
	s.sessions.each(func(one *session) { one.changed(uri) })
}
