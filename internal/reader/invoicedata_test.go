package reader

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"codeberg.org/go-pdf/fpdf"
)

// hybrid is a page with an invoice as data attached to it.
func hybrid(t *testing.T, name string, data []byte, lines ...string) []byte {
	t.Helper()
	return hybridOf(t, []fpdf.Attachment{{Content: data, Filename: name}}, lines...)
}

func hybridOf(t *testing.T, files []fpdf.Attachment, lines ...string) []byte {
	t.Helper()
	made := fpdf.New("P", "pt", "A4", "")
	made.SetAttachments(files)
	made.AddPage()
	made.SetFont("Helvetica", "", 11)
	for index, line := range lines {
		made.Text(60, 60+20*float64(index), line)
	}
	var file bytes.Buffer
	if err := made.Output(&file); err != nil {
		t.Fatal(err)
	}
	// The generator names the file in a way that says nothing of where its bytes are.
	named, start := file.Bytes(), 0
	for _, one := range files {
		start += bytes.Index(named[start:], []byte("/F () /UF ("))
		end := start + bytes.Index(named[start:], []byte("/EF"))
		copy(named[start:end], fmt.Appendf(nil, "%-*s", end-start, "/F ("+one.Filename+")"))
		start = end
	}
	return named
}

var printedPage = []string{"Northwind Mill Ltd", "INVOICE", "Invoice number: B-77", "Invoice date: 02.03.2026", "Total: EUR 60.67", "Amount due: EUR 50.67", "IBAN DE89 3704 0044 0532 0130 00"}

func TestTheInvoiceAttachedToAPDFIsTheTruth(t *testing.T) {
	data := contentsOf(t, filepath.Join("einvoice", "testdata", "cii.xml"))
	content := extract(t, hybrid(t, "factur-x.xml", data, printedPage...), PDF)
	kind, confidence := Classify(content)
	values, sources := ExtractFields(content, kind)
	if kind != KindInvoice || confidence != 1 || values["amount"] != 60.67 || values["iban"] != "DE89370400440532013000" || !strings.HasSuffix(sources["amount"].Element, "/GrandTotalAmount") || len(content.Warnings) > 0 {
		t.Errorf("%s %.2f, amount %v said by %+v, warnings %q", kind, confidence, values["amount"], sources["amount"], content.Warnings)
	}
}

func TestAPageThatSaysSomethingElseIsTold(t *testing.T) {
	data := contentsOf(t, filepath.Join("einvoice", "testdata", "cii.xml"))
	page := slices.Clone(printedPage)
	page[4], page[5] = "Total: EUR 66.67", "Amount due: EUR 66.67"
	content := extract(t, hybrid(t, "anything.xml", data, page...), PDF)
	for range 2 { // told once, however often fields are asked for
		if values, _ := ExtractFields(content, KindInvoice); values["amount"] != 60.67 {
			t.Errorf("the amount is %v, want that of the data", values["amount"])
		}
	}
	if want := []string{"the page says amount 66.67, the invoice's data 60.67, which stands", "the page says amount due 66.67, the invoice's data 50.67, which stands"}; !slices.Equal(content.Warnings, want) {
		t.Errorf("warnings %q, want %q", content.Warnings, want)
	}
}

