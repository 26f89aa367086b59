package embed

import "math"

// Dot returns the inner product of two vectors of equal length, 0 when their
// lengths differ: vectors of different spaces have nothing in common. The
// result is the same on every platform: the order of additions is fixed and
// no fused multiply-add is allowed.
func Dot(a, b []float32) float32 {
	if len(a) != len(b) {
		return 0
	}
	// Four independent sums keep the adder busy; a single one would wait for
	// each addition to finish. The explicit conversions forbid fusing.
	var s0, s1, s2, s3 float32
	for len(a) >= 8 && len(b) >= 8 {
		x, y := (*[8]float32)(a), (*[8]float32)(b)
		s0 += float32(x[0]*y[0]) + float32(x[4]*y[4])
		s1 += float32(x[1]*y[1]) + float32(x[5]*y[5])
		s2 += float32(x[2]*y[2]) + float32(x[6]*y[6])
		s3 += float32(x[3]*y[3]) + float32(x[7]*y[7])
		a, b = a[8:], b[8:]
	}
	for i := range a {
		s0 += float32(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// Norm returns the Euclidean length of a vector.
func Norm(v []float32) float64 {
	var s0, s1, s2, s3 float64 // see Dot
	for len(v) >= 4 {
		s0 += float64(float64(v[0]) * float64(v[0]))
		s1 += float64(float64(v[1]) * float64(v[1]))
		s2 += float64(float64(v[2]) * float64(v[2]))
		s3 += float64(float64(v[3]) * float64(v[3]))
		v = v[4:]
	}
	for _, x := range v {
		s0 += float64(float64(x) * float64(x))
	}
	return math.Sqrt((s0 + s1) + (s2 + s3))
}

// Cosine returns the cosine similarity of two vectors, in [-1, 1]. It is 0
// when the lengths differ or either vector has no direction (zero, NaN, Inf).
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var dot, squareA, squareB float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot += float64(x * y)
		squareA += float64(x * x)
		squareB += float64(y * y)
	}
	length := float64(math.Sqrt(squareA) * math.Sqrt(squareB))
	if !(length > 0) || math.IsInf(length, 0) {
		return 0
	}
	return max(-1, min(1, dot/length))
}

// Normalize scales a vector to length 1 in place and reports whether it has a
// direction: a zero vector, or one with NaN or Inf, is left alone.
func Normalize(v []float32) bool {
	length := Norm(v)
	if !(length > 0) || math.IsInf(length, 0) {
		return false
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
	return true
}
