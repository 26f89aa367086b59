package search

import (
	"context"
	"time"

	"toolkit/embed"
	"toolkit/store"
	"toolkit/store/graph"
)

// Nodes finds the nodes of the graph by meaning: entities with their observations,
// charts, steps and beats. Vectors are made in the background after what changed a
// node, and each search follows the changes of all processes. It is safe for concurrent
// use. Close it before the store.
type Nodes struct {
	*embed.TableIndex
	table VectorTable
}

// NewNodes returns the search of a store, whose vectors come from embedder. Nothing is
// read before the first search.
func NewNodes(db *store.DB, embedder embed.Embedder) *Nodes {
	table := VectorTable{db, func(tx *store.Tx) VectorRows { return graph.In(tx) }}
	n := &Nodes{table: table, TableIndex: embed.NewTableIndex(embedder, table, func() time.Time { return db.Now() })}
	if db != nil && !n.IsOff() {
		db.OnCommit(n.committed)
	}
	return n
}

func (n *Nodes) committed(topics []store.Topic) {
	for _, t := range topics {
		if t == store.TopicGraph || t == store.TopicCharts {
			n.ExpectRows()
		}
	}
	n.Committed()
}

// Nearest returns the likeness of up to k nodes whose meaning is nearest to a vector, by
// their row ids. complete is false where some could not be compared: their vectors are
// still being made or read.
func (n *Nodes) Nearest(ctx context.Context, vector []float32, k int) (near map[int64]float64, complete bool, err error) {
	return NearestRows(ctx, n.TableIndex, n.table, vector, k)
}