func TestEveryComparedValueOfThePageIsTold(t *testing.T) {
	data := contentsOf(t, filepath.Join("einvoice", "testdata", "cii.xml"))
	page := []string{"Northwind Mill Ltd", "INVOICE", "Invoice number: B-77", "Invoice date: 02.03.2026", "Due date: 16.03.2026", "VAT ID: DE111111125", "Net amount: 53.00 EUR", "VAT 7 %: 1.40 EUR", "VAT 19 %: 6.27 EUR", "Total VAT: 7.67 EUR", "Total: 60.67 EUR", "Amount due: 50.67 EUR", "IBAN: DE89 3704 0044 0532 0130 00"}
	for field, c := range map[string]struct{ old, new, want string }{
		"nothing":        {"", "", ""},
		"invoice number": {"B-77", "B-78", "the page says invoice number B-78, the invoice's data B-77, which stands"},
		"date":           {"02.03.2026", "03.03.2026", "the page says date 2026-03-03, the invoice's data 2026-03-02, which stands"},
		"due date":       {"16.03.2026", "30.03.2026", "the page says due date 2026-03-30, the invoice's data 2026-03-16, which stands"},
		"amount":         {"60.67", "66.67", "the page says amount 66.67, the invoice's data 60.67, which stands"},
		"amount due":     {"50.67", "50.76", "the page says amount due 50.76, the invoice's data 50.67, which stands"},
		"iban":           {"DE89 3704 0044 0532 0130 00", "FR14 2004 1010 0505 0001 3M02 606", "the page says iban FR1420041010050500013M02606, the invoice's data DE89370400440532013000, which stands"},
		"vendor tax id":  {"DE111111125", "DE136695976", "the page says vendor tax id DE136695976, the invoice's data DE111111125, which stands"},
	} {
		lines := slices.Clone(page)
		for index := range lines {
			lines[index] = strings.Replace(lines[index], c.old, c.new, 1)
		}
		content := extract(t, hybrid(t, "factur-x.xml", data, lines...), PDF)
		ExtractFields(content, KindInvoice)
		if told := strings.Join(content.Warnings, "\n"); !strings.Contains(told, c.want) || c.want == "" && told != "" {
			t.Errorf("%s: warnings %q, want %q", field, told, c.want)
		}
	}
}

func TestAnAttachmentThatIsNoInvoiceLeavesThePage(t *testing.T) {
	for name, c := range map[string]struct{ file, data, warning string }{
		"another document": {"notes.xml", "<notes><note>hello</note></notes>", ""},
		"a damaged one":    {"factur-x.xml", "<Invoice><ID>B-77", "could not be read as an invoice"},
		"no XML":           {"terms.txt", "<Invoice><ID>1</ID></Invoice>", ""},
	} {
		content := extract(t, hybrid(t, c.file, []byte(c.data), printedPage...), PDF)
		kind, _ := Classify(content)
		values, sources := ExtractFields(content, kind)
		if values["invoice_number"] != "B-77" || sources["invoice_number"].Line == 0 || !strings.Contains(strings.Join(content.Warnings, "\n"), c.warning) || c.warning == "" && len(content.Warnings) > 0 {
			t.Errorf("%s: %v of %+v, warnings %q", name, values["invoice_number"], sources["invoice_number"], content.Warnings)
		}
	}
}

func TestAnInvoiceInXMLIsReadFromItsElements(t *testing.T) {
	for name, want := range map[string]struct {
		kind, vendor string
		amount       float64
	}{
		"cii.xml": {KindInvoice, "Northwind Mill Ltd", 60.67}, "ubl-credit.xml": {KindCreditNote, "Kvarnen i Lund AB", -125}, "fatturapa.xml": {KindInvoice, "Carla Rossi", 146.4},
	} {
		content := extract(t, contentsOf(t, filepath.Join("einvoice", "testdata", name)), XML)
		kind, _ := Classify(content)
		values, _ := ExtractFields(content, kind)
		if kind != want.kind || values["vendor_name"] != want.vendor || values["amount"] != want.amount || content.Text == "" {
			t.Errorf("%s is %s of %v, %v", name, kind, values["vendor_name"], values["amount"])
		}
	}
}

