package reader

import (
	"context"
	"strings"
	"testing"
)

// TestEveryStepAfterReadingStopsWhereItsCallerGivesUp counts how often a step asks whether to go
// on, and has the answer change at half of that: a step that asks before or after its loops only
// asks too seldom, and one that does not heed the answer asks on.
func TestEveryStepAfterReadingStopsWhereItsCallerGivesUp(t *testing.T) {
	steps := map[string]func(*Content) (found int){
		"Classify": func(content *Content) int {
			kind, confidence := Classify(content)
			if kind == KindDocument {
				return 0
			}
			return int(100 * confidence)
		},
		"Fields": func(content *Content) int {
			values, _ := ExtractFields(content, KindInvoice)
			return len(values)
		},
		"Dataset": func(content *Content) int { return len(content.FirstDataset(0).Rows) },
	}
	lines := strings.Repeat("Invoice No: 12  Date: 2025-01-01  Total: 1.00\n", 200)
	paged, row := "Invoice\n"+lines, strings.Repeat("Total: 1.00,", 20)
	for name, one := range map[string]struct {
		kind  Type
		data  string
		steps string
	}{
		"a text":      {Text, paged, "Classify Fields"},
		"a note":      {MD, paged, "Classify Fields"},
		"a page":      {HTML, "<h1>Invoice</h1>" + strings.Repeat("<p>Invoice No: 12</p>", 200) + "<p>Total: 1.00</p>", "Classify Fields"},
		"a tree":      {XML, "<?xml version='1.0'?><a><b>Invoice</b>" + strings.Repeat("<b>Invoice No: 12</b>", 200) + "</a>", "Fields"},
		"a letter":    {DOCX, letterAttack("<w:p><w:r><w:t>Invoice No: 12</w:t></w:r></w:p>")(10_000), "Classify Fields"},
		"a PDF":       {PDF, string(coreFontPDF(t, true, sheet{}.lines(50, 40, 10, strings.Split("Invoice\n"+lines[:46*60], "\n")...))), "Classify Fields"},
		"a table":     {CSV, row + "\n" + strings.Repeat(row+"\n", 200), "Dataset"},
		"a sheet":     {XLSX, sheetAttack("<row><c><v>1</v></c><c><v>2</v></c></row>", "")(10_000), "Dataset"},
		"a list":      {JSON, "[{}" + strings.Repeat(",{\"a\":1,\"b\":\"c\"}", 200) + "]", "Dataset"},
		"many a line": {NDJSON, strings.Repeat("{\"a\":1,\"b\":\"c\"}\n", 200), "Dataset"},
	} {
		content, err := Extract(context.Background(), strings.NewReader(one.data), int64(len(one.data)), one.kind, Limits{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for step := range strings.FieldsSeq(one.steps) {
			whole := &polled{Context: context.Background()}
			content.over = whole.Err
			found := steps[step](content)
			ended := &polled{Context: context.Background(), end: whole.polls / 2}
			content.over = ended.Err
			if left := steps[step](content); found == 0 || left >= found {
				t.Errorf("%s: %s found %d, and %d when its caller gave up", name, step, found, left)
			}
			if whole.polls < 50 || ended.polls > whole.polls/2+5 {
				t.Errorf("%s: %s asked %d times, and %d times when its caller gave up at half", name, step, whole.polls, ended.polls)
			}
		}
	}
}
