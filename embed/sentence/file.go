package sentence

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
)

//go:embed model/use-multilingual-3.bin
var embeddedFile string

// Magic begins a model file. The last byte is the version of the format.
const Magic = "SENTVEC\x01"

// The sections of a model file, in the order of its directory. Numbers are
// little-endian.
const (
	SectionName         = iota // the name of the model, as text
	SectionMean                // Dimension float32
	SectionLevels              // for each of 17 groups of rows, the float32 of 64 symbols
	SectionCodeLengths         // for each of 32 code tables, the length of 64 codes as a byte
	SectionRowIndex            // for each row a uint32: code table in the upper 5 bits, else offset
	SectionRows                // the coded rows, each from a whole byte on
	SectionMatrices            // the matrices of the network as int8, in the order of matrixShapes
	SectionVectors             // float32: the steps of the matrices, then the vectors of the network
	SectionPieces              // double-array trie of the pieces
	SectionScores              // a float32 for each piece
	SectionNormalizer          // double-array trie of the normaliser
	SectionReplacements        // its replacements, each ended by a zero byte
	SectionCount
)

// headerSize is the length of Magic and of the directory: the length of each
// section as a uint32. Sections follow in order, each at a multiple of 8.
const headerSize = len(Magic) + 4*SectionCount

// errBadFile is returned for a string that is no model file.
var errBadFile = errors.New("this is not a sentence model of a known format")

// splitSections returns the sections of a model file.
func splitSections(file string) (sections [SectionCount]string, err error) {
	if len(file) < headerSize || file[:len(Magic)] != Magic {
		return sections, errBadFile
	}
	offset := alignOffset(headerSize)
	for i := range sections {
		size := int(uint32At(file, len(Magic)+4*i))
		if size > len(file)-offset {
			return sections, fmt.Errorf("%w: section %d is cut off", errBadFile, i)
		}
		sections[i] = file[offset : offset+size]
		offset = min(alignOffset(offset+size), len(file))
	}
	return sections, nil
}

func alignOffset(n int) int { return (n + 7) &^ 7 }

// checkSizes returns an error if a section of fixed size has another one.
func checkSizes(sections *[SectionCount]string) error {
	weights, numbers := 0, len(matrixShapes)
	for _, shape := range matrixShapes {
		weights += shape.rows * shape.columns
	}
	for _, size := range vectorSizes {
		numbers += size
	}
	rows := len(sections[SectionRowIndex]) / 4
	for section, want := range map[int]int{
		SectionMean:        4 * Dimension,
		SectionLevels:      4 * rowGroups * symbolCount,
		SectionCodeLengths: codeTables * symbolCount,
		SectionMatrices:    weights,
		SectionVectors:     4 * numbers,
		SectionScores:      4 * rows,
	} {
		if len(sections[section]) != want {
			return fmt.Errorf("%w: section %d has %d bytes and not %d", errBadFile, section, len(sections[section]), want)
		}
	}
	if rows <= endPiece || len(sections[SectionPieces])%4 != 0 || len(sections[SectionNormalizer])%4 != 0 {
		return fmt.Errorf("%w: pieces are missing", errBadFile)
	}
	return nil
}

// uint32At reads the four bytes at an offset.
func uint32At(s string, offset int) uint32 {
	s = s[offset : offset+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// float32At reads the i-th number of a section of float32.
func float32At(s string, i int) float32 {
	return math.Float32frombits(uint32At(s, 4*i))
}

// readFloats copies count numbers from the first-th on.
func readFloats(s string, first, count int) []float32 {
	numbers := make([]float32, count)
	for i := range numbers {
		numbers[i] = float32At(s, first+i)
	}
	return numbers
}
