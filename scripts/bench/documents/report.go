package documents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"toolkit/tools/engines/document"
)

// Tally counts values by how they were read.
type Tally struct {
	Right, Wrong, Missing int
	stated                int // values that the documents have
}

func (t *Tally) add(verdicts []Verdict) {
	for _, v := range verdicts {
		switch v.Result {
		case right:
			t.Right++
		case wrong:
			t.Wrong++
		case missing:
			t.Missing++
		}
		if v.Expected != nil {
			t.stated++
		}
	}
}

// Report is the outcome of a run.
type Report struct {
	Documents int
	Unjudged  []string
	Kinds     int // documents whose kind is right
	Total     Tally
	outcomes  []Outcome
}

// NewReport sums up outcomes.
func NewReport(set *Set, _ document.Limits, outcomes []Outcome) *Report {
	r := &Report{Documents: len(outcomes), Unjudged: set.Unjudged, outcomes: outcomes}
	for _, o := range outcomes {
		if o.Expected != "" && o.Expected == o.Kind {
			r.Kinds++
		}
		r.Total.add(o.Verdicts)
	}
	return r
}

// Write prints a table by kind of document, then what one has to look at.
func (r *Report) Write(w io.Writer) error {
	byKind := map[string][]Outcome{"all": r.outcomes}
	for _, o := range r.outcomes {
		byKind[o.Expected] = append(byKind[o.Expected], o)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "kind\tdocuments\tkind right\tright\twrong\tmissing\tp50\tp95")
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		outcomes, part := slices.Clone(byKind[kind]), NewReport(&Set{}, document.Limits{}, byKind[kind])
		slices.SortFunc(outcomes, func(a, b Outcome) int { return cmp.Compare(a.Took, b.Took) })
		p50, p95 := outcomes[len(outcomes)/2].Took, outcomes[len(outcomes)*95/100].Took
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%d ms\t%d ms\n", cmp.Or(kind, "not judged"), part.Documents, part.Kinds,
			part.Total.Right, part.Total.Wrong, part.Total.Missing, p50.Milliseconds(), p95.Milliseconds())
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, o := range r.outcomes {
		if o.Failure != "" {
			fmt.Fprintf(w, "%s: not read: %s\n", o.File, o.Failure)
		} else if o.Expected != "" && o.Expected != o.Kind {
			fmt.Fprintf(w, "%s: is %s, was taken for %s\n", o.File, o.Expected, o.Kind)
		}
		for _, v := range o.Verdicts {
			if v.Result == wrong {
				fmt.Fprintf(w, "%s: %s\n", o.File, v)
			}
		}
	}
	for _, name := range r.Unjudged {
		fmt.Fprintf(w, "%s: nothing is expected of it\n", name)
	}
	return nil
}

// String tells a value as a line of the report.
func (v Verdict) String() string {
	name := v.Field
	if v.Row > 0 {
		name = fmt.Sprintf("%s of row %d", v.Field, v.Row)
	}
	expected, _ := json.Marshal(v.Expected) // both come from JSON; null is nothing
	got, _ := json.Marshal(v.Got)
	return fmt.Sprintf("%s: expected %s, got %s", name, expected, got)
}
