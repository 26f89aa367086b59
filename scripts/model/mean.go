package main

import (
	"context"
	"math"

	"github.com/viterin/vek/vek32"

	"toolkit/embed/sentence"
)

// meanStep is what the numbers of the mean are rounded to, so that the last bits
// of other arithmetic do not show.
const meanStep = 1.0 / 4096

// meanVector returns the mean of the vectors of sentences. It computes without
// AVX2, whose sums differ in their last bits.
func meanVector(file []byte, sentences []string) ([]float32, error) {
	vek32.SetAcceleration(false)
	model, err := sentence.Parse(string(file))
	if err != nil {
		return nil, err
	}
	sums := make([]float64, sentence.Dimension)
	for _, text := range sentences {
		v, err := model.Embed(context.Background(), text)
		if err != nil {
			return nil, err
		}
		for i, x := range v {
			sums[i] += float64(x)
		}
	}
	mean := make([]float32, len(sums))
	for i, sum := range sums {
		mean[i] = float32(math.Round(sum/float64(len(sentences))/meanStep) * meanStep)
	}
	return mean, nil
}
