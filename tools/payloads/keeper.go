package payloads

import (
	"slices"

	"toolkit/store"
	"toolkit/tools"
)

type keeper struct{ tools.KeptKinds }

// Keeper is what the family keeps, for tools that work across families.
func Keeper() tools.Keeper {
	return keeper{tools.KeptKinds{store.KeptRecord, store.KeptTruthEntity, store.KeptRelationship}}
}

func (k keeper) Find(tx *store.Tx, kind, id string) ([]store.Kept, error) {
	if kind == store.KeptEntity || kind == store.KeptTruthEntity { // who says entity may mean one of documents
		return tx.KeptTruthNamed([]string{id})
	}
	return k.KeptKinds.Find(tx, kind, id)
}

func (keeper) Follow(tx *store.Tx, from []store.Kept) (parts, derived []store.Kept, err error) {
	records, entities := store.IDsOf(from, store.KeptRecord), store.IDsOf(from, store.KeptTruthEntity)
	for _, find := range []func() ([]store.Kept, error){
		func() ([]store.Kept, error) { return tx.KeptParts(records) },
		func() ([]store.Kept, error) { return tx.KeptOnlyIn(records) },
		func() ([]store.Kept, error) { return tx.KeptBeing(entities) },
	} {
		list, err := find()
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, list...)
	}
	if derived, err = tx.KeptCiting(records); err != nil {
		return nil, nil, err
	}
	speaking, err := tx.KeptSpeakingOf(entities)
	return parts, append(derived, speaking...), err
}

// Forget removes records with what they said, and entities; the snapshots of
// others are computed again from what is left.
func (keeper) Forget(tx *store.Tx, rows []store.Kept) error {
	var touched []int64
	for _, id := range store.IDsOf(rows, store.KeptRecord) {
		more, err := forgetRecord(tx, id)
		if err != nil {
			return err
		}
		touched = append(touched, more...)
	}
	for _, id := range store.IDsOf(rows, store.KeptTruthEntity) {
		e, known, err := tx.TruthEntityByID(id)
		if err != nil {
			return err
		}
		if !known {
			continue
		}
		if err := tx.ForgetTruthObservations(e.Root); err != nil {
			return err
		}
		if err := recompute(tx, e.Root); err != nil {
			return err
		}
		group, err := tx.TruthGroup(e.Root)
		if err != nil {
			return err
		}
		touched = append(touched, group...)
	}
	if err := tx.ForgetTruthEntities(slices.Compact(slices.Sorted(slices.Values(touched)))); err != nil {
		return err
	}
	return tx.ForgetRelationships(store.IDsOf(rows, store.KeptRelationship))
}

// forgetRecord removes a record, unless it went with another, and returns the rows
// of the entities it spoke of.
func forgetRecord(tx *store.Tx, id string) ([]int64, error) {
	r, known, err := tx.RecordByID(id)
	if err != nil || !known {
		return nil, err
	}
	parts, err := tx.RecordParts(r.Seq)
	if err != nil {
		return nil, err
	}
	var touched []int64
	for _, part := range parts {
		more, err := forgetRecord(tx, part)
		if err != nil {
			return nil, err
		}
		touched = append(touched, more...)
	}
	spoken, err := tx.TruthObservedBy(r.Seq)
	if err != nil {
		return nil, err
	}
	d, err := forget(tx, id)
	if err != nil {
		return nil, err
	}
	return append(touched, spoken...), tx.ForgetFiles(d.released)
}
