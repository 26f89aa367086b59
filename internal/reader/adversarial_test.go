package reader

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/google/go-cmp/cmp"
)

// fieldsOf draws a sheet and reads it as the given kind.
func fieldsOf(t *testing.T, kind string, page sheet) map[string]any {
	t.Helper()
	values, _ := ExtractFields(extract(t, coreFontPDF(t, true, page), PDF), kind)
	return withoutContent(values)
}

func TestFieldsAreWhatTheirLabelsSayAndNothingElse(t *testing.T) {
	form, pair, triple, invoice := []float64{50, 180}, []float64{50, 200}, []float64{50, 190, 330}, sheet{}.lines(50, 60, 18, "Invoice")
	for name, test := range map[string]struct {
		page sheet
		want fields
	}{
		"labels without a value": {invoice.row(100, 10, form, "Invoice Number:", "").row(116, 10, form, "Invoice Date:", "2025-06-01").
			row(132, 10, form, "Due Date:", "").row(148, 10, form, "Customer:", "").row(164, 10, form, "Vendor:", "Date Palm Nurseries LLC").
			row(180, 10, form, "PO Number:", "Due on receipt").row(196, 10, form, "Total:", "$200.00"),
			fields{"date": "2025-06-01", "vendor_name": "Date Palm Nurseries LLC", "amount": 200.0}},
		"neighbours": {invoice.lines(50, 100, 10, "Invoice No: A-17 Date: 2025-02-03 Due: 2025-03-03").
			row(130, 10, []float64{50, 200, 350}, "Customer", "Vendor", "Terms").row(143, 10, []float64{50, 200, 350}, "Invoice Simple Inc.", "Total Wine LLC", "Net 30").
			row(170, 10, pair, "Amount Due", "EUR 1.234,50"),
			fields{"invoice_number": "A-17", "date": "2025-02-03", "due_date": "2025-03-03", "customer_name": "Invoice Simple Inc.", "vendor_name": "Total Wine LLC", "amount_due": 1234.5, "amount": 1234.5, "currency": "EUR"}},
		"a reference to another invoice": {sheet{}.lines(50, 60, 18, "Credit Note").row(100, 10, triple, "Invoice Number", "Original Invoice No.", "Date").
			row(113, 10, triple, "INV-2002", "INV-1999", "13/06/2025"), fields{"invoice_number": "INV-2002", "date": "2025-06-13"}},
		"numbers that contradict each other": {invoice.lines(50, 100, 10, "Invoice No: A-17", "Total: 10.00").lines(300, 100, 10, "Invoice No: B-18"), fields{"amount": 10.0}},
		"a date that may be either":          {invoice.lines(50, 100, 10, "Invoice No: 7", "Date: 03/04/2025", "Total: 10.00"), fields{"invoice_number": "7", "date": "03/04/2025", "amount": 10.0}},
		"a date whose order the due date proves": {invoice.lines(50, 100, 10, "Invoice No: 7", "Date: 03/04/2025", "Due Date: 25/04/2025", "Total: 10.00"),
			fields{"invoice_number": "7", "date": "2025-04-03", "due_date": "2025-04-25", "amount": 10.0}},
		"headings and prose": {sheet{}.lines(50, 60, 20, "INVOICE").lines(50, 84, 10, "555-123-4567", "12 Main Street").
			lines(50, 130, 10, "Customer satisfaction is our goal.", "From our family to yours.", "Date of the next delivery to be announced", "Total confidence in every product"), fields{}},
	} {
		if diff := cmp.Diff(test.want, fields(fieldsOf(t, KindInvoice, test.page))); diff != "" {
			t.Errorf("%s: fields differ (-want +got):\n%s", name, diff)
		}
	}
}

func TestOrdinaryTextIsADocument(t *testing.T) {
	content := extract(t, coreFontPDF(t, true, sheet{}.lines(50, 60, 11,
		"The invoice arrived in the morning, and the receipt with it. She put the contract aside",
		"and read the statement of the bank twice; her account had never held so much. The",
		"tax, she thought, would be another matter. Agreement was far away.")), PDF)
	if kind, confidence := Classify(content); kind != KindDocument {
		t.Errorf("Classify = %s (%.2f), want document", kind, confidence)
	}
}

