package stdio

import (
	"context"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

var (
	// ErrNoCall reports that a context does not come from a request that this package serves.
	ErrNoCall = errors.New("the context belongs to no call")
	// ErrCallOver reports that a call was answered or cancelled, and may not notify the client any more.
	ErrCallOver = errors.New("the call is over")
)

// Notify sends the client a notification about the call that the context belongs to, such as notifications/progress. It
// is written when Notify returns, hence before the answer and in the order of the calls of Notify. The parameters are
// anything that marshals into a JSON object, or nil.
//
// It returns [ErrNoCall], [ErrCallOver], [ErrOutputClosed], or an error that says why the parameters have no JSON form.
// A call can go on after any of them: a notification is a courtesy. While the client does not read, Notify waits.
func Notify(ctx context.Context, method string, params any) error {
	carrier, ok := server.ClientSessionFromContext(ctx).(interface{ of() *callSession })
	if !ok {
		return ErrNoCall
	}
	c := carrier.of().call
	over := false
	err := c.connection.output.send(encodeNotification(method, params), func() bool {
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
			c.notify(s.tag(notification), s.live)
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
		err = errors.Join(err, c.notify(updated(uri), nil))
	}
	for _, s := range c.openStreams() {
		for _, uri := range s.AddressesOf(resource) {
			err = errors.Join(err, c.notify(s.tag(updated(uri)), s.live))
		}
	}
	return err
}

func updated(uri string) mcp.JSONRPCNotification {
	return mcp.JSONRPCNotification{Notification: mcp.Notification{
		Method: mcp.MethodNotificationResourceUpdated,
		Params: mcp.NotificationParams{AdditionalFields: map[string]any{"uri": uri}},
	}}
}

// notify writes a notification of the library.
func (c *connection) notify(notification mcp.JSONRPCNotification, permit func() bool) error {
	var params any
	if len(notification.Params.Meta)+len(notification.Params.AdditionalFields) > 0 {
		params = notification.Params
	}
	err := c.output.send(encodeNotification(notification.Method, params), permit)
	if err != nil && !errors.Is(err, ErrOutputClosed) {
		c.logger.Error("a notification could not be encoded", "method", notification.Method, "error", err)
	}
	return err
}
