package exchange

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Every sample has three golden files: its report, and its export in each format.
func TestSamplesAreReadAndWrittenAsBefore(t *testing.T) {
	for _, sample := range samples(t) {
		t.Run(filepath.Base(sample), func(t *testing.T) {
			document, report := readFile(t, sample)
			base := strings.TrimSuffix(sample, filepath.Ext(sample))
			compareGolden(t, base+".report.golden", []byte(reportText(report)))
			compareGolden(t, base+".coaia.golden", written(t, document, Coaia))
			compareGolden(t, base+".memory.golden", written(t, document, Memory))
		})
	}
}

func samples(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.json*")
	if err != nil || len(names) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	return names
}

func readFile(t *testing.T, name string) (*Document, *Report) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return readText(t, string(text))
}

func readText(t *testing.T, text string) (*Document, *Report) {
	t.Helper()
	document, report, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return document, report
}

func written(t *testing.T, document *Document, format Format) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, document, format); err != nil {
		t.Fatalf("Write: %v", err)
	}
	return out.Bytes()
}

func reportText(report *Report) string {
	var text strings.Builder
	fmt.Fprintf(&text, "lines %d, entities %d, relations %d, charts %d, steps %d, beats %d, foreign %d, skipped %d\n",
		report.Lines, report.Entities, report.Relations, report.Charts, report.Steps, report.Beats, report.Foreign, report.Skipped)
	for _, problem := range report.Problems {
		mark := "kept"
		if problem.Skipped {
			mark = "skipped"
		}
		fmt.Fprintf(&text, "line %d (%s): %s\n", problem.Line, mark, problem.Message)
	}
	return text.String()
}

func compareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}
