package sentence

import (
	"context"
	"math"
	"sync"
)

const (
	branchWidth  = 256 // of each of the three branches
	featureWidth = Dimension + 3*branchWidth
	hiddenWidth  = 320
	// layerEpsilon keeps layer normalisation from dividing by zero.
	layerEpsilon = 1e-12
)

// grams are the n-grams that the branches read: how many pieces, and how many of
// them before the current one.
var grams = [3]struct{ length, before int }{{2, 0}, {3, 1}, {5, 2}}

// matrixShape is the size of a matrix of the file: inputs and outputs.
type matrixShape struct{ rows, columns int }

// matrixShapes are those of the matrices in the order of the file.
var matrixShapes = []matrixShape{
	{Dimension, branchWidth}, {2 * branchWidth, branchWidth}, {2 * branchWidth, branchWidth}, // for each branch: projection, two convolutions
	{Dimension, branchWidth}, {3 * branchWidth, branchWidth}, {3 * branchWidth, branchWidth},
	{Dimension, branchWidth}, {5 * branchWidth, branchWidth}, {5 * branchWidth, branchWidth},
	{featureWidth, Dimension},
	{Dimension, hiddenWidth}, {Dimension, hiddenWidth}, {hiddenWidth, hiddenWidth}, // into the first layer: hidden, direct, second
	{hiddenWidth, Dimension}, {hiddenWidth, Dimension}, {Dimension, Dimension}, // into the second layer
}

// vectorSizes are those of the vectors after the steps of the matrices.
var vectorSizes = []int{
	branchWidth, branchWidth, branchWidth, branchWidth, branchWidth, // for each branch: projection, gain, bias, two convolutions
	branchWidth, branchWidth, branchWidth, branchWidth, branchWidth,
	branchWidth, branchWidth, branchWidth, branchWidth, branchWidth,
	featureWidth, featureWidth, // gain and bias of the features
	Dimension, // after their projection
}

// branch is what reads the pieces as n-grams of one length.
type branch struct {
	project, first, second             *matrix
	projectBias, firstBias, secondBias []float32
}

// network turns the rows of pieces into the vectors of texts.
type network struct {
	accelerated               bool // multiply with AVX2
	branches                  [3]branch
	branchGain, branchBias    []float32
	gain, bias                []float32
	project                   *matrix
	projectBias               []float32
	hidden1, direct1, second1 *matrix
	hidden2, direct2, second2 *matrix
}

func newNetwork(sections *[SectionCount]string, accelerated bool) *network {
	matrices, packed := make([]*matrix, len(matrixShapes)), sections[SectionMatrices]
	for i, shape := range matrixShapes {
		size, step := shape.rows*shape.columns, float32At(sections[SectionVectors], i)
		matrices[i] = &matrix{shape: shape, data: packed[:size], step: step}
		packed = packed[size:]
	}
	vectors, first := make([][]float32, len(vectorSizes)), len(matrixShapes)
	for i, size := range vectorSizes {
		vectors[i] = readFloats(sections[SectionVectors], first, size)
		first += size
	}
	n := &network{accelerated: accelerated, gain: vectors[15], bias: vectors[16], project: matrices[9], projectBias: vectors[17]}
	for i := range n.branches {
		m, v := matrices[3*i:], vectors[5*i:]
		n.branches[i] = branch{
			project: m[0], first: m[1], second: m[2],
			projectBias: v[0], firstBias: v[3], secondBias: v[4],
		}
		n.branchGain, n.branchBias = append(n.branchGain, v[1]...), append(n.branchBias, v[2]...)
	}
	n.hidden1, n.direct1, n.second1 = matrices[10], matrices[11], matrices[12]
	n.hidden2, n.direct2, n.second2 = matrices[13], matrices[14], matrices[15]
	return n
}

