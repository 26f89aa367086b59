package einvoice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/testenv"
)

// Values are those that EN 16931 gives a name (BT for a term, BG for a group of them).
func TestAnInvoiceInCIISaysItsFields(t *testing.T) {
	got := readFile(t, "cii.xml")
	want := map[string]any{
		"invoice_number": "B-77", "date": "2026-03-02", "due_date": "2026-03-16", "delivery_date": "2026-02-28", "currency": "EUR", // BT-1, 2, 9, 72, 5
		"vendor_name": "Northwind Mill Ltd", "vendor_tax_id": "DE111111125", "vendor_address": "Mill Lane 4, 10115 Berlin, DE", // BT-27, 31 before 32, BG-5
		"customer_name": "Bakery & Sons", "customer_number": "K-9", "customer_address": "Leipzig, DE", "buyer_reference": "04011000-12345-34", "order_number": "PO-5", // BT-44, 46, BG-8, BT-10, 13
		"payment_means": "SEPA credit transfer", "iban": "DE89370400440532013000", "bic": "COBADEFFXXX", "payment_reference": "B-77 K-9", "payment_terms": "14 days net", // BT-81, 84, 86, 83, 20
		"subtotal": 53.0, "tax": 7.67, "amount": 60.67, "prepaid": 10.0, "amount_due": 50.67, // BT-109, 110 (not 111, in another currency), 112, 113, 115
		"allowances":    []map[string]any{{"reason": "Loyalty", "amount": 2.0}},
		"charges":       []map[string]any{{"reason": "Freight", "amount": 5.0}},
		"tax_breakdown": []map[string]any{{"rate": 7.0, "category": "S", "base": 20.0, "tax": 1.4}, {"rate": 19.0, "category": "S", "base": 33.0, "tax": 6.27}},
		"line_items": []map[string]any{
			{"description": "Flour type 550", "code": "M550", "quantity": 20.0, "unit": "kg", "unit_price": 120.0, "price_quantity": 100.0, "discount": 4.0, "amount": 20.0, "tax_rate": 7.0, "tax_category": "S"},
			{"description": "Grinding", "quantity": 2.0, "unit": "h", "unit_price": 15.0, "amount": 30.0, "tax_rate": 19.0, "tax_category": "S"},
		},
	}
	if diff := cmp.Diff(want, got.Fields); diff != "" || got.Credit || len(got.Warnings) > 0 {
		t.Errorf("credit %v, warnings %q, fields (-want +got):\n%s", got.Credit, got.Warnings, diff)
	}
	for field, path := range map[string]string{
		"amount":        "CrossIndustryInvoice/SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradeSettlementHeaderMonetarySummation/GrandTotalAmount",
		"vendor_tax_id": "CrossIndustryInvoice/SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/SellerTradeParty/SpecifiedTaxRegistration[2]/ID",
	} {
		if got.Elements[field] != path {
			t.Errorf("%s is said by %s, want %s", field, got.Elements[field], path)
		}
	}
	for field := range got.Fields {
		if got.Elements[field] == "" {
			t.Errorf("%s names no element", field)
		}
	}
}

func TestACreditNoteInUBLIsNegative(t *testing.T) {
	got := readFile(t, "ubl-credit.xml")
	want := map[string]any{
		"invoice_number": "CN-3", "date": "2026-04-01", "currency": "SEK", "credited_invoice": "B-71", "vendor_name": "Kvarnen i Lund AB", "vendor_tax_id": "SE556677889901",
		"vendor_address": "Kvarngatan 1, 222 20 Lund, SE", "customer_name": "Bageriet", "payment_means": "credit transfer", "account_number": "5050-1055",
		"subtotal": -100.0, "tax": -25.0, "amount": -125.0, "amount_due": -125.0,
		"tax_breakdown": []map[string]any{{"rate": 25.0, "category": "S", "base": -100.0, "tax": -25.0}},
		"line_items":    []map[string]any{{"description": "Rågmjöl", "quantity": -2.0, "unit": "carton", "unit_price": 50.0, "amount": -100.0, "tax_rate": 25.0, "tax_category": "S"}},
	}
	if diff := cmp.Diff(want, got.Fields); diff != "" || !got.Credit || len(got.Warnings) > 0 {
		t.Errorf("credit %v, warnings %q, fields (-want +got):\n%s", got.Credit, got.Warnings, diff)
	}
}

