package exchange

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// Document is the content of one memory file in neutral records.
type Document struct {
	// Entities are the plain nodes of the graph.
	Entities []Entity
	// Relations connect nodes by entity, beat or step name, or by chart ID. An
	// end may be missing in the document. Relations that a chart or beat
	// implies are listed only if they say more than that; see Chart.Ties.
	Relations []Relation
	Charts    []Chart // each behind its parent
	Beats     []Beat  // each behind the beat it details
	// Foreign are JSON objects of unknown types.
	Foreign []json.RawMessage
}

// Counts tell how much a document holds.
type Counts struct{ Entities, Relations, Charts, Steps, Beats, Foreign int }

func (d *Document) counts() Counts {
	c := Counts{Entities: len(d.Entities), Relations: len(d.Relations), Charts: len(d.Charts), Beats: len(d.Beats), Foreign: len(d.Foreign)}
	for i := range d.Charts {
		c.Steps += len(d.Charts[i].Steps)
	}
	return c
}

// eachName visits the names that the nodes of a document have and reserve, and
// what has them.
func (d *Document) eachName(visit func(name, owner string)) {
	for i := range d.Charts {
		c := &d.Charts[i]
		owner := fmt.Sprintf("chart %q", c.ID)
		for _, name := range reservedNames(c.ID) {
			visit(name, owner)
		}
		for j := range c.Steps {
			visit(c.Steps[j].ID, "a step of "+owner)
		}
	}
	for i := range d.Beats {
		visit(d.Beats[i].Name, "a beat")
	}
	for i := range d.Entities {
		visit(d.Entities[i].Name, "an entity")
	}
}

// Entity is a plain node of the knowledge graph.
type Entity struct {
	Name         string
	EntityType   string // empty when the file did not say
	Observations []string
	Metadata     json.RawMessage // a JSON object, or nil
	Extra        json.RawMessage // object of the unknown members, or nil
	Line         int             // where it was read, from 1; 0 when made otherwise
}

// Relation is a directed, typed edge.
type Relation struct {
	From         string          `json:"from"`
	To           string          `json:"to"`
	RelationType string          `json:"type"`
	Metadata     json.RawMessage `json:"metadata,omitempty"` // a JSON object, or nil
	Extra        json.RawMessage `json:"extra,omitempty"`    // object of the unknown members, or nil
	Line         int             `json:"-"`
}

// Chart is a structural tension chart with its steps.
type Chart struct {
	ID string
	// Level is the depth below a master chart, which has level 0. Reading
	// computes it from the parents; what a file says about it is not used.
	Level       int    `json:"-"`
	ParentChart string // ID of the chart this one is part of, or empty
	ParentStep  string // ID of the step this chart telescopes, or empty

	DesiredOutcome string
	CurrentReality []string // facts, oldest first

	// Dates are as the file has them, a date alone included.
	DueDate     string
	CreatedAt   string
	UpdatedAt   string
	CompletedAt string
	// Completed is the mark on the desired outcome. The mark that
	// coaia-narrative sets on the chart entity itself is unreliable and only
	// kept in ChartEntity.Metadata.
	Completed bool

	// Steps are the steps without a chart of their own, and the telescoped
	// ones. A chart that was made as a step of another is listed among the
	// charts alone, with its ParentChart.
	Steps []Step

	// The rest of the entities that make up a chart in a file.
	ChartEntity   Part
	OutcomeEntity Part // Observations: those after the desired outcome
	RealityEntity Part // Observations: always empty, they are CurrentReality

	// Ties are relations of the outcome and the reality, in file names
	// ([ChartEntityName] and so on). Those every chart has are left out unless
	// they say more than the writer would.
	Ties []Relation
	Line int `json:"-"`
}

// Part is what remains of an entity whose main content is in typed fields.
type Part struct {
	Observations []string        `json:"observations,omitempty"`
	Metadata     json.RawMessage `json:"metadata,omitempty"` // object of the other keys, or nil
	Extra        json.RawMessage `json:"extra,omitempty"`    // object of the unknown members, or nil
}

// Step is an action step of a chart.
type Step struct {
	ID           string   // the name of its entity, usually <chart>_action_<n>
	Title        string   // the first observation
	Observations []string // the further ones, such as progress notes
	DueDate      string
	CreatedAt    string
	UpdatedAt    string
	CompletedAt  string
	Completed    bool
	Metadata     json.RawMessage
	Extra        json.RawMessage
	Line         int `json:"-"`
}

// Beat is a narrative beat of a chart.
type Beat struct {
	Name        string
	ParentChart string // ID of the root chart, never empty
	ParentBeat  string // name of the beat this one details, or empty

	Title        string  // empty in files of coaia-narrative, which does not store it
	Act          float64 // 0 when the file has none
	TypeDramatic string
	Universes    []string
	Timestamp    string
	CreatedAt    string
	Observations []string

	// The nested objects have every key that beats have, with a value of the
	// right type, and the unknown keys of the file.
	Narrative           json.RawMessage
	RelationalAlignment json.RawMessage
	FourDirections      json.RawMessage

	Metadata json.RawMessage
	Extra    json.RawMessage
	Line     int `json:"-"`
}

// Report tells what became of an input.
type Report struct {
	Lines int // lines of the input, blank ones included

	Counts      // of the document
	Implied int // relations read that are part of charts and beats
	Skipped int // problems whose record is not in the document
	Remarks
}

// Remarks are what there is to say about the lines of a file.
type Remarks struct {
	Problems []Problem `json:"-"` // ordered by line
}

func (r *Remarks) skip(line int, format string, args ...any) {
	r.Problems = append(r.Problems, Problem{Line: line, Message: fmt.Sprintf(format, args...), Skipped: true})
}

func (r *Remarks) note(line int, format string, args ...any) {
	r.Problems = append(r.Problems, Problem{Line: line, Message: fmt.Sprintf(format, args...)})
}

func (r *Remarks) sort() {
	slices.SortStableFunc(r.Problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
}

// Problem is something the reader of a report should know about one line.
type Problem struct {
	Line    int    `json:"line"`
	Skipped bool   `json:"skipped"` // the record was left out; otherwise it was kept as the message says
	Message string `json:"message"`
}
