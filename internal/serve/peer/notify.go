package peer

import (
	"context"
	"encoding/json"
	"errors"
	"maps"

	"github.com/mark3labs/mcp-go/mcp"
)

// ErrNoCall reports that a context does not come from a request that a transport serves.
var ErrNoCall = errors.New("the context belongs to no call")

type notifierKey struct{}

// WithNotifier prepares the context of a request for [Notify]. The notifier returns when the notification is written, so
// that all of them stand in order before the answer: the library's own channel drops what its reader is too slow for.
func WithNotifier(ctx context.Context, notify func(method string, params any) error) context.Context {
	return context.WithValue(ctx, notifierKey{}, notify)
}

// Notify sends the client a notification about the call that the context belongs to, such as notifications/progress. It
// is written when Notify returns, hence before the answer and in the order of the calls of Notify. The parameters are
// anything that marshals into a JSON object, or nil.
//
// It returns [ErrNoCall], or why the transport could not write. A call can go on after any error: a notification is a
// courtesy. While the client does not read, Notify waits.
func Notify(ctx context.Context, method string, params any) error {
	notify, ok := ctx.Value(notifierKey{}).(func(string, any) error)
	if !ok {
		return ErrNoCall
	}
	return notify(method, params)
}

// Tag names the subscription that carries a notification, by the id of its request as the client wrote it; the library's
// copy may have lost digits.
func Tag(n mcp.JSONRPCNotification, id json.RawMessage) mcp.JSONRPCNotification {
	meta := maps.Clone(n.Params.Meta) // other streams may share it
	if meta == nil {
		meta = map[string]any{}
	}
	meta[mcp.MetaKeySubscriptionID] = id
	n.Params.Meta = meta
	return n
}

// Updated is the notification that a watched resource has changed.
func Updated(uri string) mcp.JSONRPCNotification {
	return mcp.JSONRPCNotification{Notification: mcp.Notification{
		Method: mcp.MethodNotificationResourceUpdated,
		Params: mcp.NotificationParams{AdditionalFields: map[string]any{"uri": uri}},
	}}
}

// ParamsOf are the parameters of a notification of the library as they are written: nil for none.
func ParamsOf(n mcp.JSONRPCNotification) any {
	if len(n.Params.Meta)+len(n.Params.AdditionalFields) == 0 {
		return nil
	}
	return n.Params
}
