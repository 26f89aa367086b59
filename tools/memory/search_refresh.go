package memory

import (
	"context"
	"fmt"

	"toolkit/embed"
	"toolkit/store"
	"toolkit/store/memory"
)

// Refresh embeds all rows that have no vector of the present model yet, reports
// how many are done after each batch, and returns how many it embedded. What is
// done stays done when it fails.
func (s *Search) Refresh(ctx context.Context, report func(done int)) (done int, err error) {
	if embed.IsOff(s.embedder) {
		return 0, nil
	}
	return s.backlog.Refresh(ctx, report)
}

// CatchUp makes the vectors that a few rows still lack, before a search in a transaction
// of the caller's. complete says that none is missing.
func (s *Search) CatchUp(ctx context.Context) (complete bool, err error) {
	if embed.IsOff(s.embedder) {
		return true, nil
	}
	return s.backlog.CatchUp(ctx)
}

// Postpone puts vectors that are made in the background off, because a call was answered.
func (s *Search) Postpone() { s.backlog.Postpone() }

// Resume goes on in the background with rows that have no vector yet: a process that
// ended, or one that makes none, left them behind.
func (s *Search) Resume() {
	if !embed.IsOff(s.embedder) {
		s.backlog.Wake()
	}
}

// Failing reports whether the model failed when it was last asked, so that rows wait for
// their vectors until it answers again.
func (s *Search) Failing() bool { return s.backlog.Failure() != nil }

// pendingRows are the indexed rows without a vector, as a backlog takes them.
type pendingRows struct{ store *store.DB }

func (p pendingRows) Unembedded(ctx context.Context, model string, after int64, limit int) (list []embed.Row, last int64, err error) {
	err = p.store.Read(ctx, func(tx *store.Tx) error {
		list, last, err = unembedded(memory.In(tx), model, after, limit)
		return err
	})
	return list, last, err
}

// unembedded is embed.Rows.Unembedded within a transaction. It needs no versions:
// texts never change.
func unembedded(tx memory.Rows, model string, after int64, limit int) (list []embed.Row, last int64, err error) {
	ids, err := tx.Unembedded(model, after, limit)
	if err != nil {
		return nil, 0, err
	}
	if len(ids) == 0 {
		last, err = tx.Last()
		return nil, last, err
	}
	rows, err := tx.RowsAt(ids)
	list = make([]embed.Row, len(ids))
	for i, id := range ids {
		list[i] = embed.Row{ID: id, Text: rows[id].EmbeddedText()}
	}
	return list, ids[len(ids)-1], err
}

func (p pendingRows) StoreVectors(ctx context.Context, model string, rows []embed.Row) error {
	list := make([]memory.Vector, len(rows))
	for i, row := range rows {
		list[i] = memory.Vector{MemoryID: row.ID, Vector: row.Vector}
	}
	return p.store.Write(ctx, func(tx *store.Tx) error { return memory.In(tx).InsertVectors(model, list) })
}

// requireVectors makes sure that rows have their vectors, as far as the model makes
// them, or ends the transaction with errVectorsPending.
func (s *Search) requireVectors(tx memory.Rows, l *searchState) error {
	if !l.vectorsComplete {
		behind, err := s.backlog.HasPending(func(model string, after int64, limit int) ([]embed.Row, int64, error) {
			return unembedded(tx, model, after, limit)
		})
		if err != nil {
			return err
		}
		if behind {
			return errVectorsPending
		}
		l.vectorsComplete = true
	}
	if err := s.backlog.Failure(); err != nil && l.note == "" {
		l.note = fmt.Sprintf("rows stored since the embedding model failed are found by words alone until it answers again: %v", err)
	}
	return nil
}
