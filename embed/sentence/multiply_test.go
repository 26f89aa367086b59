package sentence

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestAcceleratedProductIsThePlainOne(t *testing.T) {
	if !openModel(t).network.accelerated {
		t.Skip("this processor has no AVX2")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, shape := range matrixShapes {
		weights := make([]byte, shape.rows*shape.columns)
		for i := range weights {
			weights[i] = byte(random.Uint32())
		}
		m := &matrix{shape: shape, data: string(weights), step: 0.01}
		for _, rows := range []int{0, 1, 5, 6, 7, 13} {
			inputs, bias := randomFloats(random, rows*shape.rows), randomFloats(random, shape.columns)
			for _, bias := range [][]float32{nil, bias} {
				plain, accelerated := make([]float32, rows*shape.columns), make([]float32, rows*shape.columns)
				m.multiply(plain, inputs, bias, false)
				m.multiply(accelerated, inputs, bias, true)
				for i := range plain {
					if math.Abs(float64(plain[i]-accelerated[i])) > 1e-3 {
						t.Fatalf("%v by %d rows: number %d is %f and not %f", shape, rows, i, accelerated[i], plain[i])
					}
				}
			}
		}
	}
}

func randomFloats(random *rand.Rand, count int) []float32 {
	numbers := make([]float32, count)
	for i := range numbers {
		numbers[i] = float32(random.NormFloat64())
	}
	return numbers
}
