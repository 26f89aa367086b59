package view

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"toolkit/store"
)

// Changes are made in two steps. A form is opened for one action on one thing: it
// shows the thing as it is and gets a token of its own. Sending it uses the token up,
// and inside the transaction that writes, the thing must still be what the form
// showed. Each change leaves a way back, for which the same holds.

const (
	// maxForms is how many forms may be open; the one opened first makes room.
	maxForms = 500
	// formTimeout is how long a form may stay open.
	formTimeout = 12 * time.Hour
)

// changes are the forms that are open and the changes that were made, of one session.
type changes struct {
	allowed atomic.Bool // the person at the page said so

	mu        sync.Mutex
	forms     map[string]form
	opened    []string // tokens of forms, the oldest first
	made      []*reversal
	forgotten int64 // state of store.TopicForgotten when they were looked at last
}

// form is an open form.
type form struct {
	action action
	target target
	before shownState
	shown  []byte // the state that it shows
	opened time.Time
}

// allowChanges remembers that the person at the page wants to change things from it.
func (s *Server) allowChanges(context.Context, *request) (any, error) {
	s.changes.allowed.Store(true)
	return map[string]bool{"allowed": true}, nil
}

type openRequest struct {
	Action string `json:"action"`
	target
}

// openForm opens a form and returns its token with what it is about.
func (s *Server) openForm(ctx context.Context, r *request) (any, error) {
	var in openRequest
	if err := r.decode(&in); err != nil {
		return nil, err
	}
	if !s.changes.allowed.Load() {
		return nil, &apiError{Status: http.StatusForbidden, Message: "Allow changes from this page first.", Code: "ASK"}
	}
	a, known := actions[in.Action]
	if !known {
		return nil, badRequest("There is no such change.")
	}
	f := form{action: a, target: in.target, opened: time.Now()}
	err := s.o.Store.Read(ctx, func(tx *store.Tx) (err error) {
		f.before, f.shown, err = a.readAndEncode(tx, in.target)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := s.dropReversalsAfterForgetting(ctx); err != nil {
		return nil, err
	}
	return map[string]any{"token": s.changes.storeForm(f), "name": f.before.name, "state": f.before.state}, nil
}

// storeForm keeps a form and returns its token.
func (c *changes) storeForm(f form) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.forms == nil {
		c.forms = map[string]form{}
	}
	token := randomSecret()
	c.forms[token], c.opened = f, append(c.opened, token)
	if len(c.opened) > maxForms {
		delete(c.forms, c.opened[0])
		c.opened = slices.Delete(c.opened, 0, 1)
	}
	return token
}

// takeForm returns the form of a token, once.
func (c *changes) takeForm(token string) (form, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, known := c.forms[token]
	delete(c.forms, token)
	c.opened = slices.DeleteFunc(c.opened, func(t string) bool { return t == token })
	return f, known && time.Since(f.opened) < formTimeout
}
