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
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Client is one client of a transport: what it said of itself, which is the library's to keep, the resources it watches,
// its requests under way and their line.
type Client struct {
	*server.InProcessSession
	Subscriptions
	InFlight
	Line *Line
}

// NewClient returns a client that has said nothing yet.
func NewClient(id string, line *Line) *Client {
	return &Client{InProcessSession: server.NewInProcessSession(id, nil), Line: line}
}

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
