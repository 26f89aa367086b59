package exchange

import (
	"encoding/json"
	"slices"

	"toolkit/store/nodes"
)

// keepForeign keeps the lines that mean nothing here. A relation among them
// lacked an end in its file: it comes in as soon as both ends are stored, which
// may be now, and may have been kept by an earlier import.
func (i *importer) keepForeign() error {
	stored, err := i.tx.ForeignLines()
	if err != nil {
		return err
	}
	if err := i.findPendingEnds(stored); err != nil {
		return err
	}
	known := map[string]int{} // how often each line is kept
	for _, line := range stored {
		connected, err := i.connectPending(line.Raw)
		if err != nil {
			return err
		}
		if !connected {
			known[string(line.Raw)]++
			continue
		}
		if err := i.tx.DeleteForeignLine(line.Row); err != nil {
			return err
		}
	}
	for _, raw := range i.document.Foreign {
		i.step(1)
		connected, err := i.connectPending(raw)
		switch {
		case err != nil:
			return err
		case connected:
		case known[string(raw)] > 0:
			known[string(raw)]--
			i.result.Kept.Unchanged++
		default:
			i.result.Kept.New++
			if err := i.tx.InsertForeignLine(raw); err != nil {
				return err
			}
		}
	}
	return nil
}

func (i *importer) findPendingEnds(stored []nodes.ForeignLine) error {
	lines := slices.Clone(i.document.Foreign)
	for _, line := range stored {
		lines = append(lines, line.Raw)
	}
	var names []string
	for _, raw := range lines {
		if r := pendingRelation(raw); r != nil {
			names = append(names, r.From, r.To, partOf(r.From), partOf(r.To))
		}
	}
	return i.find(names)
}

// connectPending adds the relation that a kept line is, if both ends are there.
func (i *importer) connectPending(raw json.RawMessage) (bool, error) {
	relation := pendingRelation(raw)
	if relation == nil {
		return false, nil
	}
	var fromKnown, toKnown bool
	relation.From, fromKnown = i.pendingEnd(relation.From)
	relation.To, toKnown = i.pendingEnd(relation.To)
	if !fromKnown || !toKnown {
		return false, nil
	}
	return true, i.addRelation(relation)
}

// pendingEnd returns the node that an end of a relation means: charts go by
// the name of their entity in files.
func (i *importer) pendingEnd(name string) (string, bool) {
	if _, ok := i.node(name); ok {
		return name, true
	}
	chart := partOf(name)
	if chart == "" || name != ChartEntityName(chart) {
		return "", false
	}
	ref, stored := i.there[chart]
	return chart, stored && ref.Kind == nodes.KindChart
}

// pendingRelation returns the relation that a kept line is, or nil.
func pendingRelation(raw json.RawMessage) *Relation {
	members, err := parseObject(raw)
	if err != nil || members.text("type") != "relation" || members.text("from") == "" || members.text("to") == "" {
		return nil
	}
	in := newIntake()
	in.record(members, "relation", 0)
	return &in.relations[0]
}
