package documents

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/tools/engines/document"
)

// transactions is the field of rows that a bank's export has as records.
const transactions = "transactions"

// Outcome is how one document was read.
type Outcome struct {
	File     string    `json:"file"`
	Kind     string    `json:"kind"`
	Expected string    `json:"expected_kind,omitempty"`
	Failure  string    `json:"failure,omitempty"` // why it could not be read: all of its fields are missing
	Warnings []string  `json:"warnings,omitempty"`
	Millis   float64   `json:"ms"`
	Peak     float64   `json:"peak_mb,omitempty"` // of the process until then
	Verdicts []Verdict `json:"verdicts"`
	Unjudged []string  `json:"unjudged,omitempty"` // fields that were read and of which nothing is known
}

// Run reads the documents one after another. Progress is told how many are done.
func Run(ctx context.Context, set *Set, limits document.Limits, progress func(done int)) ([]Outcome, error) {
	var outcomes []Outcome
	for _, d := range set.Documents {
		o, err := d.read(ctx, limits)
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, o)
		progress(len(outcomes))
	}
	return outcomes, nil
}

func (d Document) read(ctx context.Context, limits document.Limits) (Outcome, error) {
	data, err := os.ReadFile(d.Path)
	if err != nil {
		return Outcome{}, err
	}
	begun := time.Now()
	r, err := readingOf(ctx, data, d.Name, limits)
	if ctx.Err() != nil {
		return Outcome{}, ctx.Err()
	}
	o := Outcome{File: d.Name, Kind: r.kind, Expected: d.Want.Kind, Warnings: r.warnings, Millis: float64(time.Since(begun).Microseconds()) / 1000, Peak: peakMemory()}
	if err != nil {
		o.Failure = strings.TrimPrefix(err.Error(), document.ErrAnalysis.Error()+": ")
	}
	o.Verdicts = compare(d.Want, r.values, r.sources)
	o.Unjudged = d.Want.unjudged(r.values)
	return o, nil
}

// reading is what was made of a file.
type reading struct {
	kind     string
	values   map[string]any // with the types of JSON
	sources  map[string]document.Source
	warnings []string
}

// readingOf does what an upload does, as far as it is reading.
func readingOf(ctx context.Context, data []byte, name string, limits document.Limits) (r reading, err error) {
	format, err := document.Sniff(data, name)
	if err != nil {
		return r, err
	}
	content, err := document.Extract(ctx, bytes.NewReader(data), int64(len(data)), format, limits)
	if err != nil {
		return r, err
	}
	r.kind, _, _ = document.Classify(content)
	values, sources := document.Fields(content, r.kind)
	if rows := transactionsOf(content); len(rows) > 0 {
		values[transactions] = rows
	}
	encoded, err := json.Marshal(values)
	if err != nil {
		return r, fmt.Errorf("the fields cannot be written: %w", err)
	}
	r.sources, r.warnings = sources, content.Warnings
	return r, json.Unmarshal(encoded, &r.values)
}

func transactionsOf(content *document.Content) (rows []map[string]any) {
	for _, record := range content.Records {
		if record.Kind == "transaction" {
			rows = append(rows, record.Fields)
		}
	}
	return rows
}

// unjudged names what was read beyond what is known of the document.
func (want Expected) unjudged(got map[string]any) (names []string) {
	judged := want.absentOf(got)
	want.Absent = []string{everyOther}
	return slices.DeleteFunc(want.absentOf(got), func(name string) bool { return slices.Contains(judged, name) })
}

// peakMemory is the most memory that this process held at a time, in MB, as Linux counts it
// since the program was started; 0 where it is not counted.
func peakMemory() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if errors.Is(err, os.ErrNotExist) {
		return 0
	}
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	line, _, _ = strings.Cut(line, "kB")
	kilobytes, _ := strconv.ParseFloat(strings.TrimSpace(line), 64)
	return kilobytes / 1000 * 1.024
}