// workspace holds the numbers between the rows of a batch and its vectors. It is used
// again: what a batch of 64 sentences needs would be 50 MB of garbage.
type workspace struct {
	rows          []float32
	states, sides [len(grams)][]float32 // of the branches, and where the next ones are made
	windows       []float32
	sums          []float32
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// resize returns a slice of n numbers in the place of *buffer. They have any value.
func resize(buffer *[]float32, n int) []float32 {
	if cap(*buffer) < n {
		*buffer = make([]float32, n+n/4) // the next batch is hardly ever as long
	}
	*buffer = (*buffer)[:n]
	return *buffer
}

// computeVectors returns a vector for each text of a batch. Lengths are the numbers of
// pieces of the texts, whose rows follow each other in w. It returns ctx.Err() when
// ctx is done.
func (n *network) computeVectors(ctx context.Context, w *workspace, lengths []int) ([][]float32, error) {
	pieces := len(w.rows) / Dimension
	for i := range n.branches {
		b := &n.branches[i]
		b.project.multiply(resize(&w.states[i], pieces*branchWidth), w.rows, b.projectBias, n.accelerated)
	}
	n.normalizeBranches(w.states[:])
	for i := range n.branches {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b := &n.branches[i]
		n.convolve(w, i, lengths, b.first, b.firstBias)
		n.convolve(w, i, lengths, b.second, b.secondBias)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n.sumFeatures(w, lengths)
	return n.projectToVector(w.sums, lengths), nil
}

// normalizeBranches normalises the three states of each piece as one.
func (n *network) normalizeBranches(states [][]float32) {
	whole := make([]float32, len(states)*branchWidth)
	for at := 0; at < len(states[0]); at += branchWidth {
		for i, state := range states {
			copy(whole[i*branchWidth:], state[at:at+branchWidth])
		}
		normalizeLayer(whole, n.branchGain, n.branchBias)
		for i, state := range states {
			copy(state[at:at+branchWidth], whole[i*branchWidth:])
		}
	}
}

// convolve reads each piece of a branch with its neighbours and adds what is positive
// to it. Beyond the ends of a text there are zeros.
func (n *network) convolve(w *workspace, branch int, lengths []int, by *matrix, bias []float32) {
	state, length, before := w.states[branch], grams[branch].length, grams[branch].before
	windows := resize(&w.windows, len(state)*length)
	clear(windows)
	first := 0
	for _, count := range lengths {
		for piece := range count {
			window := windows[(first+piece)*length*branchWidth:]
			for i := range length {
				if neighbour := piece - before + i; neighbour >= 0 && neighbour < count {
					copy(window[i*branchWidth:(i+1)*branchWidth], state[(first+neighbour)*branchWidth:])
				}
			}
		}
		first += count
	}
	result := resize(&w.sides[branch], len(state))
	by.multiply(result, windows, bias, n.accelerated)
	applyReLU(result)
	add(result, state)
	w.states[branch], w.sides[branch] = result, state
}

// sumFeatures joins the row and the states of each piece, normalises them and
// adds them up for each text.
func (n *network) sumFeatures(w *workspace, lengths []int) {
	sums := resize(&w.sums, len(lengths)*featureWidth)
	clear(sums)
	features := make([]float32, featureWidth)
	piece := 0
	for text, count := range lengths {
		sum := sums[text*featureWidth : (text+1)*featureWidth]
		for range count {
			copy(features, w.rows[piece*Dimension:(piece+1)*Dimension])
			for i, state := range w.states {
				copy(features[Dimension+i*branchWidth:], state[piece*branchWidth:(piece+1)*branchWidth])
			}
			normalizeLayer(features, n.gain, n.bias)
			add(sum, features)
			piece++
		}
	}
}

// projectToVector passes the sums of texts through the residual network.
func (n *network) projectToVector(sums []float32, lengths []int) [][]float32 {
	means := n.project.product(sums, n.accelerated)
	for text, count := range lengths {
		mean := means[text*Dimension : (text+1)*Dimension]
		root := float32(1 / math.Sqrt(float64(count)))
		for i := range mean {
			mean[i] = (mean[i] + float32(count)*n.projectBias[i]) * root
		}
	}
	first := n.applyResidualLayer(means, n.hidden1, n.direct1, n.second1)
	applyReLU(first)
	second := n.applyResidualLayer(first, n.hidden2, n.direct2, n.second2)
	vectors := make([][]float32, len(lengths))
	for text := range vectors {
		vectors[text] = second[text*Dimension : (text+1)*Dimension : (text+1)*Dimension]
		for i, x := range vectors[text] {
			vectors[text][i] = float32(math.Tanh(float64(x)))
		}
		scaleToLength1(vectors[text])
	}
	return vectors
}

// applyResidualLayer applies one residual layer: a direct product and one by way of a hidden
// layer.
func (n *network) applyResidualLayer(inputs []float32, hidden, direct, second *matrix) []float32 {
	through := hidden.product(inputs, n.accelerated)
	applyReLU(through)
	result := direct.product(inputs, n.accelerated)
	add(result, second.product(through, n.accelerated))
	return result
}

// normalizeLayer gives values mean 0 and variance 1, then applies gain and bias.
func normalizeLayer(values, gain, bias []float32) {
	var sum, squares float64
	for _, x := range values {
		sum += float64(x)
	}
	mean := sum / float64(len(values))
	for _, x := range values {
		squares += (float64(x) - mean) * (float64(x) - mean)
	}
	scale := float32(1 / math.Sqrt(squares/float64(len(values))+layerEpsilon))
	for i, x := range values {
		values[i] = (x-float32(mean))*scale*gain[i] + bias[i]
	}
}

func scaleToLength1(v []float32) {
	var squares float64
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	scale := float32(1 / math.Sqrt(max(squares, layerEpsilon)))
	for i := range v {
		v[i] *= scale
	}
}

func add(target, values []float32) {
	for i, x := range values {
		target[i] += x
	}
}

func applyReLU(values []float32) {
	for i, x := range values {
		values[i] = max(x, 0)
	}
}
