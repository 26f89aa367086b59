package charts

import (
	"cmp"
	"slices"

	"toolkit/store"
)

// maxNearest is how many candidates a NOT_FOUND lists.
const maxNearest = 3

// nearest returns the nodes whose id or title resembles a text most, best
// first; when none does, the newest ones.
func nearest(tx *store.Tx, group store.NodeGroup, text string) ([]candidate, error) {
	nodes, err := tx.Candidates(group, text)
	if err != nil {
		return nil, err
	}
	best := rank(text, nodes)
	if len(best) == 0 {
		if best, err = tx.RecentNodes(group, maxNearest); err != nil {
			return nil, err
		}
	}
	found := []candidate{}
	for _, n := range best[:min(len(best), maxNearest)] {
		c := candidate{ID: n.ID, Title: n.Title}
		if group == store.Steps {
			step, err := tx.Step(n.ID)
			if err != nil {
				return nil, err
			}
			if step != nil {
				c.Chart = step.ChartID
			}
		}
		found = append(found, c)
	}
	return found, nil
}

// rank orders nodes by similarity and drops those that share nothing.
func rank(text string, nodes []store.NodeTitle) []store.NodeTitle {
	type scored struct {
		node  store.NodeTitle
		score float64
	}
	wanted := trigrams(text)
	var all []scored
	for _, n := range nodes {
		if s := max(dice(wanted, trigrams(n.ID)), dice(wanted, trigrams(n.Title))); s > 0 {
			all = append(all, scored{n, s})
		}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.node.ID, b.node.ID))
	})
	ranked := make([]store.NodeTitle, len(all))
	for i, s := range all {
		ranked[i] = s.node
	}
	return ranked
}

type trigram [3]rune

// trigrams is the set of three-letter pieces of a folded text; its edges count
// as spaces, so that short words have some too.
func trigrams(text string) map[trigram]bool {
	runes := []rune("  " + store.Fold(text) + " ")
	set := make(map[trigram]bool, len(runes))
	for i := 0; i+3 <= len(runes); i++ {
		set[trigram(runes[i:i+3])] = true
	}
	return set
}

// dice is the Sørensen–Dice similarity of two sets, 0 to 1.
func dice(a, b map[trigram]bool) float64 {
	shared := 0
	for t := range a {
		if b[t] {
			shared++
		}
	}
	return 2 * float64(shared) / float64(len(a)+len(b))
}
