package exchange

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// File is the content of one memory file.
type File struct {
	Lines     int       // blank ones included
	Entities  []*Entity // the plain nodes of the graph
	Charts    []*Chart  // each behind its parent
	Beats     []*Beat   // each behind the beat it details
	Relations []*Relation
	Foreign   []json.RawMessage // objects of unknown types
	Remarks
}

// Entity is an entity line.
type Entity struct {
	Name         string   `json:"name,omitempty"`
	Type         string   `json:"entityType,omitempty"`
	Observations []string `json:"observations,omitempty"`
	Metadata     object   `json:"metadata,omitempty"`
	Extra        object   `json:"extra,omitempty"` // the unknown members
	Line         int      `json:"-"`
}

// Relation is a relation line. The ends are names of entities as a file has them.
type Relation struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Type     string `json:"type"`
	Metadata object `json:"metadata,omitempty"`
	Extra    object `json:"extra,omitempty"` // the unknown members
	Line     int    `json:"-"`
}

// relationKey identifies an edge: two relations of one key are the same edge.
type relationKey struct{ from, to, relationType string }

func (r *Relation) key() relationKey { return relationKey{r.From, r.To, r.Type} }

// Chart is a structural tension chart, which in a file is the entities
// <ID>_chart, <ID>_desired_outcome and <ID>_current_reality and those of its
// steps.
type Chart struct {
	ID          string
	ParentChart string // ID of the chart that this one is part of, or empty
	ParentStep  string // name of the parent's step that this chart details, or empty

	Entity, Outcome, Reality *Entity
	Steps                    []*Entity   // each has its title as first observation
	Ties                     []*Relation // of the outcome and the reality
}

// Beat is a narrative beat of a chart.
type Beat struct {
	*Entity
	Chart  string // ID of the chart
	Parent string // name of the beat this one details, or empty
}

// countRecords is the number of records of all kinds.
func (f *File) countRecords() int {
	count := len(f.Entities) + len(f.Relations) + len(f.Charts) + len(f.Beats) + len(f.Foreign)
	for _, c := range f.Charts {
		count += len(c.Steps)
	}
	return count
}

// IsEmpty reports whether the file holds no record.
func (f *File) IsEmpty() bool { return f.countRecords() == 0 }

// Problem is something the reader of a report should know about one line.
type Problem struct {
	Line    int    `json:"line"`
	Skipped bool   `json:"skipped"` // the record was left out; otherwise it was kept as the message says
	Message string `json:"message"`
}

// Remarks are what there is to say about the lines of a file.
type Remarks struct {
	Problems []Problem `json:"-"` // ordered by line
}

// SkippedCount is the number of records that were left out.
func (r *Remarks) SkippedCount() int {
	count := 0
	for _, p := range r.Problems {
		if p.Skipped {
			count++
		}
	}
	return count
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
