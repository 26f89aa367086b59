// Package rpc is what all transports share, and the transport over standard input and output: the envelope of JSON-RPC
// messages, what is remembered of one client, its calls on the way to their answers, and when a call may run. All
// transports of a process share one [Scheduler], so that the server has one order of effect:
//
//   - Within a [CallQueue], which is a session or a client, nothing overtakes. A call that writes runs alone, those that read
//     run side by side: every read sees the writes before it and none behind it. Only while a write reads a file, which
//     touches no store, for longer than [Patience], those behind it go first.
//   - Lines do not wait for each other, but for two bounds of the whole process: one write at a time, since the database
//     takes no more, and so many reads that the machine stays usable. Calls with long input wait among themselves first,
//     so that a short one never waits for many of them.
//   - A call whose context ends before its turn comes never runs.
package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/server"
)

// ErrCancelled is the cause ([context.Cause]) in the context of a request that the client cancelled.
var ErrCancelled = errors.New("cancelled by the client")

// MaxSubscriptions is how many resources a client may watch.
const MaxSubscriptions = 1000

// Client is one client of a transport: what it said of itself, which is the library's to keep, its line, its requests
// under way by their ids, and the resources it watches.
type Client struct {
	*server.InProcessSession
	Queue *CallQueue

	calls   sync.Map // of *Call under way, by the keys of their ids
	mu      sync.Mutex
	watched []string
}

// NewClient returns a client that has said nothing yet.
func NewClient(id string, queue *CallQueue) *Client {
	return &Client{InProcessSession: server.NewInProcessSession(id, nil), Queue: queue}
}

// BeginCall makes a call of a message of the client. Its context ends when the client cancels it, or at its end. There is
// none, nil, while a request with its id is still under way. What it tells is written by a line, the last of which is its
// answer.
func (c *Client) BeginCall(ctx context.Context, m Message, write func(line []byte, last bool) error, logger *slog.Logger) *Call {
	call := &Call{Message: m, Client: c, write: write, logger: logger}
	if m.IsSubscription() {
		call.Client = NewClient(c.SessionID(), nil) // it watches resources of its own
	}
	ctx, call.cancel = context.WithCancelCause(ctx)
	call.Context = context.WithValue(ctx, callKey{}, call)
	var key any = call
	if m.ID != nil {
		key = idKey(m.ID)
	}
	call.forget = func() { c.calls.CompareAndDelete(key, call) } // the id may be that of a later call by now
	if _, taken := c.calls.LoadOrStore(key, call); taken {
		call.cancel(nil)
		return nil
	}
	return call
}

// CancelRequest ends the request with an id, if it is still under way.
func (c *Client) CancelRequest(id json.RawMessage) {
	if call, found := c.calls.Load(idKey(id)); found {
		call.(*Call).cancel(ErrCancelled)
	}
}

// CancelAllRequests ends every request under way, for a cause.
func (c *Client) CancelAllRequests(cause error) {
	for _, call := range c.calls.Range {
		call.(*Call).cancel(cause)
	}
}

// SubscribeToResource notes that the client watches a resource, if it may watch one more.
func (c *Client) SubscribeToResource(uri string) {
	c.SubscribeToResourceErr(uri) //nolint:errcheck // the library asks for the error where a client can be told
}

// SubscribeToResourceErr notes that the client watches a resource, or says that it may not watch one more.
func (c *Client) SubscribeToResourceErr(uri string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case slices.Contains(c.watched, uri):
		return nil
	case len(c.watched) >= MaxSubscriptions:
		return fmt.Errorf("too many subscriptions: at most %d resources can be watched; unsubscribe from one first", MaxSubscriptions)
	}
	c.watched = append(c.watched, uri)
	return nil
}

// UnsubscribeFromResource notes that the client no longer watches a resource.
func (c *Client) UnsubscribeFromResource(uri string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watched = slices.DeleteFunc(c.watched, func(watched string) bool { return watched == uri })
}

// SubscribedResources returns the resources the client watches, sorted.
func (c *Client) SubscribedResources() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(slices.Values(c.watched))
}

// IsSubscribedToResource tells whether the client watches a resource.
func (c *Client) IsSubscribedToResource(uri string) bool {
	return slices.Contains(c.SubscribedResources(), uri)
}

// WatchedAddresses returns the addresses under which the client watches a resource, sorted: its own, and those that ask for a
// part of it with a query. Any change of the resource may be a change of the part.
func (c *Client) WatchedAddresses(resource string) []string {
	return slices.DeleteFunc(c.SubscribedResources(), func(uri string) bool {
		base, _, _ := strings.Cut(uri, "?")
		return base != resource
	})
}

var _ server.SessionWithResourceSubscriptionsErr = (*Client)(nil)
