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
	*embed.Keeper
	store *store.DB
}

// NewNodes returns the search of a store, whose vectors come from embedder. Nothing is
// read before the first search.
func NewNodes(db *store.DB, embedder embed.Embedder) *Nodes {
	n := &Nodes{store: db, Keeper: embed.NewKeeper(embedder, nodeRows{db}, func() time.Time { return db.Now() })}
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
	if n.IsOff() || vector == nil {
		return nil, true, nil
	}
	if complete, err = n.CatchUp(ctx); err != nil {
		return nil, false, err
	}
	feed := nodeFeed{n.store, n.Model()}
	index, err := n.Follow(ctx, n.Model(), feed, feed)
	if index == nil || err != nil {
		return nil, false, err
	}
	near, known, err := index.Nearest(ctx, vector, k)
	return near, complete && known, err
}

// nodeRows are the nodes as a keeper of their vectors takes them.
type nodeRows struct{ store *store.DB }

func (r nodeRows) Unembedded(ctx context.Context, model string, after int64, limit int) (rows []embed.Row, last int64, err error) {
	err = r.store.Read(ctx, func(tx *store.Tx) error {
		var list []graph.Unembedded
		list, last, err = graph.In(tx).ListUnembedded(model, after, limit)
		for _, u := range list {
			rows = append(rows, embed.Row{ID: u.ID, Version: u.Version, Text: u.Text})
		}
		return err
	})
	return rows, last, err
}

func (r nodeRows) StoreVectors(ctx context.Context, model string, rows []embed.Row) error {
	vectors := make([]graph.Vector, len(rows))
	for i, row := range rows {
		vectors[i] = graph.Vector{Node: row.ID, Version: row.Version, Vector: row.Vector}
	}
	return r.store.Write(ctx, func(tx *store.Tx) error { return graph.In(tx).InsertVectors(model, vectors) })
}

func (r nodeRows) CountUnembedded(ctx context.Context, model string) (int, error) {
	return store.ReadValue(ctx, r.store, func(tx *store.Tx) (int, error) { return graph.In(tx).CountUnembedded(model) })
}

func (r nodeRows) DeleteVectors(ctx context.Context, except string) (int64, error) {
	return store.WriteValue(ctx, r.store, func(tx *store.Tx) (int64, error) { return graph.In(tx).DeleteVectors(except) })
}

// nodeFeed are the vectors of nodes as the source of an index.
type nodeFeed struct {
	store *store.DB
	model string
}

func (f nodeFeed) Changes(ctx context.Context, after int64, limit int) ([]embed.Change, error) {
	return store.ReadValue(ctx, f.store, func(tx *store.Tx) ([]embed.Change, error) {
		rows, err := graph.In(tx).ListVectorChanges(f.model, after, limit)
		changes := make([]embed.Change, len(rows))
		for i, row := range rows {
			vector, _ := embed.Unpack(row.Vector) // one that cannot be read is none
			changes[i] = embed.Change{Seq: row.Seq, ID: row.Node, Vector: vector}
		}
		return changes, err
	})
}

func (f nodeFeed) CountChanges(ctx context.Context, after int64, limit int) (int, error) {
	return store.ReadValue(ctx, f.store, func(tx *store.Tx) (int, error) {
		return graph.In(tx).CountVectorChanges(f.model, after, limit)
	})
}
