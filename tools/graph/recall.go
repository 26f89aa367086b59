package graph

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/nodes"
	"toolkit/store/plainjson"
	"toolkit/tools"
)

// resource is the whole graph as a document, under the official server's
// address.
func (f family) resource() tools.ServedResource {
	return tools.ServedResource{
		URI: "memory://knowledge-graph", Name: "knowledge-graph", Title: "Knowledge graph",
		Description: "The whole knowledge graph: entities with observations, and relations.", MIMEType: "application/json",
		Topics: []string{string(store.TopicGraph), string(store.TopicCharts)}, Permission: mayRead,
		Read: func(ctx context.Context, _ *url.URL) (string, error) {
			var s slice
			err := f.Store.Read(ctx, func(tx *store.Tx) (err error) {
				s, _, err = f.read(nodes.In(tx), Part{})
				return err
			})
			if err != nil {
				return "", err
			}
			text, err := plainjson.Encode(s.Graph)
			if err != nil {
				return "", fmt.Errorf("encoding the graph: %w", err)
			}
			return string(text), nil
		},
	}
}

// Bounds of what the recall prompt quotes; the tools give the rest.
const (
	recalledEntities     = 10
	recalledObservations = 5
	recalledRelations    = 20
)

// recall is the prompt that asks what is known about a topic.
func (f family) recall() tools.ServedPrompt {
	return tools.ServedPrompt{
		Name: "recall", Title: "Recall",
		Description: "Answer from memory: what is known about a topic.",
		Arguments:   []tools.PromptArgument{{Name: "topic", Description: "A name, a subject or a question", Required: true}},
		Render: func(ctx context.Context, arguments map[string]string) (string, error) {
			return f.renderRecall(ctx, strings.TrimSpace(arguments["topic"]))
		},
	}
}

func (f family) renderRecall(ctx context.Context, topic string) (string, error) {
	var m matches
	var s slice
	err := f.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if m, err = find(nodes.In(tx), topic, nil, false); err != nil {
			return err
		}
		p := Part{ObservationLimit: recalledObservations}
		p.Limit = recalledEntities
		s, err = f.load(nodes.In(tx), p.page(m.ids), p, false)
		return err
	})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "What is known about %q?\n\n", topic)
	if len(s.Entities) == 0 {
		b.WriteString("The knowledge graph holds nothing that matches. Call search_nodes with other words for the same thing. " +
			"If that finds nothing either, say that nothing is recorded; do not guess.\n")
		return b.String(), nil
	}
	fmt.Fprintf(&b, "The knowledge graph has %s", language.Count(len(m.ids), "match", "matches"))
	if len(m.ids) > len(s.Entities) {
		fmt.Fprintf(&b, "; the best %d", len(s.Entities))
	}
	b.WriteString(":\n")
	for _, e := range s.Entities {
		fmt.Fprintf(&b, "\n- %s (%s)\n", e.Name, e.EntityType)
		for _, o := range e.Observations {
			fmt.Fprintf(&b, "  - %s\n", o)
		}
	}
	if len(s.Relations) > 0 {
		b.WriteString("\nRelations:\n")
		for _, r := range s.Relations[:min(len(s.Relations), recalledRelations)] {
			fmt.Fprintf(&b, "- %s %s %s\n", r.From, r.RelationType, r.To)
		}
	}
	b.WriteString("\nAnswer from these records and name the entities you rely on. Where they are not enough, call open_nodes for all observations of an entity, " +
		"or search_nodes with other words. Say plainly what is not recorded, and offer to store what is new with add_observations.\n")
	return b.String(), nil
}

// maxProposals is the protocol's limit on completions.
const maxProposals = 100

// completeName proposes entity names that start with, then that contain, what
// was typed; the newest ones when nothing was.
func (f family) completeName(ctx context.Context, typed string) (names []string, err error) {
	err = f.Store.Read(ctx, func(tx *store.Tx) error {
		rows := nodes.In(tx)
		if typed == "" {
			names, err = rows.NewestNames(maxProposals)
			return err
		}
		ids, err := findNames(rows, typed)
		if err != nil {
			return err
		}
		names, err = rows.EntityNames(ids[:min(len(ids), maxProposals)])
		return err
	})
	return names, err
}
