package app

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/care/exchange"
)

// Whatever can be read can be imported, and comes back the same.
func FuzzImportAndExport(f *testing.F) {
	samples, err := filepath.Glob("../care/exchange/testdata/*.json*")
	if err != nil || len(samples) == 0 {
		f.Fatalf("no samples: %v", err)
	}
	for _, name := range samples {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for seed := range uint64(20) {
		f.Add([]byte(newFileMaker(seed).file()))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		document, _, err := exchange.Read(bytes.NewReader(file))
		if err != nil {
			return
		}
		a := openApp(t, 0)
		r, err := exchange.Import(t.Context(), a.Store, document, exchange.ImportOptions{})
		if err != nil || len(r.Problems) > 0 {
			t.Fatalf("%v, %v", err, r)
		}
		if diff := cmp.Diff(document, read(t, exported(t, a, exchange.Coaia)+" "), sameRecords); diff != "" {
			t.Fatalf("(-document +export):\n%s", diff)
		}
		at := sequence(t, a)
		if r, err = exchange.Import(t.Context(), a.Store, document, exchange.ImportOptions{}); err != nil || len(r.Problems) > 0 || sequence(t, a) != at {
			t.Errorf("again: %v, %+v, sequence %d to %d", err, r, at, sequence(t, a))
		}
	})
}
