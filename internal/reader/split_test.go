package reader

import (
	"fmt"
	"strings"
	"testing"
)

func TestSeveralInvoicesInAFileAreReadOneByOne(t *testing.T) {
	page := func(number, total string) string {
		return "Oak Ltd\n\nINVOICE\nInvoice number: " + number + "\nInvoice date: 5 March 2026\n\nDescription   Quantity   Amount\nTable   1   " + total + "\n\nTotal: " + total + " EUR\n"
	}
	for name, one := range map[string]struct {
		pages []string
		want  string // number, amount and page of each
		said  string
	}{
		"three invoices":                  {[]string{page("A-1", "100.00"), page("A-2", "200.00"), page("A-3", "300.00")}, "A-1 100 1; A-2 200 2; A-3 300 3", ""},
		"a page that goes on":             {[]string{page("A-1", "100.00"), "Terms of delivery apply.\n", page("A-2", "200.00")}, "A-1 100 1; A-2 200 3", ""},
		"one invoice of two pages":        {[]string{page("A-1", "100.00"), page("A-1", "100.00")}, "", ""},
		"a page without a sum of its own": {[]string{page("A-1", "100.00"), "INVOICE\nInvoice number: A-2\nInvoice date: 5 March 2026\nto be continued\n", page("A-3", "300.00")}, "", "the pages name several invoices (A-1, A-2, A-3)"},
	} {
		content := extract(t, []byte(strings.Join(one.pages, "\f")), Text)
		var got []string
		for _, record := range content.Records {
			got = append(got, fmt.Sprint(record.Fields["invoice_number"], " ", record.Fields["amount"], " ", record.Sources["amount"].Page))
		}
		if strings.Join(got, "; ") != one.want {
			t.Errorf("%s: %q, want %q", name, got, one.want)
		}
		if said := strings.Join(content.Warnings, "; "); (one.said == "") != (said == "") || !strings.Contains(said, one.said) {
			t.Errorf("%s: said %q, want %q", name, said, one.said)
		}
	}
}

func TestSumsOfAPageAreProvenOrLeftOutWithAWord(t *testing.T) {
	invoice := func(sums string) string {
		return "Oak Ltd\n\nINVOICE\nInvoice number: A-1\nInvoice date: 5 March 2026\n\nDescription   Quantity   Amount\nBread   1   100.00\nCake   1   200.00\n\n" + sums
	}
	for name, one := range map[string]struct {
		text string
		want map[string]any
		said string
	}{
		"a net sum for each rate":            {invoice("Net 7 %: 100.00\nTax 7 %: 7.00\nNet 19 %: 200.00\nTax 19 %: 38.00\nTotal: 345.00 EUR\n"), map[string]any{"subtotal": 300.0, "tax": 45.0, "amount": 345.0}, ""},
		"what was paid before, to the cent":  {invoice("Net: 90.00\nTax: 17.10\nTotal: 107.10 EUR\nDeposit paid: 50.00\nAmount due: 57.10 EUR\n"), map[string]any{"amount": 107.1, "amount_due": 57.1, "prepaid": 50.0}, ""},
		"what was owed before":               {invoice("Previous balance: 40.00\nThis invoice: 60.00\nTotal due: 100.00 USD\n"), map[string]any{"amount": 60.0, "amount_due": 100.0}, ""},
		"taxes on their sums":                {invoice("Net: 258.02\nzzgl. 7 % USt auf 89.72   6.28\nzzgl. 19 % USt auf 168.30   31.98\nTotal: 296.28 EUR\n"), map[string]any{"subtotal": 258.02, "tax": 38.26, "amount": 296.28}, ""},
		"a tax of a country":                 {invoice("Subtotal   40.00\nVAT - United Kingdom (20%)   8.00\nTotal   48.00 USD\n"), map[string]any{"subtotal": 40.0, "tax": 8.0, "amount": 48.0}, ""},
		"a tax that is said to be included":  {invoice("Total AUD   496.00\nGST included in total   41.00\n"), map[string]any{"tax": 41.0, "amount": 496.0}, ""},
		"a tax that a sentence includes":     {invoice("Total AUD (inc GST)   748.00\nTotal includes GST of $68.00. PAID by EFTPOS $0.00\n"), map[string]any{"tax": 68.0, "amount": 748.0}, ""},
		"rates that no tax is called beside": {invoice("Rabat 10%   -2.58\nKwota A 23.00%   6.90\nKwota B 8.00%   1.60\nPodatek PTU   8.50\nSUMA PLN   69.00\n"), map[string]any{"tax": 8.5, "amount": 69.0}, ""},
		"a tax that is that of its rates":    {invoice("PTU A 23%   6.90\nPTU B 8%   1.60\nSUMA PTU   8.50\nSUMA PLN   69.00\n"), map[string]any{"tax": 8.5, "amount": 69.0}, ""},
		"taxes over their sums":              {invoice("Totaal excl. btw   480.37\nBtw 9% over 80.75   7.27\nBtw 21% over 399.62   83.92\nTe betalen   571.56 EUR\n"), map[string]any{"subtotal": 480.37, "tax": 91.19, "amount": 571.56}, ""},
		"the three sums on a line":           {invoice("Totals   300.00   60.00   360.00\n"), map[string]any{"subtotal": 300.0, "tax": 60.0, "amount": 360.0}, ""},
		"three sums that are not theirs":     {invoice("Totals   300.00   70.00   360.00\nTotal: 360.00 EUR\n"), map[string]any{"subtotal": nil, "tax": nil, "amount": 360.0}, ""},
		"sums that contradict each other":    {invoice("Net: 100.00\nTax: 25.00\nTotal: 120.00 EUR\n"), map[string]any{"subtotal": nil, "tax": nil, "amount": 120.0}, "the sums do not add up to the total of 120.00, so these were left out: subtotal 100.00, tax 25.00"},
	} {
		content := extract(t, []byte(one.text), Text)
		values, _ := ExtractFields(content, KindInvoice)
		for field, want := range one.want {
			if values[field] != want {
				t.Errorf("%s: %s is %v, want %v", name, field, values[field], want)
			}
		}
		if said := strings.Join(content.Warnings, "; "); (one.said == "") != (said == "") || !strings.Contains(said, one.said) {
			t.Errorf("%s: said %q, want %q", name, said, one.said)
		}
	}
}
