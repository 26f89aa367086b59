// Package web serves the toolkit over HTTP: the streamable HTTP transport of the Model Context Protocol at /api/mcp, its
// discovery manifest, and the legitimacy endpoint of the pockets.
//
// The protocol itself is the work of mcp-go: its server handles each message as on standard input, and its rules judge
// the headers. Its own HTTP server has no place for what durable memory and a network port need: resource
// subscriptions, ids and progress without loss, an answer to a call that was ended, a bound and an owner for sessions.
// Before the messages stand the guards, one in a file: check_origin, authorize, limit_rate, limit_size and drain.
package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"toolkit/internal/connections"
	"toolkit/internal/server/access"
	"toolkit/internal/server/rpc"
	"toolkit/tools"
)

// DefaultRateLimit is the published limit: POST requests a minute from one address.
const DefaultRateLimit = 30

const (
	maxBody           = 16 << 20 // as on standard input
	defaultGrace      = 30 * time.Second
	defaultHeaderTime = 10 * time.Second
	defaultBodyTime   = 30 * time.Second
	defaultWriteTime  = 60 * time.Second // for one write, not for a whole stream
	defaultIdleTime   = 2 * time.Minute
	defaultKeepAlive  = 25 * time.Second // below the patience of usual proxies
	maxHeaderBytes    = 64 << 10
	maxConnections    = 2048
	maxShortBody      = 16 << 10
	maxBodies         = 32 << 20 // bytes, of all requests under way beyond those of short ones; with the work on them it bounds the memory
	maxInFlight       = 64       // calls
	maxLongInFlight   = 48       // of them, so that short ones find room beside a pile
	maxStreams        = 100
)

var (
	// ErrTokenRequired reports an address that others can reach, without a token to keep them out.
	ErrTokenRequired = errors.New("serving an address that other machines can reach needs a token")
	// ErrNotEncrypted reports an address that others can reach, over which tokens would travel for all to read.
	ErrNotEncrypted = errors.New("serving an address that other machines can reach needs a certificate, or a proxy in front that has one")
)

// Options adjust a [Server]. The zero value serves without a rate limit and without tokens.
type Options struct {
	// Callers finds out who sends a token; nil: nobody.
	Callers access.Check
	// Guarded asks everybody for a token that Callers knows. Only a loopback address may ask for none.
	Guarded bool
	// HasTokens tells whether there are tokens by now that Callers knows: then everybody is asked for one, too. Nil: none.
	HasTokens func(context.Context) (bool, error)
	// Provider is the address of the OpenID provider whose tokens Callers knows; empty: none, and nobody is sent anywhere.
	Provider string
	// TLS encrypts; nil serves plain HTTP.
	TLS *tls.Config
	// BehindProxy says that all requests come through a proxy, which encrypts and says in X-Forwarded-For whose they are.
	BehindProxy bool
	// OpenSpace opens the space of a name when one of its callers comes; nil: there is the base alone.
	OpenSpace func(ctx context.Context, name string) (Space, error)
	// Hosts are further names by which clients may address the server, without a port.
	Hosts []string
	// RateLimit is how many POST requests a minute one client address may make; 0 means any number.
	RateLimit int
	// Drain is how long the server goes on when it is to end, saying that it is not ready, so that a load balancer hears it.
	Drain time.Duration
	// Ready tells why calls cannot be served for now; nil, or an answer of nil: they can.
	Ready func(ctx context.Context) error
	// Calls decides when a call of the base may run; nil is a scheduler of its own. Transports of one process share one.
	Calls *rpc.Scheduler
	// Logger receives what went wrong; nil discards it.
	Logger *slog.Logger
}

// Server serves a toolkit over HTTP. It is an [http.Handler], guards included.
type Server struct {
	options   Options
	guarded   atomic.Bool      // everybody is asked for a token
	endpoints map[string]route // by path
	base      *space           // of the database itself; always open
	spaces    *idleTable[*space]
	closing   sync.WaitGroup // of spaces
	requests  *tools.RateWindows[netip.Prefix]
	guesses   *tools.RateWindows[netip.Prefix] // of those who are not let in
	bodies    *semaphore.Weighted
	inFlight  *semaphore.Weighted
	longCalls *semaphore.Weighted // of those
	streams   *semaphore.Weighted
	ready     readiness

	// Tests change these.
	maxBody int64
	grace   time.Duration
	now     func() time.Time

	// The contexts of calls outlive the one of Serve: its end only stops new ones. Streams end first, since nothing else
	// would end them.
	calls       context.Context
	cancelCalls context.CancelCauseFunc
	open        context.Context
	closeOpen   context.CancelCauseFunc
}