// The name that is laid down says which of several attached invoices the page shows.
func TestOfSeveralAttachedInvoicesTheNamedOneIsThePages(t *testing.T) {
	this, other := contentsOf(t, "einvoice/testdata/cii.xml"), contentsOf(t, "einvoice/testdata/minimum.xml")
	for name, c := range map[string]struct {
		first, second string
		element       bool
		warning       string
	}{
		"one is named":          {"earlier.xml", "Factur-X.xml", true, ""},
		"the first is named":    {"xrechnung.xml", "later.xml", true, ""},
		"none is named":         {"a.xml", "b.xml", false, "2 invoices are attached, and none has the name that says it is this one"},
		"one is no invoice":     {"notes.txt", "b.xml", true, ""},
		"both have such a name": {"zugferd-invoice.xml", "factur-x.xml", true, ""},
	} {
		files := []fpdf.Attachment{{Content: other, Filename: c.first}, {Content: this, Filename: c.second}}
		if name == "the first is named" || name == "both have such a name" {
			files[0].Content, files[1].Content = this, other
		}
		content := extract(t, hybridOf(t, files, printedPage...), PDF)
		values, sources := ExtractFields(content, KindInvoice)
		if values["invoice_number"] != "B-77" || (sources["invoice_number"].Element != "") != c.element || !strings.Contains(strings.Join(content.Warnings, "\n"), c.warning) || c.warning == "" && len(content.Warnings) > 0 {
			t.Errorf("%s: %v of %+v, warnings %q", name, values["invoice_number"], sources["invoice_number"], content.Warnings)
		}
	}
}

func TestAnInvoiceInUTF16IsReadWhateverItsDeclarationCallsIt(t *testing.T) {
	text := string(contentsOf(t, "einvoice/testdata/zugferd1.xml"))
	for _, label := range []string{"UTF-16", "utf-16", "UTF-16LE", "UTF-8"} {
		data := []byte{0xff, 0xfe}
		for _, unit := range utf16.Encode([]rune(strings.Replace(text, `encoding="UTF-8"`, `encoding="`+label+`"`, 1))) {
			data = append(data, byte(unit), byte(unit>>8))
		}
		for is, content := range map[string]*Content{"a file": extract(t, data, XML), "attached": extract(t, hybrid(t, "ZUGFeRD-invoice.xml", data, "A page"), PDF)} {
			if values, _ := ExtractFields(content, KindInvoice); values["vendor_name"] != "Mühle Nord GmbH" {
				t.Errorf("%s, %s: the vendor is %v, warnings %q", label, is, values["vendor_name"], content.Warnings)
			}
		}
	}
}

// BG-24: a file that comes with the invoice is no text of it.
func TestAFileInsideTheXMLIsNoText(t *testing.T) {
	text := string(contentsOf(t, "einvoice/testdata/ubl-invoice.xml"))
	packed := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1, 2, 3, 250}, 3000))
	text = strings.Replace(text, "<cac:AccountingSupplierParty>", "<cac:AdditionalDocumentReference><cbc:ID>Plan</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode=\"application/pdf\">"+packed+"</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference><cac:AccountingSupplierParty>", 1)
	content := extract(t, []byte(text), XML)
	values, _ := ExtractFields(content, KindInvoice)
	if strings.Contains(content.Text, packed[:200]) || !strings.Contains(content.Text, "id: Plan") || values["amount"] != 249.94 {
		t.Errorf("the text has %d characters, the amount is %v", len(content.Text), values["amount"])
	}
}

// XML of a form that is not known is read by its words. Whose a name is, the element above it
// says; a name of nobody is no customer's.
func TestANameInXMLIsThatOfTheElementAboveIt(t *testing.T) {
	for text, want := range map[string]any{
		`<invoice><invoice_number>R-1</invoice_number><invoice_date>2026-03-02</invoice_date><customer><name>Harbour Books Ltd</name></customer><total>EUR 9.00</total></invoice>`: "Harbour Books Ltd",
		`<bill><head><invoice_number>R-1</invoice_number><invoice_date>2026-03-02</invoice_date></head><a><party><name>Mill AS</name></party></a><total>EUR 9.00</total></bill>`:   nil,
	} {
		content := extract(t, []byte(text), XML)
		if values, _ := ExtractFields(content, KindInvoice); values["customer_name"] != want || values["invoice_number"] != "R-1" {
			t.Errorf("%s: customer %v, number %v", text, values["customer_name"], values["invoice_number"])
		}
	}
}
