package graph

import (
	"context"
	"slices"
	"strings"

	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/kinds"
	"toolkit/tools"
)

// Bounds of what an entity is offered with: observations beside those that hold a
// word of the question, and relations, of which those are told that do.
const (
	maxShownObservations = 4
	maxComparedRelations = 20
)

type searchProvider struct{}

// SearchProvider is what the family offers to the search over everything.
func SearchProvider() tools.SearchProvider { return searchProvider{} }

func (searchProvider) Kinds() []string { return []string{kinds.Entity} }

// Count counts all nodes: charts, steps and beats share their indexes.
func (searchProvider) Count(tx *store.Tx, q *tools.Question) (search.Statistics, error) {
	return q.CountIn(tx, kinds.EntityWords, kinds.ObservationWords)
}

func (searchProvider) Search(_ context.Context, tx *store.Tx, q *tools.Question) ([]tools.Candidate, error) {
	found, err := q.MatchNodes(tx, true, maxShownObservations)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(found))
	for i, n := range found {
		ids[i] = n.ID
	}
	relations, err := graph.In(tx).RelationsOfEach(ids, maxComparedRelations)
	if err != nil {
		return nil, err
	}
	candidates := make([]tools.Candidate, len(found))
	for i, n := range found {
		candidates[i] = tools.Candidate{
			Kind: kinds.Entity, ID: n.Name, Text: describeNode(q, n, relations[n.ID]), At: n.Updated, Similarity: q.Meaning.Nodes[n.ID],
			Tool: "open_nodes", Arguments: map[string]any{"names": []string{n.Name}},
		}
	}
	return candidates, nil
}

// describeNode is an entity as a reader is shown it: what was matched comes first.
func describeNode(q *tools.Question, n graph.FoundNode, relations []graph.Relation) string {
	lines := slices.Clone(n.Matching)
	for _, o := range n.Observations {
		if !slices.Contains(lines, o) {
			lines = append(lines, o)
		}
	}
	name := len(search.Matched(q.Query, n.Name))
	for _, r := range relations {
		if line := r.From + " " + r.Type + " " + r.To; len(search.Matched(q.Query, line)) > name {
			lines = append(lines, line)
		}
	}
	text := n.Name + " (" + n.Type + ")"
	if len(lines) > 0 {
		text += ": " + strings.Join(lines, "; ")
	}
	return text
}
