package embed

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// memory is a source whose changes are a slice, as a test writes them.
type memory struct {
	mu      sync.Mutex
	changes []Change
	reads   int
	fail    error
}

func (m *memory) Changes(ctx context.Context, after int64, limit int) ([]Change, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	if m.fail != nil {
		return nil, m.fail
	}
	var found []Change
	for _, change := range m.changes {
		if change.Seq > after && len(found) < limit {
			found = append(found, change)
		}
	}
	return found, ctx.Err()
}

func (m *memory) write(change Change) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change.Seq = int64(len(m.changes) + 1)
	m.changes = append(m.changes, change)
}

func TestAnIndexFollowsItsSource(t *testing.T) {
	source := &memory{}
	index := NewIndex(nil)
	search := func() []int64 {
		t.Helper()
		if err := index.Sync(t.Context(), source); err != nil {
			t.Fatal(err)
		}
		hits, err := index.Search(t.Context(), []float32{1, 0}, 10, nil)
		if err != nil {
			t.Fatal(err)
		}
		return ids(hits)
	}
	if source.reads != 0 {
		t.Error("nothing may be read before the first search")
	}
	for _, step := range []struct {
		name   string
		change Change
		want   []int64
	}{
		{"a new row is found", Change{ID: 1, Vector: []float32{1, 0}}, []int64{1}},
		{"a second one, less similar", Change{ID: 2, Vector: []float32{1, 1}}, []int64{1, 2}},
		{"a changed row moves", Change{ID: 1, Vector: []float32{0, 1}}, []int64{2, 1}},
		{"a deleted row is gone", Change{ID: 2}, []int64{1}},
		{"deleting it again changes nothing", Change{ID: 2}, []int64{1}},
		{"a row that comes back is found", Change{ID: 2, Vector: []float32{1, 0}}, []int64{2, 1}},
		{"a vector of another length takes its row out", Change{ID: 1, Vector: []float32{1, 0, 0}}, []int64{2}},
		{"a zero vector does, too", Change{ID: 2, Vector: []float32{0, 0}}, []int64{}},
	} {
		source.write(step.change)
		if diff := cmp.Diff(step.want, search()); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}

func TestFirstVectorOfOtherDimensionDoesNotBlockIndex(t *testing.T) {
	source := &memory{}
	source.write(Change{ID: 1, Vector: []float32{1, 0, 0}})
	source.write(Change{ID: 2, Vector: []float32{1, 0}})
	source.write(Change{ID: 3, Vector: []float32{0, 1}})
	index := NewIndex(nil)
	if err := index.Sync(t.Context(), source); err != nil {
		t.Fatal(err)
	}
	hits, err := index.Search(t.Context(), []float32{1, 0}, 5, nil)
	if err != nil || !cmp.Equal([]int64{2, 3}, ids(hits)) {
		t.Errorf("got %v, %v", hits, err)
	}
}

func TestSyncReadsInBatchesAndOnlyWhatIsNew(t *testing.T) {
	source := &memory{}
	for i := range 2*syncBatch + 10 {
		source.write(Change{ID: int64(i), Vector: []float32{1, float32(i)}})
	}
	index := NewIndex(nil)
	if err := index.Sync(t.Context(), source); err != nil || len(index.slots) != len(source.changes) || source.reads != 3 {
		t.Fatalf("%d rows after %d reads, %v", len(index.slots), source.reads, err)
	}
	if err := index.Sync(t.Context(), source); err != nil || source.reads != 4 {
		t.Fatalf("an up-to-date index reads once more, not %d times (%v)", source.reads-3, err)
	}
}

func TestSyncGoesOnWhereAnErrorStoppedIt(t *testing.T) {
	source := &memory{fail: errors.New("busy")}
	source.write(Change{ID: 1, Vector: []float32{1, 0}})
	index := NewIndex(nil)
	if err := index.Sync(t.Context(), source); !errors.Is(err, source.fail) {
		t.Fatalf("error %v, want the source's", err)
	}
	source.fail = nil
	if err := index.Sync(t.Context(), source); err != nil || !index.Contains(1) {
		t.Fatal(err)
	}
}

func TestSyncRefusesASequenceThatDoesNotAscend(t *testing.T) {
	for name, changes := range map[string][]Change{
		"from zero": {{Seq: 0, ID: 1}},
		"twice":     {{Seq: 1, ID: 1}, {Seq: 1, ID: 2}},
		"backwards": {{Seq: 2, ID: 1}, {Seq: 1, ID: 2}},
	} {
		index := NewIndex(nil)
		if err := index.Sync(t.Context(), fixed(changes)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// fixed returns the same changes whatever it is asked.
type fixed []Change

func (f fixed) Changes(context.Context, int64, int) ([]Change, error) { return f, nil }

// blocked is a source that waits until it is released or the caller gives up.
type blocked struct {
	entered chan struct{}
	release chan struct{}
}

func (b *blocked) Changes(ctx context.Context, after int64, _ int) ([]Change, error) {
	b.entered <- struct{}{}
	select {
	case <-b.release:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if after > 0 {
		return nil, nil
	}
	return []Change{{Seq: 1, ID: 1, Vector: []float32{1}}}, nil
}

func TestOneGoroutineReadsAtATimeAndWaitersMayGiveUp(t *testing.T) {
	source := &blocked{entered: make(chan struct{}, 1), release: make(chan struct{})}
	index := NewIndex(nil)
	first := make(chan error)
	go func() { first <- index.Sync(t.Context(), source) }()
	<-source.entered
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if err := index.Sync(impatient, source); !errors.Is(err, context.Canceled) {
		t.Errorf("a waiter that gives up gets %v", err)
	}
	if len(source.entered) != 0 {
		t.Error("two goroutines read at once")
	}
	close(source.release)
	if err := <-first; err != nil || len(index.slots) != 1 {
		t.Errorf("%d rows, %v", len(index.slots), err)
	}
}
