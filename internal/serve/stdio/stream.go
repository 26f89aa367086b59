package stdio

import (
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolkit/internal/serve/peer"
)

// stream is the session as a subscriptions/listen request sees it, with the subscriptions of that request alone. Several
// streams may be open at a time.
type stream struct {
	callSession
	call               *call
	peer.Subscriptions // of this request alone; they hide those of the session
	// ready is closed when the acknowledgement is on its way.
	ready       chan struct{}
	acknowledge func() // closes ready; it may be called again
	// established is set when the acknowledgement is written, in the turn of the output. Before it a stream carries
	// nothing else.
	established bool

	filter peer.Value[mcp.SubscriptionFilter]
}

func newStream(r *call) *stream {
	s := &stream{call: r, ready: make(chan struct{})}
	s.acknowledge = sync.OnceFunc(func() { close(s.ready) })
	s.callSession = callSession{session: r.connection.session, mailbox: peer.Mailbox{Deliver: s.deliver}}
	return s
}

var (
	_ server.SessionWithSubscriptionFilter    = (*stream)(nil)
	_ server.SessionWithResourceSubscriptions = (*stream)(nil)
)

func (s *stream) SetSubscriptionFilter(filter mcp.SubscriptionFilter) { s.filter.Set(filter) }

func (s *stream) SubscriptionFilter() (filter mcp.SubscriptionFilter, active bool) {
	filter = s.filter.Get()
	return filter, !filter.IsEmpty()
}

// wants tells whether the stream asked for a kind of notification.
func (s *stream) wants(method string) bool {
	filter, _ := s.SubscriptionFilter()
	switch method {
	case mcp.MethodNotificationToolsListChanged:
		return filter.ToolsListChanged
	case mcp.MethodNotificationPromptsListChanged:
		return filter.PromptsListChanged
	case mcp.MethodNotificationResourcesListChanged:
		return filter.ResourcesListChanged
	}
	return false
}

// deliver writes a notification that the library sent to a stream, which is the acknowledgement.
func (s *stream) deliver(notification mcp.JSONRPCNotification) {
	s.call.connection.notify(peer.Tag(notification, s.call.ID), func() bool {
		s.established = s.established || notification.Method == mcp.MethodNotificationSubscriptionsAcknowledged
		return !s.call.over()
	})
	if notification.Method == mcp.MethodNotificationSubscriptionsAcknowledged {
		s.acknowledge()
	}
}

// live tells, in the turn of the output, whether the stream carries notifications.
func (s *stream) live() bool {
	return s.established && !s.call.over()
}
