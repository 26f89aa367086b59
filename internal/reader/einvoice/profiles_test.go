package einvoice

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// golden is what a file of testdata says, read off it by hand.
type golden struct {
	profile string
	credit  bool
	fields  map[string]any
}

var goldens = map[string]golden{
	"zugferd1.xml": {"urn:ferd:CrossIndustryDocument:invoice:1p0:extended", false, map[string]any{
		"invoice_number": "M-14-9", "date": "2014-11-03", "due_date": "2014-11-17", "delivery_date": "2014-10-31", "currency": "EUR",
		"vendor_name": "Mühle Nord GmbH", "vendor_tax_id": "19/287/00012", "vendor_address": "Am Kai 1, Halle 3, 24103 Kiel, DE", "customer_name": "Backhaus Süd", "customer_number": "40021", "order_number": "A 17",
		"payment_means": "debit transfer", "account_number": "1234567", "payment_reference": "M-14-9", "payment_terms": "sofort; netto",
		"subtotal": 45.0, "tax": 8.55, "amount": 53.55, "prepaid": 0.0, "amount_due": 53.55,
		"charges":       []map[string]any{{"reason": "Fracht", "amount": 5.0, "tax_category": "S", "tax_rate": 19.0}},
		"tax_breakdown": []map[string]any{{"rate": 19.0, "category": "S", "base": 45.0, "tax": 8.55}},
		"line_items":    []map[string]any{{"description": "Roggenschrot", "code": "4012345001235", "quantity": 10.0, "unit": "kg", "unit_price": 4.0, "amount": 40.0, "tax_rate": 19.0, "tax_category": "S"}}, // a remark is no line
	}},
	"minimum.xml": {"urn:factur-x.eu:1p0:minimum", false, map[string]any{ // what this profile has: BT-1, 2, 5, 10, 27, 31, 40, 44, 109, 110, 112, 115
		"invoice_number": "FA-2026-18", "date": "2026-01-19", "currency": "EUR", "buyer_reference": "SERVICE-A", "vendor_name": "Moulin du Pont SARL", "vendor_tax_id": "FR11123456782", "vendor_address": "FR",
		"customer_name": "Boulangerie Leroux", "subtotal": 200.0, "tax": 11.0, "amount": 211.0, "amount_due": 211.0,
	}},
	"extended.xml": {"urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended", true, map[string]any{
		"invoice_number": "G-5", "date": "2026-05-05", "currency": "EUR", "credited_invoice": "B-77", "period_start": "2026-04-01", "period_end": "2026-04-30", // BT-25, 73, 74
		"vendor_name": "Northwind Mill Ltd", "customer_name": "Bakery", "customer_number": "4012345000009", "contract_number": "C-1", "project": "P-1", "payee_name": "Factor Bank", // BT-46, 12, 11, 59
		"payment_means": "credit transfer", "iban": "DE89370400440532013000", // the BIC is of the other account
		"subtotal": -30.0, "tax": 0.0, "amount": -30.0, "amount_due": -30.0,
		"tax_breakdown": []map[string]any{{"rate": 0.0, "category": "E", "base": -30.0, "tax": 0.0, "reason": "Deposit"}},
		"line_items":    []map[string]any{{"description": "Sacks", "quantity": -10.0, "unit": "sack", "unit_price": 3.0, "amount": -30.0, "tax_rate": 0.0, "tax_category": "E"}}, // not the group's heading
	}},
	"ubl-invoice.xml": {"urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0", false, map[string]any{
		"invoice_number": "N-400", "date": "2026-06-01", "due_date": "2026-06-15", "delivery_date": "2026-05-30", "period_start": "2026-05-01", "period_end": "2026-05-31", "currency": "NOK",
		"buyer_reference": "0150abc", "order_number": "PO 9", "contract_number": "K-7", "project": "Fjord",
		"vendor_name": "Mølla Bergen AS", "vendor_tax_id": "NO987654325MVA", "vendor_address": "Kaia 2, Bygg B, 2. etasje, 5003 Bergen, NO", "customer_name": "Bakeriet AS", "customer_number": "K42", // BT-31; the customer states no number, only that it is registered
		"payee_name": "Inkasso AS", "payment_means": "bill drawn by the creditor on the debtor", "iban": "NO9386011117947", "bic": "DNBANOKK", "payment_reference": "0003434", "payment_terms": "Net 14",
		"subtotal": 199.95, "tax": 49.99, "amount": 249.94, "prepaid": 100.0, "rounding": 0.06, "amount_due": 150.0, // BT-110, not 111 in euros
		"allowances":    []map[string]any{{"reason": "Loyalty", "amount": 20.0, "tax_category": "S", "tax_rate": 25.0}},
		"charges":       []map[string]any{{"reason": "Freight", "amount": 20.0, "tax_category": "S", "tax_rate": 25.0}},
		"tax_breakdown": []map[string]any{{"rate": 25.0, "category": "S", "base": 199.95, "tax": 49.99}},
		"line_items":    []map[string]any{{"description": "Havre", "code": "7090000000008", "quantity": 3.0, "unit": "XYZ", "unit_price": 200.0, "price_quantity": 3.0, "discount": 0.05, "amount": 199.95, "tax_rate": 25.0, "tax_category": "S"}},
	}},
	"fatturapa-credit.xml": {"FPA12", true, map[string]any{ // TD04
		"invoice_number": "NC 3", "date": "2026-02-10", "currency": "EUR", "credited_invoice": "12/A", "order_number": "D 8", "project": "B11C", "vendor_name": "Studio Bianchi", "vendor_tax_id": "IT01234567897",
		"customer_name": "Comune di Prova", "customer_tax_id": "IT00154401233", "payment_means": "PagoPA", "payment_terms": "complete", "payment_reference": "RF18539007547034", "iban": "IT60X0542811101000000123456",
		"subtotal": -104.0, "tax": -22.88, "amount": -126.88, // two ways to pay the same sum do not make twice the sum
		"charges":       []map[string]any{{"reason": "TC01", "amount": -4.0, "tax_rate": 22.0}},
		"tax_breakdown": []map[string]any{{"rate": 22.0, "base": -104.0, "tax": -22.88}},
		"line_items":    []map[string]any{{"description": "Consulenza", "unit_price": 100.0, "amount": -100.0, "tax_rate": 22.0}},
	}},
}

