package embed

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pendingTexts is a store of rows without vectors, in memory.
type pendingTexts struct {
	mu       sync.Mutex
	texts    int
	embedded int
}

func (p *pendingTexts) add(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.texts += n
}

func (p *pendingTexts) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.embedded
}

func (p *pendingTexts) Unembedded(_ context.Context, _ string, _ int64, limit int) (rows []Row, last int64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := p.embedded; i < p.texts && len(rows) < limit; i++ {
		rows = append(rows, Row{ID: int64(i + 1), Text: "text"})
	}
	return rows, int64(p.embedded), nil
}

func (p *pendingTexts) StoreVectors(_ context.Context, _ string, rows []Row) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.embedded += len(rows)
	return nil
}

// quickModel has a name, and the same vector for every text.
type quickModel string

func (m quickModel) Model() string  { return string(m) }
func (m quickModel) Dimension() int { return 1 }

func (m quickModel) Embed(_ context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i := range vectors {
		vectors[i] = []float32{1}
	}
	return vectors, nil
}

func (m quickModel) Query(context.Context, string) ([]float32, error) { return []float32{1}, nil }

func commit(b *Backlog, p *pendingTexts) {
	p.add(1)
	b.ExpectRows()
	b.NoteCommit()
}

func TestVectorsOfTheBuiltInModelFollowWhenWritesHaveEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pendingTexts{}
		b := NewBacklog(quickModel(BuiltInModel), p, time.Now)
		defer b.Close()
		for range 10 {
			commit(b, p)
			time.Sleep(quietPeriod / 2)
		}
		if n := p.count(); n != 0 {
			t.Errorf("%d rows were embedded between writes", n)
		}
		time.Sleep(quietPeriod)
		synctest.Wait()
		if n := p.count(); n != 10 {
			t.Errorf("%d of 10 rows are embedded", n)
		}
	})
}

func TestVectorsAreMadeAlthoughWritesDoNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pendingTexts{}
		b := NewBacklog(quickModel(BuiltInModel), p, time.Now)
		defer b.Close()
		for end := time.Now().Add(maxPostponed + quietPeriod); time.Now().Before(end); time.Sleep(quietPeriod / 2) {
			commit(b, p)
		}
		if p.count() == 0 {
			t.Error("no row is embedded")
		}
	})
}

func TestARemoteModelIsAskedRightAfterAWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pendingTexts{}
		b := NewBacklog(quickModel("remote:a"), p, time.Now)
		defer b.Close()
		commit(b, p)
		synctest.Wait()
		if n := p.count(); n != 1 {
			t.Errorf("%d rows are embedded", n)
		}
	})
}

func TestASearchDoesNotWaitUntilWritesHaveEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pendingTexts{}
		b := NewBacklog(quickModel(BuiltInModel), p, time.Now)
		defer b.Close()
		commit(b, p)
		began := time.Now()
		if complete, err := b.CatchUp(t.Context()); !complete || err != nil || p.count() != 1 {
			t.Errorf("complete %v, %v, %d rows are embedded", complete, err, p.count())
		}
		if waited := time.Since(began); waited > 0 {
			t.Errorf("it waited %s", waited)
		}
	})
}

// slowModel takes a second for each text.
type slowModel struct{ quickModel }

func (m slowModel) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	select {
	case <-time.After(time.Duration(len(texts)) * time.Second):
		return m.quickModel.Embed(ctx, texts)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestASearchWithTooLittleTimeKeepsWhatItMadeAndLeavesTheRestToTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pendingTexts{}
		b := NewBacklog(slowModel{BuiltInModel}, p, time.Now)
		defer b.Close()
		p.add(30)
		short, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		if complete, err := b.CatchUp(short); complete || err != nil || p.count() != 2*catchUpBatch {
			t.Errorf("complete %v, %v, %d rows are embedded", complete, err, p.count())
		}
		if short.Err() != nil || b.Failure() != nil {
			t.Errorf("the search has no time left: %v, the model failed: %v", short.Err(), b.Failure())
		}
		time.Sleep(maxPostponed + time.Minute)
		if n := p.count(); n != 30 {
			t.Errorf("%d of 30 rows are embedded", n)
		}
	})
}

func TestCloseEndsABacklogThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pendingTexts{}
		b := NewBacklog(quickModel(BuiltInModel), p, time.Now)
		commit(b, p)
		began := time.Now()
		b.Close()
		if waited := time.Since(began); waited > 0 || p.count() != 0 {
			t.Errorf("it waited %s, %d rows are embedded", waited, p.count())
		}
	})
}

func TestPostponeWaitsLikeAWrite(t *testing.T) {
	b := NewBacklog(BuiltIn(), nil, time.Now)
	defer b.Close()
	before := b.active
	if b.Postpone(); !b.active.After(before) {
		t.Error("the backlog does not know of the call")
	}
	b.stop() // what waits for quiet ends with the backlog
	b.awaitQuiet()
}

// listeningModel keeps the texts that it is given.
type listeningModel struct {
	quickModel
	texts []string
}

func (m *listeningModel) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	m.texts = append(m.texts, texts...)
	return m.quickModel.Embed(ctx, texts)
}

func TestAModelIsGivenNoSecrets(t *testing.T) {
	m := &listeningModel{quickModel: "remote:a"}
	if _, err := RedactEmbedAndPack(t.Context(), m, []string{"The admin password is Tr0ub4dor&3xyz", "We moved to Postgres"}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"The admin password is [redacted: password]", "We moved to Postgres"}; !slices.Equal(m.texts, want) {
		t.Errorf("the model is given %q, want %q", m.texts, want)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := RedactEmbedAndPack(ended, m, []string{"We moved to Postgres"}); err == nil || len(m.texts) != 2 {
		t.Errorf("what was not looked through is embedded: %q, %v", m.texts, err)
	}
}