func TestProseInTwoColumnsIsReadColumnByColumn(t *testing.T) {
	page := sheet{}
	for line := range 9 {
		page = page.row(60+float64(line)*14, 10, []float64{50, 320}, strings.Repeat("left words of column ", 2)+string(rune('a'+line)), strings.Repeat("right words of column ", 2)+string(rune('a'+line)))
	}
	text := extract(t, coreFontPDF(t, true, page), PDF).Text
	if strings.Index(text, "right words") < strings.LastIndex(text, "left words") {
		t.Errorf("the columns are mixed:\n%s", text)
	}
}

func TestUnreadablePDFsAreErrorsWithAReason(t *testing.T) {
	whole := coreFontPDF(t, true, plainInvoice().pages...)
	locked := fpdf.New("P", "pt", "A4", "")
	locked.SetProtection(fpdf.CnProtectPrint, "secret", "owner")
	locked.AddPage()
	locked.SetFont("Helvetica", "", 12)
	locked.Text(50, 50, "Invoice No: 1")
	var encrypted bytes.Buffer
	if err := locked.Output(&encrypted); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		data   []byte
		reason string
	}{
		"encrypted": {encrypted.Bytes(), "password"},
		"empty":     {nil, "damaged"},
		"a header":  {[]byte("%PDF-1.7\n"), "damaged"},
		"noise":     {append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte{0xde, 0xad, 0x00}, 4000)...), "damaged"},
		"cut short": {whole[:200], "damaged"},
	} {
		content, err := Extract(context.Background(), bytes.NewReader(test.data), int64(len(test.data)), PDF, Limits{})
		if !errors.Is(err, ErrAnalysis) || content != nil || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%s: content %v, error %v, want ErrAnalysis naming %q", name, content != nil, err, test.reason)
		}
	}
}

func TestADamagedCrossReferenceIsRepaired(t *testing.T) {
	data := rawPDF(t, rawOptions{}, plainInvoice().pages...)
	data = bytes.Replace(data, []byte("startxref\n"), []byte("startxref\n9"), 1)
	values, _ := ExtractFields(extract(t, data, PDF), KindInvoice)
	if values["invoice_number"] != "INV-2041" {
		t.Errorf("invoice_number = %v, want INV-2041", values["invoice_number"])
	}
}

func TestExtractStopsWithItsContext(t *testing.T) {
	data := coreFontPDF(t, true, plainInvoice().pages...)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Extract(ctx, bytes.NewReader(data), int64(len(data)), PDF, Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want context.Canceled", err)
	}
	if _, err := Extract(context.Background(), bytes.NewReader(data), int64(len(data)), PDF, Limits{Timeout: time.Nanosecond}); !errors.Is(err, ErrAnalysis) {
		t.Errorf("error = %v, want ErrAnalysis", err)
	}
	// The engine still works for the next file.
	if content := extract(t, data, PDF); !strings.Contains(content.Text, "INV-2041") {
		t.Errorf("text = %q after a cancelled document", content.Text)
	}
}

func TestPagesBeyondTheLimitAreLeftOut(t *testing.T) {
	page := sheet{}.lines(50, 60, 10, "one page")
	data := coreFontPDF(t, true, page, page, page)
	content, err := Extract(context.Background(), bytes.NewReader(data), int64(len(data)), PDF, Limits{MaxPages: 2})
	if err != nil {
		t.Fatal(err)
	}
	if len(content.Pages) != 2 || !content.Truncated || content.Metadata["pages"] != 3 {
		t.Errorf("%d pages, truncated %t, metadata %v; want 2 of 3 and truncated", len(content.Pages), content.Truncated, content.Metadata)
	}
	data = coreFontPDF(t, true, page)
	if _, err := Extract(context.Background(), bytes.NewReader(data), int64(len(data)), PDF, Limits{MaxBytes: 100}); !errors.Is(err, ErrAnalysis) {
		t.Errorf("error = %v, want ErrAnalysis for a file beyond MaxBytes", err)
	}
}
