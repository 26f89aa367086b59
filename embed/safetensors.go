package embed

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
)

const (
	// maxHeaderBytes bounds the JSON header of a safetensors file.
	maxHeaderBytes = 16 << 20
	// maxTensorElements bounds one tensor: 1 GB of float32, far beyond any
	// static model.
	maxTensorElements = 1 << 28
)

// tensor describes one tensor of a safetensors file.
type tensor struct {
	Type    string   `json:"dtype"`
	Shape   []int64  `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"` // within the data that follows the header
}

// elementBytes are the sizes of the types that can be read.
var elementBytes = map[string]int64{"F32": 4, "F16": 2, "BF16": 2, "F64": 8, "I32": 4, "I64": 8}

// safetensors is an opened file: its checked header and where data starts.
type safetensors struct {
	tensors map[string]tensor
	file    io.ReaderAt
	start   int64
}

// readSafetensors reads and checks the header of a file of the given size:
// eight bytes of little-endian length, a JSON object, then data. It trusts
// nothing it reads.
func readSafetensors(file io.ReaderAt, size int64) (*safetensors, error) {
	var prefix [8]byte
	if size < int64(len(prefix)) {
		return nil, fmt.Errorf("not a safetensors file: only %d bytes", size)
	}
	if _, err := file.ReadAt(prefix[:], 0); err != nil {
		return nil, fmt.Errorf("read the length of the header: %w", err)
	}
	length := binary.LittleEndian.Uint64(prefix[:])
	if length < 2 || length > maxHeaderBytes || int64(length) > size-8 {
		return nil, fmt.Errorf("not a safetensors file: a header of %d bytes in a file of %d", length, size)
	}
	header := make([]byte, length)
	if _, err := file.ReadAt(header, 8); err != nil {
		return nil, fmt.Errorf("read the header: %w", err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(header, &raw); err != nil {
		return nil, fmt.Errorf("the safetensors header is not JSON: %w", err)
	}
	opened := &safetensors{tensors: make(map[string]tensor), file: file, start: 8 + int64(length)}
	for name, description := range raw {
		if name == "__metadata__" {
			continue
		}
		var t tensor
		if err := json.Unmarshal(description, &t); err != nil {
			return nil, fmt.Errorf("tensor %q is not described as documented: %w", name, err)
		}
		if err := t.check(size - opened.start); err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		opened.tensors[name] = t
	}
	return opened, nil
}

// elements multiplies the shape; it is checked not to overflow.
func (t tensor) elements() int64 {
	n := int64(1)
	for _, side := range t.Shape {
		n *= side
	}
	return n
}

// check tells whether shape, type and place agree with each other and with the
// size of the data. Types that cannot be read are checked for their place only.
func (t tensor) check(size int64) error {
	n := int64(1)
	for _, side := range t.Shape {
		if side < 0 || side > maxTensorElements || n*max(side, 1) > maxTensorElements {
			return fmt.Errorf("shape %v is negative or too large", t.Shape)
		}
		n *= max(side, 1)
	}
	start, end := t.Offsets[0], t.Offsets[1]
	if start < 0 || end < start || end > size {
		return fmt.Errorf("bytes %d to %d lie outside of the data (%d bytes)", start, end, size)
	}
	if width, ok := elementBytes[t.Type]; ok && end-start != t.elements()*width {
		return fmt.Errorf("shape %v of %s does not fill %d bytes", t.Shape, t.Type, end-start)
	}
	return nil
}

// floats reads a floating-point tensor.
func (s *safetensors) floats(name string) ([]float32, error) {
	data, err := s.read(name, "F32", "F16", "BF16", "F64")
	if err != nil {
		return nil, err
	}
	values := make([]float32, s.tensors[name].elements())
	for i := range values {
		switch s.tensors[name].Type {
		case "F32":
			values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		case "F16":
			values[i] = fromHalf(binary.LittleEndian.Uint16(data[2*i:]))
		case "BF16":
			values[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(data[2*i:])) << 16)
		case "F64":
			values[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:])))
		}
	}
	return values, nil
}

// integers reads an integer tensor.
func (s *safetensors) integers(name string) ([]int64, error) {
	data, err := s.read(name, "I32", "I64")
	if err != nil {
		return nil, err
	}
	values := make([]int64, s.tensors[name].elements())
	for i := range values {
		if s.tensors[name].Type == "I32" {
			values[i] = int64(int32(binary.LittleEndian.Uint32(data[4*i:])))
		} else {
			values[i] = int64(binary.LittleEndian.Uint64(data[8*i:]))
		}
	}
	return values, nil
}

// read returns the bytes of a tensor of one of the given types.
func (s *safetensors) read(name string, types ...string) ([]byte, error) {
	t, ok := s.tensors[name]
	if !ok {
		return nil, fmt.Errorf("there is no tensor %q", name)
	}
	for _, accepted := range types {
		if t.Type == accepted {
			data := make([]byte, t.Offsets[1]-t.Offsets[0])
			if _, err := s.file.ReadAt(data, s.start+t.Offsets[0]); err != nil && len(data) > 0 {
				return nil, fmt.Errorf("read tensor %q: %w", name, err)
			}
			return data, nil
		}
	}
	return nil, fmt.Errorf("tensor %q is of type %s; one of %v can be read", name, t.Type, types)
}
