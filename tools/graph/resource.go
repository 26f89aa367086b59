package graph

import (
	"context"
	"fmt"
	"net/url"

	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/plainjson"
	"toolkit/tools"
)

// knowledgeGraphResource is the whole graph as a document, under the official server's
// address.
func (f family) knowledgeGraphResource() tools.ServedResource {
	return tools.ServedResource{
		URI: "memory://knowledge-graph", Name: "knowledge-graph", Title: "Knowledge graph",
		Description: "The whole knowledge graph: entities with observations, and relations.", MIMEType: "application/json",
		Topics: []string{string(store.TopicGraph), string(store.TopicCharts)}, Permission: mayRead,
		Read: func(ctx context.Context, _ *url.URL) (string, error) {
			s, err := store.ReadValue(ctx, f.Store, func(tx *store.Tx) (graphSlice, error) { return f.readPart(graph.In(tx), Part{}) })
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
