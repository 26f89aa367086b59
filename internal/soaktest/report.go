package soaktest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"toolkit/internal/care/doctor"
	"toolkit/internal/language"
)

// Report is what a run found.
type Report struct {
	Processes    int            `json:"processes"`
	Seconds      float64        `json:"seconds"`
	Calls        int            `json:"calls"`
	Kills        int            `json:"kills"`
	Acknowledged int            `json:"acknowledged"` // writes and removals that were checked
	Lost         []string       `json:"lost"`
	Failed       int            `json:"failed"`
	Failures     []string       `json:"failures"`
	Rows         int            `json:"rows"`
	FileMB       float64        `json:"file_mb"`
	Unloaded     []string       `json:"unloaded"` // families that were only read
	Memory       *Memory        `json:"memory"`   // nil: too short, or not measured here
	Starts       Latency        `json:"starts"`
	All          Latency        `json:"all"`
	Tools        []Latency      `json:"tools"`
	Doctor       *doctor.Report `json:"doctor"`
}

// Sound reports whether nothing was lost, nothing failed and doctor found no
// problem.
func (r *Report) Sound() bool {
	return len(r.Lost) == 0 && r.Failed == 0 && r.Doctor != nil && r.Doctor.Problems == 0
}

func (r *run) report(unloaded []string) (*Report, error) {
	took := time.Since(r.begun)
	ctx := context.Background() // the run's time is up; the checks take theirs
	lost, rows, err := r.journal.Compare(ctx, r.Database)
	if err != nil {
		return nil, fmt.Errorf("reading the database after the run: %w", err)
	}
	examined, err := doctor.Examine(ctx, doctor.Options{Database: r.Database, Given: true, Deep: true, Getenv: func(string) string { return "" }, Now: time.Now})
	if err != nil {
		return nil, err
	}
	report := &Report{
		Processes: r.Processes, Seconds: took.Seconds(), Kills: r.kills, Acknowledged: r.journal.Acknowledged(),
		Lost: append([]string{}, lost...), Failed: r.record.failed, Failures: append([]string{}, r.record.failures...), Rows: rows,
		Unloaded: append([]string{}, unloaded...), Memory: memoryOf(r.record.samples), Starts: latency("start to initialize", r.record.starts), Doctor: examined,
	}
	if info, err := os.Stat(r.Database); err == nil {
		report.FileMB = megabytes(info.Size())
	}
	var all []time.Duration
	for _, tool := range slices.Sorted(maps.Keys(r.record.calls)) {
		report.Tools = append(report.Tools, latency(tool, r.record.calls[tool]))
		all = append(all, r.record.calls[tool]...)
	}
	report.Calls, report.All = len(all), latency("all", all)
	return report, nil
}

// Write prints the report as Markdown.
func (r *Report) Write(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s, %.0f s, %s, %s, %s, %.1f MB.\n\n", language.Count(r.Processes, "process", "processes"), r.Seconds,
		language.Count(r.Calls, "call", "calls"), language.Count(r.Kills, "kill", "kills"), language.Count(r.Rows, "row", "rows"), r.FileMB)
	fmt.Fprintf(w, "* acknowledged writes and removals checked: %d, lost: %d\n", r.Acknowledged, len(r.Lost))
	for _, l := range r.Lost[:min(20, len(r.Lost))] {
		fmt.Fprintf(w, "  * %s\n", l)
	}
	fmt.Fprintf(w, "* failed calls: %d\n", r.Failed)
	for _, f := range r.Failures {
		fmt.Fprintf(w, "  * %s\n", f)
	}
	fmt.Fprintf(w, "* `doctor --deep`: %s\n", language.Count(r.Doctor.Problems, "problem", "problems"))
	for _, f := range r.Doctor.Findings {
		if f.State == doctor.Problem {
			fmt.Fprintf(w, "  * %s: %s %v\n", f.Check, f.Says, f.Details)
		}
	}
	if m := r.Memory; m != nil {
		fmt.Fprintf(w, "* memory of the process that is never killed: %.1f MB at the start, %.1f MB at the end, at most %.1f MB; %+.2f MB a minute while memory and charts grow (first half), %+.2f MB a minute when they no longer do (last two fifths)\n", m.Start, m.End, m.Most, m.Growth, m.Slope)
	}
	if len(r.Unloaded) > 0 {
		fmt.Fprintf(w, "* only read, because they have no load of their own: %v\n", r.Unloaded)
	}
	fmt.Fprint(w, "\n| ms | calls | median | 95 % | 99 % | longest |\n|---|---:|---:|---:|---:|---:|\n")
	for _, l := range append([]Latency{r.All, r.Starts}, r.Tools...) {
		fmt.Fprintf(w, "| %s | %d | %.1f | %.1f | %.1f | %.1f |\n", l.Tool, l.Calls, l.P50, l.P95, l.P99, l.Max)
	}
	return w.Flush()
}
