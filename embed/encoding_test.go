package embed

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

func TestFloat16RoundTripKeepsTheDirection(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		v := randomVector(r, 1536, true)
		Normalize(v)
		data, err := encodeHalf(v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeHalf(data)
		if err != nil || len(data) != 2*len(v) {
			t.Fatalf("%d bytes, %v", len(data), err)
		}
		if cosine := Cosine(v, got); cosine < 0.999999 {
			t.Fatalf("cosine %g", cosine)
		}
	}
}

func TestEveryHalfDecodesAndEncodesToItself(t *testing.T) {
	for bits := range 1 << 16 {
		half := uint16(bits)
		back := toHalf(fromHalf(half))
		if half&0x7c00 == 0x7c00 && half&0x3ff != 0 { // NaN stays NaN
			if back&0x7c00 != 0x7c00 || back&0x3ff == 0 {
				t.Fatalf("NaN %04x became %04x", half, back)
			}
		} else if back != half {
			t.Fatalf("%04x became %04x", half, back)
		}
	}
}

func TestHalfRoundsToNearestEven(t *testing.T) {
	for x, want := range map[float32]uint16{
		0: 0, 1: 0x3c00, -2: 0xc000, 65504: 0x7bff, 65519.99: 0x7bff, 65520: 0x7c00, 1e30: 0x7c00,
		1 + 1.0/2048: 0x3c00, 1 + 3.0/2048: 0x3c02, 5.9604645e-8: 1, 2.9802322e-8: 0, 3e-8: 1, 6.097555e-5: 0x03ff, 6.1035156e-5: 0x0400,
	} {
		if got := toHalf(x); got != want {
			t.Errorf("%g is %04x, want %04x", x, got, want)
		}
	}
}

func TestEncodingsRefuseWhatTheyCannotHold(t *testing.T) {
	for name, v := range map[string][]float32{"NaN": {float32(math.NaN())}, "Inf": {float32(math.Inf(1))}, "too large": {1, 70000}} {
		if _, err := encodeHalf(v); err == nil {
			t.Errorf("%s was encoded", name)
		}
	}
	for _, data := range [][]byte{{1}, {0, 0x7c}, {1, 0xfe}} {
		if v, err := decodeHalf(data); err == nil {
			t.Errorf("% x became %v", data, v)
		}
	}
}

func FuzzDecodedVectorsAreFiniteAndEncodeToTheSameBytes(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 0x80, 0x3f})
	f.Add([]byte{0, 0, 0x80, 0x7f})
	f.Fuzz(func(t *testing.T, data []byte) {
		check := func(v []float32, err error, encode func([]float32) ([]byte, error)) {
			if err != nil {
				return
			}
			for i, x := range v {
				if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
					t.Fatalf("component %d of % x is %g", i, data, x)
				}
			}
			if back, err := encode(v); err != nil || !bytes.Equal(back, data) {
				t.Fatalf("% x became % x, %v", data, back, err)
			}
		}
		v, err := decodeHalf(data)
		check(v, err, encodeHalf)
	})
}
