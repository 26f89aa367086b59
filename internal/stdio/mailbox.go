package stdio

import (
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// mailboxSize is the number of notifications that may wait in a mailbox. The library drops what does not fit; who needs
// all of them uses Notify.
const mailboxSize = 4096

// mailbox is a channel for notifications of the library, which sends without waiting, together with the goroutine that
// delivers them. Both exist only if the channel is asked for: most requests never do.
type mailbox struct {
	deliver func(mcp.JSONRPCNotification)

	mu      sync.Mutex
	channel chan mcp.JSONRPCNotification
	stop    chan struct{}
	emptied chan struct{}
	closed  bool
}

// open returns the channel, nil after close: nothing can be sent then.
func (m *mailbox) open() chan<- mcp.JSONRPCNotification {
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

func (m *mailbox) empty() {
	defer close(m.emptied)
	for {
		select {
		case notification := <-m.channel:
			m.deliver(notification)
			continue
		default:
		}
		select {
		case notification := <-m.channel:
			m.deliver(notification)
		case <-m.stop:
			if len(m.channel) == 0 {
				return
			}
		}
	}
}

// close returns when everything sent before is delivered.
func (m *mailbox) close() {
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
