package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The first byte of a stored vector says how it is written.
const (
	halfPacked   = 1 // all components in half precision
	sparsePacked = 2 // dimension, then place and value of each component that is not 0
	bytePacked   = 3 // the greatest magnitude, then all components as shares of it in steps of 1/127
)

// Pack writes a vector for a store, one byte a component, nil for nil: a cosine moves by
// less than 0.001. Hashed vectors are nearly empty, so their zeros are left out.
func Pack(v []float32) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	filled, greatest := 0, float32(0)
	for _, x := range v {
		if x != 0 {
			filled++
		}
		greatest = max(greatest, x, -x) // NaN stays
	}
	if greatest-greatest != 0 {
		return nil, fmt.Errorf("a component of the vector is not a finite number")
	}
	if 3*filled >= len(v) || len(v) > math.MaxUint16 {
		return packBytes(v, greatest), nil
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

const byteSteps = 127

func packBytes(v []float32, greatest float32) []byte {
	data := make([]byte, 0, 5+len(v))
	data = binary.LittleEndian.AppendUint32(append(data, bytePacked), math.Float32bits(greatest))
	for _, x := range v {
		data = append(data, byte(int8(math.Round(float64(x/max(greatest, math.SmallestNonzeroFloat32))*byteSteps))))
	}
	return data
}

func unpackBytes(data []byte) ([]float32, error) {
	if len(data) < 4 {
		return nil, ErrPacked
	}
	greatest := math.Float32frombits(binary.LittleEndian.Uint32(data))
	if !(greatest >= 0) || greatest-greatest != 0 {
		return nil, ErrPacked
	}
	v := make([]float32, len(data)-4)
	for i, b := range data[4:] {
		v[i] = float32(int8(b)) * greatest / byteSteps
	}
	return v, nil
}

// PackHalf writes a vector with two bytes a component, for those that somebody gave and
// may compare exactly. [Unpack] reads it.
func PackHalf(v []float32) ([]byte, error) {
	half, err := encodeHalf(v)
	return append([]byte{halfPacked}, half...), err
}

// ErrPacked refuses bytes that neither Pack nor PackHalf wrote.
var ErrPacked = errors.New("the stored vector is damaged")

// Unpack reads what Pack and PackHalf wrote; nil for nil, ErrPacked for anything else.
func Unpack(data []byte) ([]float32, error) {
	switch {
	case len(data) == 0:
		return nil, nil
	case data[0] == halfPacked:
		return decodeHalf(data[1:])
	case data[0] == bytePacked:
		return unpackBytes(data[1:])
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
