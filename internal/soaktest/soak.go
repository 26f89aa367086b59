// Package soaktest puts several server processes on one database file under a mixed
// load of the families, kills some of them again and again, and checks at the
// end that nothing acknowledged was lost.
//
// Every write carries a token that occurs nowhere else. What the servers have
// acknowledged is noted in journals, and at the end the tokens are sought in
// the rows of the file itself, so neither a cache nor a search can hide a loss.
package soaktest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"time"

	"toolkit/internal/admin"
)

const (
	processes = 4  // at a time
	killEvery = 90 // steps of all processes together
	maxFaults = 20 // a run that goes wrong throughout ends early
)

// Options say what is run and how long. All but Seed are required.
type Options struct {
	Program  string
	Env      []string
	Database string
	Steps    int // calls of all processes together
	Seed     uint64
}

// Report is what a run found. The run was sound when it has no faults.
type Report struct {
	Steps, Kills, Rows int
	Acknowledged       int      // writes and removals that were checked
	Faults             []string // what was lost, calls that failed although no server was killed, and what doctor found
}

// run is a run under way. The lock guards what stands below it.
type run struct {
	Options

	mu      sync.Mutex
	servers [processes]*server // the present one of each slot
	random  *rand.Rand
	journal Journal
	ended   int // servers that went away during a call
	report  Report
}

// KillServersAndFindLosses puts the processes under load and reports. The database stays as it is at the
// end. When the context ends first, all processes are killed and Run returns its error.
func KillServersAndFindLosses(ctx context.Context, o Options) (*Report, error) {
	r := &run{Options: o, journal: Journal{}, random: rand.New(rand.NewPCG(o.Seed, 99))}
	var workers sync.WaitGroup
	for slot := range processes {
		workers.Go(func() { r.runWorker(ctx, slot) })
	}
	workers.Wait()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("after %d steps: %w", r.report.Steps, ctx.Err())
	}
	return r.findLossesAndReport(ctx)
}

// runWorker drives one slot: a client whose server may be killed and comes back.
func (r *run) runWorker(ctx context.Context, slot int) {
	w := NewWorker(slot, r.Seed, nil)
	w.known["$folder"], _ = filepath.Abs(filepath.Dir(r.Database)) // fails only where no folder is
	for r.countStepAndKill() {
		if w.caller == nil {
			s, err := startServer(ctx, r.Options)
			if err != nil {
				r.addFault(err)
				break
			}
			defer s.client.Close() // a killed one has ended, and may be ended again
			w.caller = s.call
			r.mu.Lock()
			r.servers[slot] = s
			r.mu.Unlock()
		}
		err := w.makeRandomCall(ctx, loads[w.random.IntN(len(loads))])
		if isGone(err) {
			w.caller = nil
		}
		r.addFault(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.Copy(r.journal, w.Journal)
}

// countStepAndKill counts a step, kills a process now and then, and reports false at the end.
func (r *run) countStepAndKill() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.report.Steps >= r.Steps || len(r.report.Faults) >= maxFaults {
		return false
	}
	r.report.Steps++
	if r.report.Kills < r.report.Steps/killEvery {
		r.killRandomServer()
	}
	return true
}

// killRandomServer kills a random process that is up; where none is, a later step does. The
// caller holds the lock.
func (r *run) killRandomServer() {
	for _, i := range r.random.Perm(len(r.servers)) {
		if s := r.servers[i]; s != nil && s.cmd.Process.Kill() == nil {
			r.servers[i] = nil
			r.report.Kills++
			return
		}
	}
}

// addFault notes an error. A server that went away is counted: it may have been killed.
func (r *run) addFault(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if isGone(err) {
		r.ended++
	} else if err != nil {
		r.report.Faults = append(r.report.Faults, err.Error())
	}
}

// findLossesAndReport compares the database with what was acknowledged.
func (r *run) findLossesAndReport(ctx context.Context) (*Report, error) {
	report := &r.report
	report.Acknowledged = len(r.journal)
	if r.ended > report.Kills {
		report.Faults = append(report.Faults, fmt.Sprintf("%d servers ended and only %d were killed", r.ended, report.Kills))
	}
	lost, rows, err := r.journal.FindLost(ctx, r.Database)
	if err != nil {
		return nil, fmt.Errorf("reading the database after the run: %w", err)
	}
	report.Rows, report.Faults = rows, append(report.Faults, lost...)
	examined, err := admin.ExamineDatabase(ctx, admin.ExamineOptions{Database: r.Database, Given: true, Deep: true, Getenv: func(string) string { return "" }, Now: time.Now})
	if err != nil {
		return nil, err
	}
	for _, f := range examined.Findings {
		if f.State == admin.CheckProblem {
			report.Faults = append(report.Faults, fmt.Sprintf("doctor: %s: %s %v", f.Check, f.Says, f.Details))
		}
	}
	return report, nil
}
