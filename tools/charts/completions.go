package charts

import (
	"context"
	"slices"
	"strings"

	"toolkit/store"
	"toolkit/store/nodes"
	"toolkit/tools"
)

// maxProposed bounds what a completion reads; the protocol takes 100.
const maxProposed = 100

// completions propose chart ids and step titles while a user types an argument
// of a prompt.
func (f *family) completions() map[string]tools.Completion {
	chart := f.proposing(nodes.Charts, func(n nodes.Title) string { return n.ID })
	step := f.proposing(nodes.Steps, func(n nodes.Title) string { return n.Title })
	return map[string]tools.Completion{
		"chartId": chart, "chart": chart, "parentChartId": chart,
		"step": step, "actionStepName": step,
	}
}

// proposing returns the nodes whose id or title contains what was typed, those
// that start with it first; without anything typed, the newest.
func (f *family) proposing(group nodes.Group, value func(nodes.Title) string) tools.Completion {
	return func(ctx context.Context, typed string) ([]string, error) {
		nodes, err := store.ReadValue(ctx, f.Store, func(tx *store.Tx) ([]nodes.Title, error) {
			if strings.TrimSpace(typed) == "" {
				return nodes.In(tx).RecentNodes(group, maxProposed)
			}
			return nodes.In(tx).Candidates(group, typed)
		})
		return matching(nodes, typed, value), err
	}
}

func matching(found []nodes.Title, typed string, value func(nodes.Title) string) []string {
	folded := nodes.Fold(typed)
	var starting, containing []string
	for _, n := range found {
		id, title := strings.ToLower(n.ID), nodes.Fold(n.Title)
		switch {
		case strings.HasPrefix(id, folded), strings.HasPrefix(title, folded):
			starting = append(starting, value(n))
		case strings.Contains(id, folded), strings.Contains(title, folded):
			containing = append(containing, value(n))
		}
	}
	if folded != "" { // the newest stay in their order
		slices.Sort(starting)
		slices.Sort(containing)
	}
	seen := map[string]bool{}
	proposed := []string{}
	for _, name := range append(starting, containing...) {
		if !seen[name] {
			seen[name] = true
			proposed = append(proposed, name)
		}
	}
	return proposed[:min(len(proposed), maxProposed)]
}
