package notice

import "github.com/viterin/vek/vek32"

// A NoteMap moves the vector of a prompt to where the notes lie that it needs, and away
// from all notes where it needs none: "write the pipeline file" is near to other
// pipeline files, and needs the note which builder is used. It is a square matrix, near
// to that which moves nothing.
type NoteMap struct {
	Inputs  int       `json:"inputs"`
	Weights []float32 `json:"-"` // output after output what it takes of each input
}

// WeightCount is how many weights a map of this shape has.
func (m *NoteMap) WeightCount() int { return m.Inputs * m.Inputs }

// OutputWeights returns what an output takes of each input.
func (m *NoteMap) OutputWeights(i int) []float32 { return m.Weights[i*m.Inputs : (i+1)*m.Inputs] }

// Apply returns a vector moved.
func (m *NoteMap) Apply(vector []float32) []float32 {
	moved := make([]float32, m.Inputs)
	for i := range moved {
		moved[i] = vek32.Dot(m.OutputWeights(i), vector)
	}
	return moved
}
