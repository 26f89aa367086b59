package graph

import (
	"maps"
	"slices"

	"toolkit/store"
	"toolkit/tools"
)

type keeper struct{ tools.KeptKinds }

// Keeper is what the family keeps, for tools that work across families.
func Keeper() tools.Keeper {
	return keeper{tools.KeptKinds{store.KeptEntity, store.KeptObservation, store.KeptRelation, store.KeptLine}}
}

// Follow finds what lives inside charts, and the observations and relations of
// what goes.
func (keeper) Follow(tx *store.Tx, from []store.Kept) (parts, derived []store.Kept, err error) {
	names := store.IDsOf(from, store.KeptEntity)
	if len(names) == 0 {
		return nil, nil, nil
	}
	_, all, err := subtree(tx, names)
	if err != nil {
		return nil, nil, err
	}
	inside, err := tx.EntityNames(all)
	if err != nil {
		return nil, nil, err
	}
	if parts, err = tx.KeptByID(store.KeptEntity, inside); err != nil {
		return nil, nil, err
	}
	hanging, err := tx.KeptOfEntities(all)
	return append(parts, hanging...), nil, err
}

// subtree are the rows of named entities and of all that lives inside them.
func subtree(tx *store.Tx, names []string) (refs map[string]store.EntityRef, all []int64, err error) {
	if refs, err = tx.EntityRefs(names); err != nil {
		return nil, nil, err
	}
	ids := []int64{}
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		ids = append(ids, refs[name].ID)
	}
	all, err = tx.ChartSubtree(ids)
	return refs, all, err
}

func (keeper) Forget(tx *store.Tx, rows []store.Kept) error {
	if err := tx.ForgetObservations(store.RowsOf(rows, store.KeptObservation)); err != nil {
		return err
	}
	if relations := store.RowsOf(rows, store.KeptRelation); len(relations) > 0 {
		if err := tx.DeleteRelations(relations); err != nil {
			return err
		}
	}
	if err := tx.ForgetLines(store.RowsOf(rows, store.KeptLine)); err != nil {
		return err
	}
	_, all, err := subtree(tx, store.IDsOf(rows, store.KeptEntity))
	if err != nil {
		return err
	}
	return tx.DeleteEntityRows(all)
}
