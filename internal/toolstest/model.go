package toolstest

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"toolkit/embed"
	"toolkit/internal/language"
)

// ErrModel is a failure of an embedding model, for tests to cause.
var ErrModel = errors.New("the model is away")

// Synonyms is an embedding model that knows which words mean the same, as a
// remote one does: each group of words is a direction.
type Synonyms struct {
	Groups [][]string
	Before func()        // optional: runs in every call
	Asked  chan struct{} // receives when the model is asked, if there is room

	model string
	mu    sync.Mutex
	fail  error
	calls int
}

// NewSynonyms is a model of a name that knows a few groups of words.
func NewSynonyms(model string) *Synonyms {
	return &Synonyms{
		model: model, Asked: make(chan struct{}, 1),
		Groups: [][]string{{"car", "automobile", "vehicle"}, {"doctor", "physician"}, {"happy", "glad"}, {"river", "stream"}},
	}
}

// FailWith makes the model fail from now on, or work again.
func (m *Synonyms) FailWith(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = err
}

// CallCount is how often the model has been asked.
func (m *Synonyms) CallCount() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls
}

// Model names the model.
func (m *Synonyms) Model() string { return m.model }

// Dimension is one more than there are groups: all texts have a little in common.
func (m *Synonyms) Dimension() int { return len(m.Groups) + 1 }

// Embed embeds documents.
func (m *Synonyms) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	m.mu.Lock()
	m.calls++
	fail := m.fail
	m.mu.Unlock()
	select {
	case m.Asked <- struct{}{}:
	default:
	}
	if m.Before != nil {
		m.Before()
	}
	if fail != nil {
		return nil, fail
	}
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = m.embedText(text)
	}
	return vectors, ctx.Err()
}

// Query embeds what is searched for.
func (m *Synonyms) Query(ctx context.Context, text string) ([]float32, error) {
	vectors, err := m.Embed(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

func (m *Synonyms) embedText(text string) []float32 {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return nil
	}
	v := make([]float32, m.Dimension())
	v[len(m.Groups)] = 0.2
	for i, group := range m.Groups {
		if slices.ContainsFunc(words, func(word string) bool { return slices.Contains(group, word) }) {
			v[i] = 1
		}
	}
	embed.Normalize(v)
	return v
}

// WordCounts is an embedding model for tests in which texts are near that share words.
type WordCounts struct{}

// wordDimensions is the length of its vectors.
const wordDimensions = 1536

// Model names the model.
func (WordCounts) Model() string { return "remote:words" }

// Dimension is the length of its vectors.
func (WordCounts) Dimension() int { return wordDimensions }

// Embed embeds documents.
func (WordCounts) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		v := make([]float32, wordDimensions)
		for _, word := range language.Words(text) {
			h := fnv.New32a()
			h.Write([]byte(word)) //nolint:errcheck // a hash takes everything
			v[h.Sum32()%wordDimensions]++
		}
		if embed.Normalize(v) {
			vectors[i] = v
		}
	}
	return vectors, ctx.Err()
}

// Query embeds what is searched for.
func (w WordCounts) Query(ctx context.Context, text string) ([]float32, error) {
	vectors, err := w.Embed(ctx, []string{text})
	return vectors[0], err
}
