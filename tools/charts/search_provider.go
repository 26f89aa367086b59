package charts

import (
	"context"
	"encoding/json"
	"strings"

	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

// maxShownFacts is how many lines of a node are offered beside the matching ones.
const maxShownFacts = 6

type searchProvider struct{}

// SearchProvider is what the family offers to the search over everything.
func SearchProvider() tools.SearchProvider { return searchProvider{} }

func (searchProvider) Kinds() []string {
	return []string{string(graph.KindChart), string(graph.KindStep), string(graph.KindBeat)}
}

// Count counts nothing: the graph counts the nodes of charts.
func (searchProvider) Count(*store.Tx, *tools.Question) (search.Statistics, error) {
	return search.Statistics{}, nil
}

func (searchProvider) Search(_ context.Context, tx *store.Tx, q *tools.Question) ([]tools.Candidate, error) {
	found, err := q.MatchNodes(tx, false, maxShownFacts)
	candidates := make([]tools.Candidate, len(found))
	for i, foundNode := range found {
		candidates[i] = toCandidate(foundNode)
		candidates[i].Similarity = q.Meaning.Nodes[foundNode.ID]
	}
	return candidates, err
}

// toCandidate is a chart, step or beat; its metadata tells the chart that it is of.
func toCandidate(n graph.FoundNode) tools.Candidate {
	var about struct {
		ChartID, DueDate, Status string
		CompletedAt              *string
	}
	json.Unmarshal(n.Metadata, &about) //nolint:errcheck // imported metadata may be anything
	c := tools.Candidate{
		Kind: string(n.Kind), ID: n.Name, Text: joinShownFacts(n), At: n.Updated, Place: tools.Place{Chart: about.ChartID},
		Tool: "get_chart_progress", Arguments: map[string]any{"chartId": about.ChartID},
	}
	switch n.Kind {
	case graph.KindStep:
		c.Place.Step = n.Name
	case graph.KindBeat:
		c.Tool, c.Arguments = "list_narrative_beats", map[string]any{"parentChartId": about.ChartID}
	}
	switch {
	case about.CompletedAt != nil:
		c.Note = "completed"
	case about.Status != "":
		c.Note = about.Status
	case about.DueDate != "" && n.Kind != graph.KindBeat:
		c.Note = "due " + about.DueDate[:min(len(about.DueDate), len("2006-01-02"))]
	}
	return c
}

func joinShownFacts(n graph.FoundNode) string {
	lines := []string{n.Title()}
	for _, line := range append(append([]string{}, n.Matching...), n.Observations...) {
		if line != "" && !strings.Contains(strings.Join(lines, "; "), line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}
