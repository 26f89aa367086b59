package graph

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const (
	// largeResultTokens is the number of tokens from which a result is worth a warning:
	// a tenth of the context of a common model.
	largeResultTokens = 20_000

	// bytesPerToken is the usual rule of thumb for English prose.
	bytesPerToken = 4

	// maxTypes bounds how many different types are compared with a filter.
	maxTypes = 10_000
)

// ReadGraphInput is the input of read_graph.
type ReadGraphInput struct{ Part }

func (f family) readGraphTool() tools.Tool[ReadGraphInput, Graph] {
	return tools.Tool[ReadGraphInput, Graph]{
		Name: "read_graph", Title: "Read graph",
		Description: "Returns the whole knowledge graph: entities with observations, and relations. Use it for an export or an overview; limit, entityTypes and includeObservations keep it small, and search_nodes is cheaper for a question. " +
			"Example: list the names of all projects.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Medium, Idempotent: true, Version: version,
		Tags: []string{"graph", "read", "export"},
		Examples: []tools.Example[ReadGraphInput, Graph]{{
			Description: "Read everything",
			Setup:       []tools.SetupCall{exampleEntities, exampleRelations},
			Result:      Graph{Entities: []Entity{ada, orchard}, Relations: []Relation{leads}},
		}, {
			Description: "Read the names of all projects",
			Setup:       []tools.SetupCall{exampleEntities, exampleRelations},
			Params:      ReadGraphInput{Part{EntityTypes: []string{"project"}, IncludeObservations: new(bool)}},
			Result:      Graph{Entities: []Entity{orchard}, Relations: []Relation{leads}},
		}},
		Handle: f.handleReadGraph,
	}
}

func (f family) handleReadGraph(ctx context.Context, in ReadGraphInput) (tools.Result[Graph], error) {
	s, err := store.ReadValue(ctx, f.Store, func(tx *store.Tx) (graphSlice, error) { return f.readPart(graph.In(tx), in.Part) })
	if err != nil {
		return tools.Result[Graph]{}, err
	}
	h := tools.NewHints(tools.NewReadEvidence(len(s.Entities)).WithTotal(s.total))
	h.Because(fmt.Sprintf("%s and %s read", language.FormatCount(len(s.Entities), "entity", "entities"), language.FormatCount(len(s.Relations), "relation", "relations")))
	s.warnMissingEnds(h)
	s.addPagingAndSizeHints(h, "read_graph", map[string]any{}, in.Part)
	if s.total == 0 {
		s.addEmptyHints(h, in.Part)
	}
	return tools.Result[Graph]{Data: s.Graph, Hints: h}, nil
}

// readPart returns a part of the graph in order of creation.
func (f family) readPart(tx graph.Rows, p Part) (graphSlice, error) {
	types, known, err := resolveTypes(tx, p)
	if err != nil {
		return graphSlice{}, err
	}
	ids, err := tx.EntityPage(types, cmp.Or(p.Limit, graph.NoLimit), p.Offset)
	if err != nil {
		return graphSlice{}, err
	}
	s, err := f.loadGraphSlice(tx, ids, p, p.isWholeGraph())
	if err != nil {
		return graphSlice{}, err
	}
	s.known, s.total = known, len(ids)
	if !p.isWholeGraph() {
		s.total, err = tx.CountEntities(types)
	}
	return s, err
}

// resolveTypes returns the stored spellings of the types asked for: nil for all, empty
// when there is no such type; then known lists some that there are.
func resolveTypes(tx graph.Rows, p Part) (types, known []string, err error) {
	if len(p.EntityTypes) == 0 {
		return nil, nil, nil
	}
	all, err := tx.EntityTypes(maxTypes)
	if err != nil {
		return nil, nil, err
	}
	wanted := make(map[string]bool, len(p.EntityTypes))
	for _, entityType := range p.EntityTypes {
		wanted[graph.Fold(entityType)] = true
	}
	types = []string{}
	for _, t := range all {
		if wanted[graph.Fold(t)] {
			types = append(types, t)
		}
	}
	if len(types) == 0 {
		known = all[:min(len(all), 4*maxCandidates)]
	}
	return types, known, nil
}

