package sentence

import "unsafe"

const (
	// rowsAtOnce is for how many rows of inputs weights are unpacked together, columnsAtOnce how many
	// columns multiplySix makes of each, and columnsInCache those whose weights share lines of the
	// caches. All matrices have a multiple of these columns.
	rowsAtOnce, columnsAtOnce, columnsInCache = 6, 16, 64
)

// multiplySix sets sixteen columns of six rows of a product: inner weights of each column, which stand
// columns bytes apart, by as many inputs of the row, by step, plus the bias. It takes AVX2 and FMA,
// and keeps in registers what it adds up, so that it is limited by neither reading nor writing.
//
//go:noescape
func multiplySix(products, inputs *[rowsAtOnce]*float32, weights *byte, bias *float32, step float32, inner, columns int)

// multiplyAccelerated is multiply for processors with AVX2.
func (m *matrix) multiplyAccelerated(product, inputs, bias []float32) {
	inner, columns := m.shape.rows, m.shape.columns
	count := len(inputs) / inner
	if count == 0 {
		return
	}
	if bias == nil {
		bias = make([]float32, columns)
	}
	weights := unsafe.Slice(unsafe.StringData(m.data), inner*columns)
	var from, to [rowsAtOnce]*float32
	for block := 0; block < columns; block += columnsInCache {
		for first := 0; first < count; first += rowsAtOnce {
			for i := range from { // beyond the last row that is made once more
				from[i] = &inputs[min(first+i, count-1)*inner]
			}
			for column := block; column < block+columnsInCache; column += columnsAtOnce {
				for i := range to {
					to[i] = &product[min(first+i, count-1)*columns+column]
				}
				multiplySix(&to, &from, &weights[column], &bias[column], m.step, inner, columns)
			}
		}
	}
}
