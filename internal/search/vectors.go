package search

import (
	"context"

	"toolkit/embed"
	"toolkit/store"
)

// VectorRows are rows that have vectors, as a transaction sees them.
type VectorRows interface {
	ListUnembedded(model string, after int64, limit int) (list []store.Unembedded, last int64, err error)
	InsertVectors(model string, list []store.Vector) error
	ListVectorChanges(model string, after int64, limit int) ([]store.Vector, error)
	CountUnembedded(model string) (int, error)
	DeleteVectors(except string) (int64, error)
}

// VectorTable is a table of a store as a keeper of its vectors takes it.
type VectorTable struct {
	Store *store.DB
	Rows  func(*store.Tx) VectorRows
}

var _ embed.Table = VectorTable{}

// Unembedded lists rows that have no vector of their present text.
func (t VectorTable) Unembedded(ctx context.Context, model string, after int64, limit int) (rows []embed.Row, last int64, err error) {
	err = t.Store.Read(ctx, func(tx *store.Tx) error {
		var list []store.Unembedded
		list, last, err = t.Rows(tx).ListUnembedded(model, after, limit)
		for _, u := range list {
			rows = append(rows, embed.Row{ID: u.ID, Version: u.Version, Text: u.Text})
		}
		return err
	})
	return rows, last, err
}

// StoreVectors stores the vectors of rows.
func (t VectorTable) StoreVectors(ctx context.Context, model string, rows []embed.Row) error {
	list := make([]store.Vector, len(rows))
	for i, row := range rows {
		list[i] = store.Vector{ID: row.ID, Version: row.Version, Vector: row.Vector}
	}
	return t.Store.Write(ctx, func(tx *store.Tx) error { return t.Rows(tx).InsertVectors(model, list) })
}

// CountUnembedded returns how many rows have no vector of their present text.
func (t VectorTable) CountUnembedded(ctx context.Context, model string) (int, error) {
	return store.ReadValue(ctx, t.Store, func(tx *store.Tx) (int, error) { return t.Rows(tx).CountUnembedded(model) })
}

// DeleteVectors deletes the vectors of all models but one and returns how many there were.
func (t VectorTable) DeleteVectors(ctx context.Context, except string) (int64, error) {
	return store.WriteValue(ctx, t.Store, func(tx *store.Tx) (int64, error) { return t.Rows(tx).DeleteVectors(except) })
}

// Feed is the table as the source of an index of a model, which reads it in short
// transactions.
func (t VectorTable) Feed(model string) embed.Source { return tableFeed{t, model} }

type tableFeed struct {
	VectorTable
	model string
}

func (f tableFeed) Changes(ctx context.Context, after int64, limit int) ([]embed.Change, error) {
	return store.ReadValue(ctx, f.Store, func(tx *store.Tx) ([]embed.Change, error) {
		return NewRowFeed(f.Rows(tx), f.model).Changes(ctx, after, limit)
	})
}

// NewRowFeed are the rows of a transaction as the source of an index of a model.
func NewRowFeed(rows VectorRows, model string) embed.Source { return rowFeed{rows, model} }

type rowFeed struct {
	VectorRows
	model string
}

func (f rowFeed) Changes(_ context.Context, after int64, limit int) ([]embed.Change, error) {
	list, err := f.ListVectorChanges(f.model, after, limit)
	changes := make([]embed.Change, len(list))
	for i, v := range list {
		vector, _ := embed.Unpack(v.Vector) // one that cannot be read is none
		changes[i] = embed.Change{Seq: v.Seq, ID: v.ID, Vector: vector}
	}
	return changes, err
}

// FindNearestRows returns the likeness of up to k rows whose meaning is nearest to a vector of the
// keeper's model, by their ids. complete is false where some could not be compared: their
// vectors are still being made or read.
func FindNearestRows(ctx context.Context, tableIndex *embed.TableIndex, table VectorTable, vector []float32, k int) (near map[int64]float64, complete bool, err error) {
	if tableIndex.IsOff() || vector == nil {
		return nil, true, nil
	}
	if complete, err = tableIndex.CatchUp(ctx); err != nil {
		return nil, false, err
	}
	feed := table.Feed(tableIndex.Model())
	index, err := tableIndex.UpdateIndex(ctx, tableIndex.Model(), feed, feed)
	if index == nil || err != nil {
		return nil, false, err
	}
	near, known, err := index.Nearest(ctx, vector, k)
	return near, complete && known, err
}
