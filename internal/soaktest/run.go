package soaktest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"toolkit/internal/care/doctor"
)

// Options say how long and how hard. Command, Database and Processes are required; a
// run ends after For or after Steps, whichever is given.
type Options struct {
	// Command prepares a run of the program that ends with its context.
	Command   func(ctx context.Context, args ...string) *exec.Cmd
	Database  string
	Processes int
	For       time.Duration
	Steps     int // of all processes together
	KillEvery int // kill a process after so many steps of all; 0: never
	Seed      uint64
}

// maxFailures ends a run that goes wrong throughout.
const maxFailures = 20

// Report is what a run found.
type Report struct {
	Steps, Kills, Rows int
	Acknowledged       int // writes and removals that were checked
	Lost               []string
	Failures           []string // calls that failed although no server was killed
	Problems           []string // that doctor found in the database
}

// Sound reports whether nothing was lost, nothing failed and doctor found no problem.
func (r *Report) Sound() bool { return len(r.Lost)+len(r.Failures)+len(r.Problems) == 0 }

// run is a run under way.
type run struct {
	Options
	journal *Journal
	end     time.Time    // zero: by Steps
	ended   atomic.Int64 // servers that went away during a call

	mu      sync.Mutex
	servers []*server // the present process of each slot
	random  *rand.Rand
	report  Report
}

// Run puts the processes under load and reports. The database stays as it is at the
// end. When the context ends first, all processes are killed and Run returns its error.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &run{Options: o, journal: NewJournal(), servers: make([]*server, o.Processes), random: rand.New(rand.NewPCG(o.Seed, 99))}
	if o.For > 0 {
		r.end = time.Now().Add(o.For)
	}
	var workers sync.WaitGroup
	for slot := range o.Processes {
		workers.Go(func() {
			if err := r.work(ctx, slot); err != nil {
				r.fail(fmt.Sprintf("process %d", slot), err)
			}
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("after %d steps: %w", r.report.Steps, ctx.Err())
	}
	return r.check(ctx)
}

// work drives one slot: a client whose server may be killed and comes back.
func (r *run) work(ctx context.Context, slot int) error {
	w := NewWorker(1, slot, r.Seed, r.journal)
	var err error
	if w.Data, err = filepath.Abs(filepath.Dir(r.Database)); err != nil {
		return err
	}
	for r.nextStep() {
		if w.Call == nil {
			s, err := start(ctx, r.Command, r.Database)
			if err != nil {
				return err
			}
			defer s.end() // a killed one has ended, and may be ended again
			w.Call = s.call
			r.mu.Lock()
			r.servers[slot] = s
			r.mu.Unlock()
		}
		load := Loads[w.Rand.IntN(len(Loads))]
		switch err := load.Step(ctx, w); {
		case errors.Is(err, ErrLost):
			w.Call = nil
			r.ended.Add(1)
		case err != nil:
			r.fail(load.Family, err)
		}
	}
	return nil
}

// nextStep counts a step, kills a process now and then, and reports false at the end.
func (r *run) nextStep() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	timeUp := !r.end.IsZero() && time.Now().After(r.end)
	if timeUp || r.Steps > 0 && r.report.Steps >= r.Steps || len(r.report.Failures) >= maxFailures {
		return false
	}
	r.report.Steps++
	if r.KillEvery > 0 && r.report.Kills < r.report.Steps/r.KillEvery {
		r.killOne()
	}
	return true
}

// killOne kills a random process that is up; where none is, a later step does. The
// caller holds the lock.
func (r *run) killOne() {
	for _, i := range r.random.Perm(len(r.servers)) {
		if s := r.servers[i]; s != nil && s.kill() == nil {
			r.servers[i] = nil
			r.report.Kills++
			return
		}
	}
}

func (r *run) fail(where string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Failures = append(r.report.Failures, fmt.Sprintf("%s: %v", where, err))
}

// check compares the database with what was acknowledged.
func (r *run) check(ctx context.Context) (*Report, error) {
	report := &r.report
	report.Acknowledged = r.journal.Acknowledged()
	if ended := r.ended.Load(); ended > int64(report.Kills) {
		report.Failures = append(report.Failures, fmt.Sprintf("%d servers ended and only %d were killed", ended, report.Kills))
	}
	var err error
	if report.Lost, report.Rows, err = r.journal.Compare(ctx, r.Database); err != nil {
		return nil, fmt.Errorf("reading the database after the run: %w", err)
	}
	examined, err := doctor.Examine(ctx, doctor.Options{Database: r.Database, Given: true, Deep: true, Getenv: func(string) string { return "" }, Now: time.Now})
	if err != nil {
		return nil, err
	}
	for _, f := range examined.Findings {
		if f.State == doctor.Problem {
			report.Problems = append(report.Problems, fmt.Sprintf("%s: %s %v", f.Check, f.Says, f.Details))
		}
	}
	return report, nil
}
