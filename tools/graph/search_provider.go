package graph

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/kinds"
	"toolkit/tools"
)

// Bounds of what a node is offered with: observations beside those that hold a word of the
// question, and relations, of which those are told that do.
const (
	maxShownObservations = 20
	maxComparedRelations = 20
)

type searchProvider struct{}

// SearchProvider is what the family offers to the search over everything: the nodes of the
// graph, also those of charts.
func SearchProvider() tools.SearchProvider { return searchProvider{} }

func (searchProvider) Kinds() []string {
	return []string{kinds.Entity, string(graph.KindChart), string(graph.KindStep), string(graph.KindBeat)}
}

func (searchProvider) Count(tx *store.Tx, q *tools.Question) (search.Statistics, error) {
	return q.CountWordMatches(tx, kinds.EntityWords, kinds.ObservationWords)
}

func (searchProvider) Search(_ context.Context, tx *store.Tx, q *tools.Question) ([]tools.Candidate, error) {
	if q.IsLimitedToSessionOrProject() { // sessions have none
		return nil, nil
	}
	near := slices.SortedFunc(maps.Keys(q.Meaning.Nodes), func(a, b int64) int {
		return cmp.Or(cmp.Compare(q.Meaning.Nodes[b], q.Meaning.Nodes[a]), cmp.Compare(b, a))
	})
	found, err := matchNodes(tx, q, near, nil, maxShownObservations+1)
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
	if err := addDangling(graph.In(tx), found, relations); err != nil {
		return nil, err
	}
	inactive, err := findInactiveNodes(graph.In(tx), found)
	if err != nil {
		return nil, err
	}
	candidates := make([]tools.Candidate, len(found))
	for i, n := range found {
		candidates[i] = toCandidate(n, !inactive[n.ID])
		if n.Kind == graph.KindPlain {
			candidates[i].Text, candidates[i].Facts = describeMatchedNode(q, n, relations[n.ID])
		}
		candidates[i].Similarity = q.Meaning.Nodes[n.ID]
	}
	return candidates, nil
}

// addDangling adds to the relations of nodes those of which the other end is missing.
func addDangling(rows graph.Rows, found []graph.FoundNode, relations map[int64][]graph.Relation) error {
	names := make([]string, len(found))
	ids := make(map[string]int64, len(found))
	for i, n := range found {
		names[i], ids[graph.ComposeAccents(n.Name)] = n.Name, n.ID
	}
	dangling, err := rows.DanglingRelations(names)
	for _, d := range dangling {
		for _, end := range []string{d.From, d.To} {
			id, isFound := ids[graph.ComposeAccents(end)]
			if isFound && len(relations[id]) < 2*maxComparedRelations {
				relations[id] = append(relations[id], d.Relation)
			}
		}
	}
	return err
}

// matchNodes returns the nodes that hold words of a question, those with a word in their names
// first, and more, but for those that are known, with up to so many observations of each.
func matchNodes(tx *store.Tx, q *tools.Question, alsoRows, excludedRows []int64, observations int) ([]graph.FoundNode, error) {
	named, err := q.MatchIndex(tx, kinds.EntityWords)
	if err != nil {
		return nil, err
	}
	observed, err := q.MatchIndex(tx, kinds.ObservationWords)
	if err != nil {
		return nil, err
	}
	return graph.In(tx).ReadFoundNodes(slices.Concat(named, alsoRows), observed, excludedRows, observations)
}

// toCandidate is a node; the metadata of a step or beat tells the chart that it is of. A chart is
// active or not.
func toCandidate(n graph.FoundNode, active bool) tools.Candidate {
	c := tools.Candidate{Kind: string(n.Kind), ID: n.Name, At: n.Updated}
	if n.Imported {
		c.At, c.ImportedAt = time.Time{}, n.Updated
	}
	if n.Kind == graph.KindPlain {
		c.Kind, c.Tool, c.Arguments = kinds.Entity, "open_nodes", map[string]any{"names": []string{n.Name}}
		return c
	}
	var about shownMetadata
	json.Unmarshal(n.Metadata, &about) //nolint:errcheck // imported metadata may be anything
	c.Text, c.Place = joinShownFacts(n, ""), tools.Place{Chart: about.ChartID}
	c.Tool, c.Arguments = "get_chart_progress", map[string]any{"chartId": about.ChartID}
	switch n.Kind {
	case graph.KindStep:
		c.Place.Step = n.Name
	case graph.KindBeat:
		c.Tool, c.Arguments = "list_narrative_beats", map[string]any{"parentChartId": about.ChartID}
	}
	if n.Kind == graph.KindChart && about.TotalActions > 0 {
		c.Text = joinShownFacts(n, fmt.Sprintf(" (%d of %s complete)", about.CompletedActions, language.FormatCount(about.TotalActions, "action step", "action steps")))
	}
	c.Note = about.describeState(n.Kind, active)
	return c
}

