package graph

import (
	"toolkit/internal/reality"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/kinds"
	"toolkit/tools"
)

// Deleters remove entities, which the charts that stay hear of, and observations.
func Deleters() tools.Deleters {
	return tools.Deleters{
		kinds.Entity: func(tx *store.Tx, names []string) error {
			refs, err := graph.In(tx).EntityRefs(names)
			if err != nil {
				return err
			}
			rows := make([]int64, len(names))
			for i, name := range names {
				rows[i] = refs[name].ID
			}
			_, err = reality.DeleteNodesAndFacts(graph.In(tx), rows)
			return err
		},
		kinds.Observation: func(tx *store.Tx, ids []string) error {
			return graph.In(tx).DeleteObservationRows(kinds.ParseNumbers(ids))
		},
	}
}
