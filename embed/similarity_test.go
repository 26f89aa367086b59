package embed

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomVector returns a vector of the given length; about half of the
// components are zero when sparse.
func randomVector(r *rand.Rand, dimension int, sparse bool) []float32 {
	v := make([]float32, dimension)
	for i := range v {
		if !sparse || r.IntN(2) == 0 {
			v[i] = float32(r.NormFloat64())
		}
	}
	return v
}

func TestDotAgreesWithDoublePrecision(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for dimension := range 70 {
		a, b := randomVector(r, dimension, false), randomVector(r, dimension, false)
		want := 0.0
		for i := range a {
			want += float64(a[i]) * float64(b[i])
		}
		if got := float64(Dot(a, b)); math.Abs(got-want) > 1e-4 {
			t.Errorf("dimension %d: %g, want %g", dimension, got, want)
		}
	}
	if Dot([]float32{1}, []float32{1, 2}) != 0 {
		t.Error("vectors of different spaces must have product 0")
	}
}

func TestCosine(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name string
		a, b []float32
		want float64
	}{
		{"same direction", []float32{1, 2}, []float32{2, 4}, 1},
		{"opposite direction", []float32{1, 2}, []float32{-1, -2}, -1},
		{"right angle", []float32{1, 0}, []float32{0, 3}, 0},
		{"different lengths", []float32{1}, []float32{1, 0}, 0},
		{"zero", []float32{0, 0}, []float32{1, 0}, 0},
		{"NaN", []float32{nan, 0}, []float32{1, 0}, 0},
		{"Inf", []float32{inf, 0}, []float32{1, 0}, 0},
		{"empty", nil, nil, 0},
	} {
		if got := Cosine(c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

func TestNormalizeRefusesWhatHasNoDirection(t *testing.T) {
	for name, v := range map[string][]float32{
		"empty": nil, "zero": {0, 0}, "NaN": {1, float32(math.NaN())}, "Inf": {float32(math.Inf(-1)), 1},
	} {
		if Normalize(v) {
			t.Errorf("%s was normalised", name)
		}
	}
	v := []float32{3, 4}
	if !Normalize(v) || v[0] != 0.6 || v[1] != 0.8 {
		t.Errorf("got %v", v)
	}
	tiny := []float32{math.SmallestNonzeroFloat32, 0}
	if !Normalize(tiny) || tiny[0] != 1 {
		t.Errorf("the smallest number has a direction, got %v", tiny)
	}
}
