package embed

import (
	"encoding/binary"
	"fmt"
	"math"
)

// encodeHalf returns a vector as little-endian IEEE 754 half precision, two
// bytes a component, rounded to nearest even: about three decimal digits, which
// moves a cosine similarity by less than 0.001. It refuses components beyond
// ±65504, NaN and Inf; a vector of length 1 has none.
func encodeHalf(v []float32) ([]byte, error) {
	data := make([]byte, 0, 2*len(v))
	for i, x := range v {
		half := toHalf(x)
		if half&0x7c00 == 0x7c00 {
			return nil, fmt.Errorf("component %d (%g) does not fit half precision", i, x)
		}
		data = binary.LittleEndian.AppendUint16(data, half)
	}
	return data, nil
}

// decodeHalf reverses encodeHalf. It refuses a length that is no multiple of two
// and components that are NaN or Inf.
func decodeHalf(data []byte) ([]float32, error) {
	if len(data)%2 != 0 {
		return nil, fmt.Errorf("a float16 vector cannot have %d bytes", len(data))
	}
	v := make([]float32, len(data)/2)
	for i := range v {
		half := binary.LittleEndian.Uint16(data[2*i:])
		if half&0x7c00 == 0x7c00 {
			return nil, fmt.Errorf("component %d of the vector is not a finite number", i)
		}
		v[i] = fromHalf(half)
	}
	return v, nil
}

// toHalf converts to half precision, rounding to nearest even.
func toHalf(x float32) uint16 {
	bits := math.Float32bits(x)
	sign := uint16(bits >> 16 & 0x8000)
	magnitude := bits & 0x7fffffff
	switch {
	case magnitude > 0x7f800000: // NaN
		return sign | 0x7e00
	case magnitude >= 0x477ff000: // rounds beyond 65504: Inf
		return sign | 0x7c00
	case magnitude < 0x33000000: // below half of the smallest: 0
		return sign
	case magnitude < 0x38800000: // subnormal
		exponent := magnitude >> 23
		mantissa := magnitude&0x7fffff | 0x800000
		return sign | uint16(shiftRoundingToEven(mantissa, 126-exponent))
	}
	// Rounding may carry into the exponent, which is what it should do.
	return sign | uint16(shiftRoundingToEven(magnitude-0x38000000, 13))
}

// shiftRoundingToEven is x / 2^n, rounded to nearest even.
func shiftRoundingToEven(x, n uint32) uint32 {
	half := uint32(1) << (n - 1)
	rest := x & (1<<n - 1)
	x >>= n
	if rest > half || rest == half && x&1 == 1 {
		x++
	}
	return x
}

// fromHalf is exact.
func fromHalf(half uint16) float32 {
	sign := uint32(half&0x8000) << 16
	exponent, mantissa := uint32(half>>10&0x1f), uint32(half&0x3ff)
	switch exponent {
	case 0: // zero and subnormals, in steps of 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(mantissa)/(1<<24)))
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | mantissa<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | mantissa<<13)
}
