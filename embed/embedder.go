package embed

import "context"

// Embedder turns texts into vectors of one vector space.
type Embedder interface {
	// Model names the vector space, version included ("local-hash-v1",
	// "openai:text-embedding-3-small"). Vectors of different names are never
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

// immediate is an Embedder that needs no network.
type immediate struct {
	space     string
	dimension int
	vector    func(text string) []float32 // nil of a text without content
}

func (e immediate) Model() string  { return e.space }
func (e immediate) Dimension() int { return e.dimension }

func (e immediate) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors[i] = e.vector(text)
	}
	return vectors, nil
}

func (e immediate) Query(ctx context.Context, text string) ([]float32, error) {
	return e.vector(text), ctx.Err()
}
