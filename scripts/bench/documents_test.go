package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/reader"
	"toolkit/internal/testenv"
)

func TestValuesAreComparedAsAPersonWould(t *testing.T) {
	for name, c := range map[string]struct {
		field     string
		want, got any
		same      bool
	}{
		"half a cent is no difference":                  {"amount", 12.3, 12.304, true},
		"a cent is one":                                 {"amount", 12.3, 12.31, false},
		"a sign is one":                                 {"amount", -12.3, 12.3, false},
		"the minus of what is taken off":                {"discount", -25.0, 25.0, true},
		"punctuation of a tax number":                   {"vendor_tax_id", "CHE-112.345.678", "CHE112345678", true},
		"a number is not its text":                      {"amount", 12.3, "12.30", false},
		"case, spaces and punctuation of a name":        {"vendor_name", "Müller & Söhne GmbH", "MÜLLER &  Söhne G.m.b.H.", true},
		"letters with combining marks":                  {"vendor_name", "Müller", "Mu\u0308ller", true},
		"legal forms":                                   {"vendor_name", "Acme Inc", "Acme Ltd", false},
		"a name without its legal form":                 {"vendor_name", "Acme Inc", "Acme", false},
		"the kind of apostrophe":                        {"customer_name", "O’Neill", "O'Neill", true},
		"punctuation of a number":                       {"invoice_number", "2026/01", "202601", false},
		"spaces and case of an account":                 {"iban", "DE02 1203 0000 0000 2020 51", "de02120300000000202051", true},
		"dates":                                         {"date", "2026-03-05", "2026-05-03", false},
		"texts in rows":                                 {"line_items.description", "Cable, 3 m", "cable 3m", true},
		"numbers in rows":                               {"line_items.code", "A-1", "A1", false},
		"a tax number with another letter":              {"vendor_tax_id", "DE123456789", "DE123456788", false},
		"a symbol for a currency is not read as a code": {"currency", "EUR", "€", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := isSameValue(c.field, c.want, c.got); got != c.same {
				t.Errorf("same(%s, %v, %v) = %t", c.field, c.want, c.got, got)
			}
		})
	}
}

func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		want, got string
		verdicts  []string // field, row and result
	}{
		"a value that is right, one that is wrong, one that is missing": {
			`{"fields":{"amount":3,"date":"2026-03-05","tax":1}}`, `{"amount":3,"date":"2026-03-06"}`, []string{"amount right", "date wrong", "tax missing"}},
		"a value where the document has none": {`{"absent":["tax"]}`, `{"tax":1,"amount":3}`, []string{"tax wrong"}},
		"silence where the document has none": {`{"absent":["tax"]}`, `{"amount":3}`, nil},
		"all others are absent":               {`{"fields":{"amount":3},"absent":["*"]}`, `{"amount":3,"tax":1}`, []string{"amount right", "tax wrong"}},
		"an empty text is nothing":            {`{"fields":{"title":"Lease"}}`, `{"title":""}`, []string{"title missing"}},
		"rows find each other":                {`{"items":{"l":{"rows":[{"a":1,"d":"x"},{"a":2,"d":"y"}]}}}`, `{"l":[{"a":2,"d":"y"},{"a":1}]}`, []string{"l.a 1 right", "l.d 1 missing", "l.a 2 right", "l.d 2 right"}},
		"equal rows are each taken once":      {`{"items":{"l":{"rows":[{"a":1},{"a":1}]}}}`, `{"l":[{"a":1}]}`, []string{"l.a 1 right", "l.a 2 missing"}},
		"a row too many":                      {`{"items":{"l":{"rows":[{"a":1}]}}}`, `{"l":[{"a":1},{"a":1}]}`, []string{"l.a 1 right", "l wrong"}},
		"a row like none of those expected":   {`{"items":{"l":{"rows":[{"a":1}]}}}`, `{"l":[{"a":2}]}`, []string{"l.a 1 missing", "l wrong"}},
	} {
		t.Run(name, func(t *testing.T) {
			var want Expected
			var got map[string]any
			decode(t, c.want, &want)
			decode(t, c.got, &got)
			var verdicts []string
			for _, v := range compareWithExpected(want, got) {
				text := v.Field + " "
				if v.Row > 0 {
					text += string(rune('0'+v.Row)) + " "
				}
				verdicts = append(verdicts, text+v.Result)
			}
			if !slices.Equal(verdicts, c.verdicts) {
				t.Errorf("verdicts %q, want %q", verdicts, c.verdicts)
			}
		})
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}

const invoice = "Invoice\nInvoice number: OS-471\nInvoice date: 5 March 2026\n\nSubtotal    500.00\nVAT 20%     100.00\nTotal   GBP 600.00\n"

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		testenv.Write(t, path, text)
	}
	return root
}

func TestExpectationsStandBesideTheirDocuments(t *testing.T) {
	var names []string
	for _, r := range measure(t, map[string]string{
		"a.txt": invoice, "a.expected.json": `{}`,
		"deep/c.txt": invoice, "deep/c.expected.json": `{}`,
		"lonely.txt": invoice, "data.json": `[1]`, ".hidden": "x",
	}) {
		names = append(names, filepath.ToSlash(r.Name))
	}
	if want := []string{"a.txt", "deep/c.txt"}; !slices.Equal(names, want) {
		t.Errorf("documents %q, want %q", names, want)
	}
}

func TestWhatCannotBeMeasuredIsToldByItsName(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"nothing is expected of anything": {map[string]string{"a.txt": invoice}, "has its expected fields beside it"},
		"a document is missing":           {map[string]string{"a.txt": invoice, "a.expected.json": `{}`, "b.expected.json": `{}`}, "b.expected.json: there is no document"},
		"a misspelt name":                 {map[string]string{"a.txt": invoice, "a.expected.json": `{"field":{}}`}, `a.expected.json: json: unknown field "field"`},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := measureDocuments(t.Context(), writeFiles(t, c.files), reader.Limits{EngineCache: testenv.EngineCache()}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want an error with %q", err, c.want)
			}
		})
	}
}

func measure(t *testing.T, files map[string]string) []Reading {
	t.Helper()
	readings, err := measureDocuments(t.Context(), writeFiles(t, files), reader.Limits{EngineCache: testenv.EngineCache()})
	if err != nil {
		t.Fatal(err)
	}
	return readings
}

func TestAReportListsWhatIsWrongAndWhatWasNotRead(t *testing.T) {
	readings := measure(t, map[string]string{
		"a.txt": invoice, "a.expected.json": `{"kind":"invoice","fields":{"invoice_number":"OS-472","amount":600},"absent":["tax"]}`,
		"b.pdf": "%PDF-1.7\nnothing", "b.expected.json": `{"kind":"invoice","fields":{"amount":1}}`,
		"c.csv": "Date,Amount\n2026-03-01,3.00\n", "c.expected.json": `{"kind":"receipt"}`,
	})
	if _, results := countResults(readings); results[right] != 1 || results[wrong] != 2 || results[missing] != 1 {
		t.Errorf("results %v", results)
	}
	var text bytes.Buffer
	if err := printReadings(&text, readings); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"invoice  2          1           1      2      1        ",
		`a.txt: invoice_number: expected "OS-472", got "OS-471"` + "\n",
		"a.txt: tax: expected null, got 100\n",
		"b.pdf: not read: ",
		"c.csv: is receipt, was taken for dataset\n",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("the report lacks %q:\n%s", line, text.String())
		}
	}
}
