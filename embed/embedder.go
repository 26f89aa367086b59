package embed

import "context"

// Embedder turns texts into vectors of one vector space.
type Embedder interface {
	// Model names the vector space, version included
	// ("openai:text-embedding-3-small"). Vectors of different names are never
	// compared.
	Model() string
	// Dimension is the length of every vector, 0 while it is unknown (a remote
	// model before its first answer).
	Dimension() int
	// Embed returns one vector per text, in order, each of length 1. A text
	// without content has a nil vector: it belongs in no index.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Query returns the vector to search with. It may differ from what Embed
	// returns for the same text; nil means that the text has no content.
	Query(ctx context.Context, text string) ([]float32, error)
}
