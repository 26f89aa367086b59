package payloads

import (
	"maps"
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
	gone := newRemoval()
	for _, id := range store.IDsOf(rows, store.KeptRecord) {
		if _, err := gone.remove(tx, id); err != nil {
			return err
		}
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
		group, err := tx.TruthGroup(e.Root)
		if err != nil {
			return err
		}
		gone.roots[e.Root] = true
		for _, row := range group {
			gone.origins[row] = true
		}
	}
	if err := gone.settle(tx); err != nil {
		return err
	}
	if err := tx.ForgetFiles(gone.released); err != nil {
		return err
	}
	maps.Copy(gone.origins, gone.roots)
	if err := tx.ForgetTruthEntities(slices.Sorted(maps.Keys(gone.origins))); err != nil {
		return err
	}
	return tx.ForgetRelationships(store.IDsOf(rows, store.KeptRelationship))
}
