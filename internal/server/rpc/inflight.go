package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
)

var (
	// ErrCancelled is the cause ([context.Cause]) in the context of a request that the client cancelled.
	ErrCancelled = errors.New("cancelled by the client")
	// ErrShutdown is the cause in the context of a request that the end of the server cut off.
	ErrShutdown = errors.New("the server is shutting down; look whether the call took effect before you repeat it")
	// ErrUnfinished reports that calls were still running, or answers still unread, when the grace period ended.
	ErrUnfinished = errors.New("calls were unfinished at the end of the grace period")
)

// InFlight are the requests of one client that are not answered yet, by their ids. The zero value is empty.
type InFlight struct {
	mu      sync.Mutex
	cancels map[string]context.CancelCauseFunc
}

// Begin notes a request under way. It fails when the id is taken.
func (f *InFlight) Begin(id json.RawMessage, cancel context.CancelCauseFunc) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := IDKey(id)
	if _, taken := f.cancels[key]; taken {
		return false
	}
	if f.cancels == nil {
		f.cancels = map[string]context.CancelCauseFunc{}
	}
	f.cancels[key] = cancel
	return true
}

// End makes an id free again.
func (f *InFlight) End(id json.RawMessage) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.cancels, IDKey(id))
}

// Cancel ends the request that a notifications/cancelled names, if it is still under way.
func (f *InFlight) Cancel(m Message) {
	id := m.CancelledID()
	if id == nil {
		return
	}
	f.mu.Lock()
	cancel := f.cancels[IDKey(id)]
	f.mu.Unlock()
	if cancel != nil {
		cancel(ErrCancelled)
	}
}

// CancelAll ends every request under way.
func (f *InFlight) CancelAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, cancel := range f.cancels {
		cancel(ErrCancelled)
	}
}
