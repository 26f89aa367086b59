package main

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"toolkit/embed/sentence"
)

const (
	symbolCount   = 64
	codeTables    = 32
	maxCodeLength = 12
	offsetBits    = 27
	// clusterRounds is how often rows choose a code table and tables are made
	// anew; more change the size by less than a thousandth.
	clusterRounds = 24
)

// symbolsOfRow returns the symbols of a row: its numbers of 6 bits, moved so that the
// number nearest to zero is 32 in all groups.
func (s *source) symbolsOfRow(id int) []byte {
	group := id % rowGroups
	codes := s.arrays[fmt.Sprintf("q%d", group+1)].data[id/rowGroups*sentence.Dimension:][:sentence.Dimension]
	shift := s.zero(group) - symbolCount/2
	symbols := make([]byte, len(codes))
	for i, code := range codes {
		symbols[i] = byte(int(code)-shift) % symbolCount
	}
	return symbols
}

// zero is the number of 6 bits in a group that is nearest to zero.
func (s *source) zero(group int) int {
	scale, low := s.arrays["scale"].floats()[group], s.arrays["lo"].floats()[group]
	return int(math.Round(float64(-low / scale)))
}

// computeLevels returns what the symbols of each group stand for.
func (s *source) computeLevels() []float32 {
	scales, lows := s.arrays["scale"].floats(), s.arrays["lo"].floats()
	var levels []float32
	for group := range rowGroups {
		for symbol := range symbolCount {
			code := (symbol + s.zero(group) - symbolCount/2 + symbolCount) % symbolCount
			product := float32(float32(code) * scales[group]) // rounded before the sum on any processor
			levels = append(levels, product+lows[group])
		}
	}
	return levels
}

type histogram [symbolCount]int

// addRows writes the rows with prefix codes.
func (s *source) addRows(sections *[sentence.SectionCount][]byte) {
	counts := make([]histogram, len(s.pieces))
	for id := range counts {
		for _, symbol := range s.symbolsOfRow(id) {
			counts[id][symbol]++
		}
	}
	lengths, choice := clusterRows(counts)
	var codes [codeTables][symbolCount]uint32
	for table := range codes {
		codes[table] = canonicalCodes(lengths[table])
		for _, length := range lengths[table] {
			sections[sentence.SectionCodeLengths] = append(sections[sentence.SectionCodeLengths], byte(length))
		}
	}
	var index, packed []byte
	for id, table := range choice {
		index = binary.LittleEndian.AppendUint32(index, uint32(table<<offsetBits|len(packed)))
		var bits uint64
		count := 0
		for _, symbol := range s.symbolsOfRow(id) {
			length := lengths[table][symbol]
			bits, count = bits<<length|uint64(codes[table][symbol]), count+length
			for ; count >= 8; count -= 8 {
				packed = append(packed, byte(bits>>(count-8)))
			}
		}
		if count > 0 {
			packed = append(packed, byte(bits<<(8-count)))
		}
	}
	sections[sentence.SectionRowIndex], sections[sentence.SectionRows] = index, packed
	sections[sentence.SectionLevels] = packFloats(s.computeLevels())
}

// clusterRows finds code tables and the table of each row that make rows short. It
// begins with rows of equal spread and counts in whole numbers, so that the result
// is the same everywhere.
func clusterRows(counts []histogram) (lengths [codeTables][symbolCount]int, choice []int) {
	order, spread := make([]int, len(counts)), make([]int, len(counts))
	for id := range counts {
		order[id] = id
		for symbol, n := range counts[id] {
			spread[id] += n * (symbol - symbolCount/2) * (symbol - symbolCount/2)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(spread[a], spread[b]) })
	choice = make([]int, len(counts))
	for i, id := range order {
		choice[id] = i * codeTables / len(counts)
	}
	for range clusterRounds {
		var sums [codeTables]histogram
		for id, table := range choice {
			for symbol, n := range counts[id] {
				sums[table][symbol] += n
			}
		}
		for table := range sums {
			lengths[table] = limitedCodeLengths(sums[table])
		}
		for id := range counts {
			choice[id] = shortestTable(&counts[id], &lengths)
		}
	}
	return lengths, choice
}

func shortestTable(counts *histogram, lengths *[codeTables][symbolCount]int) (best int) {
	shortest := math.MaxInt
	for table := range lengths {
		size := 0
		for symbol, n := range counts {
			size += n * lengths[table][symbol]
		}
		if size < shortest {
			best, shortest = table, size
		}
	}
	return best
}

// limitedCodeLengths makes a Huffman code for all symbols. Rare ones are counted up until
// no code is too long.
func limitedCodeLengths(counts histogram) (lengths [symbolCount]int) {
	for least := 1; ; least *= 2 {
		for symbol, n := range counts {
			counts[symbol] = max(n, least)
		}
		if lengths = huffmanCodeLengths(counts); slices.Max(lengths[:]) <= maxCodeLength {
			return lengths
		}
	}
}

func huffmanCodeLengths(counts histogram) (lengths [symbolCount]int) {
	type tree struct {
		count   int
		symbols []int
	}
	var trees []tree
	for symbol, n := range counts {
		trees = append(trees, tree{n, []int{symbol}})
	}
	for len(trees) > 1 {
		slices.SortStableFunc(trees, func(a, b tree) int { return cmp.Compare(a.count, b.count) })
		joined := tree{trees[0].count + trees[1].count, slices.Concat(trees[0].symbols, trees[1].symbols)}
		for _, symbol := range joined.symbols {
			lengths[symbol]++
		}
		trees = append([]tree{joined}, trees[2:]...)
	}
	return lengths
}

// canonicalCodes numbers codes by length and then by symbol.
func canonicalCodes(lengths [symbolCount]int) (codes [symbolCount]uint32) {
	code := uint32(0)
	for length := 1; length <= maxCodeLength; length++ {
		for symbol := range symbolCount {
			if lengths[symbol] == length {
				codes[symbol] = code
				code++
			}
		}
		code <<= 1
	}
	return codes
}
