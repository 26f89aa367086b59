package app

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/transfer"
)

// Whatever can be read can be imported, and its export comes back the same.
func FuzzImportAndExport(f *testing.F) {
	samples, err := filepath.Glob("../transfer/testdata/exchange_*.json*")
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
		document, err := transfer.ReadExchange(bytes.NewReader(file))
		if err != nil {
			return
		}
		a, b := openApp(t, 0), openApp(t, 0)
		if _, err := transfer.ImportExchange(t.Context(), a.Store, document, transfer.ExchangeOptions{}); err != nil {
			t.Fatal(err)
		}
		first := exported(t, a, transfer.ExchangeCoaia)
		imported(t, b, first)
		if diff := cmp.Diff(sortLines(first), sortLines(exported(t, b, transfer.ExchangeCoaia))); diff != "" {
			t.Fatalf("(-first +second):\n%s", diff)
		}
		at := sequence(t, a)
		if _, err = transfer.ImportExchange(t.Context(), a.Store, document, transfer.ExchangeOptions{}); err != nil || sequence(t, a) != at {
			t.Errorf("again: %v, sequence %d to %d", err, at, sequence(t, a))
		}
	})
}
