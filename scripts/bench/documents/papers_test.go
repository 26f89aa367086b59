package documents

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"toolkit/tools/engines/document"
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
		"invoices":   {documents: 20, values: 424, kinds: 20, right: 390, wrong: 2},
		"receipts":   {documents: 13, values: 110, kinds: 3, right: 27, wrong: 2},
		"statements": {documents: 8, values: 139, kinds: 7, right: 98, wrong: 8},
		"payslips":   {documents: 6, values: 32, kinds: 0, right: 0, wrong: 0},
		"taxforms":   {documents: 6, values: 41, kinds: 6, right: 0, wrong: 0},
	} {
		t.Run(kind, func(t *testing.T) {
			set, err := Load(filepath.Join("testdata", "papers", kind))
			if err != nil {
				t.Fatal(err)
			}
			outcomes, err := Run(context.Background(), set, document.Limits{EngineCache: engineCache()}, func(int) {})
			if err != nil {
				t.Fatal(err)
			}
			r := NewReport(set, document.Limits{}, outcomes)
			if r.Documents != floor.documents || r.Total.stated != floor.values || len(r.Unjudged) > 0 {
				t.Errorf("%d documents, %d values, without expectations %q; want %d and %d", r.Documents, r.Total.stated, r.Unjudged, floor.documents, floor.values)
			}
			for _, o := range outcomes {
				if o.Failure != "" {
					t.Errorf("%s was not read: %s", o.File, o.Failure)
				}
			}
			if r.Kinds < floor.kinds || r.Total.Right < floor.right || r.Total.Wrong > floor.wrong {
				t.Errorf("%d kinds and %d values right, %d values wrong; want at least %d and %d, and at most %d", r.Kinds, r.Total.Right, r.Total.Wrong, floor.kinds, floor.right, floor.wrong)
				for _, o := range outcomes {
					for _, v := range o.Verdicts {
						if v.Result == wrong {
							t.Logf("%s: %s", o.File, v)
						}
					}
				}
			}
		})
	}
}

// engineCache is where the program keeps the compiled reader of PDFs; empty: it is compiled.
func engineCache() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "toolkit", "pdfium")
}
