package embed

import "context"

// LocalModel names the vector space of Local. Any change to the arithmetic of
// localVector needs a new name, because stored vectors would no longer fit.
const LocalModel = "local-hash-v1"

// Local returns the embedder that needs no model and no network: deterministic
// feature hashing into LocalDimension components, independent of process and
// platform. It is lexical: texts are close when they share words, word pairs
// or parts of words, never because they mean the same.
func Local() Embedder { return local{} }

type local struct{}

func (local) Model() string  { return LocalModel }
func (local) Dimension() int { return LocalDimension }

func (local) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors[i] = localVector(text)
	}
	return vectors, nil
}

func (local) Query(ctx context.Context, text string) ([]float32, error) {
	return localVector(text), ctx.Err()
}
