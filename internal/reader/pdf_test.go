package reader

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// specimen is a document with the fields a careful reader would note.
type specimen struct {
	kind  string
	pages []sheet
	want  map[string]any
}

type fields = map[string]any

// wholeText leaves the content of notes to its own test.
func withoutContent(values map[string]any) map[string]any {
	delete(values, "content")
	return values
}

func TestFieldsOfPDFsAreReadWhateverMadeThem(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	for name, document := range specimens() {
		for generator, generate := range generators {
			t.Run(name+"/"+generator, func(t *testing.T) {
				content := extract(t, generate(t, document.pages...), PDF)
				kind, confidence := Classify(content)
				if kind != document.kind {
					t.Fatalf("Classify = %s (%.2f), want %s; text:\n%s", kind, confidence, document.kind, content.Text)
				}
				values, sources := ExtractFields(content, kind)
				if diff := cmp.Diff(document.want, withoutContent(values)); diff != "" {
					t.Errorf("fields differ (-want +got):\n%s\ntext:\n%s", diff, content.Text)
				}
				for key := range values {
					if _, known := sources[key]; !known {
						t.Errorf("field %s has no source", key)
					}
				}
			})
		}
	}
}

func TestSourcesNamePageAndLine(t *testing.T) {
	content := extract(t, coreFontPDF(t, true, specimens()["invoice with labels and colons"].pages...), PDF)
	_, sources := ExtractFields(content, KindInvoice)
	lines := strings.Split(content.Text, "\n")
	for key, want := range map[string]string{"invoice_number": "INV-2041", "amount": "$2,070.98", "customer_name": "Contoso"} {
		source := sources[key]
		if source.Page != 1 || source.Line < 1 || !strings.Contains(lines[source.Line-1], want) {
			t.Errorf("source of %s = %+v, which is the line %q", key, source, lines[max(source.Line-1, 0)])
		}
	}
}

func specimens() map[string]specimen {
	return map[string]specimen{
		"invoice with labels and colons":     plainInvoice(),
		"invoice with labels above values":   stackedInvoice(),
		"German invoice by letter":           germanInvoice(),
		"till receipt":                       tillReceipt(),
		"statement with debits and credits":  bankStatement(),
		"contract in sentences":              proseContract(),
		"tax form with boxes":                taxBoxes(),
		"holdings":                           holdingsList(),
		"meeting notes with tasks":           meetingNotes(),
		"invoice of two pages, table broken": longInvoice(),
	}
}

func plainInvoice() specimen {
	columns := []float64{50, -360, -450, -540}
	page := sheet{}.lines(50, 60, 18, "Northwind Traders LLC").lines(50, 80, 9, "500 Harbor Blvd", "Seattle, WA 98101").
		lines(400, 60, 22, "INVOICE").
		lines(400, 90, 10, "Invoice #: INV-2041", "Invoice Date: 03/14/2025", "Due Date: 04/03/2025", "PO #: 99871").
		lines(50, 160, 10, "Bill To:", "Contoso Manufacturing Inc.", "77 Industrial Way", "Portland, OR 97201").
		lines(250, 160, 10, "Ship To:", "Contoso Warehouse 4", "12 Dock Street").
		row(250, 10, columns, "Description", "Qty", "Unit Price", "Amount").
		row(268, 10, columns, "Steel brackets, 40 mm", "12", "$45.50", "$546.00").
		row(286, 10, columns, "Total station rental", "1", "$1,250.00", "$1,250.00").
		row(304, 10, columns, "Freight", "1", "$85.00", "$85.00").
		row(330, 10, []float64{400, -540}, "Subtotal", "$1,881.00").
		row(346, 10, []float64{400, -540}, "Sales Tax (10.1%)", "$189.98").
		row(362, 12, []float64{400, -540}, "Total", "$2,070.98").
		lines(50, 400, 9, "Thank you for your business!")
	return specimen{KindInvoice, []sheet{page}, fields{
		"invoice_number": "INV-2041", "date": "2025-03-14", "due_date": "2025-04-03", "order_number": "99871",
		"vendor_name": "Northwind Traders LLC", "customer_name": "Contoso Manufacturing Inc.",
		"subtotal": 1881.0, "tax": 189.98, "amount": 2070.98, "currency": "USD",
		"line_items": []map[string]any{
			{"description": "Steel brackets, 40 mm", "quantity": 12.0, "unit_price": 45.5, "amount": 546.0},
			{"description": "Total station rental", "quantity": 1.0, "unit_price": 1250.0, "amount": 1250.0},
			{"description": "Freight", "quantity": 1.0, "unit_price": 85.0, "amount": 85.0},
		},
	}}
}

