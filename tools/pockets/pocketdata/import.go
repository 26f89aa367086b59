package pocketdata

import (
	"context"
	"errors"
	"fmt"

	"toolkit/store"
	"toolkit/store/readings"
)

// Tally is what became of the rows of a kind.
type Tally struct {
	Rows      int `json:"rows"`
	New       int `json:"new"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"` // stood so already, or are another data set's
}

// Report is what an import did, by kind.
type Report map[string]Tally

// errDryRun takes back what a dry run stored.
var errDryRun = errors.New("a dry run")

// Import stores the rows of all parts in one transaction, or none of them. With
// dryRun it tells what it would do.
func Import(ctx context.Context, db *store.DB, parts []*Part, dryRun bool, progress func(done int)) (Report, error) {
	var report Report
	rows := 0
	for _, p := range parts {
		rows += p.Batch.Rows()
	}
	err := db.WriteMany(ctx, store.StagedPockets, rows, func(tx *store.Tx) error {
		before, err := readings.In(tx).Count()
		if err != nil {
			return err
		}
		s := &storing{tx: tx, progress: progress, report: Report{}}
		for _, p := range parts {
			if err := s.part(p); err != nil {
				return err
			}
		}
		after, err := readings.In(tx).Count()
		if err != nil {
			return err
		}
		report = s.report
		report.tellNew(before, after)
		if dryRun {
			return errDryRun
		}
		return nil
	})
	if errors.Is(err, errDryRun) {
		err = nil
	}
	return report, err
}

// storing is an import under way.
type storing struct {
	tx       *store.Tx
	progress func(done int)
	done     int
	report   Report // in which what changed counts as updated, until it is known what is new
}

func (s *storing) part(p *Part) error {
	d, err := put(readings.In(s.tx), p.Dataset)
	if err != nil {
		return err
	}
	return s.batch(&p.Batch, d.Seq)
}

// Store stores the rows of a batch as a data set's, inside a transaction, and
// returns how many of them changed something.
func Store(tx *store.Tx, b *Batch, dataset int64) (changed int, err error) {
	s := &storing{tx: tx, report: Report{}}
	err = s.batch(b, dataset)
	for _, t := range s.report {
		changed += t.Updated
	}
	return changed, err
}

func (s *storing) batch(b *Batch, dataset int64) error {
	tx := s.tx
	for _, store := range []func() error{
		storingRows(s, Outlet, b.Outlets, readings.In(tx).PutOutlet, func(o *readings.Outlet) { o.Dataset = dataset }),
		storingRows(s, Atmosphere, b.Readings, readings.In(tx).PutReading, func(r *readings.Reading) { r.Dataset = dataset }),
		storingRows(s, Ledger, b.Ledger, readings.In(tx).PutLedgerEntry, func(e *readings.LedgerEntry) { e.Dataset = dataset }),
		storingRows(s, Attention, b.Attention, readings.In(tx).PutAttention, func(a *readings.Attention) { a.Dataset = dataset }),
		storingRows(s, Quality, b.Quality, readings.In(tx).PutQuality, func(q *readings.Quality) { q.Dataset = dataset }),
		storingRows(s, Prediction, b.Predictions, s.seal, func(p *readings.Prediction) { p.Dataset = dataset }),
	} {
		if err := store(); err != nil {
			return err
		}
	}
	return nil
}

// storingRows is how the rows of a kind are stored and counted.
func storingRows[T any](s *storing, kind string, rows []T, put func(T) (changed bool, err error), mark func(*T)) func() error {
	return func() error {
		for _, r := range rows {
			mark(&r)
			changed, err := put(r)
			if err != nil {
				return err
			}
			t := s.report[kind]
			if t.Rows++; changed {
				t.Updated++
			} else {
				t.Unchanged++
			}
			s.report[kind] = t
			if s.done++; s.progress != nil && s.done%1024 == 0 {
				s.progress(s.done)
			}
		}
		return nil
	}
}

// ErrSealed is a prediction that is sealed with other content.
var ErrSealed = errors.New("a prediction is sealed already, with other content")

func (s *storing) seal(p readings.Prediction) (bool, error) {
	stored, isNew, err := readings.In(s.tx).SealPrediction(p)
	if err != nil || isNew {
		return isNew, err
	}
	if stored.Seal != p.Seal {
		return false, fmt.Errorf("%w: %s of %s; what is sealed never changes, so give the new one another prediction_key", ErrSealed, p.Key, p.Generator)
	}
	// The outcome may have become known since.
	if stored.RevealedAt == 0 && p.RevealedAt != 0 {
		return true, readings.In(s.tx).RevealPrediction(stored.Seq, p.RevealedAt, p.Observation, p.Accuracy)
	}
	return false, nil
}

// tellNew tells the rows that are new from those that were updated.
func (r Report) tellNew(before, after readings.Counts) {
	for kind, added := range map[string]int{
		Atmosphere: after.Readings - before.Readings, Outlet: after.Outlets - before.Outlets, Ledger: after.Ledger - before.Ledger,
		Attention: after.Attention - before.Attention, Quality: after.Quality - before.Quality, Prediction: after.Predictions - before.Predictions,
	} {
		if t, stored := r[kind]; stored {
			t.New, t.Updated = added, t.Updated-added
			r[kind] = t
		}
	}
}
