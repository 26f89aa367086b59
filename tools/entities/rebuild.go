package entities

import (
	"context"
	"fmt"
	"math"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
)

// unboundedWindow is the window without bounds.
var unboundedWindow = entities.ObservationWindow{ObservedUntil: math.MaxInt64, CreatedUntil: math.MaxInt64}

// replayObservations gives the state of the observations in a window.
func replayObservations(tx entities.Rows, entity int64, w entities.ObservationWindow, p policies) (state, error) {
	corrections, err := tx.ObservationsWithPriority(entity, correctionPriority)
	if err != nil {
		return nil, err
	}
	var withdrawals []observation
	for _, row := range corrections {
		o, err := parseObservation(row)
		if err != nil {
			return nil, err
		}
		if row.ObservedAt <= w.ObservedUntil && row.CreatedAt <= w.CreatedUntil && o.isWithdrawal() {
			withdrawals = append(withdrawals, o)
		}
	}
	s := state{}
	err = tx.EachObservation(entity, w, func(row entities.Observation) error {
		o, err := parseObservation(row)
		s.applyObservation(o, withdrawals, p)
		return err
	})
	return s, err
}

// computeSnapshot makes the snapshot anew of all that was observed.
func (a *entityState) computeSnapshot(tx entities.Rows) (entities.Snapshot, state, error) {
	totals, err := tx.SummarizeObservations(a.Seq, unboundedWindow)
	if err != nil {
		return entities.Snapshot{}, nil, err
	}
	s, err := replayObservations(tx, a.Seq, unboundedWindow, a.policies)
	return entities.Snapshot{
		Entity: a.Seq, Type: a.Type, State: encodeJSON(s), Count: totals.Count,
		LastObservedAt: totals.LastObservedAt, FirstCreatedAt: totals.FirstCreatedAt, LastCreatedAt: totals.LastCreatedAt,
	}, s, err
}

// recomputeAndSaveSnapshot makes the snapshot of an entity anew of all its observations. An entity of which
// nothing is observed loses its snapshot.
func recomputeAndSaveSnapshot(tx entities.Rows, entity int64) error {
	e, err := tx.ByRow(entity)
	if err != nil {
		return err
	}
	own := e
	own.Root = own.Seq // the snapshot of the entity itself, also of a merged one
	a, err := loadEntityState(tx, own)
	if err != nil {
		return err
	}
	next, fresh, err := a.computeSnapshot(tx)
	if err != nil {
		return err
	}
	if next.Count == 0 {
		if err := tx.DeleteSnapshot(entity, a.buildIndex(), e.Root != e.Seq); err != nil {
			return err
		}
		return updateAffectedInvoiceStatus(tx, e, nil, false)
	}
	if err := tx.SaveSnapshot(next, a.buildIndex(), buildSnapshotIndex(e.Type, fresh)); err != nil {
		return err
	}
	return updateAffectedInvoiceStatus(tx, e, fresh, false)
}

// rebuildBatch is how many entities one transaction of a rebuild takes, so that
// other processes can write in between.
const rebuildBatch = 100

// Rebuilt is what a rebuild found.
type Rebuilt struct {
	Entities  int // with a snapshot or observations
	Differing int // whose stored snapshot was not what their observations give
}

// RebuildSnapshots reduces the observations of every entity again, compares the result
// with the stored snapshot and, unless check is set, stores it. It follows
// changed merge policies. progress, when not nil, hears how many entities are
// done of how many.
func RebuildSnapshots(ctx context.Context, db *store.DB, check bool, progress func(done, all int)) (Rebuilt, error) {
	var total Rebuilt
	all, err := store.ReadValue(ctx, db, func(tx *store.Tx) (int, error) { return entities.In(tx).CountEntities() })
	work := db.Write
	if check {
		work = db.Read
	}
	var batch []entities.Entity
	last := int64(0)
	for done := 0; err == nil && (done == 0 || len(batch) == rebuildBatch); done += len(batch) {
		var found Rebuilt
		err = work(ctx, func(tx *store.Tx) (err error) {
			batch, err = entities.In(tx).NextEntities(last, rebuildBatch)
			if err == nil {
				found, err = rebuildSnapshotsOf(entities.In(tx), batch, check)
			}
			return err
		})
		total.Entities += found.Entities
		total.Differing += found.Differing
		if len(batch) == 0 {
			break
		}
		last = batch[len(batch)-1].Seq
		if progress != nil {
			progress(done+len(batch), max(done+len(batch), all))
		}
	}
	if err != nil {
		return total, fmt.Errorf("rebuilding snapshots: %w", err)
	}
	return total, nil
}

func rebuildSnapshotsOf(tx entities.Rows, list []entities.Entity, check bool) (found Rebuilt, err error) {
	for _, e := range list {
		a, err := loadEntityState(tx, e)
		if err != nil {
			return found, fmt.Errorf("entity %s: %w", e.ID, err)
		}
		next, fresh, err := a.computeSnapshot(tx)
		if err != nil {
			return found, fmt.Errorf("entity %s: %w", e.ID, err)
		}
		if next.Count == 0 && !a.observed {
			continue
		}
		found.Entities++
		s := a.Snapshot
		counted := s.Count == next.Count && s.LastObservedAt == next.LastObservedAt && s.FirstCreatedAt == next.FirstCreatedAt && s.LastCreatedAt == next.LastCreatedAt
		if counted && a.state.resolveFields().equals(fresh.resolveFields()) {
			continue
		}
		found.Differing++
		if check {
			continue
		}
		if err := recomputeAndSaveSnapshot(tx, e.Seq); err != nil {
			return found, fmt.Errorf("entity %s: %w", e.ID, err)
		}
	}
	return found, nil
}

// Reindex derives again under what records and entities are found, from the
// records and snapshots as they are.
func Reindex(tx *store.Tx) error {
	rows := records.In(tx)
	if err := rows.ClearIndex(); err != nil {
		return err
	}
	if err := eachRow(rows.ListAfter, func(r records.Record) (int64, error) { return r.Seq, insertRecordIndex(rows, r) }); err != nil {
		return err
	}
	return eachRow(entities.In(tx).SnapshotsAfter, func(s entities.Snapshot) (int64, error) { return s.Entity, insertSnapshotIndex(entities.In(tx), s) })
}

// eachRow does something with every row, a page at a time; do returns the row it was.
func eachRow[T any](next func(after int64, limit int) ([]T, error), do func(T) (int64, error)) error {
	for after := int64(0); ; {
		page, err := next(after, rebuildBatch)
		if err != nil {
			return err
		}
		for _, one := range page {
			if after, err = do(one); err != nil {
				return fmt.Errorf("row %d: %w", after, err)
			}
		}
		if len(page) < rebuildBatch {
			return nil
		}
	}
}

func insertRecordIndex(tx records.Rows, r records.Record) error {
	properties, err := decodeObject(r.Properties)
	if err != nil {
		return err
	}
	index, err := buildRecordIndexWithText(tx, r, properties)
	if err != nil {
		return err
	}
	return tx.InsertRecordIndex(r, index)
}

func insertSnapshotIndex(tx entities.Rows, s entities.Snapshot) error {
	state, err := parseState(s.State)
	if err != nil {
		return err
	}
	return tx.InsertSnapshotIndex(s.Entity, *buildSnapshotIndex(s.Type, state))
}
