package main

import (
	"math"

	"toolkit/embed/sentence"
	"toolkit/tools/engines/notice"
)

const (
	steps = 600
	rate  = 0.05
	// strength is how much all examples together weigh against small weights, which
	// keep a few lines of one author from deciding anything.
	strength = 2
)

// fit finds the head that tells the examples apart, by gradient descent with momentum
// (Adam) on the logistic loss. Both labels weigh the same. It is the same on every
// run.
func fit(examples []example) notice.Head {
	width := sentence.Dimension + notice.FeatureCount + 1
	w, first, second, gradient := make([]float64, width), make([]float64, width), make([]float64, width), make([]float64, width)
	weightOf := balance(examples)
	decay := 1 / (strength * float64(max(len(examples), 1)))
	for step := 1; step <= steps; step++ {
		clear(gradient)
		for i := range examples {
			e := &examples[i]
			label := 0.0
			if e.label {
				label = 1
			}
			slope := (1/(1+math.Exp(-sum(w, e))) - label) * weightOf[e.label]
			for j, x := range e.vector {
				gradient[j] += slope * float64(x)
			}
			for j, x := range e.features {
				gradient[sentence.Dimension+j] += slope * float64(x)
			}
			gradient[width-1] += slope
		}
		for j := range w {
			g := gradient[j]
			if j < width-1 {
				g += decay * w[j]
			}
			first[j] = 0.9*first[j] + 0.1*g
			second[j] = 0.999*second[j] + 0.001*g*g
			m, v := first[j]/(1-math.Pow(0.9, float64(step))), second[j]/(1-math.Pow(0.999, float64(step)))
			w[j] -= rate * m / (math.Sqrt(v) + 1e-8)
		}
	}
	return headOf(w)
}

func headOf(w []float64) notice.Head {
	h := notice.Head{Bias: float32(w[len(w)-1])}
	for _, x := range w[:sentence.Dimension] {
		h.Vector = append(h.Vector, round(x))
	}
	for _, x := range w[sentence.Dimension : len(w)-1] {
		h.Features = append(h.Features, round(x))
	}
	return h
}

// round keeps four digits, which is all that a few thousand lines can tell.
func round(x float64) float32 { return float32(math.Round(x*1e4) / 1e4) }

// balance is the weight of an example by its label; all together weigh 1.
func balance(examples []example) map[bool]float64 {
	count := map[bool]float64{}
	for _, e := range examples {
		count[e.label]++
	}
	return map[bool]float64{true: 0.5 / max(count[true], 1), false: 0.5 / max(count[false], 1)}
}

func sum(w []float64, e *example) float64 {
	total := w[len(w)-1]
	for j, x := range e.vector {
		total += w[j] * float64(x)
	}
	for j, x := range e.features {
		total += w[sentence.Dimension+j] * float64(x)
	}
	return total
}
