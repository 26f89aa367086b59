package peer

import (
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// mailboxSize is the number of notifications that may wait in a mailbox. The library drops what does not fit; who needs
// all of them writes them to the client himself.
const mailboxSize = 4096

// A Mailbox is a channel for notifications of the library, which sends without waiting, together with the goroutine that
// delivers them. Both exist only if the channel is asked for: most requests never do.
type Mailbox struct {
	// Deliver is called for every notification, by one goroutine.
	Deliver func(mcp.JSONRPCNotification)

	mu      sync.Mutex
	channel chan mcp.JSONRPCNotification
	stop    chan struct{}
	emptied chan struct{}
	closed  bool
}

// Open returns the channel, nil after Close: nothing can be sent then.
func (m *Mailbox) Open() chan<- mcp.JSONRPCNotification {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil
	}
	if m.channel == nil {
		m.channel = make(chan mcp.JSONRPCNotification, mailboxSize)
		m.stop, m.emptied = make(chan struct{}), make(chan struct{})
		go m.empty()
	}
	return m.channel
}

func (m *Mailbox) empty() {
	defer close(m.emptied)
	for {
		select {
		case notification := <-m.channel:
			m.Deliver(notification)
			continue
		default:
		}
		select {
		case notification := <-m.channel:
			m.Deliver(notification)
		case <-m.stop:
			if len(m.channel) == 0 {
				return
			}
		}
	}
}

// Close returns when everything sent before is delivered.
func (m *Mailbox) Close() {
	m.mu.Lock()
	first, opened := !m.closed, m.channel != nil
	m.closed = true
	m.mu.Unlock()
	if !opened {
		return
	}
	if first {
		close(m.stop)
	}
	<-m.emptied
}
