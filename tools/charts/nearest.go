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

// maxComparedLength is how much of a name is compared, in bytes: a caller may paste a document.
const maxComparedLength = 1000

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

// findNearestOrNewest returns the nodes whose id or title resembles a text most, best
// first; when none does, the newest ones.
func findNearestOrNewest(tx graph.Rows, group graph.Group, text string) (nearestNodes, error) {
	newest, err := tx.Titles(group)
	best := rankBySimilarity(text, newest)
	near := nearestNodes{nodes: []candidate{}, similar: len(best) > 0}
	if !near.similar {
		best = newest
	}
	for _, n := range best[:min(len(best), maxNearest)] {
		near.nodes = append(near.nodes, candidate(n))
	}
	return near, err
}

// rankBySimilarity returns the nodes that are like a text by minSimilarity at least, the most similar first.
func rankBySimilarity(text string, nodes []graph.Title) []graph.Title {
	text = text[:min(len(text), maxComparedLength)]
	wanted, wantedID := language.PiecesOf(text), language.PiecesOf(stripChartPrefix(text))
	scores := map[string]float64{}
	var ranked []graph.Title
	for _, n := range nodes {
		score := max(similarity(wantedID, language.PiecesOf(stripChartPrefix(n.ID))), similarity(wanted, language.PiecesOf(n.Title)))
		if score >= minSimilarity {
			scores[n.ID], ranked = score, append(ranked, n)
		}
	}
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
	if share := float64(text.CountShared(title)) / float64(max(len(text), 1)); share >= 0.75 {
		return max(dice, share/2)
	}
	return dice
}
