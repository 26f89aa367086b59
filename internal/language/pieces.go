package language

import (
	"slices"
	"strings"
)

// Pieces are the three-letter pieces of the words of a name: what two names have
// in common however their words are ordered, spelt or accented. The edges of a
// word count as two blanks before and one behind it, so that short words have
// some too.
type Pieces []uint64 // three runes each; sorted, each once

// PiecesOf takes a name apart.
func PiecesOf(name string) Pieces { return AppendPieces(nil, name) }

// AppendPieces returns PiecesOf in the space of an empty slice.
func AppendPieces(empty Pieces, name string) Pieces {
	eachPiece(name, func(piece uint64) { empty = append(empty, piece) })
	slices.Sort(empty)
	return slices.Compact(empty)
}

func eachPiece(name string, visit func(piece uint64)) {
	const two = 1<<42 - 1 // the last two runes
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return !isWordRune(r) }) {
		piece := uint64(' '<<21 | ' ')
		for _, r := range Fold(word) {
			piece = piece&two<<21 | uint64(r)
			visit(piece)
		}
		visit(piece&two<<21 | ' ')
	}
}

// CountShared counts the pieces that two names have in common.
func (p Pieces) CountShared(other Pieces) int {
	shared := 0
	for i, j := 0, 0; i < len(p) && j < len(other); {
		switch {
		case p[i] == other[j]:
			shared, i, j = shared+1, i+1, j+1
		case p[i] < other[j]:
			i++
		default:
			j++
		}
	}
	return shared
}

// Mask has a bit for each piece, some for several: names whose masks share few bits share
// few pieces.
func (p Pieces) Mask() (mask uint64) {
	for _, piece := range p {
		mask |= 1 << (piece * 0x9E3779B97F4A7C15 >> 58)
	}
	return mask
}

// Likeness is the Sørensen–Dice similarity of two names, 0 to 1.
func (p Pieces) Likeness(other Pieces) float64 {
	if len(p)+len(other) == 0 {
		return 0
	}
	return 2 * float64(p.CountShared(other)) / float64(len(p)+len(other))
}
