package view

import (
	"context"
	"net/http"
	"slices"
	"time"

	"toolkit/store"
)

// maxChanges is how many changes can be taken back.
const maxChanges = 100

// reversal is a change that was made, with the way back.
type reversal struct {
	toolCall
	stateReader
	target   target
	shown    []byte // the state that the change left
	label    string
	token    string
	at       time.Time
	reversed bool // back
}

// undoChange takes a change back.
func (s *Server) undoChange(ctx context.Context, r *request) (any, error) {
	var in struct {
		Undo string `json:"undo"`
	}
	if err := r.decode(&in); err != nil {
		return nil, err
	}
	if err := s.dropReversalsAfterForgetting(ctx); err != nil {
		return nil, err
	}
	back, known := s.changes.findReversal(in.Undo)
	if !known {
		return nil, &apiError{Status: http.StatusConflict, Message: "This was taken back already, or is too long ago.", Code: codeStale}
	}
	result, err := s.callWritingTool(ctx, back.toolCall, back.stateReader.checkUnchanged(back.target, back.shown))
	if err != nil {
		return nil, err
	}
	s.changes.markReversed(in.Undo)
	return changed{Result: result, Said: "Taken back: " + back.label}, nil
}

// listSessionChanges returns the changes of this session, newest first.
func (s *Server) listSessionChanges(ctx context.Context, _ *query) (any, error) {
	if err := s.dropReversalsAfterForgetting(ctx); err != nil {
		return nil, err
	}
	return map[string]any{"changes": s.changes.list()}, nil
}

// dropReversalsAfterForgetting drops the ways back once something was forgotten, by whichever
// process: they say what it was, and might bring it back.
func (s *Server) dropReversalsAfterForgetting(ctx context.Context) error {
	forgotten, err := s.o.Store.SumSequences(ctx, store.TopicForgotten)
	if err == nil {
		s.changes.dropAllIfForgotten(forgotten)
	}
	return err
}

// readState returns the state of what a way back leads away from.
func (s *Server) readState(ctx context.Context, back reversal) (shown []byte, err error) {
	err = s.o.Store.Read(ctx, func(tx *store.Tx) error {
		_, shown, err = back.readAndEncode(tx, back.target)
		return err
	})
	return shown, err
}

// dropAllIfForgotten drops the ways back, with what they say, and the forms, with what they
// show, when something was forgotten since they were looked at last.
func (c *changes) dropAllIfForgotten(forgotten int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.forgotten != forgotten {
		c.made, c.forms, c.opened, c.forgotten = nil, nil, nil, forgotten
	}
}

// storeReversal keeps a way back and returns its token.
func (c *changes) storeReversal(back reversal) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	back.token, back.at = randomSecret(), time.Now()
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
