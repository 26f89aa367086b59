package entities

import (
	"maps"
	"slices"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/kinds"
	"toolkit/tools"
)

type deleter struct{ tools.DeletableKinds }

// Deleter is what the family keeps, for tools that work across families.
func Deleter() tools.Deleter {
	return deleter{tools.DeletableKinds{kinds.Record, kinds.TruthEntity, kinds.Relationship}}
}

func (k deleter) Find(tx *store.Tx, kind, id string) ([]kinds.Row, error) {
	if kind == kinds.Entity || kind == kinds.TruthEntity { // who says entity may mean one of documents
		return kinds.In(tx).FindEntitiesByName([]string{id})
	}
	return k.DeletableKinds.Find(tx, kind, id)
}

func (deleter) Dependents(tx *store.Tx, from []kinds.Row) (parts, derived []kinds.Row, err error) {
	rows := kinds.In(tx)
	records, entityList := kinds.IDs(from, kinds.Record), kinds.IDs(from, kinds.TruthEntity)
	for _, find := range []func() ([]kinds.Row, error){
		func() ([]kinds.Row, error) { return rows.FindRecordParts(records) },
		func() ([]kinds.Row, error) { return rows.FindEntitiesOnlyIn(records) },
		func() ([]kinds.Row, error) { return rows.FindRecordsOfEntities(entityList) },
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
	speaking, err := rows.FindMentioningRecords(entityList)
	return parts, append(derived, speaking...), err
}

// Forget removes records with what they said, and entities; the snapshots of
// others are computed again from what is left.
func (deleter) Forget(tx *store.Tx, rows []kinds.Row) error {
	gone := newRemoval()
	for _, id := range kinds.IDs(rows, kinds.Record) {
		if _, err := gone.remove(tx, id); err != nil {
			return err
		}
	}
	for _, id := range kinds.IDs(rows, kinds.TruthEntity) {
		e, known, err := entities.In(tx).ByID(id)
		if err != nil {
			return err
		}
		if !known {
			continue
		}
		if err := entities.In(tx).ForgetObservations(e.Root); err != nil {
			return err
		}
		group, err := entities.In(tx).MergedGroup(e.Root)
		if err != nil {
			return err
		}
		gone.roots[e.Root] = true
		for _, row := range group {
			gone.origins[row] = true
		}
	}
	if err := gone.recomputeEntities(entities.In(tx)); err != nil {
		return err
	}
	if err := tx.ForgetFiles(gone.released); err != nil {
		return err
	}
	maps.Copy(gone.origins, gone.roots)
	if err := entities.In(tx).ForgetEntities(slices.Sorted(maps.Keys(gone.origins))); err != nil {
		return err
	}
	ends, err := entities.In(tx).ForgetRelationships(kinds.IDs(rows, kinds.Relationship))
	if err != nil {
		return err
	}
	for _, source := range ends {
		if err := reconcileTargets(entities.In(tx), source, settlesType); err != nil {
			return err
		}
	}
	return reconcileInvoices(entities.In(tx), ends)
}
