package soaktest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"toolkit/tools"
)

// Options say how long and how hard. Program, Database and Families are
// required; a run ends after For or after Steps, whichever is given. In the
// second half of For the loads are steady, see Worker.
type Options struct {
	Program   string // that serves
	Database  string
	Families  []tools.Family // of that program
	Processes int
	For       time.Duration
	KillEvery time.Duration // 0: by KillSteps
	Rate      float64       // steps per second and process; 0: as fast as it goes
	Steps     int           // of all processes together
	KillSteps int           // kill one after so many steps of all
	Seed      uint64
	Errors    io.Writer // of the servers
	Progress  func(done, all int)
}

// mostFailures ends a run that goes wrong throughout.
const mostFailures = 50

// run is a run under way.
type run struct {
	Options
	journal *Journal
	loads   []Load
	record  *record
	begun   time.Time

	mu     sync.Mutex
	slots  []*server // the present process of each slot
	steps  int
	kills  int
	random *rand.Rand
}

// Run puts the processes under load and reports. The database stays as it is at
// the end.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &run{Options: o, journal: NewJournal(), record: newRecord(), begun: time.Now(), slots: make([]*server, o.Processes),
		random: rand.New(rand.NewPCG(o.Seed, 99))}
	if o.Errors == nil {
		r.Errors = io.Discard
	}
	var unloaded []string
	r.loads, unloaded = loadsOf(o.Families)
	if o.For > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, o.For)
		defer stop()
	}
	work, stop := context.WithCancel(ctx)
	defer stop()
	var workers, watchers sync.WaitGroup
	for slot := range o.Processes {
		workers.Go(func() {
			if err := r.work(work, slot); err != nil {
				r.record.fail(fmt.Sprintf("process %d", slot), err)
			}
		})
	}
	watchers.Go(func() { every(work, memoryInterval, r.noteMemory) })
	if o.KillEvery > 0 {
		watchers.Go(func() {
			every(work, o.KillEvery, func() {
				r.mu.Lock()
				defer r.mu.Unlock()
				r.killOne()
			})
		})
	}
	workers.Wait()
	stop()
	watchers.Wait()
	return r.report(unloaded)
}

// work drives one slot: a client whose server may be killed and comes back.
func (r *run) work(ctx context.Context, slot int) error {
	w := NewWorker(int(r.Seed%1000), slot, r.Seed, r.journal)
	var err error
	if w.Data, err = filepath.Abs(filepath.Dir(r.Database)); err != nil {
		return err
	}
	var s *server
	defer func() {
		if s != nil {
			r.place(slot, nil)
			s.end() //nolint:errcheck // what it acknowledged is checked
		}
	}()
	for ctx.Err() == nil && r.more() {
		if s == nil {
			if s, err = r.restart(slot, w); err != nil {
				return err
			}
			if s == nil {
				continue // killed while it started
			}
		}
		w.Steady = r.For > 0 && time.Since(r.begun) > r.For/2
		load := r.loads[w.Rand.IntN(len(r.loads))]
		err := load.Step(context.Background(), w) // a step is finished even when time is up
		switch {
		case errors.Is(err, ErrLost):
			s.end() //nolint:errcheck // it was killed
			s = nil
		case err != nil:
			if r.record.fail(load.Family, err) >= mostFailures {
				return errors.New("too many failures")
			}
		}
		r.pace(ctx)
	}
	return nil
}

func (r *run) restart(slot int, w *Worker) (*server, error) {
	s, err := start(r.Program, r.Database, r.Errors)
	if errors.Is(err, ErrLost) && s != nil {
		s.end() //nolint:errcheck // it is gone
		if r.record.fail("start", err) >= mostFailures {
			return nil, err
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r.record.start(s.started)
	w.Call = r.record.measured(s.call)
	r.place(slot, s)
	return s, nil
}

func (r *run) place(slot int, s *server) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.slots[slot] = s
}

// more counts a step and, where steps decide, kills a process now and then.
func (r *run) more() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Steps > 0 && r.steps >= r.Steps {
		return false
	}
	r.steps++
	if r.Progress != nil {
		r.Progress(int(time.Since(r.begun).Milliseconds()), int(r.For.Milliseconds()))
	}
	if r.KillSteps > 0 && r.kills < r.steps/r.KillSteps {
		r.killOne() // or, where none is up, one of the next steps does
	}
	return true
}

// killOne ends a random one of the processes that are up, but never the first, by
// whose memory one can see whether it grows. The caller holds the lock.
func (r *run) killOne() {
	for _, i := range r.random.Perm(r.Processes - 1) {
		if s := r.slots[1+i]; s != nil && s.kill() == nil {
			r.slots[1+i] = nil // until it is started again
			r.kills++
			return
		}
	}
}

// every does something at intervals until the context ends.
func every(ctx context.Context, interval time.Duration, do func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do()
		}
	}
}

// pace keeps the rate, with a little chance so that processes do not march in
// step.
func (r *run) pace(ctx context.Context) {
	if r.Rate <= 0 {
		return
	}
	r.mu.Lock()
	rest := time.Duration((0.5 + r.random.Float64()) / r.Rate * float64(time.Second))
	r.mu.Unlock()
	select {
	case <-ctx.Done():
	case <-time.After(rest):
	}
}

// noteMemory notes how much memory the first process takes.
func (r *run) noteMemory() {
	r.mu.Lock()
	s := r.slots[0]
	r.mu.Unlock()
	if s == nil {
		return
	}
	if bytes, err := residentMemory(s.cmd.Process.Pid); err == nil {
		r.record.memory(time.Since(r.begun), bytes)
	}
}

// loadsOf finds the loads of the families served. The others are read by the
// examples of their tools and named, so that somebody adds a load.
func loadsOf(families []tools.Family) (loads []Load, unloaded []string) {
	for _, f := range families {
		own := slices.DeleteFunc(slices.Clone(Loads), func(l Load) bool { return l.Family != f.Name })
		if len(own) == 0 {
			unloaded = append(unloaded, f.Name)
			own = readings(f)
		}
		loads = append(loads, own...)
	}
	return loads, unloaded
}

// readings calls the tools of a family that only read and reach nothing outside.
// Their examples need data that may not be there, so refusals are right answers.
func readings(f tools.Family) []Load {
	type reading struct {
		tool      string
		arguments any
	}
	var list []reading
	for _, d := range f.Tools {
		if d.Category == tools.Query && !d.OpenWorld {
			for _, e := range d.Examples() {
				list = append(list, reading{d.Name, e.Params})
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	return []Load{{Family: f.Name, Step: func(ctx context.Context, w *Worker) error {
		chosen, _ := pick(w, list)
		_, err := w.Call(ctx, chosen.tool, chosen.arguments)
		return onlyLost(err)
	}}}
}