// OpenNodesInput is the input of open_nodes.
type OpenNodesInput struct {
	Names []string `json:"names" jsonschema:"required,maxLength=1048576" jsonschema_description:"Exact names"`
	Part
}

func (f family) openNodesTool() tools.Tool[OpenNodesInput, Graph] {
	return tools.Tool[OpenNodesInput, Graph]{
		Name: "open_nodes", Title: "Open nodes",
		Description: "Returns the entities of exact names with all observations, and their relations. Unknown names are left out and reported in the hints. " +
			"Example: open Ada.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: "1.0.1",
		Tags: []string{"graph", "read", "entities"}, Core: true,
		Examples: []tools.Example[OpenNodesInput, Graph]{{
			Description: "Open a person; a relation leads to the project",
			Setup:       []tools.SetupCall{exampleEntities, exampleRelations},
			Params:      OpenNodesInput{Names: []string{"Ada"}},
			Result:      Graph{Entities: []Entity{ada}, Relations: []Relation{leads}},
		}},
		Handle: f.handleOpenNodes,
	}
}

func (f family) handleOpenNodes(ctx context.Context, in OpenNodesInput) (tools.Result[Graph], error) {
	if err := checkTextsNotBlank("names", in.Names); err != nil {
		return tools.Result[Graph]{}, err
	}
	var s graphSlice
	var unknown []string
	nearest := map[string][]string{}
	err := f.Store.Read(ctx, func(tx *store.Tx) error {
		rows := graph.In(tx)
		names, refs, err := f.resolveNames(rows, in.Names)
		if err != nil {
			return err
		}
		in.Names = removeDuplicates(names)
		ids := []int64{}
		for _, name := range in.Names {
			if ref, exists := refs[name]; exists {
				ids = append(ids, ref.ID)
				continue
			}
			unknown = append(unknown, name)
			if len(nearest) < maxCandidates {
				if nearest[name], err = rows.NearestNames(name, 3); err != nil {
					return err
				}
			}
		}
		slices.Sort(ids) // order of creation, as in the whole graph
		ids = slices.Compact(ids)
		types, known, err := resolveTypes(rows, in.Part)
		if err != nil {
			return err
		}
		if types != nil {
			if ids, err = rows.FilterByType(ids, types); err != nil {
				return err
			}
		}
		s, err = f.loadGraphSlice(rows, in.cutToPage(ids), in.Part, false)
		s.known, s.total = known, len(ids)
		return err
	})
	if err != nil {
		return tools.Result[Graph]{}, err
	}
	return tools.Result[Graph]{Data: s.Graph, Hints: openedHints(in, s, unknown, nearest)}, nil
}

func openedHints(in OpenNodesInput, s graphSlice, unknown []string, nearest map[string][]string) *tools.Hints {
	evidence := tools.NewReadEvidence(len(s.Entities))
	evidence.Present, evidence.Expected = len(in.Names)-len(unknown), len(in.Names)
	h := tools.NewHints(evidence).
		Because(fmt.Sprintf("%d of %s found", evidence.Present, language.FormatCount(evidence.Expected, "name", "names")))
	if len(unknown) > 0 {
		var guesses []string
		for _, name := range unknown {
			guesses = append(guesses, nearest[name]...)
		}
		guesses = removeDuplicates(guesses)
		h.Warn("validation", tools.PriorityMedium, fmt.Sprintf("no entity is named %s", quoteNames(unknown[:min(len(unknown), maxCandidates)])), "names are exact and case-sensitive")
		if len(guesses) > 0 {
			h.SuggestCall("open_nodes", tools.PriorityHigh, map[string]any{"names": guesses[:min(len(guesses), maxCandidates)]}, "the nearest names")
		}
		h.SuggestCall("search_nodes", tools.PriorityMedium, map[string]any{"query": unknown[0]}, "search names, types and observations")
	}
	s.addNeighbourHints(h)
	s.addPagingAndSizeHints(h, "open_nodes", map[string]any{"names": in.Names}, in.Part)
	if len(s.known) > 0 {
		s.addEmptyHints(h, in.Part)
	}
	return h
}

