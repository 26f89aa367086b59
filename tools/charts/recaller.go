package charts

import (
	"context"
	"encoding/json"
	"strings"

	"toolkit/store"
	"toolkit/store/nodes"
	"toolkit/tools"
	"toolkit/tools/engines/retrieval"
)

// offeredFacts is how many lines of a node are offered beside the matching ones.
const offeredFacts = 6

type recaller struct{}

// Recaller is what the family offers to the search over everything.
func Recaller() tools.Recaller { return recaller{} }

func (recaller) Kinds() []string {
	return []string{string(nodes.KindChart), string(nodes.KindStep), string(nodes.KindBeat)}
}

// Count counts nothing: the graph counts the nodes of charts.
func (recaller) Count(*store.Tx, *tools.Question) (retrieval.Statistics, error) {
	return retrieval.Statistics{}, nil
}

func (recaller) Offer(_ context.Context, tx *store.Tx, q *tools.Question) ([]tools.Candidate, error) {
	found, err := q.Nodes(tx, false, offeredFacts)
	candidates := make([]tools.Candidate, len(found))
	for i, foundNode := range found {
		candidates[i] = offered(foundNode)
		candidates[i].Likeness = q.Meaning.Nodes[foundNode.ID]
	}
	return candidates, err
}

// offered is a chart, step or beat; its metadata tells the chart that it is of.
func offered(n nodes.FoundNode) tools.Candidate {
	var about struct {
		ChartID, DueDate, Status string
		CompletedAt              *string
	}
	json.Unmarshal(n.Metadata, &about) //nolint:errcheck // imported metadata may be anything
	c := tools.Candidate{
		Kind: string(n.Kind), ID: n.Name, Text: factsOf(n), At: n.Updated, Place: tools.Place{Chart: about.ChartID},
		Tool: "get_chart_progress", With: map[string]any{"chartId": about.ChartID},
	}
	switch n.Kind {
	case nodes.KindStep:
		c.Place.Step = n.Name
	case nodes.KindBeat:
		c.Tool, c.With = "list_narrative_beats", map[string]any{"parentChartId": about.ChartID}
	}
	switch {
	case about.CompletedAt != nil:
		c.Note = "completed"
	case about.Status != "":
		c.Note = about.Status
	case about.DueDate != "" && n.Kind != nodes.KindBeat:
		c.Note = "due " + about.DueDate[:min(len(about.DueDate), len("2006-01-02"))]
	}
	return c
}

func factsOf(n nodes.FoundNode) string {
	lines := []string{n.Title()}
	for _, line := range append(append([]string{}, n.Matching...), n.Observations...) {
		if line != "" && !strings.Contains(strings.Join(lines, "; "), line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}
