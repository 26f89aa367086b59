package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"toolkit/internal/reader"
)

// expectedSuffix ends the names of files with expectations: what is expected of one.pdf
// stands in one.expected.json.
const expectedSuffix = ".expected.json"

// Expected is what a careful reader found in a document.
type Expected struct {
	Kind   string         `json:"kind"` // empty: not judged
	Fields map[string]any `json:"fields"`
	Absent []string       `json:"absent"` // fields that the document does not state; "*": all others
	Items  map[string]struct {
		Count int              `json:"count"` // for people
		Rows  []map[string]any `json:"rows"`  // all rows of a list
	} `json:"items"`
	Note string `json:"note"` // for people
}

// Reading is how one document was read.
type Reading struct {
	Name         string // from the folder that was asked for
	Kind, Wanted string
	Failure      string // why it could not be read: all of its fields are missing
	Took         time.Duration
	Verdicts     []Verdict
}

// measureDocuments reads the documents of a folder, and of those within it, beside which
// something is expected.
func measureDocuments(ctx context.Context, folder string, limits reader.Limits) (readings []Reading, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, expectedSuffix) {
			return err
		}
		want, err := readExpected(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		files, err := filepath.Glob(strings.TrimSuffix(path, expectedSuffix) + ".*")
		files = slices.DeleteFunc(files, func(file string) bool { return file == path })
		if err != nil || len(files) == 0 {
			return fmt.Errorf("%s: there is no document of that name beside it", path)
		}
		for _, file := range files {
			r, err := readDocument(ctx, file, want, limits)
			if err != nil {
				return err
			}
			if r.Name, err = filepath.Rel(folder, file); err != nil {
				return err
			}
			readings = append(readings, r)
		}
		return nil
	})
	if err == nil && len(readings) == 0 {
		err = fmt.Errorf("no file in %s has its expected fields beside it, in a file such as invoice.expected.json beside invoice.pdf", folder)
	}
	return readings, err
}

func readExpected(path string) (want Expected, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return want, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields() // a misspelt name must not pass as nothing expected
	err = decoder.Decode(&want)
	return want, err
}

// readDocument does what an upload does, as far as it is reading, and compares the values.
func readDocument(ctx context.Context, path string, want Expected, limits reader.Limits) (Reading, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Reading{}, err
	}
	r, begun, fields := Reading{Wanted: want.Kind}, time.Now(), map[string]any{}
	format, err := reader.Sniff(data, filepath.Base(path))
	if err == nil {
		var content *reader.Content
		if content, err = reader.Extract(ctx, bytes.NewReader(data), int64(len(data)), format, limits); err == nil {
			r.Kind, _ = reader.Classify(content)
			fields, _ = reader.ExtractFields(content, r.Kind)
			addTransactions(fields, content)
		}
	}
	if err != nil {
		r.Failure = err.Error()
	}
	r.Took = time.Since(begun)
	encoded, err := json.Marshal(fields) // to compare values of the types of JSON
	if err != nil {
		return r, err
	}
	var values map[string]any
	if err := json.Unmarshal(encoded, &values); err != nil {
		return r, err
	}
	r.Verdicts = compareWithExpected(want, values)
	return r, ctx.Err()
}

// addTransactions adds the rows of a bank's export.
func addTransactions(fields map[string]any, content *reader.Content) {
	var rows []map[string]any
	for _, record := range content.Records {
		if record.Kind == "transaction" {
			rows = append(rows, record.Fields)
		}
	}
	if len(rows) > 0 {
		fields["transactions"] = rows
	}
}

// printReadings prints a table by kind of document, then what one has to look at.
func printReadings(w io.Writer, readings []Reading) error {
	byKind := map[string][]Reading{"all": readings}
	for _, r := range readings {
		byKind[r.Wanted] = append(byKind[r.Wanted], r)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "kind\tdocuments\tkind right\tright\twrong\tmissing\tp50\tp95")
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		kinds, results := countResults(byKind[kind])
		var took []time.Duration
		for _, r := range byKind[kind] {
			took = append(took, r.Took)
		}
		p50, p95 := percentiles(took)
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%d ms\t%d ms\n", cmp.Or(kind, "not judged"), len(took), kinds,
			results[right], results[wrong], results[missing], p50.Milliseconds(), p95.Milliseconds())
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, r := range readings {
		if r.Failure != "" {
			fmt.Fprintf(w, "%s: not read: %s\n", r.Name, r.Failure)
		} else if r.Wanted != "" && r.Wanted != r.Kind {
			fmt.Fprintf(w, "%s: is %s, was taken for %s\n", r.Name, r.Wanted, r.Kind)
		}
		for _, v := range r.Verdicts {
			if v.Result == wrong {
				fmt.Fprintf(w, "%s: %s\n", r.Name, v)
			}
		}
	}
	return nil
}

// countResults returns how many documents are of the kind that was expected, and how many
// values have each result.
func countResults(readings []Reading) (kinds int, results map[string]int) {
	results = map[string]int{}
	for _, r := range readings {
		if r.Wanted != "" && r.Wanted == r.Kind {
			kinds++
		}
		for _, v := range r.Verdicts {
			results[v.Result]++
		}
	}
	return kinds, results
}
