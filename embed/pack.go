package embed

import (
	"encoding/binary"
	"errors"
	"math"
)

// The first byte of a stored vector says how it is written.
const (
	densePacked  = 1 // all components in half precision
	sparsePacked = 2 // dimension, then place and value of each component that is not 0
)

// Pack writes a vector for a store, nil for nil. Hashed vectors are nearly empty,
// so they take a tenth of the room when their zeros are left out.
func Pack(v []float32) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	filled := 0
	for _, x := range v {
		if x != 0 {
			filled++
		}
	}
	if 3*filled >= len(v) || len(v) > math.MaxUint16 {
		half, err := encodeHalf(v)
		return append([]byte{densePacked}, half...), err
	}
	data := make([]byte, 0, 3+6*filled)
	data = binary.LittleEndian.AppendUint16(append(data, sparsePacked), uint16(len(v)))
	for i, x := range v {
		if x != 0 {
			data = binary.LittleEndian.AppendUint16(data, uint16(i))
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	return data, nil
}

// ErrPacked refuses bytes that Pack did not write.
var ErrPacked = errors.New("the stored vector is damaged")

// Unpack reads what Pack wrote; nil for nil, ErrPacked for anything else.
func Unpack(data []byte) ([]float32, error) {
	switch {
	case len(data) == 0:
		return nil, nil
	case data[0] == densePacked:
		return decodeHalf(data[1:])
	case data[0] != sparsePacked || len(data) < 3 || (len(data)-3)%6 != 0:
		return nil, ErrPacked
	}
	v := make([]float32, binary.LittleEndian.Uint16(data[1:]))
	for rest := data[3:]; len(rest) > 0; rest = rest[6:] {
		i, x := int(binary.LittleEndian.Uint16(rest)), math.Float32frombits(binary.LittleEndian.Uint32(rest[2:]))
		if i >= len(v) || x-x != 0 {
			return nil, ErrPacked
		}
		v[i] = x
	}
	return v, nil
}
