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
	ready chan struct{}
	// established is set when the acknowledgement is written, in the turn of the output. Before it a stream carries
	// nothing else.
	established bool

	mu     sync.Mutex
	active bool
	filter mcp.SubscriptionFilter
}

func newStream(r *call) *stream {
	s := &stream{call: r, ready: make(chan struct{})}
	s.callSession = callSession{session: r.connection.session, mailbox: peer.Mailbox{Deliver: s.deliver}}
	return s
}

var (
	_ server.SessionWithSubscriptionFilter    = (*stream)(nil)
	_ server.SessionWithResourceSubscriptions = (*stream)(nil)
)

func (s *stream) SetSubscriptionFilter(filter mcp.SubscriptionFilter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.filter = filter
	s.active = !filter.IsEmpty()
}

func (s *stream) SubscriptionFilter() (mcp.SubscriptionFilter, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.filter, s.active
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

// acknowledge lets reading go on behind the request that opened the stream.
func (s *stream) acknowledge() {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.ready:
	default:
		close(s.ready)
	}
}
