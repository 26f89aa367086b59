package documents

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"toolkit/tools/engines/document"
)

// Outcome is how one document was read.
type Outcome struct {
	File     string
	Kind     string
	Expected string // kind; empty: not judged
	Failure  string // why it could not be read: all of its fields are missing
	Took     time.Duration
	Verdicts []Verdict
}

// Run reads the documents one after another. Progress is told how many are done.
func Run(ctx context.Context, set *Set, limits document.Limits, progress func(done int)) ([]Outcome, error) {
	var outcomes []Outcome
	for _, d := range set.Documents {
		data, err := os.ReadFile(d.Path)
		if err != nil {
			return nil, err
		}
		begun := time.Now()
		r, err := readingOf(ctx, data, d.Name, limits)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		o := Outcome{File: d.Name, Kind: r.kind, Expected: d.Want.Kind, Took: time.Since(begun), Verdicts: compare(d.Want, r.values)}
		if err != nil {
			o.Failure = err.Error()
		}
		outcomes = append(outcomes, o)
		progress(len(outcomes))
	}
	return outcomes, nil
}

// reading is what was made of a file.
type reading struct {
	kind   string
	values map[string]any // with the types of JSON
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
	values, _ := document.Fields(content, r.kind)
	var rows []map[string]any
	for _, record := range content.Records {
		if record.Kind == "transaction" {
			rows = append(rows, record.Fields)
		}
	}
	if len(rows) > 0 {
		values["transactions"] = rows // of a bank's export
	}
	encoded, err := json.Marshal(values)
	if err != nil {
		return r, fmt.Errorf("the fields cannot be written: %w", err)
	}
	return r, json.Unmarshal(encoded, &r.values)
}
