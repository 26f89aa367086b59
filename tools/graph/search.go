package graph

import (
	"context"
	"fmt"
	"strings"
	"time"

	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

// SearchNodesInput is the input of search_nodes.
type SearchNodesInput struct {
	Query string `json:"query" jsonschema:"required,maxLength=10000" jsonschema_description:"Text or question; blank reads the whole graph"`
	Part
}

func (f family) searchNodesTool() tools.Tool[SearchNodesInput, Graph] {
	description := "Finds entities by any text in their name, type or observations, then by its words, then by meaning, best first. " +
		"Use it before adding something. Returns them with their relations. Example: who drinks tea?"
	if f.MemoryCompat {
		description = "Finds entities whose name, type or observations contain a text as it stands, ignoring case, best first. " +
			"Use it before adding something. Returns them with their relations. Example: tea."
	}
	return tools.Tool[SearchNodesInput, Graph]{
		Name: "search_nodes", Title: "Search nodes", Description: description,
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: "1.1.1",
		Tags: []string{"graph", "search", "recall"}, Core: true,
		Examples: []tools.Example[SearchNodesInput, Graph]{{
			Description: "Find whoever prefers tea",
			Setup:       []tools.SetupCall{exampleEntities, exampleRelations},
			Params:      SearchNodesInput{Query: "TEA"},
			Result:      Graph{Entities: []Entity{ada}, Relations: []Relation{leads}},
		}},
		Handle: f.handleSearchNodes,
	}
}

func (f family) handleSearchNodes(ctx context.Context, in SearchNodesInput) (tools.Result[Graph], error) {
	if strings.TrimSpace(in.Query) == "" && (!f.MemoryCompat || in.Query == "") {
		r, err := f.handleReadGraph(ctx, ReadGraphInput{in.Part})
		if err == nil {
			r.Hints.Assumes("a blank query means the whole graph")
		}
		return r, err
	}
	found, err := f.searchGraph(ctx, in)
	if err != nil {
		return tools.Result[Graph]{}, err
	}
	if len(found.ids) == 0 && f.Nearest != nil && !f.MemoryCompat {
		if err := f.addNearestInMeaning(ctx, in, &found); err != nil {
			return tools.Result[Graph]{}, err
		}
	}
	return tools.Result[Graph]{Data: found.Graph, Hints: found.buildHints(in)}, nil
}

const (
	// nearShare is the share of a search's time that the look for what is near in meaning
	// has, and defaultNearTimeout its time where the search has no end: on a new database
	// a model is unpacked and every vector read first.
	nearShare, defaultNearTimeout = 2, time.Second
)

// addNearestInMeaning adds to a search that found nothing what is near in meaning. The words were
// searched, so it fails only with the search itself: what it cannot do in time is noted.
func (f family) addNearestInMeaning(ctx context.Context, in SearchNodesInput, s *searchResult) error {
	timeout := defaultNearTimeout
	if end, is := ctx.Deadline(); is {
		timeout = time.Until(end) / nearShare
	}
	short, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	near, complete, err := f.findNearestInMeaning(short, truncateQuery(in.Query))
	if err == nil && len(near) > 0 {
		added := *s
		if err = f.loadNear(short, in, near, &added); err == nil {
			*s = added
		}
	}
	s.meaningMissed = !complete || err != nil
	return ctx.Err()
}

// findNearestInMeaning returns the likeness of nodes that are near to a query in meaning; complete is false
// where some were not compared.
func (f family) findNearestInMeaning(ctx context.Context, query string) (near map[int64]float64, complete bool, err error) {
	near, complete, err = f.Nearest(ctx, query)
	if err != nil || len(near) == 0 || len(search.AnalyseQuery(query).Terms) > 1 {
		return near, complete, err
	}
	near, err = f.filterNearByWord(ctx, query, near)
	return near, complete, err
}

// loadNear reads the nodes near in meaning into a search that found nothing.
func (f family) loadNear(ctx context.Context, in SearchNodesInput, near map[int64]float64, s *searchResult) error {
	return f.Store.Read(ctx, func(tx *store.Tx) error {
		rows := graph.In(tx)
		types, known, err := resolveTypes(rows, in.Part)
		if err != nil {
			return err
		}
		if err := s.addNear(rows, near, types); err != nil || s.near == 0 {
			return err
		}
		s.graphSlice, err = f.loadGraphSlice(rows, in.cutToPage(s.ids), in.Part, false)
		s.known, s.total = known, len(s.ids)
		return err
	})
}

// searchResult is the outcome of a search.
type searchResult struct {
	graphSlice
	matches
	nearestNames  []string // where nothing was found
	meaningMissed bool     // not all that may be near in meaning was compared
}

// searchGraph finds a part of the graph by words, in one transaction.
func (f family) searchGraph(ctx context.Context, in SearchNodesInput) (s searchResult, err error) {
	err = f.Store.Read(ctx, func(tx *store.Tx) error {
		rows := graph.In(tx)
		types, known, err := resolveTypes(rows, in.Part)
		if err != nil {
			return err
		}
		if s.matches, err = findEntities(tx, in.Query, types, f.MemoryCompat, f.Store.Now()); err != nil {
			return err
		}
		if len(s.ids) == 0 {
			if s.nearestNames, err = rows.NearestNames(in.Query, maxCandidates); err != nil {
				return err
			}
		}
		s.graphSlice, err = f.loadGraphSlice(rows, in.cutToPage(s.ids), in.Part, false)
		s.known, s.total = known, len(s.ids)
		return err
	})
	return s, err
}

func (s searchResult) buildHints(in SearchNodesInput) *tools.Hints {
	m := s.matches
	evidence := tools.NewSearchEvidence(len(m.ids))
	if m.text == 0 {
		evidence = tools.MatchEvidence(len(m.ids), len(m.matched), m.best)
	}
	h := tools.NewHints(evidence)
	if s.meaningMissed {
		h.Warn("validation", tools.PriorityMedium, "not all was compared in meaning: vectors or the model were not ready", "search again, which goes on with the vectors, or in other words")
	}
	if warning := search.ExplainPoorMatch(m.best, m.matched); warning != "" && len(m.ids) > m.near {
		h.Warn("validation", tools.PriorityMedium, warning, "say that it is not known, or ask in other words")
	}
	switch byWords := len(m.ids) - m.text - m.near; {
	case len(m.ids) == 0:
		h.Because("nothing contains this text or its words")
		if len(s.nearestNames) > 0 {
			h.SuggestCall("open_nodes", tools.PriorityHigh, map[string]any{"names": s.nearestNames}, "the nearest names")
		}
		h.SuggestCall("read_graph", tools.PriorityMedium, map[string]any{"limit": 50, "includeObservations": false}, "see what there is, without details")
	case m.near > 0:
		h.Because(fmt.Sprintf("nothing contains this text or its words; %s nearest in meaning, best first", language.FormatCount(m.near, "entity is", "entities are")))
		h.Warn("validation", tools.PriorityMedium, "what was found is only near in meaning: neither its names nor its observations contain the query", "treat it as not found if none of it is meant")
	case m.text == 0:
		h.Because(fmt.Sprintf("nothing contains this text as it stands; %s its words, best first", language.FormatCount(byWords, "entity shares", "entities share")))
	case byWords > 0:
		h.Because(fmt.Sprintf("%s this text, best first; %d more share its words", language.FormatCount(m.text, "entity contains", "entities contain"), byWords))
	default:
		h.Because(language.FormatCount(m.text, "entity contains", "entities contain") + " this text, best first")
	}
	for i, e := range s.Entities[:min(len(s.Entities), maxCandidates)] {
		relevance, weighed := m.relevance[e.Name]
		if !weighed {
			relevance = m.best / float64(i+1)
		}
		h.AddRelatedResource("entity", e.Name, e.EntityType+" "+tools.ShortenForMessage(e.Name), relevance)
	}
	s.addNeighbourHints(h)
	s.addPagingAndSizeHints(h, "search_nodes", map[string]any{"query": in.Query}, in.Part)
	if len(s.known) > 0 {
		s.addEmptyHints(h, in.Part)
	}
	return h
}
