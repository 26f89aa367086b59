package reader

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/testenv"
)

// made is what a careful reader notes of a document in testdata/makes, whatever program
// printed it: its kind, its fields, and no others. Absent names fields that a careless
// reader would fill from a label, a heading or a neighbour.
type made struct {
	Kind   string         `json:"kind"`
	Fields map[string]any `json:"fields"`
	Absent []string       `json:"absent"`
}

func TestDocumentsOfManyMakesAreReadAsWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	files, err := filepath.Glob(filepath.Join("testdata", "makes", "*.*.pdf"))
	if err != nil || len(files) < 45 {
		t.Fatalf("%d documents (%v), want those of testdata/makes", len(files), err)
	}
	for _, file := range files {
		name, make, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".pdf"), ".")
		if _, special := unreadableMakes[make]; special {
			continue
		}
		t.Run(name+"/"+make, func(t *testing.T) {
			want := expectation(t, name)
			content := extract(t, contentsOf(t, file), PDF)
			kind, confidence := Classify(content)
			if kind != want.Kind {
				t.Fatalf("Classify = %s (%.2f), want %s; text:\n%s", kind, confidence, want.Kind, content.Text)
			}
			values, _ := ExtractFields(content, kind)
			for _, key := range want.Absent {
				if item, found := values[key]; found {
					t.Errorf("%s = %v, want none", key, item)
				}
			}
			if diff := cmp.Diff(want.Fields, asJSON(t, withoutContent(values))); diff != "" {
				t.Errorf("fields differ (-want +got):\n%s\ntext:\n%s", diff, content.Text)
			}
		})
	}
}

// unreadableMakes are documents without readable text, and the reason that is told.
var unreadableMakes = map[string]string{"qpdf-locked": "password", "cut": "damaged", "img2pdf-scan": "images"}

func TestUnreadableDocumentsSayWhy(t *testing.T) {
	for make, reason := range unreadableMakes {
		data := contentsOf(t, filepath.Join("testdata", "makes", "two_columns."+make+".pdf"))
		content, err := Extract(context.Background(), bytes.NewReader(data), int64(len(data)), PDF, Limits{})
		switch {
		case err != nil:
			if !errors.Is(err, ErrAnalysis) || !strings.Contains(err.Error(), reason) {
				t.Errorf("%s: error %v, want ErrAnalysis naming %q", make, err, reason)
			}
		case len(content.Warnings) == 0 || !strings.Contains(content.Warnings[0], reason) || strings.TrimSpace(content.Text) != "":
			t.Errorf("%s: text %q, warnings %v, want no text and a warning naming %q", make, content.Text, content.Warnings, reason)
		}
	}
}

func TestFieldsAreTheSameEveryTime(t *testing.T) {
	data := contentsOf(t, filepath.Join("testdata", "makes", "konto_de.weasyprint.pdf"))
	content := extract(t, data, PDF)
	first, _ := ExtractFields(content, KindStatement)
	for range 30 {
		kind, _ := Classify(content)
		if again, _ := ExtractFields(content, kind); !cmp.Equal(first, again) {
			t.Fatalf("fields differ from call to call:\n%s", cmp.Diff(first, again))
		}
	}
}

func expectation(t *testing.T, name string) made {
	t.Helper()
	var want made
	if err := json.Unmarshal(contentsOf(t, filepath.Join("testdata", "makes", name+".json")), &want); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return want
}

func contentsOf(t *testing.T, file string) []byte {
	t.Helper()
	return testenv.Read(t, file)
}

// asJSON gives values the types that the expectations have.
func asJSON(t *testing.T, values map[string]any) map[string]any {
	t.Helper()
	encoded, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	plain := map[string]any{}
	if err := json.Unmarshal(encoded, &plain); err != nil {
		t.Fatal(err)
	}
	return plain
}