func stackedInvoice() specimen {
	columns := []float64{50, 300, 380, 470}
	page := sheet{}.lines(50, 60, 24, "Invoice").lines(50, 90, 10, "Acme Cloud Ltd", "10 Yard Lane", "London SW1A 2AA").
		row(150, 8, []float64{50, 190, 320, 450}, "Invoice number", "Date of issue", "Date due", "Amount due").
		row(163, 10, []float64{50, 190, 320, 450}, "AC/2025/0042", "5 March 2025", "4 April 2025", "£1,440.00").
		row(195, 8, []float64{50, 320}, "Billed to", "Payment method").
		row(208, 10, []float64{50, 320}, "Jane Doe Consulting", "Bank transfer").
		row(240, 10, columns, "Item", "Quantity", "Rate", "Amount").
		row(256, 10, columns, "Managed cluster (eu-west)", "3", "£300.00", "£900.00").
		lines(50, 268, 8, "January to March").
		row(284, 10, columns, "Premium support", "1", "£300.00", "£300.00").
		row(310, 10, []float64{380, 470}, "Subtotal", "£1,200.00").
		row(326, 10, []float64{380, 470}, "VAT 20%", "£240.00").
		row(342, 10, []float64{380, 470}, "Total GBP", "£1,440.00")
	return specimen{KindInvoice, []sheet{page}, fields{
		"invoice_number": "AC/2025/0042", "date": "2025-03-05", "due_date": "2025-04-04", "amount_due": 1440.0,
		"vendor_name": "Acme Cloud Ltd", "customer_name": "Jane Doe Consulting",
		"subtotal": 1200.0, "tax": 240.0, "amount": 1440.0, "currency": "GBP",
		"line_items": []map[string]any{
			{"description": "Managed cluster (eu-west) January to March", "quantity": 3.0, "unit_price": 300.0, "amount": 900.0},
			{"description": "Premium support", "quantity": 1.0, "unit_price": 300.0, "amount": 300.0},
		},
	}}
}

func germanInvoice() specimen {
	columns := []float64{50, 85, -330, 345, -460, -540}
	page := sheet{}.lines(50, 100, 7, "Muster Software GmbH · Hauptstraße 5 · 10115 Berlin").
		lines(50, 118, 10, "Beispiel AG", "Frau Erika Mustermann", "Musterweg 12", "80331 München").
		row(118, 10, []float64{350, -540}, "Rechnungsnummer:", "RE-2025-0117").
		row(131, 10, []float64{350, -540}, "Rechnungsdatum:", "15.01.2025").
		row(144, 10, []float64{350, -540}, "Kundennummer:", "K-4711").
		lines(50, 220, 16, "Rechnung").
		row(250, 10, columns, "Pos.", "Bezeichnung", "Menge", "Einheit", "Einzelpreis", "Gesamtpreis").
		row(266, 10, columns, "1", "Softwareentwicklung Lager", "24,5", "Std.", "110,00 €", "2.695,00 €").
		row(282, 10, columns, "2", "Hosting Dezember", "1", "Stk.", "49,90 €", "49,90 €").
		row(306, 10, []float64{350, -540}, "Zwischensumme", "2.744,90 €").
		row(322, 10, []float64{350, -540}, "zzgl. 19 % MwSt.", "521,53 €").
		row(338, 10, []float64{350, -540}, "Gesamtbetrag", "3.266,43 €").
		lines(50, 370, 10, "Zahlbar bis: 29.01.2025").
		lines(50, 780, 7, "Muster Software GmbH", "IBAN: DE12 1005 0000 0123 4567 89")
	return specimen{KindInvoice, []sheet{page}, fields{
		"invoice_number": "RE-2025-0117", "date": "2025-01-15", "due_date": "2025-01-29", "customer_number": "K-4711",
		"vendor_name": "Muster Software GmbH", "customer_name": "Beispiel AG",
		"subtotal": 2744.9, "tax": 521.53, "amount": 3266.43, "currency": "EUR", "iban": "DE12100500000123456789",
		"line_items": []map[string]any{
			{"description": "Softwareentwicklung Lager", "quantity": 24.5, "unit": "Std.", "unit_price": 110.0, "amount": 2695.0},
			{"description": "Hosting Dezember", "quantity": 1.0, "unit": "Stk.", "unit_price": 49.9, "amount": 49.9},
		},
	}}
}

