package memory

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolkit/embed"
	"toolkit/internal/search"
	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/memory"
)

// searchWith gives a bench the real search, over an embedder.
func searchWith(t testing.TB, embedder embed.Embedder) func(*Deps) {
	return func(d *Deps) {
		s := NewSearch(d.Store, embedder)
		t.Cleanup(func() { s.Close() })
		d.Search = s
	}
}

// insights stores many insights in one transaction.
func (b *bench) insights(count int, content string) {
	b.T.Helper()
	storetest.Write(b.T, b.Store, func(tx *store.Tx) error {
		for range count {
			i, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: content, SourceIDs: []int64{}, Fidelity: 1, Metadata: []byte("{}")})
			if err != nil {
				return err
			}
			if _, err := b.deps.Search.IndexRow(tx, i.Row()); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *bench) episode(query, reflection string) int64 {
	b.T.Helper()
	return b.id(episodeName, args{"query": query, "reward": 0.5, "reflection": reflection})
}

// look searches insights unless change says otherwise.
func (b *bench) look(text string, change ...func(*Query)) Found {
	b.T.Helper()
	q := Query{Text: text, TopK: 5, Weights: search.DefaultWeights, Sources: []memory.Source{memory.SourceInsight}}
	for _, f := range change {
		f(&q)
	}
	found, err := b.deps.Search.Search(context.Background(), q)
	if err != nil {
		b.T.Fatalf("search %q: %v", text, err)
	}
	return found
}

// in searches other sources.
func in(sources ...memory.Source) func(*Query) { return func(q *Query) { q.Sources = sources } }

// weighing sets the weight of the semantic channel.
func weighing(semantic float64) func(*Query) {
	return func(q *Query) { q.Weights = search.Weights{Semantic: semantic, Keyword: 1 - semantic} }
}

func filtered(f memory.Filter) func(*Query) { return func(q *Query) { q.Filter = f } }

// ids are the rows of a result, in order.
func ids(f Found) []int64 {
	list := []int64{}
	for _, hit := range f.Hits {
		list = append(list, hit.Row.ID)
	}
	return list
}

// sound requires that rows and indexes agree.
func (b *bench) sound() *IndexReport {
	b.T.Helper()
	r, err := b.deps.Search.CheckIndex(context.Background())
	if err != nil {
		b.T.Fatal(err)
	}
	if r.Faults > 0 {
		b.T.Errorf("%d faults:\n%s", r.Faults, strings.Join(r.Examples, "\n"))
	}
	return r
}

// twoProcesses are two benches on one file, as two servers are.
func twoProcesses(t *testing.T, first, second embed.Embedder) (*bench, *bench) {
	path := filepath.Join(t.TempDir(), "shared.db")
	return openBench(t, path, searchWith(t, first)), openBench(t, path, searchWith(t, second))
}

// eventually waits for work in the background, however long a loaded machine takes for it.
func eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for !done() {
		select {
		case <-ctx.Done():
			t.Fatalf("never: %s", what)
		case <-time.After(time.Millisecond): // the processor is left to that work
		}
	}
}
