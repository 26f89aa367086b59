package entities

import (
	"context"
	"fmt"
	"math"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
)

// rebuildBatch is how many entities one transaction of a rebuild takes, so that
// other processes can write in between.
const rebuildBatch = 100

// Rebuilt is what a rebuild found.
type Rebuilt struct {
	Entities  int // with a snapshot or observations
	Differing int // whose stored snapshot was not what their observations give
}

// Rebuild reduces the observations of every entity again, compares the result
// with the stored snapshot and, unless check is set, stores it. It follows
// changed merge policies. progress, when not nil, hears how many entities are
// done of how many.
func Rebuild(ctx context.Context, db *store.DB, check bool, progress func(done, all int)) (Rebuilt, error) {
	var total Rebuilt
	done := 0
	all, err := store.ReadValue(ctx, db, func(tx *store.Tx) (int, error) { return entities.In(tx).Count() })
	if err != nil {
		return total, fmt.Errorf("rebuilding snapshots: %w", err)
	}
	work := db.Write
	if check {
		work = db.Read
	}
	for after := int64(0); ; {
		batch := 0
		var last int64
		var found Rebuilt
		err := work(ctx, func(tx *store.Tx) error {
			list, err := entities.In(tx).NextEntities(after, rebuildBatch)
			if err != nil {
				return err
			}
			batch = len(list)
			for _, e := range list {
				last = e.Seq
				if err := rebuildOne(entities.In(tx), e, check, &found); err != nil {
					return fmt.Errorf("entity %s: %w", e.ID, err)
				}
			}
			return nil
		})
		if err != nil {
			return total, fmt.Errorf("rebuilding snapshots: %w", err)
		}
		total.Entities += found.Entities
		total.Differing += found.Differing
		done += batch
		if progress != nil {
			progress(done, max(done, all))
		}
		if batch < rebuildBatch {
			return total, nil
		}
		after = last
	}
}

// Renew reduces the snapshots again that were made by earlier rules. Where there
// are none it only looks.
func Renew(ctx context.Context, db *store.DB) error {
	for {
		outdated, err := store.ReadValue(ctx, db, func(tx *store.Tx) ([]int64, error) { return entities.In(tx).OutdatedSnapshots(rebuildBatch) })
		if err != nil || len(outdated) == 0 {
			return err
		}
		err = db.Write(ctx, func(tx *store.Tx) error {
			for _, entity := range outdated {
				if err := renew(tx, entity); err != nil {
					return fmt.Errorf("renewing snapshots: %w", err)
				}
			}
			return entities.In(tx).MarkSnapshotsRenewed(outdated)
		})
		if err != nil {
			return err
		}
	}
}

// renew reduces one snapshot, enters what links it into the index and relates the documents that it
// comes from, as they are today.
func renew(tx *store.Tx, entity int64) error {
	rows := entities.In(tx)
	if err := recompute(rows, entity); err != nil {
		return err
	}
	s, known, err := rows.SnapshotOf(entity)
	if err != nil || !known {
		return err
	}
	values, err := readValues(s)
	if err != nil {
		return err
	}
	if err := rows.AddValues(entity, linkingKeys(s.Type, values)); err != nil {
		return err
	}
	documents, err := rows.RecordsOfEntity(entity, maxSettlingDocuments)
	if err != nil {
		return err
	}
	return relink(tx, documents)
}

// relink relates documents again to what they name.
func relink(tx *store.Tx, documents []int64) error {
	list, err := records.In(tx).ByRows(documents)
	if err != nil {
		return err
	}
	for _, r := range list {
		if err := relinkRecord(tx, r); err != nil {
			return err
		}
	}
	return nil
}

func rebuildOne(tx entities.Rows, e entities.Entity, check bool, found *Rebuilt) error {
	a, err := openAccount(tx, e)
	if err != nil {
		return err
	}
	totals, err := tx.TotalObservations(e.Seq, unboundedWindow)
	if err != nil {
		return err
	}
	if totals.Count == 0 && !a.observed {
		return nil
	}
	found.Entities++
	fresh, err := foldObservations(tx, e.Seq, unboundedWindow, a.policies, math.MaxInt)
	if err != nil {
		return err
	}
	s := a.snapshot
	counted := s.Count == totals.Count && s.LastObservedAt == totals.LastObservedAt && s.FirstCreatedAt == totals.FirstCreatedAt && s.LastCreatedAt == totals.LastCreatedAt
	if counted && equalReductions(a.state.reduce(), fresh.reduce()) {
		return nil
	}
	found.Differing++
	if check {
		return nil
	}
	return recompute(tx, e.Seq)
}

// equalReductions compares values as they are written, provenance and conflicts.
func equalReductions(a, b reduction) bool { return string(encodeJSON(a)) == string(encodeJSON(b)) }
