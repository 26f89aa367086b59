package charts

import (
	"context"
	"slices"
	"strings"

	"toolkit/store"
	"toolkit/tools"
)

// maxProposed bounds what a completion reads; the protocol takes 100.
const maxProposed = 100

// completions propose chart ids and step titles while a user types an argument
// of a prompt.
func (f *family) completions() map[string]tools.Completion {
	chart := f.proposing(store.Charts, func(n store.NodeTitle) string { return n.ID })
	step := f.proposing(store.Steps, func(n store.NodeTitle) string { return n.Title })
	return map[string]tools.Completion{
		"chartId": chart, "chart": chart, "parentChartId": chart,
		"step": step, "actionStepName": step,
	}
}

// proposing returns the nodes whose id or title contains what was typed, those
// that start with it first; without anything typed, the newest.
func (f *family) proposing(group store.NodeGroup, value func(store.NodeTitle) string) tools.Completion {
	return func(ctx context.Context, typed string) ([]string, error) {
		nodes, err := store.ReadValue(ctx, f.store, func(tx *store.Tx) ([]store.NodeTitle, error) {
			if strings.TrimSpace(typed) == "" {
				return tx.RecentNodes(group, maxProposed)
			}
			return tx.Candidates(group, typed)
		})
		return matching(nodes, typed, value), err
	}
}

func matching(nodes []store.NodeTitle, typed string, value func(store.NodeTitle) string) []string {
	folded := store.Fold(typed)
	var starting, containing []string
	for _, n := range nodes {
		id, title := strings.ToLower(n.ID), store.Fold(n.Title)
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
	proposed := []string{}
	for _, v := range append(starting, containing...) {
		if len(proposed) < maxProposed && !slices.Contains(proposed, v) {
			proposed = append(proposed, v)
		}
	}
	return proposed
}
