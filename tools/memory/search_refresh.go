package memory

import (
	"context"
	"fmt"

	"toolkit/embed"
	"toolkit/store"
	"toolkit/store/memory"
)

// Failing reports whether the model failed when it was last asked, so that rows wait for
// their vectors until it answers again.
func (s *Search) Failing() bool { return s.Failure() != nil }

// rowTable are the indexed rows as a keeper of their vectors takes them.
type rowTable struct{ store *store.DB }

func (p rowTable) Unembedded(ctx context.Context, model string, after int64, limit int) (list []embed.Row, last int64, err error) {
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

func (p rowTable) StoreVectors(ctx context.Context, model string, rows []embed.Row) error {
	list := make([]memory.Vector, len(rows))
	for i, row := range rows {
		list[i] = memory.Vector{MemoryID: row.ID, Vector: row.Vector}
	}
	return p.store.Write(ctx, func(tx *store.Tx) error { return memory.In(tx).InsertVectors(model, list) })
}

func (p rowTable) CountUnembedded(ctx context.Context, model string) (int, error) {
	return store.ReadValue(ctx, p.store, func(tx *store.Tx) (int, error) { return memory.In(tx).CountUnembedded(model) })
}

func (p rowTable) DeleteVectors(ctx context.Context, except string) (int64, error) {
	return store.WriteValue(ctx, p.store, func(tx *store.Tx) (int64, error) { return memory.In(tx).DropVectors(except) })
}

// requireVectors makes sure that rows have their vectors, as far as the model makes
// them, or ends the transaction with errVectorsPending.
func (s *Search) requireVectors(tx memory.Rows, l *searchState) error {
	if !l.vectorsComplete {
		behind, err := s.HasPending(func(model string, after int64, limit int) ([]embed.Row, int64, error) {
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
	if err := s.Failure(); err != nil && l.note == "" {
		l.note = fmt.Sprintf("rows stored since the embedding model failed are found by words alone until it answers again: %v", err)
	}
	return nil
}
