package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"toolkit/embed/sentence"
)

// userDefinedCost is taken from the score of a piece that is always to be found.
const userDefinedCost = 0.1

// addPieces writes the trie of the pieces, their scores and the normaliser.
func (s *source) addPieces(sections *[sentence.SectionCount][]byte) error {
	best := s.pieces[len(s.pieces)-1].score
	for _, p := range s.pieces {
		if p.kind == 1 {
			best = max(best, p.score)
		}
	}
	keys := map[string]int{}
	scores := make([]float32, len(s.pieces))
	for id, p := range s.pieces {
		scores[id] = p.score
		switch p.kind {
		case unknownKind, controlKind: // no text has them
		case userDefinedKind:
			scores[id] = float32(len(p.text))*best - userDefinedCost
			keys[p.text] = id
		default:
			keys[p.text] = id
		}
	}
	if slices.Min(scores[6:]) != scores[len(scores)-1] {
		return errors.New("the last piece has not the worst score")
	}
	nodes, err := buildTrie(keys)
	if err != nil {
		return err
	}
	for _, node := range nodes {
		sections[sentence.SectionPieces] = binary.LittleEndian.AppendUint32(sections[sentence.SectionPieces], node)
	}
	sections[sentence.SectionScores] = packFloats(scores)
	if len(s.normalizer) < 4 {
		return errors.New("there is no table of the normaliser")
	}
	size := 4 + int(binary.LittleEndian.Uint32(s.normalizer))
	if size > len(s.normalizer) {
		return fmt.Errorf("the table of the normaliser ends before %d", size)
	}
	sections[sentence.SectionNormalizer] = s.normalizer[4:size]
	sections[sentence.SectionReplacements] = s.normalizer[size:]
	return nil
}
