package exchange

import (
	"bytes"
	"slices"

	"toolkit/store"
)

// readDocument reads everything that a file can hold, each kind in the order of
// its creation.
func readDocument(tx *store.Tx) (*Document, error) {
	d := &Document{}
	for _, read := range []func(*store.Tx, *Document) error{readEntities, readCharts, readBeats, readRelations, readForeign} {
		if err := read(tx, d); err != nil {
			return nil, err
		}
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

func readEntities(tx *store.Tx, d *Document) error {
	nodes, err := tx.PlainNodes()
	for i := range nodes {
		d.Entities = append(d.Entities, entityOf(&nodes[i]))
	}
	return err
}

func readCharts(tx *store.Tx, d *Document) error {
	records, err := tx.AllCharts()
	if err == nil {
		d.Charts, err = convert(records, chartOf)
	}
	return err
}

func readBeats(tx *store.Tx, d *Document) error {
	records, err := tx.AllBeats()
	if err == nil {
		d.Beats, err = convert(records, beatOf)
	}
	return err
}

func convert[R, T any](records []R, of func(*R) (T, error)) ([]T, error) {
	var list []T
	for i := range records {
		one, err := of(&records[i])
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

func readRelations(tx *store.Tx, d *Document) error {
	relations, err := tx.StatedRelations()
	for _, r := range relations {
		d.Relations = append(d.Relations, Relation{From: r.From, To: r.To, RelationType: r.Type, Metadata: r.Metadata, Extra: r.Extra})
	}
	return err
}

func readForeign(tx *store.Tx, d *Document) error {
	lines, err := tx.ForeignLines()
	for _, l := range lines {
		d.Foreign = append(d.Foreign, l.Raw)
	}
	return err
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