func TestEachProfileSaysItsFields(t *testing.T) {
	for name, want := range goldens {
		got := readFile(t, name)
		if diff := cmp.Diff(want.fields, got.Fields); diff != "" || got.Credit != want.credit || got.Profile != want.profile || len(got.Warnings) > 0 {
			t.Errorf("%s: credit %v, profile %s, warnings %q, fields (-want +got):\n%s", name, got.Credit, got.Profile, got.Warnings, diff)
		}
	}
}

// BT-112 of a credit note may be written as what is given back, or as less than nothing.
func TestACreditNoteIsNegativeHoweverItIsWritten(t *testing.T) {
	minus := strings.NewReplacer(">30.00<", ">-30.00<", ">10<", ">-10<")
	for name, text := range map[string]string{
		"sums above nothing": string(contents(t, "extended.xml")),
		"sums below nothing": minus.Replace(string(contents(t, "extended.xml"))),
		"a correction":       strings.Replace(minus.Replace(string(contents(t, "extended.xml"))), ">381<", ">384<", 1),
		"no sum with tax":    strings.Replace(string(contents(t, "extended.xml")), "<r:GrandTotalAmount>30.00</r:GrandTotalAmount>", "", 1),
	} {
		got, err := readOne(t.Context(), []byte(text))
		if err != nil || !got.Credit || got.Fields["amount_due"] != -30.0 || got.Fields["subtotal"] != -30.0 {
			t.Errorf("%s: credit %v, due %v, net %v, %v", name, got.Credit, got.Fields["amount_due"], got.Fields["subtotal"], err)
			continue
		}
		if line := got.Fields["line_items"].([]map[string]any)[0]; line["amount"] != -30.0 || line["quantity"] != -10.0 || line["unit_price"] != 3.0 {
			t.Errorf("%s: the line is %v", name, line)
		}
	}
}

