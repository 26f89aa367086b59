package rpc

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"toolkit/tools"
)

// job is one call of a random run, and what happened to it.
type job struct {
	line, number int
	writes       bool
	work         time.Duration // on the bubble's own clock
	aside        bool          // part of it is work aside
	cancelled    time.Duration // after this long; 0: never

	ran bool
	err error
}

// history is what a run did, under one lock so that every moment has an order.
type history struct {
	mu     sync.Mutex
	begun  []*job
	reads  int
	writes int
	inLine map[int][2]int // reads and writes that run
	faults []string
}

func (h *history) begin(j *job, reads int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.begun = append(h.begun, j)
	h.enter(j, reads)
}

func (h *history) comeBack(j *job, reads int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.enter(j, reads)
}

func (h *history) fault(j *job, what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.faults = append(h.faults, fmt.Sprintf("the call %d.%d %s", j.line, j.number, what))
}

func (h *history) enter(j *job, reads int) {
	running := h.inLine[j.line]
	switch {
	case j.writes && (h.writes > 0 || running != [2]int{}):
		h.faults = append(h.faults, fmt.Sprintf("the write %d.%d did not run alone", j.line, j.number))
	case !j.writes && (running[1] > 0 || h.reads >= reads):
		h.faults = append(h.faults, fmt.Sprintf("the read %d.%d ran beside a write of its line or too many reads", j.line, j.number))
	}
	h.count(j, 1)
}

func (h *history) leave(j *job) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count(j, -1)
}

func (h *history) count(j *job, n int) {
	running := h.inLine[j.line]
	if j.writes {
		h.writes += n
		running[1] += n
	} else {
		h.reads += n
		running[0] += n
	}
	h.inLine[j.line] = running
}

// run makes a call in its turn.
func run(ctx context.Context, l *CallQueue, writes bool, bytes int, call func(context.Context)) error {
	ctx, leave, err := l.Enter(ctx, writes, bytes)
	if err != nil {
		return err
	}
	defer leave()
	call(ctx)
	return nil
}

// run does a job as a transport does.
func (h *history) run(ctx context.Context, s *Scheduler, l *CallQueue, j *job) {
	ended := ctx.Err() != nil
	j.err = run(ctx, l, j.writes, 1+j.number%2*MinLong, func(ctx context.Context) {
		if ended {
			h.fault(j, "ran after its end")
		}
		h.begin(j, s.Reads)
		j.ran = true
		time.Sleep(j.work)
		h.leave(j)
		if j.aside {
			tools.RunUnlocked(ctx, func() { time.Sleep(2 * j.work) }) // beyond the patience, or not
			h.comeBack(j, s.Reads)
			h.leave(j)
		}
	})
}

func randomJobs(random *rand.Rand, lines, calls int) [][]*job {
	all := make([][]*job, lines)
	for l := range all {
		for n := range calls {
			j := &job{line: l, number: n, writes: random.IntN(3) == 0, work: time.Duration(random.IntN(900)) * time.Millisecond, aside: random.IntN(8) == 0}
			if random.IntN(4) == 0 {
				j.cancelled = time.Duration(1+random.IntN(20_000)) * time.Millisecond
			}
			all[l] = append(all[l], j)
		}
	}
	return all
}

