package stdio

import (
	"errors"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/serve/peer"
)

// ErrCallOver reports that a call was answered or cancelled, and may not notify the client any more.
var ErrCallOver = errors.New("the call is over")

// notify is what [peer.Notify] does in the call: it returns when the notification is written, or [ErrCallOver],
// [ErrOutputClosed], or an error that says why the parameters have no JSON form.
func (c *call) notify(method string, params any) error {
	over := false
	err := c.connection.output.send(notificationLine(method, params), func() bool {
		over = c.over()
		return !over
	})
	if err == nil && over {
		return ErrCallOver
	}
	return err
}

// deliver writes a notification that the library sent from within a request.
func (c *call) deliver(notification mcp.JSONRPCNotification) {
	c.connection.notify(notification, func() bool { return !c.over() })
}

// broadcast writes a notification that the library sent to the session as a whole: to the streams that asked for it,
// or to a client that made the initialize handshake and opened no such stream. From protocol version 2026-07-28 on
// nothing is sent that was not asked for.
func (c *connection) broadcast(notification mcp.JSONRPCNotification) {
	if notification.Method == mcp.MethodNotificationResourceUpdated {
		uri, _ := notification.Params.AdditionalFields["uri"].(string)
		c.resourceUpdated(uri)
		return
	}
	wanted := false
	for _, s := range c.openStreams() {
		if s.wants(notification.Method) {
			wanted = true
			c.notify(peer.Tag(notification, s.call.ID), s.live)
		}
	}
	if !wanted && c.session.ProtocolVersion() != "" {
		c.notify(notification, nil)
	}
}

// resourceUpdated tells the client that a resource has changed, once for each of its subscriptions, under the address
// that was subscribed to.
func (c *connection) resourceUpdated(resource string) error {
	var err error
	for _, uri := range c.session.AddressesOf(resource) {
		err = errors.Join(err, c.notify(peer.Updated(uri), nil))
	}
	for _, s := range c.openStreams() {
		for _, uri := range s.AddressesOf(resource) {
			err = errors.Join(err, c.notify(peer.Tag(peer.Updated(uri), s.call.ID), s.live))
		}
	}
	return err
}

// notify writes a notification of the library.
func (c *connection) notify(notification mcp.JSONRPCNotification, permit func() bool) error {
	err := c.output.send(notificationLine(notification.Method, peer.ParamsOf(notification)), permit)
	if err != nil && !errors.Is(err, ErrOutputClosed) {
		c.logger.Error("a notification could not be encoded", "method", notification.Method, "error", err)
	}
	return err
}

func (c *connection) openStreams() []*stream {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.streams)
}
