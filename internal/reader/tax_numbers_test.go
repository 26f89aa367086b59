package reader

import "testing"

func TestTaxNumberBehindItsNameIsThatOfTheBlockItStandsIn(t *testing.T) {
	for name, c := range map[string]struct {
		lines            string
		vendor, customer any
	}{
		"of Poland":                          {"NIP: 867-201-94-35", "8672019435", nil},
		"of Turkey":                          {"VKN: 4810763294", "4810763294", nil},
		"of India, with a state behind it":   {"GSTIN/UIN: 29AAJFV4471K1ZI State Code: 29", "29AAJFV4471K1ZI", nil},
		"of Hungary":                         {"Adószám: 24718361-2-09", "24718361209", nil},
		"of Russia, inside a line":           {"Россия, ИНН 5404187723, КПП 540401001", "5404187723", nil},
		"of Japan":                           {"登録番号 T6012401038265", "T6012401038265", nil},
		"the customer's":                     {"Your VAT number 12345678", nil, "12345678"},
		"a number of a country's form first": {"Tax no. 14043/02178\nVAT no. DE241783562", "DE241783562", nil},
		"two are not told apart":             {"NIP: 8672019435\nNIP: 5213348706", nil, nil},
		"too short a number":                 {"VAT 20 %", nil, nil},
		"the number of the invoice":          {"VAT Invoice 2026/0000017", nil, nil},
		"a country's number of wrong length": {"VAT no. DE19787878784", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			text := "Lark Paper\n9 Bay Street\n\nINVOICE\nInvoice number: 2026/0000017\nInvoice date: 5 March 2026\n\n" + c.lines + "\n\nTotal EUR 113.00\n"
			wantFields(t, text, map[string]any{"vendor_tax_id": c.vendor, "customer_tax_id": c.customer})
		})
	}
}

func TestAccountNumberIsReadAsItIsPrinted(t *testing.T) {
	for name, c := range map[string]struct {
		lines string
		want  any
	}{
		"on two lines":                  {"Please pay to IBAN DE02 1203\n0000 0000 2020 51", "DE02120300000000202051"},
		"of Poland without the country": {"Rachunek: 61 1090 1014 0000 0712 1981 2874", "PL61109010140000071219812874"},
		"26 digits that are none":       {"Rachunek: 61 1090 1014 0000 0712 1981 2875", nil},
		"before a full stop":            {"Pay to NL91 ABNA 0417 1643 00.", "NL91ABNA0417164300"},
	} {
		t.Run(name, func(t *testing.T) {
			wantFields(t, "INVOICE\nInvoice number: 17\nInvoice date: 5 March 2026\nTotal EUR 113.00\n\n"+c.lines+"\n", map[string]any{"iban": c.want})
		})
	}
}

// wantFields reads a text as a paper of its kind and compares fields; nil is none.
func wantFields(t *testing.T, text string, want map[string]any) {
	t.Helper()
	content := extract(t, []byte(text), Text)
	kind, _ := Classify(content)
	values, _ := ExtractFields(content, kind)
	for field, value := range want {
		if values[field] != value {
			t.Errorf("%s of the %s is %v, want %v", field, kind, values[field], value)
		}
	}
}
