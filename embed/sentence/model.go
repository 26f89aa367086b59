package sentence

import (
	"context"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/viterin/vek"
)

const (
	// maxPieces is how much of a text Embed reads. The vector of a text far
	// longer than a sentence says little; see Windows.
	maxPieces = 512
	// maxEmbedBytes is enough text for maxPieces in any language.
	maxEmbedBytes = 8 << 10
	// maxBatchPieces is how many pieces are computed at once: enough to make use
	// of each weight that is unpacked, and two megabytes.
	maxBatchPieces = 128
)

// Model is a sentence encoder. It is safe for concurrent use.
type Model struct {
	name      string
	mean      []float32
	tokenizer *tokenizer
	rows      *rowTable
	network   *network
}

// Open returns the model that is part of the program. It reads nothing but a
// directory; all calls return the same model.
func Open() (*Model, error) { return open() }

var open = sync.OnceValues(func() (*Model, error) { return Parse(embeddedFile) })

// Parse returns the model in a file that scripts/model has made. The string is
// read in place as long as the model is used.
func Parse(file string) (*Model, error) {
	sections, err := splitSections(file)
	if err != nil {
		return nil, err
	}
	if err := checkSizes(&sections); err != nil {
		return nil, err
	}
	return &Model{
		name:      sections[SectionName],
		mean:      readFloats(sections[SectionMean], 0, Dimension),
		tokenizer: newTokenizer(&sections),
		rows:      newRowTable(&sections),
		network:   newNetwork(&sections, vek.Info().Acceleration),
	}, nil
}

// Name is the name of the vector space. Only vectors of one name can be compared.
func (m *Model) Name() string { return m.name }

// Mean returns the mean vector of ordinary sentences. It is shorter than 1.
func (m *Model) Mean() []float32 { return slices.Clone(m.mean) }

// Embed returns the vector of a text: Dimension numbers of length 1. It reads the
// first 512 pieces of the text, or 8 KiB. A text without a piece, like the empty
// one, has a vector too, which means nothing. The only error is that of ctx.
func (m *Model) Embed(ctx context.Context, text string) ([]float32, error) {
	vectors, err := m.EmbedBatch(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// EmbedBatch returns the vector of each text as Embed does. Texts are computed
// together, so that the network is unpacked once for all.
func (m *Model) EmbedBatch(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	var pieces []int32
	var lengths []int
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	flush := func() error {
		m.readRows(pieces, resize(&w.rows, len(pieces)*Dimension))
		batch, err := m.network.computeVectors(ctx, w, lengths)
		vectors = append(vectors, batch...)
		pieces, lengths = pieces[:0], lengths[:0]
		return err
	}
	for _, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next := m.tokenizeWithEnds(text)
		if len(pieces) > 0 && len(pieces)+len(next) > maxBatchPieces {
			if err := flush(); err != nil {
				return nil, err
			}
		}
		pieces, lengths = append(pieces, next...), append(lengths, len(next))
	}
	if len(pieces) == 0 {
		return vectors, nil
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return vectors, nil
}

// tokenizeWithEnds returns the pieces of a text, at most maxPieces, with those for its start
// and end.
func (m *Model) tokenizeWithEnds(text string) []int32 {
	if len(text) > maxEmbedBytes {
		text = text[:runeStart(text, maxEmbedBytes)]
	}
	pieces := m.tokenizer.tokenize(text)
	pieces = pieces[:min(len(pieces), maxPieces-2)]
	return slices.Concat([]int32{startPiece}, pieces, []int32{endPiece})
}

func (m *Model) readRows(pieces []int32, rows []float32) {
	for i, piece := range pieces {
		m.rows.decodeRow(int(piece), rows[i*Dimension:(i+1)*Dimension])
	}
}

// Row returns the numbers that the model has for a piece of its vocabulary.
func (m *Model) Row(piece int) []float32 {
	row := make([]float32, Dimension)
	m.rows.decodeRow(piece, row)
	return row
}

// runeStart returns the start of the character that a byte of a text belongs to.
func runeStart(text string, offset int) int {
	for i := offset; i > max(0, offset-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) {
			return i
		}
	}
	return offset
}