func tillReceipt() specimen {
	page := sheet{}.lines(60, 50, 16, "GREEN GROCER MARKET").lines(70, 66, 9, "221 Baker Ave", "Springfield, IL 62701").
		lines(50, 100, 9, "Receipt #: 004512", "Date: 02/18/2025 14:32", "Cashier: Sam").
		row(150, 9, []float64{50, -220}, "Organic Bananas", "2.49").
		row(162, 9, []float64{50, -220}, "Whole Milk 1gal", "4.29").
		row(174, 9, []float64{50, -220}, "Sourdough Bread", "5.50").
		row(192, 9, []float64{50, -220}, "SUBTOTAL", "12.28").
		row(204, 9, []float64{50, -220}, "TAX 1.25%", "0.15").
		row(218, 11, []float64{50, -220}, "TOTAL", "$12.43").
		row(232, 9, []float64{50, -220}, "CASH", "20.00").
		row(244, 9, []float64{50, -220}, "CHANGE", "7.57").
		lines(60, 264, 9, "Thank you for shopping with us!")
	return specimen{KindReceipt, []sheet{page}, fields{
		"receipt_number": "004512", "date": "2025-02-18", "vendor_name": "GREEN GROCER MARKET",
		"subtotal": 12.28, "tax": 0.15, "amount": 12.43, "currency": "USD", "time": "14:32", "payment_method": "CASH",
		"line_items": []map[string]any{
			{"description": "Organic Bananas", "amount": 2.49},
			{"description": "Whole Milk 1gal", "amount": 4.29},
			{"description": "Sourdough Bread", "amount": 5.5},
		},
	}}
}

func bankStatement() specimen {
	columns := []float64{50, 110, -370, -450, -540}
	page := sheet{}.lines(50, 60, 18, "First Federal Bank").lines(50, 84, 12, "Account Statement").
		row(110, 10, []float64{50, 180}, "Account holder", "Maria Lopez").
		row(124, 10, []float64{50, 180}, "Account number", "****4821").
		row(138, 10, []float64{50, 180}, "Statement period", "December 15, 2024 - January 14, 2025").
		row(152, 10, []float64{50, 180}, "Opening balance", "$2,310.44").
		row(166, 10, []float64{50, 180}, "Closing balance", "$2,757.19").
		row(200, 10, columns, "Date", "Description", "Withdrawals", "Deposits", "Balance").
		row(216, 10, columns, "12/16", "ACH Payroll ACME INC", "", "1,500.00", "3,810.44").
		row(232, 10, columns, "01/02", "Rent payment", "950.00", "", "2,860.44").
		lines(110, 243, 9, "Reference 8841").
		row(259, 10, columns, "01/09", "Grocery Store 22", "103.25", "", "2,757.19")
	return specimen{KindStatement, []sheet{page}, fields{
		"account_holder": "Maria Lopez", "account_number": "****4821", "institution": "First Federal Bank",
		"period_start": "2024-12-15", "period_end": "2025-01-14",
		"opening_balance": 2310.44, "closing_balance": 2757.19, "currency": "USD",
		"transactions": []map[string]any{
			{"date": "2024-12-16", "description": "ACH Payroll ACME INC", "amount": 1500.0, "currency": "USD", "balance": 3810.44},
			{"date": "2025-01-02", "description": "Rent payment Reference 8841", "amount": -950.0, "currency": "USD", "balance": 2860.44},
			{"date": "2025-01-09", "description": "Grocery Store 22", "amount": -103.25, "currency": "USD", "balance": 2757.19},
		},
	}}
}

func proseContract() specimen {
	page := sheet{}.lines(180, 60, 18, "CONSULTING AGREEMENT").lines(50, 90, 11, "Contract No.: CA-2025-77").
		lines(50, 120, 11,
			"This Consulting Agreement (the \"Agreement\") is made and entered into as of February 1,",
			"2025, by and between Brightline Analytics, Inc., a Delaware corporation with its principal",
			"office at 1 Market St, San Francisco (\"Client\"), and Robert Chen, an individual residing",
			"at 9 Oak Lane, Austin (\"Consultant\").",
			"1. Services. Consultant shall provide the services described in Exhibit A.",
			"2. Term. This Agreement shall commence on February 15, 2025 and shall terminate on",
			"December 31, 2025, unless terminated earlier.",
			"3. Compensation. Client shall pay Consultant $12,000.00 per month.",
			"4. Governing Law. This Agreement is governed by the laws of Texas.",
			"IN WITNESS WHEREOF, the parties have executed this Agreement.").
		row(320, 11, []float64{50, 300}, "Client: ______________", "Consultant: ______________").
		row(340, 11, []float64{50, 300}, "Date: __________", "Date: __________")
	return specimen{KindContract, []sheet{page}, fields{}}
}

