package main

import (
	"path/filepath"
	"strings"
	"testing"
	"toolkit/internal/testenv"
)

func TestOneDriverMeasuresRetrievalAndDocuments(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a.txt":           "Invoice\nInvoice number: OS-471\nTotal   GBP 600.00\n",
		"a.expected.json": `{"kind":"invoice","fields":{"invoice_number":"OS-472","amount":600}}`,
	} {
		testenv.Write(t, filepath.Join(folder, name), text)
	}
	for _, c := range []struct {
		args          []string
		prints, fails string
	}{
		{[]string{"documents", folder}, `a.txt: invoice_number: expected "OS-472", got "OS-471"`, ""},
		{[]string{"retrieval", filepath.Join("testdata", "sessions-chosen-on.json")}, "hybrid_search", ""},
		{[]string{"retrieval", "absent.json"}, "", "absent.json"},
		{[]string{"retrieval"}, "", "usage"},
		{[]string{"weather", folder}, "", "cannot be measured"},
		{nil, "", "usage"},
	} {
		var out strings.Builder
		err := run(t.Context(), c.args, &out)
		if !strings.Contains(out.String(), c.prints) || (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%v: %v, printed %.300s", c.args, err, out.String())
		}
	}
}
