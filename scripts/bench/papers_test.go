package main

import (
	"path/filepath"
	"testing"

	"toolkit/internal/reader"
	"toolkit/internal/testenv"
)

// The papers were written down first and printed then, by seven programs in forty layouts and
// ten languages; what is expected of each is what its page shows. A change may read more of
// them rightly and less wrongly: raise the floor then.
func TestPapersOfManyKindsAreReadNoWorseThanBefore(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	for kind, floor := range map[string]struct {
		documents, values   int // in the set: none is left out
		kinds, right, wrong int // at least, at least, at most
	}{
		"invoices":   {documents: 20, values: 424, kinds: 20, right: 403, wrong: 1},
		"receipts":   {documents: 13, values: 110, kinds: 12, right: 104, wrong: 0},
		"statements": {documents: 8, values: 139, kinds: 8, right: 139, wrong: 0},
		"payslips":   {documents: 6, values: 32, kinds: 0, right: 0, wrong: 0},
		"taxforms":   {documents: 6, values: 41, kinds: 6, right: 0, wrong: 0},
	} {
		t.Run(kind, func(t *testing.T) {
			readings, err := measureDocuments(t.Context(), filepath.Join("testdata", "papers", kind), reader.Limits{EngineCache: testenv.EngineCache()})
			if err != nil {
				t.Fatal(err)
			}
			values := 0
			for _, r := range readings {
				if r.Failure != "" {
					t.Errorf("%s was not read: %s", r.Name, r.Failure)
				}
				for _, v := range r.Verdicts {
					if v.Expected != nil {
						values++
					}
					if v.Result == wrong {
						t.Logf("%s: %s", r.Name, v)
					}
				}
			}
			if len(readings) != floor.documents || values != floor.values {
				t.Errorf("%d documents, %d values; want %d and %d", len(readings), values, floor.documents, floor.values)
			}
			kinds, results := countResults(readings)
			if kinds < floor.kinds || results[right] < floor.right || results[wrong] > floor.wrong {
				t.Errorf("%d kinds and %d values right, %d values wrong; want at least %d and %d, and at most %d", kinds, results[right], results[wrong], floor.kinds, floor.right, floor.wrong)
			}
		})
	}
}
