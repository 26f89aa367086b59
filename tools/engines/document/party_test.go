package document

import "testing"

func TestASenderIsANameThatSomethingSupports(t *testing.T) {
	const rest = "\n\nInvoice number: A-17\nInvoice date: 5 March 2025\nBill to: Test Ltd\nTotal: 12.00 EUR\n"
	for name, c := range map[string]struct{ head, want string }{
		"a legal form":                   {"Alder Cabinets Ltd\n9 Bay Street", "Alder Cabinets Ltd"},
		"none for an address alone":      {"Ada Moss\n4410 Levee Road, Baton Rouge, LA 70801", ""},
		"a tax number in its block":      {"Atelier Brume\n3 rue des Lilas\nN° TVA: FR 12 345 678 901", "Atelier Brume"},
		"the domain of its mail":         {"Quietbrook\nhello@quietbrook.example", "Quietbrook"},
		"a line with the whole address":  {"Bäckerei Linde · Hauptstr. 4 · 12345 Neudorf", "Bäckerei Linde"},
		"none for a name alone":          {"Sunny Days\nSome words", ""},
		"none for a remark in brackets":  {"(please quote in all letters)\nhello@please.example", ""},
		"none for a heading":             {"Tax Invoice and Delivery Note\nCopy", ""},
		"none for a sentence":            {"Thank you for your order with us\n4410 Levee Road, Baton Rouge, LA 70801", ""},
		"none for a remark behind words": {"Quietbrook (duplicate)\nhello@quietbrook.example", ""},
	} {
		t.Run(name, func(t *testing.T) {
			values, _ := Fields(extract(t, []byte(c.head+rest), Text), KindInvoice)
			if got, _ := values["vendor_name"].(string); got != c.want {
				t.Errorf("vendor_name = %q, want %q", got, c.want)
			}
		})
	}
}
