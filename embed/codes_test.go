package embed

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestCodesApproximateTheInnerProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, dimension := range []int{1, 2, 3, 7, 8, 9, 64, 383, 384, 1536, 3072} {
		c := newCodes(dimension)
		c.grow(chunkRows + 1)
		for trial := range 20 {
			a, b := randomVector(r, dimension, trial%2 == 0), randomVector(r, dimension, trial%3 == 0)
			if !Normalize(a) || !Normalize(b) {
				continue
			}
			slot := int32(trial % 2 * chunkRows)
			c.put(slot, quantizeVector(a, make([]uint64, c.words)))
			fine, coarse := quantizeQuery(b, 2), quantizeQuery(b, 1)
			want := float64(Dot(a, b))
			if got := float64(c.approximateDot(&fine, slot)); math.Abs(got-want) > 0.01 {
				t.Errorf("dimension %d: two planes give %g, want %g", dimension, got, want)
			}
			if got := float64(c.approximateDot(&coarse, slot)); math.Abs(got-want) > 0.08 {
				t.Errorf("dimension %d: one plane gives %g, want %g", dimension, got, want)
			}
		}
	}
}

func TestCodesDoNotOverflowAtTheExtremes(t *testing.T) {
	const dimension = 4096
	c := newCodes(dimension)
	c.grow(1)
	for _, signs := range [][2]float32{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
		row, query := make([]float32, dimension), make([]float32, dimension)
		for i := range row {
			row[i], query[i] = signs[0]/64, signs[1]/64
		}
		c.put(0, quantizeVector(row, make([]uint64, c.words)))
		for planes := 1; planes <= 2; planes++ {
			q := quantizeQuery(query, planes)
			if got, want := c.approximateDot(&q, 0), signs[0]*signs[1]; math.Abs(float64(got-want)) > 1e-6 {
				t.Errorf("signs %v, %d planes: %g, want %g", signs, planes, got, want)
			}
		}
	}
}

func TestCodesOfZeroScoreZero(t *testing.T) {
	c := newCodes(10)
	c.grow(1)
	c.put(0, quantizeVector(make([]float32, 10), make([]uint64, c.words)))
	q := quantizeQuery([]float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 2)
	if got := c.approximateDot(&q, 0); got != 0 {
		t.Errorf("zero row scores %g", got)
	}
	zero := quantizeQuery(make([]float32, 10), 2)
	if got := c.approximateDot(&zero, 0); got != 0 {
		t.Errorf("zero query scores %g", got)
	}
}

func TestProjectionKeepsInnerProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	p := newProjection(1536, 384)
	square := 0.0
	const trials = 300
	for range trials {
		a, b := randomVector(r, 1536, true), randomVector(r, 1536, true)
		for i := range b {
			b[i] += a[i]
		}
		Normalize(a)
		Normalize(b)
		x, y := make([]float32, 384), make([]float32, 384)
		p.project(a, x)
		p.project(b, y)
		difference := float64(Dot(a, b) - Dot(x, y))
		square += difference * difference
	}
	if deviation := math.Sqrt(square / trials); deviation > 0.08 {
		t.Errorf("the noise of the projection is %.3f, expected about 1/√384 = 0.051", deviation)
	}
}

func TestProjectionLeavesShortVectorsAlone(t *testing.T) {
	p := newProjection(3, 384)
	out := make([]float32, p.to)
	p.project([]float32{1, 2, 3}, out)
	if p.to != 3 || out[0] != 1 || out[2] != 3 {
		t.Errorf("to %d dimensions: %v", p.to, out)
	}
}
