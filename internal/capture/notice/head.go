package notice

import (
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode"

	"github.com/viterin/vek/vek32"
)

// FeatureCount is how many plain features a head reads beside the vector.
const FeatureCount = 12

// Vectors have length 1, and features are about 1 each: without these factors a head
// would learn from the features long before it learnt from 512 small numbers.
const (
	vectorScale = 8
	othersScale = 3.2 // the rest of a turn says less of a sentence than the sentence itself
	// A product of two small numbers is smaller still.
	commonScale, likenessScale = 60, 8
)

// Heads judge sentences and prompts, and say of what they were made.
type Heads struct {
	Version int      `json:"version"`
	Model   string   `json:"model"` // the only vectors that they understand
	Made    string   `json:"made"`  // day
	Sets    []string `json:"sets"`  // that they learned from
	// Kinds are what a lasting sentence may state, in the order of the outputs of
	// Sentence, whose first output is whether it holds beyond today.
	Kinds    []string `json:"kinds"`
	Sentence Head     `json:"sentence"`
	Prompt   Head     `json:"prompt"`   // one output: it concerns the person's own world
	Style    Head     `json:"style"`    // one output: a preference is about how to answer
	Session  Head     `json:"session"`  // one output: a prompt asks for an earlier session as a whole
	Overview Head     `json:"overview"` // one output: a prompt asks for all that is known of a matter or a person
	Change   Head     `json:"change"`   // one output: of two statements the later makes the earlier untrue
	Notes    NoteMap  `json:"notes"`    // of a prompt to the notes that it needs
	// From MinBriefedScore on a statement is told unasked, from MinStoredScore on it is
	// kept and found. MinPersonalScore is the score of a prompt below which nothing
	// is told.
	MinBriefedScore  float64 `json:"sure"`
	MinStoredScore   float64 `json:"likely"`
	MinPersonalScore float64 `json:"own_floor"`
}

// A Head is a small network: a layer of units that weigh the inputs, and outputs that
// weigh those units whose sum is positive.
type Head struct {
	Inputs  int       `json:"inputs"`
	Units   int       `json:"units"`
	Outputs int       `json:"outputs"`
	Weights []float32 `json:"-"` // unit after unit its weights and its bias, then the outputs alike
}

// WeightCount is how many weights a head of this shape has.
func (h *Head) WeightCount() int { return h.Units*(h.Inputs+1) + h.Outputs*(h.Units+1) }

// UnitWeights returns the weights of a unit, the bias last.
func (h *Head) UnitWeights(i int) []float32 { return h.Weights[i*(h.Inputs+1) : (i+1)*(h.Inputs+1)] }

// OutputWeights returns the weights of an output, the bias last.
func (h *Head) OutputWeights(i int) []float32 {
	start := h.Units*(h.Inputs+1) + i*(h.Units+1)
	return h.Weights[start : start+h.Units+1]
}

// OutputSums returns the sum of each output; the logistic function of one is a probability.
func (h *Head) OutputSums(inputs []float32) []float32 {
	units := sumUnits(h, inputs)
	for i := range units {
		units[i] = max(units[i], 0)
	}
	sums := make([]float32, h.Outputs)
	for i := range sums {
		sums[i] = WeightedSum(h.OutputWeights(i), units)
	}
	return sums
}

// WeightedSum returns the sum of inputs by their weights, of which the last is the bias.
func WeightedSum(weights, inputs []float32) float32 {
	return vek32.Dot(weights[:len(inputs)], inputs) + weights[len(inputs)]
}

// probability is the logistic function.
func probability(sum float32) float64 { return 1 / (1 + math.Exp(-float64(sum))) }

// SentenceInputs are what a head reads of a sentence: its vector, the mean vector of
// the other sentences of its turn (nil: there are none), and its features.
func SentenceInputs(p *Part, vector, others []float32) []float32 {
	inputs := make([]float32, 0, 2*len(vector)+FeatureCount)
	for _, x := range vector {
		inputs = append(inputs, vectorScale*x)
	}
	for i := range vector {
		x := float32(0)
		if others != nil {
			x = othersScale * others[i]
		}
		inputs = append(inputs, x)
	}
	return append(inputs, p.features()...)
}

// PromptInputs are what a head reads of a prompt: its vector and its features.
func PromptInputs(text string, vector []float32) []float32 {
	inputs := make([]float32, 0, len(vector)+FeatureCount)
	for _, x := range vector {
		inputs = append(inputs, vectorScale*x)
	}
	p := Part{Text: text, Alone: true, Asks: endsWithQuestionMark(text)}
	return append(inputs, p.features()...)
}

// ChangeInputs are what a head reads of two statements: what their vectors have in common, both of
// them, and how like they are.
func ChangeInputs(earlier, later []float32) []float32 {
	inputs := make([]float32, 0, 3*len(later)+1)
	likeness := float32(0)
	for i, x := range later {
		likeness += earlier[i] * x
		inputs = append(inputs, commonScale*earlier[i]*x)
	}
	for _, vector := range [][]float32{earlier, later} {
		for _, x := range vector {
			inputs = append(inputs, vectorScale*x)
		}
	}
	return append(inputs, likenessScale*likeness)
}

// A ComparedStatement is a statement that is compared with others, with what the head of changes reads
// of it alone: that is worked out once, as the earlier and as the later of two. It is not for use by
// several goroutines.
type ComparedStatement struct {
	vector             []float32
	asEarlier, asLater []float32 // sums of each unit; nil: not worked out yet
}

