package entities

import (
	"maps"
	"slices"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/kinds"
	"toolkit/tools"
)

// Deleters remove records with what they said, entities and relationships. The snapshots
// of others are computed again from what is left.
func Deleters() tools.Deleters {
	return tools.Deleters{kinds.Record: deleteRecords, kinds.TruthEntity: deleteEntities, kinds.Relationship: deleteRelationships}
}

func deleteRecords(tx *store.Tx, ids []string) error {
	gone, err := removeRecords(tx, ids)
	if err != nil {
		return err
	}
	return gone.finish(tx)
}

func deleteEntities(tx *store.Tx, ids []string) error {
	gone, rows := newRemoval(), entities.In(tx)
	var going []int64
	for _, id := range ids {
		e, known, err := rows.ByID(id)
		if err != nil {
			return err
		}
		if known { // else it went with its last record
			going = append(going, e.Seq)
			gone.roots[e.Root], gone.origins[e.Seq] = true, true
		}
	}
	holders, err := rows.DetachMerged(going)
	if err != nil {
		return err
	}
	for _, row := range holders {
		gone.roots[row] = true
	}
	if err := rows.DeleteObservations(going); err != nil {
		return err
	}
	if err := gone.recomputeEntities(rows); err != nil {
		return err
	}
	return gone.finish(tx)
}

// finish removes the files that nobody holds any more, and the entities of which nothing is left.
func (m *removal) finish(tx *store.Tx) error {
	if err := tx.ForgetFiles(m.released); err != nil {
		return err
	}
	maps.Copy(m.origins, m.roots)
	return entities.In(tx).DeleteEntities(slices.Sorted(maps.Keys(m.origins)))
}

func deleteRelationships(tx *store.Tx, ids []string) error {
	ends, err := entities.In(tx).DeleteRelationships(ids)
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
