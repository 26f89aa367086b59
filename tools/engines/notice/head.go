package notice

import (
	_ "embed"
	"encoding/json"
	"math"
	"strings"
	"sync"
	"unicode"
)

// FeatureCount is how many plain features a head reads beside the vector.
const FeatureCount = 12

// A Head is a linear judge: the weighted sum of a vector and its features, and a bias,
// through the logistic function.
type Head struct {
	Vector   []float32 `json:"vector"`
	Features []float32 `json:"features"`
	Bias     float32   `json:"bias"`
}

// Heads are all that was learned from the sets, and from which.
type Heads struct {
	Version int             `json:"version"`
	Model   string          `json:"model"` // the only vectors that they understand
	Made    string          `json:"made"`  // day
	Sets    []string        `json:"sets"`
	Lasting Head            `json:"lasting"` // a sentence holds beyond today
	Own     Head            `json:"own"`     // a prompt concerns the person's own world
	Kinds   map[string]Head `json:"kinds"`   // what kind of thing a lasting sentence states
	// Sure and Likely are scores of Lasting: a sure statement is told unasked, a likely
	// one is only found. OwnFloor is the score of Own below which nothing is told.
	Sure     float64 `json:"sure"`
	Likely   float64 `json:"likely"`
	OwnFloor float64 `json:"own_floor"`
}

//go:embed heads.json
var headsFile []byte

var loadHeads = sync.OnceValue(func() *Heads {
	h := &Heads{}
	if err := json.Unmarshal(headsFile, h); err != nil {
		panic("heads.json: " + err.Error()) // it is part of the program
	}
	return h
})

// Score is the probability that a head gives, between 0 and 1.
func (h *Head) Score(vector, features []float32) float64 {
	return 1 / (1 + math.Exp(-h.sum(vector, features)))
}

func (h *Head) sum(vector, features []float32) float64 {
	sum := float64(h.Bias)
	for i, w := range h.Vector {
		sum += float64(w) * float64(vector[i])
	}
	for i, w := range h.Features {
		sum += float64(w) * float64(features[i])
	}
	return sum
}

// Features are what a head reads of a sentence beside its vector.
func (p *Part) Features() []float32 {
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
		yes(isQuestion(p.Text)), yes(p.Asks), min(float32(letters)/150, 1.5), 5 * codeShare(p.Text),
		yes(strings.ContainsAny(p.Text, "\"“”„«»")), yes(strings.Contains(p.Text, "...") || strings.Contains(p.Text, "…")),
		yes(strings.Contains(p.Text, "!")), yes(digits > 0), yes(p.Alone), yes(p.Announce), yes(strings.HasSuffix(p.Text, ":")), p.Quoted,
	}
}
