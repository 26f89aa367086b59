package sentence

import "sync"

const (
	// Dimension is the length of a row and of the vector of a text.
	Dimension = 512

	// rowGroups is the number of groups of rows with levels of their own: that
	// of a row is its number modulo rowGroups.
	rowGroups   = 17
	symbolCount = 64 // the rows have 6 bits a number
	codeTables  = 32
	// maxCodeLength is the length of the longest code, in bits.
	maxCodeLength = 12
	offsetBits    = 27 // of an entry of the row index; the rest is the code table
)

// rowTable holds one row of Dimension numbers for each piece.
type rowTable struct {
	index  string
	codes  string
	levels [rowGroups][symbolCount]float32
	tables [codeTables]func() *codeTable
}

// codeTable gives for the next maxCodeLength bits the symbol and, above 8 bits,
// the length of its code.
type codeTable [1 << maxCodeLength]uint16

func newRowTable(sections *[SectionCount]string) *rowTable {
	r := &rowTable{index: sections[SectionRowIndex], codes: sections[SectionRows]}
	for group := range r.levels {
		for symbol := range r.levels[group] {
			r.levels[group][symbol] = float32At(sections[SectionLevels], group*symbolCount+symbol)
		}
	}
	for i := range r.tables {
		lengths := sections[SectionCodeLengths][i*symbolCount : (i+1)*symbolCount]
		r.tables[i] = sync.OnceValue(func() *codeTable { return newCodeTable(lengths) })
	}
	return r
}

// newCodeTable makes the canonical code of these lengths: shorter codes come
// first, those of one length in the order of their symbols.
func newCodeTable(lengths string) *codeTable {
	table, at := new(codeTable), 0
	for length := 1; length <= maxCodeLength; length++ {
		for symbol := range symbolCount {
			if int(lengths[symbol]) != length {
				continue
			}
			for range 1 << (maxCodeLength - length) {
				table[at] = uint16(length<<8 | symbol)
				at++
			}
		}
	}
	return table
}

// decodeRow writes the numbers of a row to target.
func (r *rowTable) decodeRow(row int, target []float32) {
	entry := uint32At(r.index, 4*row)
	table := r.tables[entry>>offsetBits]()
	levels := &r.levels[row%rowGroups]
	codes := r.codes[entry&(1<<offsetBits-1):]
	var bits uint64 // the next bits, from the highest on
	count := 0      // how many of them have been read
	for i := range target[:Dimension] {
		for count < maxCodeLength {
			if len(codes) > 0 { // the last row may end within maxCodeLength of the end
				bits |= uint64(codes[0]) << (56 - count)
				codes = codes[1:]
			}
			count += 8
		}
		found := table[bits>>(64-maxCodeLength)]
		bits <<= found >> 8
		count -= int(found >> 8)
		target[i] = levels[found&(symbolCount-1)]
	}
}
