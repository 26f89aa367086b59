package memory

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func (b *bench) golden() *Golden { return NewGolden(b.deps) }

func (b *bench) exported() string {
	b.T.Helper()
	var out bytes.Buffer
	if _, err := b.golden().Export(b.T.Context(), &out); err != nil {
		b.T.Fatal(err)
	}
	return out.String()
}

func TestAGoldenSetIsImportedAndExported(t *testing.T) {
	b := newBench(t)
	b.insight("release monday")
	file := "\ufeff" + `{"insight":"tea","content":"Anna drinks green tea"}

{"query":"What does Anna drink?","expected":["tea"]}
{"query":"When is the release?","expected_docs":[1],"session_id":"s1"}
{"query":"Not labelled <yet>?"}` + "\r\n"
	report, err := b.golden().Import(t.Context(), strings.NewReader(file))
	if err != nil || report != (ImportReport{Insights: 1, Added: 3, Labelled: 2, Queries: 3}) {
		t.Fatalf("%+v, %v", report, err)
	}
	want := `{"query":"What does Anna drink?","expected_docs":[2]}
{"query":"When is the release?","expected_docs":[1],"session_id":"s1"}
{"query":"Not labelled <yet>?","expected_docs":[]}
`
	if diff := cmp.Diff(want, b.exported()); diff != "" {
		t.Error(diff)
	}
	// Again: nothing is doubled.
	report, err = b.golden().Import(t.Context(), strings.NewReader(file))
	if err != nil || report != (ImportReport{Labelled: 2, Queries: 3}) {
		t.Errorf("%+v, %v", report, err)
	}
	// Export, label, import.
	labelled := strings.Replace(b.exported(), `yet>?","expected_docs":[]`, `yet>?","expected_docs":[1,2]`, 1)
	report, err = b.golden().Import(t.Context(), strings.NewReader(labelled))
	if err != nil || report.Labelled != 3 || b.exported() != labelled {
		t.Errorf("%+v, %v\n%s", report, err, b.exported())
	}
	if out := b.Call(hybridName, args{"query_text": "green tea"}); out["final_results_count"] != 1.0 {
		t.Errorf("the imported insight is not indexed: %v", out)
	}
}

func TestAnImportThatFailsLeavesNothing(t *testing.T) {
	tests := map[string]struct{ file, want string }{
		"no JSON":                   {"{\"query\":\"a\"}\nquery: b", "line 2 is not a line of a golden test set"},
		"an unknown key":            {`{"query":"a","expect":[1]}`, "line 1 is not a line"},
		"nothing said":              {`{"session_id":"s"}`, "line 1: a line needs a query"},
		"both at once":              {`{"query":"a","insight":"k","content":"c"}`, "either an insight or a query"},
		"an insight without text":   {`{"insight":"k"}`, "needs content"},
		"a key that is not known":   {"{\"insight\":\"k\",\"content\":\"c\"}\n{\"query\":\"a\",\"expected\":[\"j\"]}", `line 2: expected names "j"`},
		"an insight that is absent": {"{\"query\":\"a\"}\n{\"query\":\"b\",\"expected_docs\":[9]}", "line 2: expected_docs names insights that do not exist: 9"},
		"a line without end":        {`{"query":"` + strings.Repeat("x", maxGoldenLine) + `"}`, "line 1 is longer"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			if _, err := b.golden().Import(t.Context(), strings.NewReader(tc.file)); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is %v", err)
			}
			if b.exported() != "" || len(b.contents(insightsURI)) != 0 {
				t.Errorf("left behind: %s", b.exported())
			}
		})
	}
}

func TestALargeGoldenSetComesInWholeOrNotAtAll(t *testing.T) {
	b := newBench(t)
	var file strings.Builder
	for i := range 600 {
		fmt.Fprintf(&file, `{"insight": "k%[1]d", "content": "Harbour crane %[1]d lifts engine number %[1]d"}`+"\n"+`{"query": "which crane lifts engine %[1]d", "expected": ["k%[1]d"]}`+"\n", i)
	}
	if _, err := b.golden().Import(t.Context(), strings.NewReader(file.String()+`{"query": "x", "expected": ["missing"]}`)); err == nil || b.exported() != "" {
		t.Errorf("error %v; left is %.100q", err, b.exported())
	}
	for run, want := range []ImportReport{{Insights: 600, Added: 600, Labelled: 600, Queries: 600}, {Labelled: 600, Queries: 600}} {
		if got, err := b.golden().Import(t.Context(), strings.NewReader(file.String())); err != nil || got != want {
			t.Errorf("import %d gave %+v, %v; want %+v", run+1, got, err, want)
		}
	}
	found := b.Call(hybridName, args{"query_text": "crane 417"})
	if !strings.Contains(fmt.Sprint(found), "crane 417 lifts") {
		t.Errorf("the insight is not found: %.300v", found)
	}
}
