package view

import (
	"slices"
	"sync"
	"time"
)

const (
	// maxForms is how many forms may be open; the one opened first makes room.
	maxForms = 500
	// maxChanges is how many changes can be taken back.
	maxChanges = 100
)

// changes are the forms that are open and the changes that were made, of one session.
type changes struct {
	mu            sync.Mutex
	allowedByUser bool // the person at the page said so
	forms         map[string]form
	opened        []string // tokens of forms, the oldest first
	made          []*reversal

	forgotten int64 // state of store.TopicForgotten when they were looked at last
}

// reversal is a change that was made, with the way back.
type reversal struct {
	move
	look
	target   target
	shown    []byte // the state that the change left
	label    string
	token    string
	at       time.Time
	reversed bool // back
}

// move is a call of a tool.
type move struct {
	tool      string
	arguments arguments
}

// dropSince drops the ways back, with what they say, and the forms, with what they
// show, when something was forgotten since they were looked at last.
func (c *changes) dropSince(forgotten int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.forgotten != forgotten {
		c.made, c.forms, c.opened, c.forgotten = nil, nil, nil, forgotten
	}
}

func (c *changes) allow() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.allowedByUser = true
}

func (c *changes) allowed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.allowedByUser
}

// open keeps a form and returns its token.
func (c *changes) open(f form) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.forms == nil {
		c.forms = map[string]form{}
	}
	token := secret()
	c.forms[token], c.opened = f, append(c.opened, token)
	if len(c.opened) > maxForms {
		delete(c.forms, c.opened[0])
		c.opened = slices.Delete(c.opened, 0, 1)
	}
	return token
}

// use returns the form of a token, once.
func (c *changes) use(token string) (form, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, known := c.forms[token]
	delete(c.forms, token)
	c.opened = slices.DeleteFunc(c.opened, func(t string) bool { return t == token })
	return f, known && time.Since(f.opened) < formTimeout
}

// keep keeps a way back and returns its token.
func (c *changes) keep(back reversal) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	back.token, back.at = secret(), time.Now()
	c.made = append(c.made, &back)
	c.made = slices.Delete(c.made, 0, max(0, len(c.made)-maxChanges))
	return back.token
}

// findReversal returns the way back of a token that was not gone.
func (c *changes) findReversal(token string) (reversal, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, back := range c.made {
		if back.token == token && !back.reversed {
			return *back, true
		}
	}
	return reversal{}, false
}

// markReversed notes that a way back was gone.
func (c *changes) markReversed(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, back := range c.made {
		back.reversed = back.reversed || back.token == token
	}
}

// madeChange is a change as the page lists it.
type madeChange struct {
	Undo  string `json:"undo,omitempty"` // none: it was taken back
	Said  string `json:"said"`
	At    string `json:"at"`
	Taken bool   `json:"taken_back"`
}

func (c *changes) list() []madeChange {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := []madeChange{}
	for _, back := range slices.Backward(c.made) {
		m := madeChange{Said: back.label, At: timestamp(back.at), Taken: back.reversed}
		if !back.reversed {
			m.Undo = back.token
		}
		list = append(list, m)
	}
	return list
}
