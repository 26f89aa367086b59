package sentence

import "sync"

// tileRows is how many rows of a matrix are unpacked at a time: they stay in
// the nearest caches while all inputs use them. All matrices have a multiple
// of it.
const tileRows = 32

// matrix is stored row by row as whole numbers of 8 bits, to be multiplied by step.
// It is unpacked while it is used.
type matrix struct {
	shape matrixShape
	data  string
	step  float32
}

// scratch is what a multiplication needs besides its result.
type scratch struct {
	tile  [tileRows * Dimension]float32 // no matrix has more columns
	panel []float32                     // what the tile is multiplied with
}

var scratchPool = sync.Pool{New: func() any { return new(scratch) }}

// product returns the product of inputs, stored row by row, and a matrix.
func (m *matrix) product(inputs []float32, accelerated bool) []float32 {
	product := make([]float32, len(inputs)/m.shape.rows*m.shape.columns)
	m.multiply(product, inputs, nil, accelerated)
	return product
}

// multiply sets product to that of inputs, stored row by row, and a matrix, plus a bias
// unless that is nil.
func (m *matrix) multiply(product, inputs, bias []float32, accelerated bool) {
	if accelerated {
		m.multiplyAccelerated(product, inputs, bias)
		return
	}
	inner, columns := m.shape.rows, m.shape.columns
	count := len(inputs) / inner
	var values [256]float32
	for i := range values {
		values[i] = float32(int8(i)) * m.step
	}
	if bias == nil {
		clear(product)
	}
	for row := range count {
		copy(product[row*columns:], bias)
	}
	buffers := scratchPool.Get().(*scratch)
	defer scratchPool.Put(buffers)
	tile, panel := buffers.tile[:tileRows*columns], resize(&buffers.panel, count*tileRows)
	for first := 0; first < inner; first += tileRows {
		data := m.data[first*columns:][:len(tile)]
		for i := range tile {
			tile[i] = values[data[i]]
		}
		for row := range count {
			copy(panel[row*tileRows:(row+1)*tileRows], inputs[row*inner+first:])
		}
		addProduct(product, panel, tile)
	}
}

// addProduct adds the product of a panel and a tile to product.
func addProduct(product, panel, tile []float32) {
	columns := len(tile) / tileRows
	for k := 0; k < tileRows; k += 4 {
		four := tile[k*columns : (k+4)*columns]
		for row := 0; row*tileRows < len(panel); row++ {
			addFourScaledRows(product[row*columns:(row+1)*columns], four, (*[4]float32)(panel[row*tileRows+k:]))
		}
	}
}

// addFourScaledRows adds four rows of weights, each with its factor, to target. Four at a
// time make few reads and writes for a product.
func addFourScaledRows(target, weights []float32, factors *[4]float32) {
	n := len(target)
	w0, w1, w2, w3 := weights[:n], weights[n:2*n], weights[2*n:3*n], weights[3*n:4*n]
	f0, f1, f2, f3 := factors[0], factors[1], factors[2], factors[3]
	if f0 == 0 && f1 == 0 && f2 == 0 && f3 == 0 { // beyond the ends of a sentence
		return
	}
	for j := range target {
		target[j] += f0*w0[j] + f1*w1[j] + f2*w2[j] + f3*w3[j]
	}
}
