package charts

import (
	"cmp"
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/store/graph"
)

// maxNearest is how many candidates a NOT_FOUND lists.
const maxNearest = 3

// minSimilarity is how like a name a node must be to be offered as meant. Below
// it the newest nodes are shown instead, as what there is. See likeness.
const minSimilarity = 0.25

// nearestNodes are the nodes that a NOT_FOUND shows: those that were perhaps meant, or,
// when none resembles the name, the newest there are.
type nearestNodes struct {
	nodes   []candidate
	similar bool
}

// similarNodes returns nodes that belong to what was named.
func similarNodes(nodes ...candidate) nearestNodes {
	return nearestNodes{nodes: append([]candidate{}, nodes...), similar: true}
}

// findNearest returns the nodes whose id or title resembles a text most, best
// first; when none does, the newest ones.
func findNearest(tx graph.Rows, group graph.Group, text string) (nearestNodes, error) {
	found, err := tx.FindTitleCandidates(group, text)
	if err != nil {
		return nearestNodes{}, err
	}
	best := rankBySimilarity(text, found)
	near := nearestNodes{nodes: []candidate{}, similar: len(best) > 0}
	if !near.similar {
		if best, err = tx.RecentNodes(group, maxNearest); err != nil {
			return nearestNodes{}, err
		}
	}
	for _, n := range best[:min(len(best), maxNearest)] {
		c := candidate{ID: n.ID, Title: n.Title}
		if group == graph.Steps {
			step, err := tx.Step(n.ID)
			if err != nil {
				return nearestNodes{}, err
			}
			if step != nil {
				c.Chart = step.ChartID
			}
		}
		near.nodes = append(near.nodes, c)
	}
	return near, nil
}

// rankBySimilarity orders nodes by likeness and drops those below minSimilarity.
func rankBySimilarity(text string, found []graph.Title) []graph.Title {
	wanted, wantedID := language.PiecesOf(text), language.PiecesOf(stripChartPrefix(text))
	scores := map[string]float64{}
	ranked := slices.DeleteFunc(found, func(n graph.Title) bool {
		scores[n.ID] = max(similarity(wantedID, language.PiecesOf(stripChartPrefix(n.ID))), similarity(wanted, language.PiecesOf(n.Title)))
		return scores[n.ID] < minSimilarity
	})
	slices.SortFunc(ranked, func(a, b graph.Title) int {
		return cmp.Or(cmp.Compare(scores[b.ID], scores[a.ID]), cmp.Compare(a.ID, b.ID))
	})
	return ranked
}

// stripChartPrefix returns an id without what all ids begin with: chart_1 resembles chart_9 in
// nothing else.
func stripChartPrefix(id string) string { return strings.TrimPrefix(graph.Fold(id), "chart_") }

// similarity of a text to a title, 0 to 1: the Sørensen–Dice similarity of their
// sets, or, for a text that stands nearly whole in a longer title, half the share
// of the text that is found there.
func similarity(text, title language.Pieces) float64 {
	dice := text.Likeness(title)
	if share := float64(text.Shared(title)) / float64(max(len(text), 1)); share >= 0.75 {
		return max(dice, share/2)
	}
	return dice
}
