package embed

import "context"

// OffModel names the vector space in which nothing has a vector.
const OffModel = "off"

// Off returns the embedder of a program that searches by words alone: no text has a
// vector.
func Off() Embedder { return off{} }

type off struct{}

func (off) Model() string  { return OffModel }
func (off) Dimension() int { return 0 }

func (off) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return make([][]float32, len(texts)), ctx.Err()
}

func (off) Query(ctx context.Context, _ string) ([]float32, error) { return nil, ctx.Err() }

// IsOff reports whether an embedder makes no vectors.
func IsOff(e Embedder) bool { return e.Model() == OffModel }
