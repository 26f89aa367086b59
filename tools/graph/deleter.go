package graph

import (
	"maps"
	"slices"

	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/kinds"
	"toolkit/tools"
)

type deleter struct{ tools.DeletableKinds }

// Deleter is what the family keeps, for tools that work across families.
func Deleter() tools.Deleter {
	return deleter{tools.DeletableKinds{kinds.Entity, kinds.Observation, kinds.Relation, kinds.Line}}
}

// Dependents finds what lives inside charts, and the observations and relations of
// what goes.
func (deleter) Dependents(tx *store.Tx, from []kinds.Row) (parts, derived []kinds.Row, err error) {
	names := kinds.IDs(from, kinds.Entity)
	if len(names) == 0 {
		return nil, nil, nil
	}
	all, err := subtree(graph.In(tx), names)
	if err != nil {
		return nil, nil, err
	}
	inside, err := graph.In(tx).EntityNames(all)
	if err != nil {
		return nil, nil, err
	}
	if parts, err = kinds.In(tx).ByID(kinds.Entity, inside); err != nil {
		return nil, nil, err
	}
	hanging, err := kinds.In(tx).FindObservationsAndRelations(all)
	return append(parts, hanging...), nil, err
}

// subtree are the rows of named entities and of all that lives inside them.
func subtree(tx graph.Rows, names []string) ([]int64, error) {
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

func (deleter) Forget(tx *store.Tx, rows []kinds.Row) error {
	if err := graph.In(tx).ForgetObservations(kinds.NumericIDs(rows, kinds.Observation)); err != nil {
		return err
	}
	if relations := kinds.NumericIDs(rows, kinds.Relation); len(relations) > 0 {
		if err := graph.In(tx).DeleteRelations(relations); err != nil {
			return err
		}
	}
	if err := graph.In(tx).ForgetLines(kinds.NumericIDs(rows, kinds.Line)); err != nil {
		return err
	}
	all, err := subtree(graph.In(tx), kinds.IDs(rows, kinds.Entity))
	if err != nil {
		return err
	}
	return graph.In(tx).DeleteEntityRows(all)
}
