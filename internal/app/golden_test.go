package app

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "renew the snapshots in testdata/tools")

// A published definition is a contract: a change has to show in review.
func TestGoldenDefinitions(t *testing.T) {
	registry := allTools(t)
	dir := filepath.Join("testdata", "tools")
	known := map[string]bool{}
	for _, d := range registry.All() {
		known[d.Name+".json"] = true
		t.Run(d.Name, func(t *testing.T) {
			raw, err := d.Describe()
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := json.Indent(&got, raw, "", "  "); err != nil {
				t.Fatal(err)
			}
			got.WriteByte('\n')
			file := filepath.Join(dir, d.Name+".json")
			if *update {
				if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v; run 'make golden'", err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("the definition changed; if that is meant, raise the tool's version and run 'make golden':\n%s", diff)
			}
		})
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("%s describes a tool that is gone; a published name never changes", f.Name())
		}
	}
}
