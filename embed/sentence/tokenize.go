package sentence

import "slices"

// Pieces with a meaning of their own.
const (
	unknownPiece = 0
	startPiece   = 1
	endPiece     = 2
)

// unknownPenalty is what a character without a piece costs beyond the worst piece.
const unknownPenalty = 10

// tokenizer cuts texts into pieces by a unigram model.
type tokenizer struct {
	normalizer   normalizer
	pieces       trie
	scores       string // a float32 for each piece
	unknownScore float32
}

func newTokenizer(sections *[SectionCount]string) *tokenizer {
	return &tokenizer{
		normalizer: normalizer{trie: trie(sections[SectionNormalizer]), replacements: sections[SectionReplacements]},
		pieces:     trie(sections[SectionPieces]),
		scores:     sections[SectionScores],
		// The pieces stand by their score: the last one is the worst.
		unknownScore: float32At(sections[SectionScores], len(sections[SectionScores])/4-1) - unknownPenalty,
	}
}

// step is the best way to a place in a text: its score, and its last piece with
// the place where that begins. A place that no piece ends at has start -1.
type step struct {
	score float32
	start int32
	piece int32
}

// tokenize returns the pieces of a text that are the likeliest together, without
// those for its start and end. Neighbouring unknown characters are one piece.
func (t *tokenizer) tokenize(text string) []int32 {
	normal := t.normalizer.normalize(text)
	steps := make([]step, len(normal)+1)
	for i := range steps {
		steps[i].start = -1
	}
	for start := 0; start < len(normal); {
		size := runeSize(normal[start:])
		if !t.tryPiecesFrom(steps, normal, start, size) {
			replaceIfBetter(&steps[start+size], float64(t.unknownScore)+float64(steps[start].score), start, unknownPiece)
		}
		start += size
	}
	var pieces []int32
	for end := len(normal); end > 0; end = int(steps[end].start) {
		piece := steps[end].piece
		if piece == unknownPiece && len(pieces) > 0 && pieces[len(pieces)-1] == unknownPiece {
			continue
		}
		pieces = append(pieces, piece)
	}
	slices.Reverse(pieces)
	return pieces
}

// tryPiecesFrom tries all pieces that begin at start. It reports whether one of them is
// the single character there, of the given size.
func (t *tokenizer) tryPiecesFrom(steps []step, normal []byte, start, size int) (hasSingle bool) {
	walk := t.pieces.rootCursor()
	for end := start; end < len(normal); end++ {
		piece, ok := walk.advance(normal[end])
		if !ok {
			break
		}
		if piece < 0 || 4*piece >= len(t.scores) {
			continue
		}
		score := float64(float32At(t.scores, piece)) + float64(steps[start].score)
		replaceIfBetter(&steps[end+1], score, start, int32(piece))
		hasSingle = hasSingle || end+1 == start+size
	}
	return hasSingle
}

// replaceIfBetter takes a way to a place if there was none or it has a higher score.
func replaceIfBetter(s *step, score float64, start int, piece int32) {
	if s.start < 0 || score > float64(s.score) {
		*s = step{score: float32(score), start: int32(start), piece: piece}
	}
}

// runeSize is the length of the first character, by its first byte.
func runeSize(text []byte) int {
	size := 1
	switch lead := text[0]; {
	case lead >= 0xF0:
		size = 4
	case lead >= 0xE0:
		size = 3
	case lead >= 0xC0:
		size = 2
	}
	return min(size, len(text))
}
