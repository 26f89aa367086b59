package main

import (
	"math"
	"math/rand/v2"

	"github.com/viterin/vek/vek32"

	"toolkit/internal/capture/notice"
)

// How a head learns. The figures were chosen by leaving one author of the sets out.
const (
	unitCount         = 64  // of most heads
	sentenceUnitCount = 128 // of the head of sentences, which has the most examples
	epochCount        = 15
	batchSize         = 64
	learningRate      = 0.002 // at first; it sinks to nothing along a cosine
	weightDecay       = 0.03
	// A share of inputs and of units is left out at random at each step, so that no few
	// of them decide.
	inputDropout = 0.15
	unitDropout  = 0.3
	kindWeight   = 0.3 // of telling kinds apart, beside telling what lasts
)

// target is what a head should say of an example.
type target struct {
	label  bool
	kind   int     // of what lasts, by place; -1: none
	weight float64 // what the example counts beside others
}

// trainer learns one head by gradient descent (AdamW). It is the same on every run.
type trainer struct {
	head                    notice.Head
	random                  *rand.Rand
	gradient, first, second []float32
	step, steps             int
	weightOf                map[bool]float64
	units, unitSlope        []float32 // of the example at hand
	seen, scaled            []float32 // its inputs, and these times a slope
}

// trainHead finds the head of so many units that tells examples apart. Both labels weigh the same.
// With kindCount above 0 it also learns to tell the kinds of what lasts apart.
func trainHead(inputs [][]float32, targets []target, units, kindCount int) notice.Head {
	h := notice.Head{Inputs: len(inputs[0]), Units: units, Outputs: 1 + kindCount}
	h.Weights = make([]float32, h.WeightCount())
	t := &trainer{
		head: h, random: rand.New(rand.NewPCG(1, 2)), weightOf: balanceLabelWeights(targets), steps: epochCount * ((len(inputs) + batchSize - 1) / batchSize),
		gradient: make([]float32, len(h.Weights)), first: make([]float32, len(h.Weights)), second: make([]float32, len(h.Weights)),
		units: make([]float32, h.Units), unitSlope: make([]float32, h.Units),
		seen: make([]float32, h.Inputs), scaled: make([]float32, h.Inputs),
	}
	t.initWeights()
	for range epochCount {
		order := t.random.Perm(len(inputs))
		for start := 0; start < len(order); start += batchSize {
			batch := order[start:min(start+batchSize, len(order))]
			for _, i := range batch {
				t.addGradient(inputs[i], targets[i], 1/float64(len(batch)))
			}
			t.stepAgainstGradient()
		}
	}
	return t.head
}

// initWeights gives the weights small random values: the fewer, the more inputs they weigh.
func (t *trainer) initWeights() {
	for i := range t.head.Units {
		t.randomizeWeights(t.head.UnitWeights(i), t.head.Inputs)
	}
	for i := range t.head.Outputs {
		t.randomizeWeights(t.head.OutputWeights(i), t.head.Units)
	}
}

func (t *trainer) randomizeWeights(weights []float32, inputCount int) {
	bound := 1 / math.Sqrt(float64(inputCount))
	for i := range weights {
		weights[i] = float32((2*t.random.Float64() - 1) * bound)
	}
}

// addGradient adds the slope of one example to the gradient.
func (t *trainer) addGradient(inputs []float32, want target, share float64) {
	h := &t.head
	for i, x := range inputs {
		t.seen[i] = 0
		if x != 0 && t.random.Float32() >= inputDropout {
			t.seen[i] = x / (1 - inputDropout)
		}
	}
	for i := range t.units {
		t.units[i], t.unitSlope[i] = 0, 0
		if t.random.Float64() >= unitDropout {
			t.units[i] = max(notice.WeightedSum(h.UnitWeights(i), t.seen), 0) / (1 - unitDropout)
		}
	}
	for i, slope := range t.outputGradients(want, share) {
		if slope == 0 {
			continue
		}
		output, gradient := h.OutputWeights(i), t.gradientSlice(h.Units*(h.Inputs+1)+i*(h.Units+1), h.Units+1)
		for j, u := range t.units {
			gradient[j] += slope * u
			t.unitSlope[j] += slope * output[j]
		}
		gradient[h.Units] += slope
	}
	for i, slope := range t.unitSlope {
		if t.units[i] == 0 || slope == 0 {
			continue
		}
		slope /= 1 - unitDropout
		gradient := t.gradientSlice(i*(h.Inputs+1), h.Inputs+1)
		vek32.Add_Inplace(gradient[:h.Inputs], vek32.MulNumber_Into(t.scaled, t.seen, slope))
		gradient[h.Inputs] += slope
	}
}

func (t *trainer) gradientSlice(start, count int) []float32 { return t.gradient[start : start+count] }

// outputGradients are the slopes of the loss at the outputs: logistic for whether it
// lasts, and the cross entropy of the kinds.
func (t *trainer) outputGradients(want target, share float64) []float32 {
	h := &t.head
	sums, slopes := make([]float64, h.Outputs), make([]float32, h.Outputs)
	for i := range sums {
		sums[i] = float64(notice.WeightedSum(h.OutputWeights(i), t.units))
	}
	label := 0.0
	if want.label {
		label = 1
	}
	slopes[0] = float32((1/(1+math.Exp(-sums[0])) - label) * t.weightOf[want.label] * want.weight * share)
	if want.kind < 0 || h.Outputs == 1 {
		return slopes
	}
	total := 0.0
	for _, s := range sums[1:] {
		total += math.Exp(s)
	}
	for i, s := range sums[1:] {
		slopes[1+i] = float32(kindWeight * share * math.Exp(s) / total)
	}
	slopes[1+want.kind] -= float32(kindWeight * share)
	return slopes
}

// stepAgainstGradient takes a step against the gradient and clears it.
func (t *trainer) stepAgainstGradient() {
	t.step++
	rate := float32(learningRate * 0.5 * (1 + math.Cos(math.Pi*float64(t.step-1)/float64(t.steps))))
	firstShare, secondShare := float32(1-math.Pow(0.9, float64(t.step))), float32(1-math.Pow(0.999, float64(t.step)))
	for i, g := range t.gradient {
		t.first[i] = 0.9*t.first[i] + 0.1*g
		t.second[i] = 0.999*t.second[i] + 0.001*g*g
		root := float32(math.Sqrt(float64(t.second[i] / secondShare)))
		t.head.Weights[i] -= rate * (weightDecay*t.head.Weights[i] + t.first[i]/firstShare/(root+1e-8))
	}
	clear(t.gradient)
}

// balanceLabelWeights is the weight of an example by its label, 1 in the mean.
func balanceLabelWeights(targets []target) map[bool]float64 {
	count := map[bool]float64{}
	for _, t := range targets {
		count[t.label]++
	}
	all := float64(len(targets))
	return map[bool]float64{true: all / 2 / max(count[true], 1), false: all / 2 / max(count[false], 1)}
}
