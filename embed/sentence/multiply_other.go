//go:build !amd64

package sentence

// multiplyAccelerated is not called: vek has no code for this processor either.
func (m *matrix) multiplyAccelerated(product, inputs, bias []float32) {
	panic("there is no accelerated multiplication")
}
