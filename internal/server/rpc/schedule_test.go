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

// run does a job as a transport does.
func (h *history) run(ctx context.Context, s *Scheduler, t *Turn, j *job) {
	ended := ctx.Err() != nil
	j.err = t.Run(ctx, func(ctx context.Context) {
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
			s := &Scheduler{Reads: 1 + random.IntN(4), Waiting: 1 + random.IntN(40)}
			h := &history{inLine: map[int][2]int{}}
			all := randomJobs(random, 1+random.IntN(4), 40)
			var work sync.WaitGroup
			for _, jobs := range all {
				line := s.Line()
				work.Go(func() { // the sender, who sends one after the other
					for _, j := range jobs {
						ctx, cancel := context.WithCancelCause(t.Context())
						if j.cancelled > 0 {
							time.AfterFunc(j.cancelled, func() { cancel(errors.New("cancelled")) })
						}
						turn, err := line.Enter(ctx, j.writes, 1+j.number%2*minLong)
						if err != nil {
							j.err = err
							cancel(nil)
							continue
						}
						work.Go(func() {
							h.run(ctx, s, turn, j)
							cancel(nil)
						})
					}
				})
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
	ctx, end := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	s := &Scheduler{}
	line, other := s.Line(), s.Line()
	running, waiting, behind, beside := enter(t, line, true), enter(t, line, true), enter(t, line, false), enter(t, other, true)
	if err := running.Run(ctx, func(context.Context) { end(gone) }); err != nil {
		t.Errorf("the call that runs when the context ends: %v", err)
	}
	if err := waiting.Run(ctx, func(context.Context) { t.Error("it ran") }); err != gone {
		t.Errorf("the call behind it: %v", err)
	}
	if err := beside.Run(t.Context(), func(context.Context) {}); err != nil {
		t.Errorf("the call of another line: %v", err)
	}
	if err := behind.Run(t.Context(), func(context.Context) {}); err != nil {
		t.Errorf("the call behind the one that did not run: %v", err)
	}
}

func enter(t *testing.T, l *Line, writes bool) *Turn {
	t.Helper()
	turn, err := l.Enter(t.Context(), writes, 1)
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

// hold runs a call that ends with the context, and tells when it runs.
func hold(ctx context.Context, turn *Turn) (runs <-chan struct{}) {
	begun := make(chan struct{})
	go turn.Run(ctx, func(context.Context) { //nolint:errcheck // it may never run
		close(begun)
		<-ctx.Done()
	})
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
		reading, writing := s.Line(), s.Line()
		ctx, end := context.WithCancel(t.Context())
		defer end()
		hold(ctx, enter(t, reading, false))
		write := hold(ctx, enter(t, writing, true))
		behind := hold(ctx, enter(t, reading, true))
		synctest.Wait()
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
		busy, other := s.Line(), s.Line()
		var order []string
		var calls sync.WaitGroup
		run := func(l *Line, name string) {
			turn := enter(t, l, false)
			calls.Go(func() {
				turn.Run(t.Context(), func(context.Context) { //nolint:errcheck // it ran
					order = append(order, name)
					time.Sleep(time.Second)
				})
			})
			synctest.Wait()
		}
		for range 5 {
			run(busy, "busy")
		}
		run(other, "other")
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
				run := func(bytes int) (took *time.Duration) {
					took = new(time.Duration)
					begun := time.Now()
					calls.Go(func() {
						s.Line().Run(t.Context(), writes, bytes, func(context.Context) { time.Sleep(time.Second) }) //nolint:errcheck // it ran
						*took = time.Since(begun)
					})
					synctest.Wait()
					return took
				}
				var long []*time.Duration
				for range 5 {
					long = append(long, run(minLong))
				}
				short := run(minLong - 1)
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
		one, other := s.Line(), s.Line()
		var calls sync.WaitGroup
		calls.Go(func() {
			one.Run(t.Context(), true, 1, func(ctx context.Context) { //nolint:errcheck // it ran
				tools.RunUnlocked(ctx, func() { close(begun); time.Sleep(10 * time.Second) })
				end("the reader of the file")
			})
		})
		<-begun
		calls.Go(func() { one.Run(t.Context(), true, 1, func(context.Context) { end("behind it") }) })   //nolint:errcheck // it ran
		calls.Go(func() { other.Run(t.Context(), true, 1, func(context.Context) { end("beside it") }) }) //nolint:errcheck // it ran
		calls.Wait()
		want := map[string]time.Duration{"beside it": 0, "behind it": Patience, "the reader of the file": 10 * time.Second}
		if !maps.Equal(ended, want) {
			t.Errorf("ended after %v, want %v", ended, want)
		}
	})
}

func TestTheBytesThatMayWaitInALineAreBounded(t *testing.T) {
	s := &Scheduler{}
	line := s.Line()
	large, err := line.Enter(t.Context(), true, 2*maxBytes) // alone, a call may be as large as it likes
	if err != nil {
		t.Fatal(err)
	}
	ctx, giveUp := context.WithCancelCause(t.Context())
	full := errors.New("full")
	giveUp(full)
	if _, err := line.Enter(ctx, true, 1); err != full {
		t.Errorf("one more: %v", err)
	}
	if err := large.Run(t.Context(), func(context.Context) {}); err != nil {
		t.Error(err)
	}
	enter(t, line, true)
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
		m := Message{Method: test.method, Params: []byte(test.params)}
		waits, writes := Classify(m, func(tool string) bool { return tool == "write" })
		if waits != test.waits || writes != test.writes {
			t.Errorf("%s %s: waits %t, writes %t", test.method, test.params, waits, writes)
		}
	}
}
