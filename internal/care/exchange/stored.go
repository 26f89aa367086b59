package exchange

import (
	"bytes"
	"slices"

	"toolkit/store/nodes"
)

// readDocument reads everything that a file can hold, each kind in the order of
// its creation.
func readDocument(tx nodes.Rows) (*Document, error) {
	d, err := &Document{}, error(nil)
	if d.Entities, err = each(entityOf)(tx.PlainNodes()); err != nil {
		return nil, err
	}
	if d.Charts, err = each(chartOf)(tx.AllCharts()); err != nil {
		return nil, err
	}
	if d.Beats, err = each(beatOf)(tx.AllBeats()); err != nil {
		return nil, err
	}
	if d.Relations, err = each(relationOf)(tx.StatedRelations()); err != nil {
		return nil, err
	}
	if d.Foreign, err = each(rawOf)(tx.ForeignLines()); err != nil {
		return nil, err
	}
	names := fileNames(d)
	forgetLostEnds(d, names)
	return connectLateRelations(d, names)
}

// connectLateRelations puts kept relations whose missing end has appeared since
// where a reader of the file would put them, so that an export of what was
// imported from it is the same file.
func connectLateRelations(d *Document, names map[string]bool) (*Document, error) {
	late := false
	for _, raw := range d.Foreign {
		r := pendingRelation(raw)
		late = late || r != nil && names[r.From] && names[r.To]
	}
	if !late {
		return d, nil
	}
	var file bytes.Buffer
	if err := Write(&file, d, Coaia); err != nil {
		return nil, err
	}
	d, _, err := Read(&file)
	return d, err
}

// each makes of every stored row what a document holds, or passes on why there
// are none.
func each[R, T any](of func(*R) (T, error)) func([]R, error) ([]T, error) {
	return func(rows []R, err error) ([]T, error) {
		var list []T
		for i := 0; err == nil && i < len(rows); i++ {
			var one T
			one, err = of(&rows[i])
			list = append(list, one)
		}
		return list, err
	}
}

// fileNames are the names of all entities of the file that a document makes.
func fileNames(d *Document) map[string]bool {
	names := map[string]bool{}
	d.eachName(func(name, _ string) { names[name] = true })
	for i := range d.Charts {
		delete(names, d.Charts[i].ID) // which no entity of a file has
	}
	return names
}

// forgetLostEnds drops what imported charts and beats say of nodes that were
// deleted since.
func forgetLostEnds(d *Document, names map[string]bool) {
	lost := func(t Relation) bool { return !names[t.From] || !names[t.To] }
	for i := range d.Charts {
		c := &d.Charts[i]
		c.Ties = slices.DeleteFunc(c.Ties, lost)
		if !names[c.ParentStep] {
			c.ParentStep = ""
		}
	}
	for i := range d.Beats {
		d.Beats[i].Ties = slices.DeleteFunc(d.Beats[i].Ties, lost)
	}
}
