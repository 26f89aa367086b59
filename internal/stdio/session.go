package stdio

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// sessionID is a constant: the process has one client.
const sessionID = "stdio"

// session is what the library knows of the client. It is registered with the server, so what the server broadcasts
// arrives in its mailbox.
type session struct {
	mailbox     mailbox
	initialized atomic.Bool

	mu           sync.Mutex
	level        mcp.LoggingLevel
	info         mcp.Implementation
	capabilities mcp.ClientCapabilities
	version      string
	subscribed   map[string]struct{}
}

var (
	_ server.SessionWithLogging               = (*session)(nil)
	_ server.SessionWithClientInfo            = (*session)(nil)
	_ server.SessionWithResourceSubscriptions = (*session)(nil)
	_ server.SessionWithProtocolVersion       = (*session)(nil)
)

func newSession(deliver func(mcp.JSONRPCNotification)) *session {
	return &session{
		mailbox:    mailbox{deliver: deliver},
		level:      mcp.LoggingLevelError,
		subscribed: map[string]struct{}{},
	}
}

func (s *session) SessionID() string { return sessionID }
func (s *session) Initialize()       { s.initialized.Store(true) }
func (s *session) Initialized() bool { return s.initialized.Load() }

func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification {
	return s.mailbox.open()
}

func (s *session) SetLogLevel(level mcp.LoggingLevel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.level = level
}

func (s *session) GetLogLevel() mcp.LoggingLevel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.level
}

func (s *session) SetClientInfo(info mcp.Implementation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.info = info
}

func (s *session) GetClientInfo() mcp.Implementation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.info
}

func (s *session) SetClientCapabilities(capabilities mcp.ClientCapabilities) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.capabilities = capabilities
}

func (s *session) GetClientCapabilities() mcp.ClientCapabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.capabilities
}

// SetProtocolVersion records the version that the initialize handshake agreed on.
func (s *session) SetProtocolVersion(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
}

// ProtocolVersion returns the version that the initialize handshake agreed on, "" if there was none: from 2026-07-28 on
// the version belongs to each request instead.
func (s *session) ProtocolVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

func (s *session) SubscribeToResource(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.subscribed[uri] = struct{}{}
}

func (s *session) UnsubscribeFromResource(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.subscribed, uri)
}

func (s *session) SubscribedResources() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.subscribed))
}

func (s *session) IsSubscribedToResource(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.subscribed[uri]
	return ok
}

// callSession is the session as one request sees it: what the library sends from within the request goes through a
// mailbox of the request, which is emptied before the answer is written.
type callSession struct {
	*session
	mailbox mailbox
	call    *call
}

func (s *callSession) NotificationChannel() chan<- mcp.JSONRPCNotification {
	return s.mailbox.open()
}

func (s *callSession) of() *callSession { return s }
