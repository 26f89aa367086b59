// Package peer holds what a transport remembers of one client, in the form in
// which the protocol library asks for it.
package peer

import (
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Peer is the state of one client: what it said of itself, the log level it asked for, the version the handshake agreed
// on, and the resources it watches. It lacks only the id and the channel of a [server.ClientSession]. The zero value is
// ready for use.
type Peer struct {
	Subscriptions

	initialized atomic.Bool

	mu           sync.Mutex
	level        mcp.LoggingLevel
	info         mcp.Implementation
	capabilities mcp.ClientCapabilities
	version      string
}

// Full is everything that the library may ask of a session with a Peer in it.
type Full interface {
	server.SessionWithLogging
	server.SessionWithClientInfo
	server.SessionWithResourceSubscriptions
	server.SessionWithResourceSubscriptionsErr
	server.SessionWithProtocolVersion
}

// Initialize notes that the handshake is complete.
func (p *Peer) Initialize() { p.initialized.Store(true) }

// Initialized tells whether the handshake is complete.
func (p *Peer) Initialized() bool { return p.initialized.Load() }

// SetLogLevel records the least severity the client wants to hear of.
func (p *Peer) SetLogLevel(level mcp.LoggingLevel) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.level = level
}

// GetLogLevel returns the least severity the client wants to hear of, "error" if it never said.
func (p *Peer) GetLogLevel() mcp.LoggingLevel {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.level == "" {
		return mcp.LoggingLevelError
	}
	return p.level
}

// SetClientInfo records what the client calls itself.
func (p *Peer) SetClientInfo(info mcp.Implementation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.info = info
}

// GetClientInfo returns what the client calls itself.
func (p *Peer) GetClientInfo() mcp.Implementation {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.info
}

// SetClientCapabilities records what the client says it can do.
func (p *Peer) SetClientCapabilities(capabilities mcp.ClientCapabilities) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.capabilities = capabilities
}

// GetClientCapabilities returns what the client says it can do.
func (p *Peer) GetClientCapabilities() mcp.ClientCapabilities {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.capabilities
}

// SetProtocolVersion records the version that the initialize handshake agreed on.
func (p *Peer) SetProtocolVersion(version string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.version = version
}

// ProtocolVersion returns the version that the initialize handshake agreed on, "" if there was none: from 2026-07-28 on
// the version belongs to each request instead.
func (p *Peer) ProtocolVersion() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.version
}
