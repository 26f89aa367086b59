package embed

import (
	"math"
	"testing"
)

func TestAVectorIsReadAsItWasWritten(t *testing.T) {
	full := make([]float32, 384)
	for i := range full {
		full[i] = float32(i%7) - 3.1
	}
	Normalize(full)
	for name, way := range map[string]struct {
		pack   func([]float32) ([]byte, error)
		length int
		error  float64 // of the cosine at most
	}{"one byte a component": {Pack, 5 + 384, 1e-4}, "two bytes a component": {PackHalf, 1 + 2*384, 1e-5}} {
		packed, err := way.pack(full)
		if err != nil || len(packed) != way.length {
			t.Errorf("%s: %d bytes, %v", name, len(packed), err)
		}
		if got, err := Unpack(packed); err != nil || math.Abs(Cosine(got, full)-1) > way.error {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := way.pack([]float32{1, float32(math.NaN())}); err == nil {
			t.Errorf("%s: what is no number was packed", name)
		}
		if _, err := way.pack([]float32{1, float32(math.Inf(1))}); err == nil {
			t.Errorf("%s: what is not finite was packed", name)
		}
	}
	for _, damaged := range [][]byte{{9}, {halfPacked, 1}, {bytePacked, 1, 2}, {bytePacked, 0, 0, 0x80, 0x7f, 1}, {bytePacked, 0, 0, 0x80, 0xbf, 1}, {sparsePacked}, {sparsePacked, 1}, {sparsePacked, 1, 0, 5}, {sparsePacked, 1, 0, 5, 0, 0, 0, 0, 0}, {sparsePacked, 1, 0, 0, 0, 0, 0, 0x80, 0x7f}} {
		if _, err := Unpack(damaged); err == nil {
			t.Errorf("%v was read", damaged)
		}
	}
	if got, err := Unpack(nil); got != nil || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}
