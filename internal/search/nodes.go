package search

import (
	"context"
	"sync"
	"time"

	"toolkit/embed"
	"toolkit/store"
	"toolkit/store/graph"
)

// maxRead is how many vectors a search reads itself. More are read in the background,
// while searches go by words.
const maxRead = 20_000

// Nodes finds the nodes of the graph by meaning: entities with their observations,
// charts, steps and beats. Vectors are made in the background after what changed a
// node, and each search follows the changes of all processes. It is safe for concurrent
// use. Close it before the store.
type Nodes struct {
	store    *store.DB
	embedder embed.Embedder
	backlog  *embed.Backlog
	index    *embed.Index

	background context.Context // ends with Close
	stop       context.CancelFunc
	working    sync.WaitGroup
	mu         sync.Mutex
	reading    bool // vectors are read in the background
}

// NewNodes returns the search of a store, whose vectors come from embedder. Nothing is
// read before the first search.
func NewNodes(db *store.DB, embedder embed.Embedder) *Nodes {
	n := &Nodes{store: db, embedder: embedder, index: embed.NewIndex(nil)}
	n.background, n.stop = context.WithCancel(context.Background())
	n.backlog = embed.NewBacklog(embedder, nodeRows{db}, func() time.Time { return db.Now() })
	if db != nil && n.enabled() {
		db.OnCommit(n.committed)
	}
	return n
}

// Close ends work in the background and waits for it.
func (n *Nodes) Close() {
	n.mu.Lock()
	n.stop()
	n.mu.Unlock()
	n.working.Wait()
	n.backlog.Close()
}

func (n *Nodes) enabled() bool { return !embed.IsOff(n.embedder) }

func (n *Nodes) committed(topics []store.Topic) {
	for _, t := range topics {
		if t == store.TopicGraph || t == store.TopicCharts {
			n.backlog.ExpectRows()
		}
	}
	n.backlog.Committed()
}

// Nearest returns the likeness of up to k nodes whose meaning is nearest to a vector, by
// their row ids. complete is false where some could not be compared: their vectors are
// still being made or read.
func (n *Nodes) Nearest(ctx context.Context, vector []float32, k int) (near map[int64]float64, complete bool, err error) {
	if !n.enabled() || vector == nil {
		return nil, true, nil
	}
	if complete, err = n.backlog.CatchUp(ctx); err != nil {
		return nil, false, err
	}
	behind, err := store.ReadValue(ctx, n.store, func(tx *store.Tx) (int, error) {
		return graph.In(tx).CountVectorChanges(n.embedder.Model(), n.index.Cursor(), maxRead+1)
	})
	if err != nil {
		return nil, false, err
	}
	if behind > maxRead {
		n.readBehind()
		return nil, false, nil
	}
	if err := n.index.Sync(ctx, n.feed()); err != nil {
		return nil, false, err
	}
	near, known, err := n.index.Nearest(ctx, vector, k)
	return near, complete && known, err
}

// readBehind reads the vectors in the background.
func (n *Nodes) readBehind() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.reading || n.background.Err() != nil {
		return
	}
	n.reading = true
	n.working.Go(func() {
		n.index.Sync(n.background, n.feed()) //nolint:errcheck // what fails here, the next search tries again
		n.mu.Lock()
		defer n.mu.Unlock()
		n.reading = false
	})
}

// Postpone puts vectors that are made in the background off, because a call was answered.
func (n *Nodes) Postpone() { n.backlog.Postpone() }

// Resume goes on in the background with nodes that have no vector yet.
func (n *Nodes) Resume() {
	if n.enabled() {
		n.backlog.Wake()
	}
}

// Refresh makes all vectors that are missing, reports how many are done after each
// batch, and returns how many it made.
func (n *Nodes) Refresh(ctx context.Context, report func(done int)) (int, error) {
	if !n.enabled() {
		return 0, nil
	}
	return n.backlog.Refresh(ctx, report)
}

// CountPending is how many nodes have no vector of their present text.
func (n *Nodes) CountPending(ctx context.Context) (int, error) {
	if !n.enabled() {
		return 0, nil
	}
	return store.ReadValue(ctx, n.store, func(tx *store.Tx) (int, error) { return graph.In(tx).CountUnembedded(n.embedder.Model()) })
}

// Prune deletes the vectors of all other models and returns how many there were.
func (n *Nodes) Prune(ctx context.Context) (int64, error) {
	return store.WriteValue(ctx, n.store, func(tx *store.Tx) (int64, error) { return graph.In(tx).DeleteVectors(n.embedder.Model()) })
}

// nodeRows are the nodes without a vector, as a backlog takes them.
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

func (n *Nodes) feed() nodeFeed { return nodeFeed{n.store, n.embedder.Model()} }

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