func taxBoxes() specimen {
	page := sheet{}.row(60, 7, []float64{40, 330}, "a Employee's social security number", "OMB No. 1545-0008").
		lines(40, 72, 10, "123-45-6789").
		row(100, 7, []float64{40, 300, 430}, "b Employer identification number (EIN)", "1 Wages, tips, other compensation", "2 Federal income tax withheld").
		row(112, 10, []float64{40, 300, 430}, "12-3456789", "62500.00", "7031.25").
		row(140, 7, []float64{40, 300, 430}, "c Employer's name, address, and ZIP code", "3 Social security wages", "4 Social security tax withheld").
		row(152, 10, []float64{40, 300, 430}, "Globex Corporation", "62500.00", "3875.00").
		lines(40, 165, 10, "1 Cypress Creek Rd").
		row(190, 7, []float64{40, 300, 430}, "e Employee's first name and initial", "7 Social security tips", "8 Allocated tips").
		lines(40, 202, 10, "Hank Scorpio").
		row(240, 14, []float64{40, 90, 330}, "Form", "W-2 Wage and Tax Statement", "2024").
		lines(40, 260, 8, "Department of the Treasury - Internal Revenue Service")
	return specimen{KindTaxForm, []sheet{page}, fields{}}
}

func holdingsList() specimen {
	columns := []float64{50, 110, -380, -450, -540}
	page := sheet{}.lines(50, 60, 18, "Portfolio Holdings").lines(50, 90, 10, "Account Number: Z45-221904", "As of: 31 December 2024").
		row(140, 10, columns, "Symbol", "Description", "Quantity", "Price", "Market Value").
		row(156, 10, columns, "AAPL", "Apple Inc", "50", "$250.42", "$12,521.00").
		row(172, 10, columns, "VTI", "Vanguard Total Stock Market ETF", "120.5", "$289.81", "$34,922.11").
		row(196, 10, []float64{50, -540}, "Total Market Value", "$47,443.11")
	return specimen{KindHolding, []sheet{page}, fields{}}
}

func meetingNotes() specimen {
	page := sheet{}.lines(50, 60, 18, "Meeting Notes: Q2 roadmap").lines(50, 90, 11, "Date: 12 May 2025", "Attendees: Ann, Bob", "We agreed to ship in June.", "[ ] Send budget draft", "[x] Book venue")
	return specimen{KindNote, []sheet{page}, fields{
		"title": "Meeting Notes: Q2 roadmap", "date": "2025-05-12",
		"tasks": []map[string]any{{"title": "Send budget draft", "completed": false}, {"title": "Book venue", "completed": true}},
	}}
}

func longInvoice() specimen {
	columns := []float64{50, -360, -450, -540}
	first := sheet{}.lines(50, 60, 18, "Tax Invoice").lines(50, 90, 10, "From: Kiwi Supplies Pty Ltd", "To: Outback Hotels", "Invoice No: KS-77", "Date: 13/06/2025").
		row(760, 10, columns, "Description", "Qty", "Rate", "Amount").
		row(776, 10, columns, "Linen", "10", "20.00", "200.00")
	second := sheet{}.row(60, 10, columns, "Towels", "20", "5.00", "100.00").
		row(80, 10, []float64{400, -540}, "Subtotal", "300.00").
		row(96, 10, []float64{400, -540}, "GST 10%", "30.00").
		row(112, 10, []float64{400, -540}, "Total AUD", "$330.00")
	return specimen{KindInvoice, []sheet{first, second}, fields{
		"invoice_number": "KS-77", "date": "2025-06-13", "vendor_name": "Kiwi Supplies Pty Ltd", "customer_name": "Outback Hotels",
		"subtotal": 300.0, "tax": 30.0, "amount": 330.0, "currency": "AUD",
		"line_items": []map[string]any{
			{"description": "Linen", "quantity": 10.0, "unit_price": 20.0, "amount": 200.0},
			{"description": "Towels", "quantity": 20.0, "unit_price": 5.0, "amount": 100.0},
		},
	}}
}
