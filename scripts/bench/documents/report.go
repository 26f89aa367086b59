package documents

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"toolkit/internal/language"
	"toolkit/tools/engines/document"
)

// Tally counts the values of a field, or of all. Precision is the part of what was read that
// is right, recall the part of what stands in the documents that was read rightly.
type Tally struct {
	Field     string  `json:"field"`
	Right     int     `json:"right"`
	Wrong     int     `json:"wrong"`
	Missing   int     `json:"missing"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	stated    int     // values that the documents have
}

// Change is a value that an earlier run read with another result.
type Change struct {
	File   string `json:"file"`
	Before string `json:"before"`
	Verdict
}

// Times are those of reading a file and finding its fields, in milliseconds. The first
// includes preparing the reader.
type Times struct {
	First   float64 `json:"first_ms"`
	Median  float64 `json:"median_ms"` // of the others
	P95     float64 `json:"p95_ms"`
	Slowest string  `json:"slowest"`
}

// Report is the outcome of a run.
type Report struct {
	Documents int       `json:"documents"`
	Unjudged  []string  `json:"unjudged_files,omitempty"`
	Hidden    bool      `json:"attachments_ignored,omitempty"`
	Kinds     int       `json:"kinds_right"`
	Judged    int       `json:"kinds_judged"`
	Total     Tally     `json:"total"`
	Fields    []Tally   `json:"fields"`
	Times     Times     `json:"times"`
	Peak      float64   `json:"peak_mb"` // of the whole process; 0: not measured here
	PeakAt    string    `json:"peak_at,omitempty"`
	Changes   []Change  `json:"changes,omitempty"`
	Before    *Tally    `json:"before,omitempty"` // of the values that both runs judged
	Now       *Tally    `json:"now,omitempty"`
	Outcomes  []Outcome `json:"outcomes"`
}

// NewReport sums up outcomes.
func NewReport(set *Set, limits document.Limits, outcomes []Outcome) *Report {
	r := &Report{Documents: len(outcomes), Unjudged: set.Unjudged, Hidden: limits.IgnoreAttachments, Outcomes: outcomes, Times: timesOf(outcomes)}
	var all []Verdict
	for _, o := range outcomes {
		if o.Expected != "" {
			r.Judged++
		}
		if o.Expected != "" && o.Expected == o.Kind {
			r.Kinds++
		}
		if o.Peak > r.Peak {
			r.Peak, r.PeakAt = o.Peak, o.File
		}
		all = append(all, o.Verdicts...)
	}
	r.Total = tally("all", all)
	byField := map[string][]Verdict{}
	for _, v := range all {
		byField[v.Field] = append(byField[v.Field], v)
	}
	for field, verdicts := range byField {
		r.Fields = append(r.Fields, tally(field, verdicts))
	}
	slices.SortFunc(r.Fields, func(a, b Tally) int { return cmp.Compare(a.Field, b.Field) })
	return r
}

func tally(field string, verdicts []Verdict) Tally {
	t := Tally{Field: field}
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
	t.Precision, t.Recall = part(t.Right, t.Right+t.Wrong), part(t.Right, t.stated)
	return t
}

// part is 1 of nothing: nothing was read wrongly.
func part(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

func timesOf(outcomes []Outcome) Times {
	if len(outcomes) == 0 {
		return Times{}
	}
	t := Times{First: outcomes[0].Millis, Median: outcomes[0].Millis, P95: outcomes[0].Millis, Slowest: outcomes[0].File}
	others := slices.SortedFunc(slices.Values(outcomes[1:]), func(a, b Outcome) int { return cmp.Compare(a.Millis, b.Millis) })
	if n := len(others); n > 0 {
		t.Median, t.P95, t.Slowest = others[n/2].Millis, others[min(n-1, n*95/100)].Millis, others[n-1].File
	}
	return t
}

// place names a value in the set, so that two runs are compared value by value.
type place struct {
	file, field string
	row, nth    int // several values can have one place: elements of a list, rows too many
}

func places(outcomes []Outcome) (order []place, at map[place]Verdict) {
	at = map[place]Verdict{}
	for _, o := range outcomes {
		seen := map[place]int{}
		for _, v := range o.Verdicts {
			p := place{file: o.File, field: v.Field, row: v.Row}
			seen[p]++
			p.nth = seen[p]
			order = append(order, p)
			at[p] = v
		}
	}
	return order, at
}

// Against lists the values that an earlier run read with another result. A value that the
// document does not state is silence where it was not read.
func (r *Report) Against(earlier io.Reader) error {
	var before Report
	if err := json.NewDecoder(earlier).Decode(&before); err != nil {
		return fmt.Errorf("this is not what --json printed: %w", err)
	}
	fileOf := func(o Outcome) string { return o.File }
	files := make(map[string]bool, len(before.Outcomes))
	for _, outcome := range before.Outcomes {
		files[fileOf(outcome)] = true
	}
	both := slices.DeleteFunc(slices.Clone(r.Outcomes), func(o Outcome) bool { return !files[o.File] })
	if len(both) == 0 {
		return errors.New("the earlier run read none of these files")
	}
	mine := make(map[string]bool, len(both))
	for _, outcome := range both {
		mine[fileOf(outcome)] = true
	}
	old := slices.DeleteFunc(before.Outcomes, func(o Outcome) bool { return !mine[o.File] })
	r.Changes = changes(old, both)
	r.Before, r.Now = tallied(old), tallied(both)
	return nil
}

func tallied(outcomes []Outcome) *Tally {
	var all []Verdict
	for _, o := range outcomes {
		all = append(all, o.Verdicts...)
	}
	t := tally("all", all)
	return &t
}

const silent = "silent"

func changes(before, now []Outcome) (list []Change) {
	oldOrder, old := places(before)
	order, current := places(now)
	for _, p := range order {
		was, is := silent, current[p]
		if v, ok := old[p]; ok {
			was = v.Result
		}
		if was != is.Result {
			list = append(list, Change{p.file, was, is})
		}
	}
	for _, p := range oldOrder {
		if _, still := current[p]; !still {
			v := old[p]
			list = append(list, Change{p.file, v.Result, Verdict{Field: v.Field, Row: v.Row, Result: silent, Expected: v.Expected}})
		}
	}
	return list
}

// Write prints the report as text.
func (r *Report) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s, %s; kind right %d of %d", language.Count(r.Documents, "document", "documents"),
		language.Count(r.Total.stated, "expected value", "expected values"), r.Kinds, r.Judged)
	if r.Hidden {
		fmt.Fprint(w, "; attachments of PDFs ignored")
	}
	fmt.Fprint(w, "\n\n")
	if err := r.writeFields(w); err != nil {
		return err
	}
	r.writeWrong(w)
	r.writeRest(w)
	r.writeChanges(w)
	fmt.Fprintf(w, "first file %.0f ms, others median %.0f ms, p95 %.0f ms (slowest %s)\n", r.Times.First, r.Times.Median, r.Times.P95, r.Times.Slowest)
	if r.Peak == 0 {
		fmt.Fprintln(w, "peak memory is not measured on this system")
		return nil
	}
	_, err := fmt.Fprintf(w, "peak memory %.0f MB, at %s\n", r.Peak, r.PeakAt)
	return err
}

func (r *Report) writeFields(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "field\tright\twrong\tmissing\tprecision\trecall")
	for _, t := range append(slices.Clone(r.Fields), r.Total) {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%.3f\t%.3f\n", t.Field, t.Right, t.Wrong, t.Missing, t.Precision, t.Recall)
	}
	return table.Flush()
}

// writeWrong lists wrong kinds and values: they are what one has to look at.
func (r *Report) writeWrong(w io.Writer) {
	fmt.Fprintln(w)
	for _, o := range r.Outcomes {
		if o.Expected != "" && o.Expected != o.Kind && o.Failure == "" {
			fmt.Fprintf(w, "%s: is %s, was taken for %s\n", o.File, o.Expected, o.Kind)
		}
	}
	for _, o := range r.Outcomes {
		for _, v := range o.Verdicts {
			if v.Result == wrong {
				fmt.Fprintf(w, "%s: %s\n", o.File, v)
			}
		}
	}
}

// writeRest tells what no field shows: files that were not read or not judged.
func (r *Report) writeRest(w io.Writer) {
	for _, o := range r.Outcomes {
		if o.Failure != "" {
			fmt.Fprintf(w, "%s: not read: %s\n", o.File, o.Failure)
		}
	}
	if len(r.Unjudged) > 0 {
		fmt.Fprintf(w, "%s without expected fields: %s\n", language.Count(len(r.Unjudged), "file", "files"), strings.Join(r.Unjudged, ", "))
	}
}

func (r *Report) writeChanges(w io.Writer) {
	if r.Before == nil {
		return
	}
	fmt.Fprintf(w, "\nAgainst the earlier run, where both read the file: precision %.3f → %.3f, recall %.3f → %.3f, %s\n",
		r.Before.Precision, r.Now.Precision, r.Before.Recall, r.Now.Recall, language.Count(len(r.Changes), "value differs", "values differ"))
	for _, c := range r.Changes {
		fmt.Fprintf(w, "%s: %s → %s: %s\n", c.File, c.Before, c.Result, c.Verdict)
	}
}

// String tells a value as a line of the report.
func (v Verdict) String() string {
	name := v.Field
	if v.Row > 0 {
		name = fmt.Sprintf("%s of row %d", v.Field, v.Row)
	}
	return fmt.Sprintf("%s: expected %s, got %s%s", name, shown(v.Expected), shown(v.Got), placed(v.Source))
}

func shown(value any) string {
	if value == nil {
		return "nothing"
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSpace(text.String())
}

func placed(s document.Source) string {
	switch {
	case s.Element != "":
		return " (" + s.Element + ")"
	case s.Page > 0:
		return fmt.Sprintf(" (page %d, line %d)", s.Page, s.Line)
	}
	return ""
}