// The law: writes of a line take effect in the order in which they were sent, each alone; a read begins after the writes
// before it and before those behind it; every call runs, or was cancelled before it could.
func TestTheLawHoldsForRandomCallsOfSeveralLines(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			s := &Scheduler{Reads: 1 + random.IntN(4)}
			h := &history{inLine: map[int][2]int{}}
			all := randomJobs(random, 1+random.IntN(4), 40)
			var work sync.WaitGroup
			lines := make([]*CallQueue, len(all))
			for i := range lines {
				lines[i] = s.NewQueue()
			}
			for number := range all[0] {
				for i, jobs := range all {
					j := jobs[number]
					ctx, cancel := context.WithCancelCause(t.Context())
					if j.cancelled > 0 {
						time.AfterFunc(j.cancelled, func() { cancel(errors.New("cancelled")) })
					}
					work.Go(func() {
						h.run(ctx, s, lines[i], j)
						cancel(nil)
					})
					synctest.Wait() // it runs or waits before the next one is sent
				}
			}
			work.Wait()
			h.check(t, all)
			for _, fault := range h.faults {
				t.Error("seed", seed, fault)
			}
			if !s.reads.TryAcquire(int64(s.Reads)) || !s.writes.TryAcquire(1) || !s.longReads.TryAcquire(max(1, int64(s.Reads)/2)) || !s.longWrites.TryAcquire(1) {
				t.Errorf("seed %d: at the end a call still runs", seed)
			}
		})
	}
}

// check compares the order in which the calls of each line began with that in which they were sent.
func (h *history) check(t *testing.T, all [][]*job) {
	t.Helper()
	for l, jobs := range all {
		var began []*job
		for _, j := range h.begun {
			if j.line == l {
				began = append(began, j)
			}
		}
		for i, j := range began {
			for _, later := range began[i+1:] {
				if later.number < j.number && (later.writes || j.writes) {
					t.Errorf("%d.%d began before %d.%d", l, j.number, l, later.number)
				}
			}
		}
		for _, j := range jobs {
			if j.ran == (j.err != nil) || j.cancelled == 0 && !j.ran {
				t.Errorf("the call %d.%d is lost: it ran (%t), error %v", l, j.number, j.ran, j.err)
			}
			if slices.Index(began, j) >= 0 != j.ran {
				t.Errorf("the call %d.%d ran twice or not at all", l, j.number)
			}
		}
	}
}

func TestACallWhoseContextEndsBeforeItsTurnDoesNotRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancelCause(t.Context())
		gone := errors.New("gone")
		s := &Scheduler{}
		line, other := s.NewQueue(), s.NewQueue()
		_, leave, err := line.Enter(ctx, true, 1)
		if err != nil {
			t.Fatal(err)
		}
		var waiting, behind, beside error
		var calls sync.WaitGroup
		calls.Go(func() { waiting = run(ctx, line, true, 1, func(context.Context) { t.Error("it ran") }) })
		synctest.Wait()
		calls.Go(func() { behind = run(t.Context(), line, false, 1, func(context.Context) {}) })
		calls.Go(func() { beside = run(t.Context(), other, true, 1, func(context.Context) {}) })
		end(gone)
		synctest.Wait()
		leave()
		calls.Wait()
		if waiting != gone {
			t.Errorf("the call behind it: %v", waiting)
		}
		if behind != nil || beside != nil {
			t.Errorf("the call behind the one that did not run: %v; the call of another line: %v", behind, beside)
		}
	})
}

// hold runs a call that ends with the context, and tells when it runs.
func hold(ctx context.Context, l *CallQueue, writes bool) (runs <-chan struct{}) {
	begun := make(chan struct{})
	go run(ctx, l, writes, 1, func(context.Context) { //nolint:errcheck // it may never run
		close(begun)
		<-ctx.Done()
	})
	synctest.Wait()
	return begun
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestALineDoesNotWaitForTheReadsOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Scheduler{}
		reading, writing := s.NewQueue(), s.NewQueue()
		ctx, end := context.WithCancel(t.Context())
		defer end()
		hold(ctx, reading, false)
		write := hold(ctx, writing, true)
		behind := hold(ctx, reading, true)
		if !isClosed(write) {
			t.Error("a write waits for the read of another line")
		}
		if isClosed(behind) {
			t.Error("a write runs beside a read of its line and a write of another")
		}
	})
}

func TestALineOfManyReadsLeavesRoomForAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Scheduler{Reads: 1}
		busy, other := s.NewQueue(), s.NewQueue()
		var order []string
		var calls sync.WaitGroup
		read := func(l *CallQueue, name string) {
			calls.Go(func() {
				run(t.Context(), l, false, 1, func(context.Context) { //nolint:errcheck // it ran
					order = append(order, name)
					time.Sleep(time.Second)
				})
			})
			synctest.Wait()
		}
		for range 5 {
			read(busy, "busy")
		}
		read(other, "other")
		calls.Wait()
		if slices.Index(order, "other") > 2 {
			t.Errorf("the calls ran in the order %v", order)
		}
	})
}

func TestAShortCallDoesNotWaitForManyLongOnes(t *testing.T) {
	for name, writes := range map[string]bool{"reads": false, "writes": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &Scheduler{Reads: 2}
				var calls sync.WaitGroup
				start := func(bytes int) (took *time.Duration) {
					took = new(time.Duration)
					begun := time.Now()
					calls.Go(func() {
						run(t.Context(), s.NewQueue(), writes, bytes, func(context.Context) { time.Sleep(time.Second) }) //nolint:errcheck // it ran
						*took = time.Since(begun)
					})
					synctest.Wait()
					return took
				}
				var long []*time.Duration
				for range 5 {
					long = append(long, start(MinLong))
				}
				short := start(MinLong - 1)
				calls.Wait()
				if *short > 2*time.Second {
					t.Errorf("the short call took %s", *short)
				}
				for i, took := range long {
					if *took > time.Duration(i+2)*time.Second {
						t.Errorf("the long call %d took %s", i, *took)
					}
				}
			})
		})
	}
}

// TestALineDoesNotWaitForTheFileThatAnotherReads: work aside holds up the calls of
// its own line for a while, and nobody else.
func TestALineDoesNotWaitForTheFileThatAnotherReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Scheduler
		begun, ended := make(chan struct{}), map[string]time.Duration{}
		var mu sync.Mutex
		started := time.Now()
		end := func(name string) {
			mu.Lock()
			defer mu.Unlock()
			ended[name] = time.Since(started)
		}
		one, other := s.NewQueue(), s.NewQueue()
		var calls sync.WaitGroup
		calls.Go(func() {
			run(t.Context(), one, true, 1, func(ctx context.Context) { //nolint:errcheck // it ran
				tools.RunUnlocked(ctx, func() { close(begun); time.Sleep(10 * time.Second) })
				end("the reader of the file")
			})
		})
		<-begun
		calls.Go(func() { run(t.Context(), one, true, 1, func(context.Context) { end("behind it") }) })   //nolint:errcheck // it ran
		calls.Go(func() { run(t.Context(), other, true, 1, func(context.Context) { end("beside it") }) }) //nolint:errcheck // it ran
		calls.Wait()
		want := map[string]time.Duration{"beside it": 0, "behind it": Patience, "the reader of the file": 10 * time.Second}
		if !maps.Equal(ended, want) {
			t.Errorf("ended after %v, want %v", ended, want)
		}
	})
}

func TestMessagesAreClassifiedByWhatTheyDo(t *testing.T) {
	for _, test := range []struct {
		method, params string
		waits, writes  bool
	}{
		{"tools/call", `{"name":"write"}`, true, true},
		{"tools/call", `{"name":"read"}`, true, false},
		{"tools/call", `{}`, true, true},
		{"tools/call", `7`, true, true},
		{"resources/read", `{}`, true, false},
		{"tools/list", `{}`, false, false},
		{"initialize", `{}`, false, false},
	} {
		m, _ := ParseMessage([]byte(`{"jsonrpc":"2.0","method":"` + test.method + `","params":` + test.params + `}`))
		waits, writes := ClassifyMessage(m, func(tool string) bool { return tool == "write" })
		if waits != test.waits || writes != test.writes {
			t.Errorf("%s %s: waits %t, writes %t", test.method, test.params, waits, writes)
		}
	}
}