// NewComparedStatement makes a statement to compare of its vector.
func NewComparedStatement(vector []float32) *ComparedStatement {
	return &ComparedStatement{vector: vector}
}

// ChangeScore is how surely a statement makes an earlier one untrue, 0 to 1: what
// JudgeLaterReplacesEarlier says of both, by less work.
func (s *ComparedStatement) ChangeScore(earlier *ComparedStatement) float64 {
	head, size := &loadHeads().Change, len(s.vector)
	if s.asLater == nil {
		s.asLater = sumUnits(head, ChangeInputs(make([]float32, size), s.vector))
	}
	if earlier.asEarlier == nil {
		earlier.asEarlier = sumUnits(head, ChangeInputs(earlier.vector, make([]float32, size)))
	}
	common := vek32.Mul(earlier.vector, s.vector)
	likeness := vek32.Sum(common) * likenessScale
	vek32.MulNumber_Inplace(common, commonScale)
	units := make([]float32, head.Units)
	for i := range units {
		weights := head.UnitWeights(i)
		bias := weights[head.Inputs] // in both sums
		units[i] = max(0, s.asLater[i]+earlier.asEarlier[i]-bias+vek32.Dot(weights[:size], common)+weights[3*size]*likeness)
	}
	return probability(WeightedSum(head.OutputWeights(0), units))
}

// sumUnits returns the sum of each unit of a head.
func sumUnits(head *Head, inputs []float32) []float32 {
	sums := make([]float32, head.Units)
	for i := range sums {
		sums[i] = WeightedSum(head.UnitWeights(i), inputs)
	}
	return sums
}

// MeanOfOthers returns for each vector the mean of all others; nil where there is none.
func MeanOfOthers(vectors [][]float32) [][]float32 {
	means := make([][]float32, len(vectors))
	if len(vectors) < 2 {
		return means
	}
	sum := make([]float32, len(vectors[0]))
	for _, v := range vectors {
		for i, x := range v {
			sum[i] += x
		}
	}
	for i, v := range vectors {
		means[i] = make([]float32, len(sum))
		for j := range sum {
			means[i][j] = (sum[j] - v[j]) / float32(len(vectors)-1)
		}
	}
	return means
}

func (p *Part) features() []float32 {
	letters, digits := 0, 0
	for _, r := range p.Text {
		if unicode.IsLetter(r) {
			letters++
		} else if unicode.IsDigit(r) {
			digits++
		}
	}
	yes := func(b bool) float32 {
		if b {
			return 1
		}
		return 0
	}
	return []float32{
		yes(endsWithQuestionMark(p.Text)), yes(p.Asks), min(float32(letters)/150, 1.5), 5 * codeShare(p.Text),
		yes(strings.ContainsAny(p.Text, "\"“”„«»")), yes(strings.Contains(p.Text, "...") || strings.Contains(p.Text, "…")),
		yes(strings.Contains(p.Text, "!")), yes(digits > 0), yes(p.Alone), yes(p.Announce), yes(strings.HasSuffix(p.Text, ":")), p.Quoted,
	}
}

var (
	//go:embed heads.json
	headsFile []byte
	//go:embed heads.weights
	weightsFile []byte

	loadHeads = sync.OnceValue(func() *Heads {
		h, err := DecodeHeads(headsFile, weightsFile)
		if err != nil {
			panic(err) // they are part of the program
		}
		return h
	})
)

// DecodeHeads reads what EncodeHeads wrote.
func DecodeHeads(text, weights []byte) (*Heads, error) {
	h := &Heads{}
	if err := json.Unmarshal(text, h); err != nil {
		return nil, fmt.Errorf("heads.json: %w", err)
	}
	parts := h.weightParts()
	want := 0
	for _, part := range parts {
		want += 4 * part.count
	}
	if len(weights) != want {
		return nil, fmt.Errorf("heads.weights has %d bytes, want %d", len(weights), want)
	}
	for _, part := range parts {
		*part.weights = make([]float32, part.count)
		for j := range *part.weights {
			(*part.weights)[j] = math.Float32frombits(binary.LittleEndian.Uint32(weights[4*j:]))
		}
		weights = weights[4*part.count:]
	}
	return h, nil
}

// EncodeHeads returns the two files of heads: what they are, and their weights.
func EncodeHeads(h *Heads) (text, weights []byte, err error) {
	if text, err = json.MarshalIndent(h, "", "  "); err != nil {
		return nil, nil, err
	}
	for _, part := range h.weightParts() {
		for _, w := range *part.weights {
			weights = binary.LittleEndian.AppendUint32(weights, math.Float32bits(w))
		}
	}
	return append(text, '\n'), weights, nil
}

// weightPart are the weights of one head, and how many there are.
type weightPart struct {
	weights *[]float32
	count   int
}

// weightParts are all weights in the order of heads.weights.
func (h *Heads) weightParts() (parts []weightPart) {
	for _, head := range []*Head{&h.Sentence, &h.Prompt, &h.Style, &h.Session, &h.Overview, &h.Change} {
		parts = append(parts, weightPart{&head.Weights, head.WeightCount()})
	}
	return append(parts, weightPart{&h.Notes.Weights, h.Notes.WeightCount()})
}
