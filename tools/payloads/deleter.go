package payloads

import (
	"maps"
	"slices"

	"toolkit/store"
	"toolkit/store/kept"
	"toolkit/store/truth"
	"toolkit/tools"
)

type deleter struct{ tools.DeletableKinds }

// Deleter is what the family keeps, for tools that work across families.
func Deleter() tools.Deleter {
	return deleter{tools.DeletableKinds{kept.Record, kept.TruthEntity, kept.Relationship}}
}

func (k deleter) Find(tx *store.Tx, kind, id string) ([]kept.Row, error) {
	if kind == kept.Entity || kind == kept.TruthEntity { // who says entity may mean one of documents
		return kept.In(tx).FindEntitiesByName([]string{id})
	}
	return k.DeletableKinds.Find(tx, kind, id)
}

func (deleter) Dependents(tx *store.Tx, from []kept.Row) (parts, derived []kept.Row, err error) {
	rows := kept.In(tx)
	records, entities := kept.IDs(from, kept.Record), kept.IDs(from, kept.TruthEntity)
	for _, find := range []func() ([]kept.Row, error){
		func() ([]kept.Row, error) { return rows.FindRecordParts(records) },
		func() ([]kept.Row, error) { return rows.FindEntitiesOnlyIn(records) },
		func() ([]kept.Row, error) { return rows.FindRecordsOfEntities(entities) },
	} {
		list, err := find()
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, list...)
	}
	if derived, err = rows.FindCitingDocuments(records); err != nil {
		return nil, nil, err
	}
	speaking, err := rows.FindMentioningRecords(entities)
	return parts, append(derived, speaking...), err
}

// Forget removes records with what they said, and entities; the snapshots of
// others are computed again from what is left.
func (deleter) Forget(tx *store.Tx, rows []kept.Row) error {
	gone := newRemoval()
	for _, id := range kept.IDs(rows, kept.Record) {
		if _, err := gone.remove(tx, id); err != nil {
			return err
		}
	}
	for _, id := range kept.IDs(rows, kept.TruthEntity) {
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
		group, err := truth.In(tx).MergedGroup(e.Root)
		if err != nil {
			return err
		}
		gone.roots[e.Root] = true
		for _, row := range group {
			gone.origins[row] = true
		}
	}
	if err := gone.recomputeEntities(truth.In(tx)); err != nil {
		return err
	}
	if err := tx.ForgetFiles(gone.released); err != nil {
		return err
	}
	maps.Copy(gone.origins, gone.roots)
	if err := truth.In(tx).ForgetEntities(slices.Sorted(maps.Keys(gone.origins))); err != nil {
		return err
	}
	ends, err := truth.In(tx).ForgetRelationships(kept.IDs(rows, kept.Relationship))
	if err != nil {
		return err
	}
	for _, source := range ends {
		if err := reconcileTargets(truth.In(tx), source, settlesType); err != nil {
			return err
		}
	}
	return reconcileInvoices(truth.In(tx), ends)
}