// New returns a server for the tools of the base. It listens to nothing before [Server.BuildPipeline].
func New(t *tools.Server, o Options) *Server {
	o.Calls = cmp.Or(o.Calls, &rpc.Scheduler{})
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.Callers == nil {
		o.Callers = access.JoinChecks() // nobody
	}
	s := &Server{
		options: o, maxBody: maxBody, grace: defaultGrace, now: time.Now,
		requests:  newRateWindows(o.RateLimit),
		guesses:   newRateWindows(o.RateLimit),
		bodies:    semaphore.NewWeighted(maxBodies),
		inFlight:  semaphore.NewWeighted(maxInFlight),
		longCalls: semaphore.NewWeighted(maxLongInFlight),
		streams:   semaphore.NewWeighted(maxStreams),
	}
	s.guarded.Store(o.Guarded)
	s.calls, s.cancelCalls = context.WithCancelCause(context.Background())
	s.open, s.closeOpen = context.WithCancelCause(s.calls)
	s.endpoints = s.routes()
	s.spaces = newTable[*space](maxSpaces, s.currentTime)
	s.base = s.newSpace("")
	s.base.tools, s.base.turns = t, o.Calls
	return s
}

func (s *Server) currentTime() time.Time { return s.now() }

// Serve answers requests until the context ends, then for [Options.Drain], and then for at most 30 seconds until
// those under way are answered. It refuses an address that other machines can reach if nobody is asked for a token, or tokens could be read
// on the way. It closes the listener, and the spaces that it opened.
//
// It returns nil, [ErrTokenRequired], [ErrNotEncrypted], [rpc.ErrUnfinished] or the error that ended listening. A Server serves once.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	if err := s.checkAddressIsSafe(listener.Addr()); err != nil {
		listener.Close() //nolint:errcheck // nothing was accepted
		return err
	}
	if s.options.TLS != nil {
		listener = tls.NewListener(listener, s.options.TLS) // of HTTP/1: the limits of connections and times are made for it
	}
	defer s.closeSpaces()
	defer s.cancelCalls(rpc.ErrShutdown)
	h := &http.Server{
		Handler: s, ReadHeaderTimeout: defaultHeaderTime, IdleTimeout: defaultIdleTime, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(s.options.Logger.Handler(), slog.LevelDebug),
	}
	var cut *time.Timer
	err := connections.Serve(ctx, h, listener, maxConnections, func() {
		s.announceEndingAndWait()
		s.closeOpen(rpc.ErrShutdown)
		// The last part of the grace period is for calls that answer when they are cancelled.
		cut = time.AfterFunc(s.grace-min(time.Second, s.grace/10), func() {
			s.options.Logger.Warn("calls are cut off at the end of the grace period")
			s.cancelCalls(rpc.ErrShutdown)
		})
	}, s.grace)
	switch {
	case err != nil:
		return fmt.Errorf("serve HTTP: %w", err)
	case !cut.Stop():
		return rpc.ErrUnfinished
	}
	return nil
}

// checkAddressIsSafe refuses an address over which strangers would get in.
func (s *Server) checkAddressIsSafe(address net.Addr) error {
	switch {
	case IsLoopback(address):
		return nil
	case !s.guarded.Load():
		return ErrTokenRequired
	case s.options.TLS == nil && !s.options.BehindProxy:
		return ErrNotEncrypted
	}
	return nil
}

// NotifyResourceUpdated tells every client of the base that watches this URI, or part of it with a query, that the resource has changed. It never waits for a
// client: updates of one resource that a client has not read yet become one.
func (s *Server) NotifyResourceUpdated(uri string) {
	s.base.notifySessions(uri)
}

// LoadReloadingTLSConfig returns the encryption of a server whose certificate and key stand in files. They are read again for each
// connection, which takes far less than to greet it; while they cannot be used, the certificate before them is.
func LoadReloadingTLSConfig(certFile, keyFile string, logger *slog.Logger) (*tls.Config, error) {
	loaded, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, fmt.Errorf("the certificate cannot be used: %w", err)
	}
	var last atomic.Pointer[tls.Certificate]
	last.Store(&loaded)
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		renewed, err := tls.LoadX509KeyPair(certFile, keyFile)
		if err != nil {
			logger.Error("the changed certificate cannot be used; the one before it still is", "error", err.Error())
			return last.Load(), nil
		}
		last.Store(&renewed)
		return &renewed, nil
	}}, nil
}
