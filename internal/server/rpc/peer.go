// Package rpc is what all transports share: the envelope of JSON-RPC messages, which is all
// of them that a transport has to know; what is remembered of one client and of its calls
// under way, in the form in which the protocol library asks for it; and when a call may
// run. All transports of a process
// share one [Scheduler], so that the server has one order of effect:
//
//   - Within a [Line], which is a session or a client, nothing overtakes. A call
//     that writes runs alone, those that read run side by side: every read sees
//     the writes before it and none behind it. Only while a write reads a file,
//     which touches no store, for longer than [Patience], those behind it go first.
//   - Lines do not wait for each other, but for two bounds of the whole process:
//     one write at a time, since the database takes no more, and so many reads
//     that the machine stays usable. Calls with long input wait among themselves
//     first, so that a short one never waits for many of them.
//   - A call whose context ends before its turn comes never runs.
//
// A transport enters each call in the order of arrival and runs it on any goroutine, or does both with [Line.Run].
package rpc

import (
	"cmp"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Client is one client of a transport: its session, its requests under way and their line.
type Client struct {
	Peer
	InFlight
	ID   string
	Line *Line
}

// SessionID returns the id of the client's session.
func (c *Client) SessionID() string { return c.ID }

// View is a client as one of its requests sees it: what the library sends from within the request is written before its
// answer.
type View struct {
	*Client
	mu   sync.Mutex
	sent chan mcp.JSONRPCNotification
}

// maxSent bounds what the library may send from within a request. It drops what does not fit; who needs more to arrive
// uses [Notify].
const maxSent = 512

// NotificationChannel takes what the library tells the client during the request. Most requests never ask for it.
func (v *View) NotificationChannel() chan<- mcp.JSONRPCNotification { return v.channel() }

func (v *View) channel() chan mcp.JSONRPCNotification {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.sent == nil {
		v.sent = make(chan mcp.JSONRPCNotification, maxSent)
	}
	return v.sent
}

// next is what waits in the channel, if anything does.
func (v *View) next() (n mcp.JSONRPCNotification, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	select {
	case n = <-v.sent:
		return n, true
	default:
		return n, false
	}
}

// A View is everything that the library may ask of a session.
var (
	_ server.SessionWithLogging                  = (*View)(nil)
	_ server.SessionWithClientInfo               = (*View)(nil)
	_ server.SessionWithResourceSubscriptionsErr = (*View)(nil)
	_ server.SessionWithProtocolVersion          = (*View)(nil)
)

// Peer is the state of one client: what it said of itself, the log level it asked for, the version the handshake agreed
// on, and the resources it watches. The zero value is ready for use.
type Peer struct {
	Subscriptions

	initialized  atomic.Bool
	level        Value[mcp.LoggingLevel]
	info         Value[mcp.Implementation]
	capabilities Value[mcp.ClientCapabilities]
	version      Value[string]
}

// Value may be set and read by several goroutines. Until it is set, it is the zero value.
type Value[T any] struct{ set atomic.Pointer[T] }

// Set changes the value.
func (v *Value[T]) Set(to T) { v.set.Store(&to) }

// Get returns the value.
func (v *Value[T]) Get() (is T) {
	if set := v.set.Load(); set != nil {
		return *set
	}
	return is
}

// Initialize notes that the handshake is complete.
func (p *Peer) Initialize() { p.initialized.Store(true) }

// Initialized tells whether the handshake is complete.
func (p *Peer) Initialized() bool { return p.initialized.Load() }

// SetLogLevel records the least severity the client wants to hear of.
func (p *Peer) SetLogLevel(level mcp.LoggingLevel) { p.level.Set(level) }

// GetLogLevel returns the least severity the client wants to hear of, "error" if it never said.
func (p *Peer) GetLogLevel() mcp.LoggingLevel { return cmp.Or(p.level.Get(), mcp.LoggingLevelError) }

// SetClientInfo records what the client calls itself.
func (p *Peer) SetClientInfo(info mcp.Implementation) { p.info.Set(info) }

// GetClientInfo returns what the client calls itself.
func (p *Peer) GetClientInfo() mcp.Implementation { return p.info.Get() }

// SetClientCapabilities records what the client says it can do.
func (p *Peer) SetClientCapabilities(c mcp.ClientCapabilities) { p.capabilities.Set(c) }

// GetClientCapabilities returns what the client says it can do.
func (p *Peer) GetClientCapabilities() mcp.ClientCapabilities { return p.capabilities.Get() }

// SetProtocolVersion records the version that the initialize handshake agreed on.
func (p *Peer) SetProtocolVersion(version string) { p.version.Set(version) }

// ProtocolVersion returns the version that the initialize handshake agreed on, "" if there was none: from 2026-07-28 on
// the version belongs to each request instead.
func (p *Peer) ProtocolVersion() string { return p.version.Get() }
