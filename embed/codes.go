package embed

import "math"

// quantizedVectors holds vectors as one byte per component, eight to a word: a quarter of
// the memory of float32, and scored four components per multiplication with
// integers alone, so that every platform finds the same order.
//
// A row is scaled by its largest component; byte 128 stands for zero. A query
// keeps 5 bits (one plane) or 10 bits (two planes) of each component.
type quantizedVectors struct {
	dimension int
	words     int // words per row
	chunks    [][]uint64
	scale     []float32 // value of one step, by slot
	sum       []int32   // sum of the row's bytes, by slot
}

const (
	// chunkRows bounds what growing allocates at once; a single slice would be
	// copied, and so held twice, whenever it grew.
	chunkRows = 1024
	// codeZero is the byte of a component that is 0.
	codeZero = 128
	// planeBits is how much of a query's component one multiplication takes.
	planeBits = 5
	// lanes selects every other byte, leaving eight bits of room beside each.
	lanes = 0x00ff00ff00ff00ff
)

func newCodes(dimension int) quantizedVectors {
	return quantizedVectors{dimension: dimension, words: (dimension + 7) / 8}
}

// row returns the words of a slot.
func (c *quantizedVectors) row(slot int32) []uint64 {
	start := int(slot%chunkRows) * c.words
	return c.chunks[slot/chunkRows][start : start+c.words]
}

// grow makes room for slots 0 … n-1.
func (c *quantizedVectors) grow(n int) {
	for len(c.chunks)*chunkRows < n {
		c.chunks = append(c.chunks, make([]uint64, chunkRows*c.words))
	}
	for len(c.scale) < n {
		c.scale = append(c.scale, 0)
		c.sum = append(c.sum, 0)
	}
}

// quantizedVector is one encoded row, ready to be stored.
type quantizedVector struct {
	words []uint64
	scale float32
	sum   int32
}

func (c *quantizedVectors) put(slot int32, row quantizedVector) {
	copy(c.row(slot), row.words)
	c.scale[slot], c.sum[slot] = row.scale, row.sum
}

// move copies the code of one slot over that of another.
func (c *quantizedVectors) move(from, to int32) {
	c.put(to, quantizedVector{words: c.row(from), scale: c.scale[from], sum: c.sum[from]})
}

// quantizeVector quantises a finite vector into words, which must be long enough.
func quantizeVector(v []float32, words []uint64) quantizedVector {
	largest := maxAbs(v)
	step := float64(0)
	if largest > 0 {
		step = 127 / float64(largest)
	}
	sum := int32(0)
	for i := range words {
		word := uint64(0)
		for lane, x := range v[i*8 : min(i*8+8, len(v))] {
			// Truncation of a positive number rounds to nearest after + .5;
			// the conversion keeps the product from being fused.
			b := uint8(int32(float64(float64(x)*step) + (codeZero + 0.5)))
			word |= uint64(b) << (8 * lane)
			sum += int32(b)
		}
		for lane := len(v) - i*8; lane < 8; lane++ { // beyond the last component
			word |= codeZero << (8 * lane)
			sum += codeZero
		}
		words[i] = word
	}
	return quantizedVector{words: words, scale: largest / 127, sum: sum}
}

// maxAbs is the greatest absolute value of a finite vector. Without the sign
// bit, floats are ordered as their bits are, which compare faster.
func maxAbs(v []float32) float32 {
	largest := uint32(0)
	for _, x := range v {
		largest = max(largest, math.Float32bits(x)&0x7fffffff)
	}
	return math.Float32frombits(largest)
}

// quantizedQuery is a query prepared for scoring. Planes hold its bits, five at a
// time, the high ones first.
type quantizedQuery struct {
	planes []plane
	scale  float64
	zero   int64 // what stands for 0 in the query: 16 or 512
	sum    int64
}

// plane holds planeBits bits of every component, for the even and the odd
// bytes of a row's words. Within a word the order is reversed: in the product
// of four row bytes and four query values, each in a lane of 16 bits, the top
// lane is then the sum of their four products. Even and odd bytes together
// make at most 8·255·31 < 2^16, so no lane ever overflows into the next.
type plane struct{ even, odd []uint64 }

// quantizeQuery prepares a finite vector; planes is 1 or 2.
func quantizeQuery(v []float32, planes int) quantizedQuery {
	words := (len(v) + 7) / 8
	q := quantizedQuery{planes: make([]plane, planes), zero: 1 << (planeBits*planes - 1)}
	for p := range q.planes {
		storage := make([]uint64, 2*words)
		q.planes[p] = plane{even: storage[:words], odd: storage[words:]}
	}
	largest := maxAbs(v)
	step := float64(0)
	if largest > 0 {
		step = float64(q.zero-1) / float64(largest)
		q.scale = 1 / step
	}
	for i := range words * 8 {
		u := q.zero
		if i < len(v) {
			u = int64(float64(float64(v[i])*step) + float64(q.zero) + 0.5)
		}
		q.sum += u
		shift := 48 - 16*(i%8/2)
		for p := range q.planes {
			bits := uint64(u>>(planeBits*(planes-1-p))&(1<<planeBits-1)) << shift
			if i%2 == 0 {
				q.planes[p].even[i/8] |= bits
			} else {
				q.planes[p].odd[i/8] |= bits
			}
		}
	}
	return q
}

// approximateDot returns the approximate inner product of the query and a slot.
func (c *quantizedVectors) approximateDot(q *quantizedQuery, slot int32) float32 {
	row := c.row(slot)
	var product int64
	for p := range q.planes {
		product = product<<planeBits + int64(q.planes[p].dot(row))
	}
	// Σ(a-128)(u-z) = Σau - z·Σa - 128·Σu + 128·z·n
	product -= q.zero*int64(c.sum[slot]) + codeZero*q.sum - codeZero*q.zero*int64(8*c.words)
	return float32(float64(product) * float64(float64(c.scale[slot])*q.scale))
}

func (p *plane) dot(row []uint64) uint64 {
	even, odd := p.even[:len(row)], p.odd[:len(row)]
	var sum uint64
	for i, w := range row { // unrolled by hand it would be slower
		sum += ((w&lanes)*even[i] + (w>>8&lanes)*odd[i]) >> 48
	}
	return sum
}
