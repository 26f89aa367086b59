package documents

import (
	"bytes"
	"context"
	"encoding/json"
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
		kind, values, err := readFields(ctx, data, d.Name, limits)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		o := Outcome{File: d.Name, Kind: kind, Expected: d.Want.Kind, Took: time.Since(begun), Verdicts: compare(d.Want, values)}
		if err != nil {
			o.Failure = err.Error()
		}
		outcomes = append(outcomes, o)
		progress(len(outcomes))
	}
	return outcomes, nil
}

// readFields does what an upload does, as far as it is reading. The values have the types
// of JSON.
func readFields(ctx context.Context, data []byte, name string, limits document.Limits) (kind string, values map[string]any, err error) {
	format, err := document.Sniff(data, name)
	if err != nil {
		return "", nil, err
	}
	content, err := document.Extract(ctx, bytes.NewReader(data), int64(len(data)), format, limits)
	if err != nil {
		return "", nil, err
	}
	kind, _, _ = document.Classify(content)
	fields, _ := document.Fields(content, kind)
	var rows []map[string]any
	for _, record := range content.Records {
		if record.Kind == "transaction" {
			rows = append(rows, record.Fields)
		}
	}
	if len(rows) > 0 {
		fields["transactions"] = rows // of a bank's export
	}
	encoded, err := json.Marshal(fields)
	if err == nil {
		err = json.Unmarshal(encoded, &values)
	}
	return kind, values, err
}
