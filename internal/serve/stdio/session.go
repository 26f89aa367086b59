package stdio

import (
	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/serve/peer"
)

// sessionID is a constant: the process has one client.
const sessionID = "stdio"

// session is what the library knows of the client. It is registered with the server, so what the server broadcasts
// arrives in its mailbox.
type session struct {
	peer.Peer
	mailbox peer.Mailbox
}

var _ peer.Full = (*session)(nil)

func newSession(deliver func(mcp.JSONRPCNotification)) *session {
	return &session{mailbox: peer.Mailbox{Deliver: deliver}}
}

func (s *session) SessionID() string { return sessionID }

func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification {
	return s.mailbox.Open()
}

// callSession is the session as one request sees it: what the library sends from within the request goes through a
// mailbox of the request, which is emptied before the answer is written.
type callSession struct {
	*session
	mailbox peer.Mailbox
}

func (s *callSession) NotificationChannel() chan<- mcp.JSONRPCNotification {
	return s.mailbox.Open()
}