func TestAFatturaPASaysItsFields(t *testing.T) {
	got := readFile(t, "fatturapa.xml")
	want := map[string]any{
		"invoice_number": "12/A", "date": "2026-05-04", "due_date": "2026-06-03", "currency": "EUR", "vendor_name": "Carla Rossi", "vendor_tax_id": "IT01234567897",
		"vendor_address": "Via del Mulino 4, 40121 Bologna BO, IT", "customer_name": "Panificio Verdi Srl", "customer_tax_id": "RSSMRA80A01H501U", "customer_address": "Via Roma 1, 00184 Roma, IT",
		"order_number": "ORD-1", "payment_means": "bank transfer", "payment_terms": "complete", "iban": "IT60X0542811101000000123456",
		"subtotal": 120.0, "tax": 26.4, "amount": 146.4, "amount_due": 146.4,
		"tax_breakdown": []map[string]any{{"rate": 22.0, "base": 120.0, "tax": 26.4}},
		"line_items": []map[string]any{
			{"description": "Farina", "quantity": 50.0, "unit": "KG", "unit_price": 2.0, "amount": 100.0, "tax_rate": 22.0},
			{"description": "Trasporto", "unit_price": 20.0, "amount": 20.0, "tax_rate": 22.0},
		},
	}
	if diff := cmp.Diff(want, got.Fields); diff != "" || got.Credit || len(got.Warnings) > 0 {
		t.Errorf("credit %v, warnings %q, fields (-want +got):\n%s", got.Credit, got.Warnings, diff)
	}
}

func TestSumsThatDoNotAddUpAreTold(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"BR-CO-10": {"<b:LineTotalAmount>50.00", "<b:LineTotalAmount>51.00", "the lines add up to 50.00, and the sum of lines is 51.00"},
		"BR-CO-11": {"<b:AllowanceTotalAmount>2.00", "<b:AllowanceTotalAmount>3.00", "the allowances add up to 2.00, and their sum is 3.00"},
		"BR-CO-12": {"<b:ChargeTotalAmount>5.00", "<b:ChargeTotalAmount>6.00", "the charges add up to 5.00, and their sum is 6.00"},
		"BR-CO-13": {"<b:TaxBasisTotalAmount>53.00", "<b:TaxBasisTotalAmount>54.00", "lines, allowances and charges give 53.00, and the net sum is 54.00"},
		"BR-CO-14": {"currencyID=\"EUR\">7.67", "currencyID=\"EUR\">7.68", "the tax of all rates adds up to 7.67, and the tax is 7.68"},
		"BR-CO-15": {"<b:GrandTotalAmount>60.67", "<b:GrandTotalAmount>60.70", "net sum and tax give 60.67, and the sum is 60.70"},
		"BR-CO-16": {"<b:DuePayableAmount>50.67", "<b:DuePayableAmount>60.67", "the sum less what was paid gives 50.67, and what is to be paid is 60.67"},
		"BT-84":    {"DE89 3704 0044 0532 0130 00", "DE88 3704 0044 0532 0130 00", "the check digits of the IBAN DE88370400440532013000 are wrong"},
	} {
		text := string(contents(t, "cii.xml"))
		if strings.Count(text, c.old) != 1 {
			t.Fatalf("%s: %q stands %d times", name, c.old, strings.Count(text, c.old))
		}
		got, err := readOne(t.Context(), []byte(strings.Replace(text, c.old, c.new, 1)))
		if err != nil || !strings.Contains(strings.Join(got.Warnings, "\n"), c.want) {
			t.Errorf("%s: %v, warnings %q, want %q", name, err, got.Warnings, c.want)
		}
	}
}

