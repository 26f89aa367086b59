package graph

import (
	"maps"
	"slices"

	"toolkit/store"
	"toolkit/store/kept"
	"toolkit/store/nodes"
	"toolkit/tools"
)

type deleter struct{ tools.DeletableKinds }

// Deleter is what the family keeps, for tools that work across families.
func Deleter() tools.Deleter {
	return deleter{tools.DeletableKinds{kept.Entity, kept.Observation, kept.Relation, kept.Line}}
}

// Dependents finds what lives inside charts, and the observations and relations of
// what goes.
func (deleter) Dependents(tx *store.Tx, from []kept.Row) (parts, derived []kept.Row, err error) {
	names := kept.IDs(from, kept.Entity)
	if len(names) == 0 {
		return nil, nil, nil
	}
	all, err := subtree(nodes.In(tx), names)
	if err != nil {
		return nil, nil, err
	}
	inside, err := nodes.In(tx).EntityNames(all)
	if err != nil {
		return nil, nil, err
	}
	if parts, err = kept.In(tx).ByID(kept.Entity, inside); err != nil {
		return nil, nil, err
	}
	hanging, err := kept.In(tx).FindObservationsAndRelations(all)
	return append(parts, hanging...), nil, err
}

// subtree are the rows of named entities and of all that lives inside them.
func subtree(tx nodes.Rows, names []string) ([]int64, error) {
	refs, err := tx.EntityRefs(names)
	if err != nil {
		return nil, err
	}
	items := slices.Sorted(maps.Keys(refs))
	ids := make([]int64, len(items))
	for i, name := range items {
		ids[i] = refs[name].ID
	}
	return tx.ChartSubtree(ids)
}

func (deleter) Forget(tx *store.Tx, rows []kept.Row) error {
	if err := nodes.In(tx).ForgetObservations(kept.NumericIDs(rows, kept.Observation)); err != nil {
		return err
	}
	if relations := kept.NumericIDs(rows, kept.Relation); len(relations) > 0 {
		if err := nodes.In(tx).DeleteRelations(relations); err != nil {
			return err
		}
	}
	if err := nodes.In(tx).ForgetLines(kept.NumericIDs(rows, kept.Line)); err != nil {
		return err
	}
	all, err := subtree(nodes.In(tx), kept.IDs(rows, kept.Entity))
	if err != nil {
		return err
	}
	return nodes.In(tx).DeleteEntityRows(all)
}
