package memory

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/embed"
	"toolkit/internal/retrieval"
	"toolkit/store"
)

// searchWith gives a bench the real search, over an embedder.
func searchWith(t testing.TB, embedder embed.Embedder) func(*Deps) {
	return func(d *Deps) {
		s := NewSearch(d.Store, embedder)
		t.Cleanup(func() { s.Close() })
		d.Search = s
	}
}

// newSearchBench is a family over a new database, with the real search.
func newSearchBench(t testing.TB) *bench { return newBench(t, searchWith(t, embed.Local())) }

func (b *bench) real() *Search { return b.deps.Search.(*Search) }

// insights stores many insights in one transaction.
func (b *bench) insights(count int, content string) {
	b.T.Helper()
	err := b.Store.Write(context.Background(), func(tx *store.Tx) error {
		for range count {
			i, err := tx.InsertInsight(store.NewInsight{Content: content, SourceIDs: []int64{}, Fidelity: 1, Metadata: []byte("{}")})
			if err != nil {
				return err
			}
			if _, err := b.real().Index(tx, i.Row()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.T.Fatal(err)
	}
}

func (b *bench) episode(query, reflection string) int64 {
	b.T.Helper()
	return b.id(episodeName, args{"query": query, "reward": 0.5, "reflection": reflection})
}

// look searches insights unless change says otherwise.
func (b *bench) look(text string, change ...func(*Query)) Found {
	b.T.Helper()
	q := Query{Text: text, TopK: 5, Weights: retrieval.DefaultWeights, Sources: []store.MemorySource{store.SourceInsight}}
	for _, f := range change {
		f(&q)
	}
	found, err := b.real().Search(context.Background(), q)
	if err != nil {
		b.T.Fatalf("search %q: %v", text, err)
	}
	return found
}

// in searches other sources.
func in(sources ...store.MemorySource) func(*Query) { return func(q *Query) { q.Sources = sources } }

// weighing sets the weight of the semantic channel.
func weighing(semantic float64) func(*Query) {
	return func(q *Query) { q.Weights = retrieval.Weights{Semantic: semantic, Keyword: 1 - semantic} }
}

func filtered(f Filter) func(*Query) { return func(q *Query) { q.Filter = f } }

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
	r, err := b.real().Check(context.Background())
	if err != nil {
		b.T.Fatal(err)
	}
	if r.Faults > 0 {
		b.T.Errorf("%d faults:\n%s", r.Faults, strings.Join(r.Examples, "\n"))
	}
	return r
}

// topics is a model that knows which words mean the same, as a remote one does.
// Each topic is a direction.
type topics struct {
	model  string
	groups [][]string

	mu     sync.Mutex
	fail   error
	calls  int
	before func() // runs in every call
}

var errModel = errors.New("the model is away")

func newTopics(model string) *topics {
	return &topics{model: model, groups: [][]string{{"car", "automobile", "vehicle"}, {"doctor", "physician"}, {"happy", "glad"}, {"river", "stream"}}}
}

func (m *topics) Model() string  { return m.model }
func (m *topics) Dimension() int { return len(m.groups) + 1 }

func (m *topics) set(fail error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = fail
}

func (m *topics) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	m.mu.Lock()
	m.calls++
	fail, before := m.fail, m.before
	m.mu.Unlock()
	if before != nil {
		before()
	}
	if fail != nil {
		return nil, fail
	}
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = m.vector(text)
	}
	return vectors, ctx.Err()
}

func (m *topics) Query(ctx context.Context, text string) ([]float32, error) {
	vectors, err := m.Embed(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

func (m *topics) vector(text string) []float32 {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return nil
	}
	v := make([]float32, len(m.groups)+1)
	v[len(m.groups)] = 0.2
	for i, group := range m.groups {
		for _, word := range group {
			if slices.Contains(words, word) {
				v[i] = 1
			}
		}
	}
	embed.Normalize(v)
	return v
}

// twoProcesses are two benches on one file, as two servers are.
func twoProcesses(t *testing.T, first, second embed.Embedder) (*bench, *bench) {
	path := filepath.Join(t.TempDir(), "shared.db")
	return openBench(t, path, searchWith(t, first)), openBench(t, path, searchWith(t, second))
}

// eventually waits for work in the background.
func eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for !done() {
		if ctx.Err() != nil {
			t.Fatalf("never: %s", what)
		}
	}
}
