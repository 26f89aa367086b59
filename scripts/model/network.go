package main

import (
	"fmt"
	"math"

	"toolkit/embed/sentence"
)

// addNetwork writes the matrices as whole numbers of 8 bits. Those of the source
// are multiples of a step, the largest of which is 127.
func (s *source) addNetwork(sections *[sentence.SectionCount][]byte) error {
	var packed []byte
	var numbers []float32
	for _, name := range matrixNames {
		weights := s.arrays[name].floats()
		largest := float32(0)
		for _, w := range weights {
			largest = max(largest, float32(math.Abs(float64(w))))
		}
		step := largest / 127
		for _, w := range weights {
			n := math.Round(float64(w / step))
			if diff := math.Abs(n*float64(step) - float64(w)); diff > float64(largest)*1e-6 {
				return fmt.Errorf("%s holds %g, which is no multiple of %g", name, w, step)
			}
			packed = append(packed, byte(int8(n)))
		}
		numbers = append(numbers, step)
	}
	for _, name := range vectorNames {
		numbers = append(numbers, s.arrays[name].floats()...)
	}
	sections[sentence.SectionMatrices] = packed
	sections[sentence.SectionVectors] = packFloats(numbers)
	return nil
}
