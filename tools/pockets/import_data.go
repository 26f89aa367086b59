package pockets

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"toolkit/store"
	"toolkit/store/pockets"
)

// ImportTally is what became of the rows of a kind.
type ImportTally struct {
	Rows      int `json:"rows"`
	New       int `json:"new"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"` // stood so already, or are another data set's
}

// ImportReport is what an import did, by kind.
type ImportReport map[string]ImportTally

// errDryRun takes back what a dry run stored.
var errDryRun = errors.New("a dry run")

// ImportData stores the rows of all parts, a thousand in a transaction: when it fails, those
// before stay, and importing again adds the rest. With dryRun it tells what it would do.
func ImportData(ctx context.Context, db *store.DB, parts []*FilePart, dryRun bool, progress func(done int)) (ImportReport, error) {
	s := &importStore{progress: progress, report: ImportReport{}}
	var rows []rowWrite
	for _, p := range parts {
		rows = append(rows, s.writesForPart(p)...)
	}
	var before, after pockets.Counts
	count := func(counts *pockets.Counts) func(*store.Tx) error {
		return func(tx *store.Tx) (err error) {
			*counts, err = pockets.In(tx).Count()
			return err
		}
	}
	err := db.Read(ctx, count(&before))
	if err == nil && dryRun {
		err = db.Write(ctx, func(tx *store.Tx) error {
			if err := errors.Join(storeRows(tx, rows), count(&after)(tx)); err != nil {
				return err
			}
			return errDryRun
		})
	} else if err == nil {
		if err = store.WriteMany(ctx, db, rows, storeRows); err == nil {
			err = db.Read(ctx, count(&after))
		}
	}
	if err != nil && !errors.Is(err, errDryRun) {
		return nil, err
	}
	s.report.countNewRows(before, after)
	return s.report, nil
}

// rowWrite stores one row in a transaction.
type rowWrite func(tx *store.Tx) error

func storeRows(tx *store.Tx, rows []rowWrite) error {
	for _, r := range rows {
		if err := r(tx); err != nil {
			return err
		}
	}
	return nil
}

// importStore is an import under way.
type importStore struct {
	progress func(done int)
	done     int
	report   ImportReport // in which what changed counts as updated, until it is known what is new
}

// writesForPart returns the writes that store a part, behind one that finds its data set.
func (s *importStore) writesForPart(p *FilePart) []rowWrite {
	var dataset int64
	find := func(tx *store.Tx) error {
		d, err := storeAndCheckDataset(pockets.In(tx), p.Dataset)
		dataset = d.Seq
		return err
	}
	return append([]rowWrite{find}, s.writesForBatch(&p.Batch, &dataset)...)
}

// storeBatch stores the rows of a batch as a data set's, inside a transaction, and
// returns how many of them changed something.
func storeBatch(tx *store.Tx, b *rowBatch, dataset int64) (changed int, err error) {
	s := &importStore{report: ImportReport{}}
	err = storeRows(tx, s.writesForBatch(b, &dataset))
	for _, t := range s.report {
		changed += t.Updated
	}
	return changed, err
}

// writesForBatch returns the writes that store a batch, of a data set that is known when they run.
func (s *importStore) writesForBatch(b *rowBatch, dataset *int64) []rowWrite {
	return slices.Concat(
		makeRowWrites(s, KindOutlet, b.Outlets, pockets.Rows.PutOutlet, func(o *pockets.Outlet) { o.Dataset = *dataset }),
		makeRowWrites(s, KindAtmosphere, b.Readings, pockets.Rows.PutReading, func(r *pockets.Reading) { r.Dataset = *dataset }),
		makeRowWrites(s, KindLedger, b.Ledger, pockets.Rows.PutLedgerEntry, func(e *pockets.LedgerEntry) { e.Dataset = *dataset }),
		makeRowWrites(s, KindAttention, b.Attention, pockets.Rows.PutAttention, func(a *pockets.Attention) { a.Dataset = *dataset }),
		makeRowWrites(s, KindQuality, b.Quality, pockets.Rows.PutQuality, func(q *pockets.Quality) { q.Dataset = *dataset }),
		makeRowWrites(s, KindPrediction, b.Predictions, storeImportedPrediction, func(p *pockets.Prediction) { p.Dataset = *dataset }),
	)
}

// makeRowWrites returns the writes that store and count the rows of a kind.
func makeRowWrites[T any](s *importStore, kind string, values []T, put func(pockets.Rows, T) (changed bool, err error), setDataset func(*T)) []rowWrite {
	rows := make([]rowWrite, len(values))
	for i, value := range values {
		rows[i] = func(tx *store.Tx) error {
			setDataset(&value)
			changed, err := put(pockets.In(tx), value)
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
			return nil
		}
	}
	return rows
}

// ErrAlreadySealed is a prediction that is sealed with other content.
var ErrAlreadySealed = errors.New("a prediction is sealed already, with other content")

func storeImportedPrediction(tx pockets.Rows, p pockets.Prediction) (bool, error) {
	stored, isNew, err := tx.InsertSealedPrediction(p)
	if err != nil || isNew {
		return isNew, err
	}
	if stored.Seal != p.Seal {
		return false, fmt.Errorf("%w: %s of %s; what is sealed never changes, so give the new one another prediction_key", ErrAlreadySealed, p.Key, p.Generator)
	}
	// The outcome may have become known since.
	if stored.RevealedAt == 0 && p.RevealedAt != 0 {
		return true, tx.RevealPrediction(stored.Seq, p.RevealedAt, p.Observation, p.Accuracy)
	}
	return false, nil
}

// countNewRows tells the rows that are new from those that were updated.
func (r ImportReport) countNewRows(before, after pockets.Counts) {
	for kind, added := range map[string]int{
		KindAtmosphere: after.Readings - before.Readings, KindOutlet: after.Outlets - before.Outlets, KindLedger: after.Ledger - before.Ledger,
		KindAttention: after.Attention - before.Attention, KindQuality: after.Quality - before.Quality, KindPrediction: after.Predictions - before.Predictions,
	} {
		if t, stored := r[kind]; stored {
			t.New = min(added, t.Updated) // others may have added rows meanwhile
			t.Updated -= t.New
			r[kind] = t
		}
	}
}