// addNeighbourHints names entities that relations lead to but that are not in the
// result.
func (s graphSlice) addNeighbourHints(h *tools.Hints) {
	s.warnMissingEnds(h)
	inside := maps.Clone(s.missing)
	if inside == nil {
		inside = map[string]bool{}
	}
	for _, e := range s.Entities {
		inside[e.Name] = true
	}
	var outside []string
	for _, r := range s.Relations {
		for _, name := range []string{r.From, r.To} {
			if !inside[name] && len(outside) < maxCandidates {
				inside[name] = true
				outside = append(outside, name)
				h.AddRelatedResource("entity", name, fmt.Sprintf("%s %s %s", tools.ShortenForMessage(r.From), tools.ShortenForMessage(r.RelationType), tools.ShortenForMessage(r.To)), 0.6)
			}
		}
	}
	if len(outside) > 0 {
		h.SuggestCall("open_nodes", tools.PriorityLow, map[string]any{"names": outside}, "follow the relations")
	}
}

// warnMissingEnds names what relations lead to that no entity is named.
func (s graphSlice) warnMissingEnds(h *tools.Hints) {
	if len(s.missing) == 0 {
		return
	}
	names := slices.Sorted(maps.Keys(s.missing))
	h.Warn("validation", tools.PriorityLow, "relations lead to what no entity is named: "+quoteNames(names[:min(len(names), maxCandidates)]), "create_entities makes it one")
}

// addPagingAndSizeHints says what was left out, and how to go on or to ask for less.
func (s graphSlice) addPagingAndSizeHints(h *tools.Hints, tool string, arguments map[string]any, p Part) {
	if end := p.Offset + len(s.Entities); end < s.total && len(s.Entities) > 0 {
		next := map[string]any{"limit": p.Limit, "offset": end}
		maps.Copy(next, arguments)
		if len(p.EntityTypes) > 0 {
			next["entityTypes"] = p.EntityTypes
		}
		h.SuggestCall(tool, tools.PriorityMedium, next, fmt.Sprintf("the next of %d entities", s.total))
	}
	if s.hidden > 0 {
		h.Warn("performance", tools.PriorityLow, language.FormatCount(s.hidden, "older observation", "older observations")+" left out by observationLimit", "")
	}
	if tokens := s.bytes / bytesPerToken; tokens >= largeResultTokens {
		h.Warn("performance", tools.PriorityHigh,
			fmt.Sprintf("%s and %s take about %d tokens", language.FormatCount(len(s.Entities), "entity", "entities"), language.FormatCount(len(s.Relations), "relation", "relations"), tokens),
			"use limit, entityTypes, includeObservations false or observationLimit; for a question, search_nodes")
		h.SuggestCall("read_graph", tools.PriorityMedium, map[string]any{"limit": 100, "includeObservations": false}, "names and types only, in pages").
			AddRisk("cost", tools.PriorityMedium, "a result of this size crowds out other context", 0.9, 0.5, "ask for a part")
	}
}

// addEmptyHints explains an empty result.
func (s graphSlice) addEmptyHints(h *tools.Hints, p Part) {
	switch {
	case len(s.known) > 0:
		h.Warn("validation", tools.PriorityMedium, "no entity has the type "+strings.Join(p.EntityTypes, ", "), "types in use: "+strings.Join(s.known, ", ")).
			SuggestCall("read_graph", tools.PriorityMedium, map[string]any{"entityTypes": s.known[:1]}, "read a type that is in use")
	case p.Offset == 0:
		h.Because("the graph is empty").
			SuggestCall("create_entities", tools.PriorityMedium, nil, "record the first thing worth remembering")
	}
}