// findInactiveNodes returns the rows of charts that are not active, and of steps in such charts.
func findInactiveNodes(rows graph.Rows, found []graph.FoundNode) (map[int64]bool, error) {
	var names []string
	chartOf := map[int64]string{}
	for _, n := range found {
		var about shownMetadata
		if n.Kind != graph.KindChart && n.Kind != graph.KindStep || json.Unmarshal(n.Metadata, &about) != nil {
			continue
		}
		chartOf[n.ID] = about.ChartID // of a chart itself
		names = append(names, about.ChartID)
	}
	refs, err := rows.EntityRefs(names)
	if err != nil {
		return nil, err
	}
	charts := make([]int64, 0, len(refs))
	for _, ref := range refs {
		charts = append(charts, ref.ID)
	}
	closed, err := rows.FindInactiveCharts(charts)
	inactive := map[int64]bool{}
	for id, name := range chartOf {
		inactive[id] = closed[refs[name].ID]
	}
	return inactive, err
}

// shownMetadata is what a reader is told of a chart, step or beat beside its facts.
type shownMetadata struct {
	ChartID, DueDate, Status       string
	CompletedAt, ParentChart       *string
	CompletedActions, TotalActions int
}

// describeState says whether a step or chart is done, whose title reads as if it were, and when it is due.
func (m *shownMetadata) describeState(kind graph.Kind, active bool) string {
	isChart := kind == graph.KindChart
	var notes []string
	switch {
	case kind == graph.KindBeat:
		return ""
	case m.CompletedAt != nil:
		return "completed"
	case m.Status != "":
		return m.Status
	case isChart && !active: // complete with its step, or within a closed chart
		return "not active"
	case !active:
		return "not complete, its chart is not active"
	case !isChart || m.ParentChart != nil && m.TotalActions == 0:
		notes = append(notes, "not complete")
	case isChart && m.TotalActions > 0 && m.CompletedActions == m.TotalActions:
		notes = append(notes, "not closed")
	}
	if m.DueDate != "" {
		notes = append(notes, "due "+m.DueDate[:min(len(m.DueDate), len("2006-01-02"))])
	}
	return strings.Join(notes, ", ")
}

// joinShownFacts returns a chart, step or beat as a reader is shown it. How far a chart is stands
// beside its title: a reader may see no more than the beginning, and one completed step would read
// as if all were.
func joinShownFacts(n graph.FoundNode, progress string) string {
	lines := []string{n.Title() + progress}
	for _, line := range slices.Concat(n.Observations, n.Matching) {
		if progress != "" && strings.HasPrefix(line, "Progress: ") {
			continue
		}
		if line != "" && !strings.Contains(strings.Join(lines, "; "), line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

// describeMatchedNode returns an entity as a reader is shown it, and its facts: what was matched comes
// first, and a sign last where there are more.
func describeMatchedNode(q *tools.Question, n graph.FoundNode, relations []graph.Relation) (text string, facts []string) {
	lines := slices.Clone(n.Matching)
	for _, o := range n.Observations[:min(len(n.Observations), maxShownObservations)] {
		if !slices.Contains(lines, o) {
			lines = append(lines, o)
		}
	}
	name := len(search.FindMatchedWords(q.Query, n.Name))
	for _, r := range relations {
		if line := r.From + " " + r.Type + " " + r.To; len(search.FindMatchedWords(q.Query, line)) > name {
			lines = append(lines, line)
		}
	}
	if len(n.Observations) > maxShownObservations {
		lines = append(lines, "…")
	}
	text = n.Name + " (" + n.Type + ")"
	if len(lines) > 0 {
		text += ": " + strings.Join(lines, "; ")
	}
	return text, lines
}
