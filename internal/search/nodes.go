package search

import (
	"context"
	"slices"
	"time"

	"toolkit/embed"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/records"
)

// RowSearch finds rows by meaning. Vectors are made in the background after what changed a
// row, and each search follows the changes of all processes. It is safe for concurrent
// use. Close it before the store.
type RowSearch struct {
	*embed.TableIndex
	table  VectorTable
	topics []store.Topic // of writes that change rows
}

// NewNodeSearch returns the search of the nodes of the graph: entities with their observations,
// charts, steps and beats. Vectors come from embedder; nothing is read before the first search.
func NewNodeSearch(db *store.DB, embedder embed.Embedder) *RowSearch {
	return newRowSearch(db, embedder, func(tx *store.Tx) VectorRows { return graph.In(tx) }, store.TopicGraph, store.TopicCharts)
}

// NewPassageSearch returns the search of the passages of files.
func NewPassageSearch(db *store.DB, embedder embed.Embedder) *RowSearch {
	return newRowSearch(db, embedder, func(tx *store.Tx) VectorRows { return records.PassageRows{Rows: records.In(tx)} }, store.TopicPayloads)
}

func newRowSearch(db *store.DB, embedder embed.Embedder, rows func(*store.Tx) VectorRows, topics ...store.Topic) *RowSearch {
	table := VectorTable{db, rows}
	s := &RowSearch{table: table, topics: topics, TableIndex: embed.NewTableIndex(embedder, table, func() time.Time { return db.Now() })}
	if db != nil && !s.IsOff() {
		db.OnCommit(s.handleCommit)
	}
	return s
}

func (s *RowSearch) handleCommit(topics []store.Topic) {
	if slices.ContainsFunc(topics, func(t store.Topic) bool { return slices.Contains(s.topics, t) }) {
		s.ExpectRows()
	}
	s.NoteCommit()
}

// FindNearest returns the likeness of up to k rows whose meaning is nearest to a vector, by
// their ids. complete is false where some could not be compared: their vectors are
// still being made or read.
func (s *RowSearch) FindNearest(ctx context.Context, vector []float32, k int) (near map[int64]float64, complete bool, err error) {
	return FindNearestRows(ctx, s.TableIndex, s.table, vector, k)
}
