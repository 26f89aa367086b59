package payloads

import (
	"maps"
	"slices"

	"toolkit/store"
	"toolkit/store/kept"
	"toolkit/store/truth"
	"toolkit/tools"
)

type keeper struct{ tools.KeptKinds }

// Keeper is what the family keeps, for tools that work across families.
func Keeper() tools.Keeper {
	return keeper{tools.KeptKinds{kept.Record, kept.TruthEntity, kept.Relationship}}
}

func (k keeper) Find(tx *store.Tx, kind, id string) ([]kept.Row, error) {
	if kind == kept.Entity || kind == kept.TruthEntity { // who says entity may mean one of documents
		return kept.In(tx).TruthNamed([]string{id})
	}
	return k.KeptKinds.Find(tx, kind, id)
}

func (keeper) Follow(tx *store.Tx, from []kept.Row) (parts, derived []kept.Row, err error) {
	rows := kept.In(tx)
	records, entities := kept.IDsOf(from, kept.Record), kept.IDsOf(from, kept.TruthEntity)
	for _, find := range []func() ([]kept.Row, error){
		func() ([]kept.Row, error) { return rows.Parts(records) },
		func() ([]kept.Row, error) { return rows.OnlyIn(records) },
		func() ([]kept.Row, error) { return rows.Being(entities) },
	} {
		list, err := find()
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, list...)
	}
	if derived, err = rows.Citing(records); err != nil {
		return nil, nil, err
	}
	speaking, err := rows.SpeakingOf(entities)
	return parts, append(derived, speaking...), err
}

// Forget removes records with what they said, and entities; the snapshots of
// others are computed again from what is left.
func (keeper) Forget(tx *store.Tx, rows []kept.Row) error {
	gone := newRemoval()
	for _, id := range kept.IDsOf(rows, kept.Record) {
		if _, err := gone.remove(tx, id); err != nil {
			return err
		}
	}
	for _, id := range kept.IDsOf(rows, kept.TruthEntity) {
		e, known, err := truth.In(tx).ByID(id)
		if err != nil {
			return err
		}
		if !known {
			continue
		}
		if err := truth.In(tx).ForgetObservations(e.Root); err != nil {
			return err
		}
		group, err := truth.In(tx).Group(e.Root)
		if err != nil {
			return err
		}
		gone.roots[e.Root] = true
		for _, row := range group {
			gone.origins[row] = true
		}
	}
	if err := gone.settle(truth.In(tx)); err != nil {
		return err
	}
	if err := tx.ForgetFiles(gone.released); err != nil {
		return err
	}
	maps.Copy(gone.origins, gone.roots)
	if err := truth.In(tx).ForgetEntities(slices.Sorted(maps.Keys(gone.origins))); err != nil {
		return err
	}
	ends, err := truth.In(tx).ForgetRelationships(kept.IDsOf(rows, kept.Relationship))
	if err != nil {
		return err
	}
	for _, source := range ends {
		if err := settleTargets(truth.In(tx), source, settles); err != nil {
			return err
		}
	}
	return settleInvoices(truth.In(tx), ends)
}
