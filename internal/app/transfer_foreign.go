package app

import (
	"bytes"
	"encoding/json"
	"strings"

	"toolkit/internal/exchange"
	"toolkit/internal/plainjson"
	"toolkit/store"
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

func (i *importer) findPendingEnds(stored []store.ForeignLine) error {
	var names []string
	add := func(raw json.RawMessage) {
		if from, to, ok := pendingEnds(raw); ok {
			names = append(names, from, to, partOf(from), partOf(to))
		}
	}
	for _, line := range stored {
		add(line.Raw)
	}
	for _, raw := range i.document.Foreign {
		add(raw)
	}
	return i.find(names)
}

// pendingEnds returns the ends of a kept line that is a relation.
func pendingEnds(raw json.RawMessage) (from, to string, ok bool) {
	var line map[string]json.RawMessage
	if json.Unmarshal(raw, &line) != nil {
		return "", "", false
	}
	text := func(key string) (text string) {
		if json.Unmarshal(line[key], &text) != nil {
			return ""
		}
		return text
	}
	from, to = text("from"), text("to")
	return from, to, text("type") == "relation" && from != "" && to != ""
}

// connectPending adds the relation that a kept line is, if both ends are there.
func (i *importer) connectPending(raw json.RawMessage) (bool, error) {
	from, to, ok := pendingEnds(raw)
	if !ok {
		return false, nil
	}
	fromNode, fromKnown := i.pendingEnd(from)
	toNode, toKnown := i.pendingEnd(to)
	if !fromKnown || !toKnown {
		return false, nil
	}
	relation, err := readRelation(raw, from, to)
	if relation == nil || err != nil {
		return false, err
	}
	relation.From, relation.To = fromNode, toNode
	return true, i.addRelation(relation)
}

// pendingEnd returns the node that an end of a relation means: charts go by
// the name of their entity in files.
func (i *importer) pendingEnd(name string) (string, bool) {
	if _, ok := i.node(name); ok {
		return name, true
	}
	chart := partOf(name)
	if chart == "" || name != exchange.ChartEntityName(chart) {
		return "", false
	}
	ref, stored := i.there[chart]
	return chart, stored && ref.Kind == store.KindChart
}

// readRelation reads a kept line beside the ends that its file lacked.
func readRelation(raw json.RawMessage, from, to string) (*exchange.Relation, error) {
	var file strings.Builder
	for _, name := range []string{from, to} {
		line, err := plainjson.Encode(map[string]string{"type": "entity", "name": name, "entityType": "end"})
		if err != nil {
			return nil, err
		}
		file.Write(append(line, '\n'))
	}
	file.Write(bytes.ReplaceAll(raw, []byte{'\n'}, []byte{' '}))
	d, _, err := exchange.Read(strings.NewReader(file.String()))
	if err != nil || len(d.Relations) != 1 {
		return nil, err
	}
	return &d.Relations[0], nil
}