// The second part of a file of FatturaPA has its own number, sums and elements.
func TestEveryInvoiceOfAFileIsReadByItself(t *testing.T) {
	text := string(contents(t, "fatturapa.xml"))
	start, end := strings.Index(text, "<FatturaElettronicaBody>"), strings.Index(text, "</p:FatturaElettronica>")
	second := strings.NewReplacer("12/A", "13/A", "TD01", "TD04", "146.40", "14.64", "120.00", "12.00", "26.40", "2.64", ">100.00", ">10.00", ">20.00", ">2.00").Replace(text[start:end])
	invoices, err := Read(t.Context(), []byte(text[:end]+second+text[end:]))
	if err != nil || len(invoices) != 2 {
		t.Fatalf("%d invoices, %v", len(invoices), err)
	}
	if diff := cmp.Diff(readFile(t, "fatturapa.xml").Fields, invoices[0].Fields); diff != "" {
		t.Errorf("the first is not what it is alone (-alone +together):\n%s", diff)
	}
	got := invoices[1]
	if !got.Credit || got.Fields["invoice_number"] != "13/A" || got.Fields["vendor_name"] != "Carla Rossi" || got.Fields["amount"] != -14.64 || got.Fields["subtotal"] != -12.0 || len(got.Fields["line_items"].([]map[string]any)) != 2 ||
		got.Element != "FatturaElettronica/FatturaElettronicaBody[2]" || got.Elements["invoice_number"] != "FatturaElettronica/FatturaElettronicaBody[2]/DatiGenerali/DatiGeneraliDocumento/Numero" || len(got.Warnings) > 0 {
		t.Errorf("the second: credit %v, %v, of %s, %v, warnings %q", got.Credit, got.Fields, got.Element, got.Elements["invoice_number"], got.Warnings)
	}
}

func TestAnyEncodingThatXMLNamesIsRead(t *testing.T) {
	text := strings.Replace(string(contents(t, "zugferd1.xml")), ` encoding="UTF-8"`, ` encoding="ISO-8859-1"`, 1)
	var latin []byte
	for _, c := range text {
		latin = append(latin, byte(c))
	}
	for name, data := range map[string][]byte{"ISO-8859-1": latin, "UTF-8 with a mark": append([]byte("\xef\xbb\xbf"), contents(t, "zugferd1.xml")...)} {
		got, err := readOne(t.Context(), data)
		if err != nil || got.Fields["vendor_name"] != "Mühle Nord GmbH" {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestWhatIsBeyondABoundIsLeftOutAndTold(t *testing.T) {
	line := "<CreditNoteLine><Item><Name>a</Name></Item><LineExtensionAmount>1</LineExtensionAmount></CreditNoteLine>"
	text := `<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"><ID>` + strings.Repeat("é", 6000) + "</ID><LegalMonetaryTotal><LineExtensionAmount>5</LineExtensionAmount></LegalMonetaryTotal>" + strings.Repeat(line, mostItems+1) + "</CreditNote>"
	got, err := readOne(t.Context(), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a text of more than 10000 bytes was cut", "only the first 10000 of the line items were read"}
	if number := got.Fields["invoice_number"]; len(number.(string)) > mostText || len(got.Fields["line_items"].([]map[string]any)) != mostItems || cmp.Diff(want, got.Warnings) != "" {
		t.Errorf("a number of %d bytes, warnings %q", len(number.(string)), got.Warnings)
	}
	if _, err := readOne(t.Context(), []byte("<Invoice>"+strings.Repeat("<a/>", mostElements)+"</Invoice>")); err == nil {
		t.Error("more elements than the bound were read")
	}
}
