package embed

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"toolkit/embed/sentence"
)

const (
	// BuiltInModel names the vector space of BuiltIn.
	BuiltInModel = "universal-sentence-encoder-multilingual-3:canonical"
	// maxWindows bounds how much of a long text is read for its vector: about 2,000
	// words.
	maxWindows = 32
)

// BuiltIn returns the sentence model that is part of the program. It needs no network
// and no key, and understands sixteen languages.
//
// Its vectors are standardised: the mean of ordinary text is subtracted and their
// length is 1, so that the product of two is near 0 for texts that have nothing in
// common. The vector of a long text is the mean of those of its windows. How carefully a
// text is typed does not matter.
func BuiltIn() Embedder { return builtIn{} }

type builtIn struct{}

func (builtIn) Model() string  { return BuiltInModel }
func (builtIn) Dimension() int { return sentence.Dimension }

func (b builtIn) Query(ctx context.Context, text string) ([]float32, error) {
	vectors, err := b.Embed(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

func (builtIn) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	model, err := openModel(ctx)
	if err != nil {
		return nil, err
	}
	var windows []string // of all texts, which are faster together
	counts := make([]int, len(texts))
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		spans, err := model.SplitIntoFirstWindows(ctx, text, maxWindows)
		if err != nil {
			return nil, err
		}
		counts[i] = len(spans)
		for _, s := range spans {
			windows = append(windows, formatAsSentence(text[s.Start:s.End]))
		}
	}
	ofWindows, err := EmbedSentences(ctx, windows)
	if err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	for i, count := range counts {
		vectors[i] = meanOf(ofWindows[:count])
		ofWindows = ofWindows[count:]
	}
	return vectors, nil
}

// EmbedSentences returns the standardised vectors of sentences of the built-in model,
// faster together than one by one. How carefully they are typed does not matter. Of a
// long text it reads the beginning.
func EmbedSentences(ctx context.Context, sentences []string) ([][]float32, error) {
	model, err := openModel(ctx)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(sentences))
	for i, s := range sentences {
		texts[i] = formatAsSentence(s)
	}
	if len(texts) != 1 {
		return model.embed(ctx, texts)
	}
	if v := lastSentence.Load(); v != nil && v.text == texts[0] {
		return [][]float32{slices.Clone(v.vector)}, nil
	}
	vectors, err := model.embed(ctx, texts)
	if err == nil {
		lastSentence.Store(&embedded{texts[0], slices.Clone(vectors[0])})
	}
	return vectors, err
}

// lastSentence is the last that was embedded alone: a hook first looks for what fits a
// prompt and then for what it states.
var lastSentence atomic.Pointer[embedded]

type embedded struct {
	text   string
	vector []float32
}

// formatAsSentence is a sentence as the model reads it: it begins with a capital and ends with
// a mark, for how carefully somebody types says nothing about what is meant.
func formatAsSentence(s string) string {
	s = strings.TrimRight(strings.TrimSpace(s), " .!")
	if s == "" {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(first)) + s[size:]
	if last, _ := utf8.DecodeLastRuneInString(s); unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(closing, last) {
		s += "."
	}
	return s
}

// closing are marks after which a sentence still lacks its end.
const closing = "\"'”’»)"

// standardModel is the sentence model with the mean of ordinary text.
type standardModel struct {
	*sentence.Model
	mean []float32
}

// openModel unpacks the model at its first use, which takes a second or more on a busy
// machine: a caller whose time is over does not wait for it, and finds it ready later.
func openModel(ctx context.Context) (*standardModel, error) {
	select {
	case <-startOpening():
		return loadModel()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// startOpening returns a channel that is closed when the model is open.
var startOpening = sync.OnceValue(func() <-chan struct{} {
	opened := make(chan struct{})
	go func() {
		defer close(opened)
		loadModel() //nolint:errcheck // it is kept for whoever waits
	}()
	return opened
})

var loadModel = sync.OnceValues(func() (*standardModel, error) {
	model, err := sentence.Open()
	if err != nil {
		return nil, err
	}
	return &standardModel{model, model.Mean()}, nil
})

func (m *standardModel) embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := m.EmbedBatch(ctx, texts)
	if err != nil {
		return nil, err
	}
	for _, v := range vectors {
		m.standardise(v)
	}
	return vectors, nil
}

// meanOf is the mean of the vectors of a text's windows, nil of none.
func meanOf(windows [][]float32) []float32 {
	if len(windows) == 0 {
		return nil
	}
	mean := slices.Clone(windows[0])
	for _, v := range windows[1:] {
		for i := range mean {
			mean[i] += v[i]
		}
	}
	Normalize(mean)
	return mean
}

// standardise subtracts the mean of ordinary text and gives a vector length 1.
func (m *standardModel) standardise(v []float32) {
	for i := range v {
		v[i] -= m.mean[i]
	}
	if !Normalize(v) { // the mean itself is like nothing
		v[0] = float32(math.Copysign(1, float64(v[0])))
	}
}