func TestWhichDocumentsTakeBack(t *testing.T) {
	for code, c := range map[string]struct {
		total  string
		credit bool
		amount float64
	}{"380": {"60.67", false, 60.67}, "389": {"60.67", false, 60.67}, "381": {"60.67", true, -60.67}, "261": {"60.67", true, -60.67}, "384": {"60.67", false, 60.67}} {
		got, err := readOne(t.Context(), bytes.Replace(contents(t, "cii.xml"), []byte("<b:TypeCode>380<"), []byte("<b:TypeCode>"+code+"<"), 1))
		if err != nil || got.Credit != c.credit || got.Fields["amount"] != c.amount {
			t.Errorf("code %s: credit %v, amount %v, %v", code, got.Credit, got.Fields["amount"], err)
		}
	}
	got, err := readOne(t.Context(), bytes.ReplaceAll(bytes.Replace(contents(t, "cii.xml"), []byte("<b:TypeCode>380<"), []byte("<b:TypeCode>384<"), 1), []byte("GrandTotalAmount>60.67"), []byte("GrandTotalAmount>-60.67")))
	if err != nil || !got.Credit || got.Fields["amount"] != -60.67 {
		t.Errorf("a correction of a negative sum: %v %v %v", got.Credit, got.Fields["amount"], err)
	}
}

const ublInvoice = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"

