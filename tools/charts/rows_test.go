package charts

import (
	"context"

	"toolkit/store"
	"toolkit/store/nodes"
)

// steps are the stored steps of a chart.
func (b *bench) steps(chart string) []nodes.StepDetail {
	b.T.Helper()
	found, err := store.ReadValue(context.Background(), b.Store, func(tx *store.Tx) ([]nodes.StepDetail, error) {
		c, err := nodes.In(tx).Chart(chart)
		if err != nil || c == nil {
			return nil, err
		}
		return nodes.In(tx).StepDetails(c.Row)
	})
	if err != nil {
		b.T.Fatal(err)
	}
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
	found, err := store.ReadValue(context.Background(), b.Store, func(tx *store.Tx) ([]string, error) {
		row, _, err := nodes.In(tx).EntityID(name)
		if err != nil {
			return nil, err
		}
		return nodes.In(tx).Facts(row)
	})
	if err != nil {
		b.T.Fatal(err)
	}
	return found
}

// insert adds an ordinary entity, as the graph tools would.
func (b *bench) insert(name string) {
	b.T.Helper()
	if err := b.Store.Write(context.Background(), func(tx *store.Tx) error {
		_, err := nodes.In(tx).InsertEntity(nodes.NewEntity{Name: name, Type: "thing"})
		return err
	}); err != nil {
		b.T.Fatal(err)
	}
}
