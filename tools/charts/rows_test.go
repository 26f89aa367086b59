package charts

import (
	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/graph"
)

// steps are the stored steps of a chart.
func (b *bench) steps(chart string) []graph.StepDetail {
	b.T.Helper()
	found := storetest.ReadValue(b.T, b.Store, func(tx *store.Tx) ([]graph.StepDetail, error) {
		c, err := graph.In(tx).Chart(chart)
		if err != nil || c == nil {
			return nil, err
		}
		return graph.In(tx).StepDetails(c.Row)
	})
	return found
}

func stepDates(b *bench, chart string) []string {
	b.T.Helper()
	var dates []string
	for _, s := range b.steps(chart) {
		dates = append(dates, s.DueDate)
	}
	return dates
}

func stepIDs(b *bench, chart string) []string {
	b.T.Helper()
	var ids []string
	for _, s := range b.steps(chart) {
		ids = append(ids, s.ID)
	}
	return ids
}

// facts are the stored observations of a node.
func (b *bench) facts(name string) []string {
	b.T.Helper()
	found := storetest.ReadValue(b.T, b.Store, func(tx *store.Tx) ([]string, error) {
		row, _, err := graph.In(tx).EntityID(name)
		if err != nil {
			return nil, err
		}
		return graph.In(tx).Facts(row)
	})
	return found
}

// insert adds an ordinary entity, as the graph tools would.
func (b *bench) insert(name string) {
	b.T.Helper()
	storetest.Write(b.T, b.Store, func(tx *store.Tx) error {
		_, err := graph.In(tx).InsertEntity(graph.NewEntity{Name: name, Type: "thing"})
		return err
	})
}