func TestWhatIsDamagedOrNoInvoiceIsNotRead(t *testing.T) {
	for name, text := range map[string]string{
		"another document": `<Order><ID>1</ID></Order>`, "a root and no more": `<Invoice xmlns="` + ublInvoice + `"/>`, "no number and no sum": `<Invoice xmlns="` + ublInvoice + `"><Note>nothing</Note></Invoice>`,
		"a program's own invoice": `<Invoice><ID>1</ID><LegalMonetaryTotal><PayableAmount>5</PayableAmount></LegalMonetaryTotal></Invoice>`, "UBL 1": `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-1.0"><ID>1</ID></Invoice>`,
	} {
		if got, err := readOne(t.Context(), []byte(text)); got != nil || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	whole := contents(t, "cii.xml")
	for name, text := range map[string]string{
		"cut off": string(whole[:len(whole)/2]), "no XML": "hello", "too deep": strings.Repeat("<a>", 100), "nothing": "",
		"too many invoices": `<FatturaElettronica>` + strings.Repeat(`<FatturaElettronicaBody/>`, mostInvoices+1) + `</FatturaElettronica>`,
	} {
		if got, err := readOne(t.Context(), []byte(text)); err == nil {
			t.Errorf("%s was read: %v", name, got)
		}
	}
	over, end := context.WithCancel(t.Context())
	end()
	if _, err := readOne(over, []byte("<Invoice>"+strings.Repeat("<a/>", 5000)+"</Invoice>")); !errors.Is(err, context.Canceled) {
		t.Errorf("reading that nobody waits for: %v", err)
	}
	got, err := readOne(t.Context(), []byte(`<!DOCTYPE Invoice [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><Invoice xmlns="`+ublInvoice+`"><ID>&b;</ID><LegalMonetaryTotal><PayableAmount>NaN</PayableAmount><TaxExclusiveAmount>1e9</TaxExclusiveAmount><TaxInclusiveAmount>0x10</TaxInclusiveAmount></LegalMonetaryTotal></Invoice>`))
	if err != nil || got == nil || got.Fields["invoice_number"] != nil || len(got.Warnings) != 4 || got.Fields["amount_due"] != nil || got.Fields["subtotal"] != nil || got.Fields["amount"] != nil {
		t.Errorf("an entity of the document's own and no number: %v %v", got, err)
	}
}

func TestWhatAnElementCannotSayIsToldAndLeftOut(t *testing.T) {
	invoice := func(currency, tax, day, line string) string {
		return `<Invoice xmlns="` + ublInvoice + `"><ID>U8</ID><IssueDate>` + day + `</IssueDate><DocumentCurrencyCode>EUR</DocumentCurrencyCode><TaxTotal><TaxAmount currencyID="` + currency + `">` + tax +
			`</TaxAmount></TaxTotal><LegalMonetaryTotal><TaxExclusiveAmount>100</TaxExclusiveAmount><TaxInclusiveAmount>119</TaxInclusiveAmount></LegalMonetaryTotal>` + line + `</Invoice>`
	}
	for name, one := range map[string]struct{ text, field, want string }{
		"a decimal comma":    {invoice("EUR", "19,00", "2026-03-01", ""), "tax", `Invoice/TaxTotal/TaxAmount says "19,00", which is no number, and was left out`},
		"a power of ten":     {invoice("EUR", "1.9E1", "2026-03-01", ""), "tax", `says "1.9E1", which is no number`},
		"another currency":   {invoice("USD", "21", "2026-03-01", ""), "tax", "Invoice/TaxTotal/TaxAmount is in USD, and the invoice in EUR: tax was left out"},
		"a day that is none": {invoice("EUR", "19", "2026-02-30", ""), "date", `Invoice/IssueDate says "2026-02-30", which is no date`},
		"nothing wrong":      {invoice("EUR", "19", "2026-03-01", ""), "", ""},
	} {
		got, err := readOne(t.Context(), []byte(one.text))
		said := ""
		if err == nil {
			said = strings.Join(got.Warnings, "; ")
		}
		if err != nil || got.Fields[one.field] != nil || !strings.Contains(said, one.want) || (one.want == "") != (said == "") || strings.Contains(said, "net sum and tax") {
			t.Errorf("%s: %v, %v, %q, want %q", name, err, got, said, one.want)
		}
	}
}

func TestInvoicesInAnEnvelopeAreRead(t *testing.T) {
	one := func(number string) string {
		return `<Invoice xmlns="` + ublInvoice + `"><ID>` + number + `</ID><LegalMonetaryTotal><PayableAmount>5</PayableAmount></LegalMonetaryTotal></Invoice>`
	}
	got, err := Read(t.Context(), []byte(`<StandardBusinessDocument><StandardBusinessDocumentHeader/>`+one("A-1")+`</StandardBusinessDocument>`))
	if err != nil || len(got) != 1 || got[0].Fields["invoice_number"] != "A-1" || got[0].Elements["invoice_number"] != "StandardBusinessDocument/Invoice/ID" {
		t.Errorf("one in an envelope: %v, %v", got, err)
	}
	got, err = Read(t.Context(), []byte(`<Batch><Item>`+one("A-1")+`</Item><Item>`+one("A-2")+`</Item></Batch>`))
	if err != nil || len(got) != 2 || got[1].Fields["invoice_number"] != "A-2" || got[1].Element != "Batch/Item[2]/Invoice" {
		t.Errorf("two in a batch: %v, %v", got, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"cii.xml", "ubl-credit.xml", "fatturapa.xml", "zugferd1.xml", "minimum.xml", "extended.xml", "ubl-invoice.xml", "fatturapa-credit.xml"} {
		data := testenv.Read(f, filepath.Join("testdata", name))
		f.Add(data)
	}
	f.Add([]byte(`<FatturaElettronica><FatturaElettronicaBody><DatiGenerali><DatiGeneraliDocumento><Numero>1</Numero></DatiGeneraliDocumento></DatiGenerali></FatturaElettronicaBody><FatturaElettronicaBody/></FatturaElettronica>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		invoices, err := Read(t.Context(), data)
		if err != nil {
			return
		}
		for _, invoice := range invoices {
			for field, path := range invoice.Elements {
				if invoice.Fields[field] == nil || path == "" {
					t.Errorf("%s has the element %q and the value %v", field, path, invoice.Fields[field])
				}
			}
			if _, err := json.Marshal(invoice.Fields); err != nil {
				t.Error(err)
			}
		}
	})
}

// readOne reads a file of one invoice or none.
func readOne(ctx context.Context, data []byte) (*Invoice, error) {
	invoices, err := Read(ctx, data)
	if len(invoices) != 1 {
		return nil, err
	}
	return invoices[0], err
}

func readFile(t *testing.T, name string) *Invoice {
	t.Helper()
	return readPath(t, filepath.Join("testdata", name))
}

func readPath(t *testing.T, path string) *Invoice {
	t.Helper()
	data := testenv.Read(t, path)
	invoice, err := readOne(t.Context(), data)
	if err != nil || invoice == nil {
		t.Fatalf("%s: %v, %v", path, invoice, err)
	}
	return invoice
}

func contents(t testing.TB, name string) []byte {
	t.Helper()
	return testenv.Read(t, filepath.Join("testdata", name))
}
