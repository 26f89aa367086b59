package toolset_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"toolkit/internal/app"
	"toolkit/tools/toolset"
)

var update = flag.Bool("update", false, "write the vectors of tools")

// What the vectors of tools were computed of is what the tools say.
func TestGoldenVectorsOfToolsAreUpToDate(t *testing.T) {
	registry, err := app.BuildRegistry()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		text, err := toolset.ComputeVectors(t.Context(), registry.All())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join("..", "..", "fixtures", "tool-vectors.json"), text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	stale, err := toolset.FindStale(registry.All())
	if err != nil || len(stale) > 0 {
		t.Errorf("%v, and stale are those of %v; say what new tools are for in fixtures/words/tools/uses.txt, and run 'make golden'", err, stale)
	}
}
