package reader

import (
	"fmt"
	"strings"
	"testing"
)

func TestMovementsOfAWebPageAreRecords(t *testing.T) {
	const (
		about = "<table><tr><td>Account name</td><td>ANN LEE</td></tr><tr><td>Currency</td><td>NAIRA (NGN)</td></tr><tr><td>Opening balance</td><td>100.00</td></tr></table>"
		head  = "<tr><th>Date</th><th>Value date</th><th>Debit</th><th>Credit</th><th>Balance</th><th>Remarks</th></tr>"
		wide  = "<tr><th rowspan=2>Date</th><th rowspan=2>Value date</th><th colspan=3>Amounts</th><th rowspan=2>Remarks</th></tr><tr><th>Debit</th><th>Credit</th><th>Balance</th></tr>"
		rows  = "<tr><td>03-Jan-2026</td><td>03-Jan-2026</td><td>15.00</td><td></td><td>85.00</td><td>RENT<br>OF MARCH</td></tr><tr><td>05-Jan-2026</td><td>05-Jan-2026</td><td></td><td>20.00</td><td>105.00</td><td>WAGES OF MILL</td></tr>"
	)
	for name, c := range map[string]struct{ page, want string }{
		"below another table":               {about + "<table>" + head + rows + "</table>", "5: -15 NGN RENT OF MARCH; 7: 20 NGN WAGES OF MILL"},
		"below rows of the same table":      {"<table><tr><td>Currency</td><td>NGN</td></tr>" + strings.ReplaceAll(head, "th>", "td>") + rows + "</table>", "3: -15 NGN RENT OF MARCH; 5: 20 NGN WAGES OF MILL"},
		"below heads of two rows":           {about + "<table>" + wide + rows + "</table>", "6: -15 NGN RENT OF MARCH; 8: 20 NGN WAGES OF MILL"},
		"below cells of two rows":           {"<table><tr><td colspan=5>Account</td><td>ANN LEE</td></tr>" + strings.NewReplacer("<th", "<td", "th>", "td>").Replace(wide) + rows + "</table>", "4: -15 <nil> RENT OF MARCH; 6: 20 <nil> WAGES OF MILL"},
		"two lists are left to the paper":   {"<table>" + head + rows + "</table><table>" + head + rows + "</table>", ""},
		"below what is reserved":            {"<table><tr><th>Date</th><th>Text</th><th>Amount</th></tr><tr><td>06-Jan-2026</td><td>TAXI HELD</td><td>-9.00</td></tr></table>" + about + "<table>" + head + rows + "</table>", "7: -15 NGN RENT OF MARCH; 9: 20 NGN WAGES OF MILL"},
		"above what is reserved":            {about + "<table>" + head + rows + "</table><table><tr><th>Date</th><th>Text</th><th>Amount</th></tr><tr><td>06-Jan-2026</td><td>TAXI HELD</td><td>-9.00</td></tr></table>", "5: -15 NGN RENT OF MARCH; 7: 20 NGN WAGES OF MILL"},
		"the lines of an invoice":           {"<p>Invoice number: M-17</p><table><tr><th>Date</th><th>Description</th><th>Amount</th></tr><tr><td>03-Jan-2026</td><td>Consulting of Ann</td><td>100.00</td></tr><tr><td>04-Jan-2026</td><td>Discount for Ann</td><td>-10.00</td></tr></table>", ""},
		"goods are no movements":            {"<table><tr><th>Date</th><th>Product</th><th>Quantity</th><th>Amount</th></tr><tr><td>03-Jan-2026</td><td>Tea of Assam</td><td>2</td><td>15.00</td></tr></table>", ""},
		"a list without signs gives no row": {"<table><tr><th>Date</th><th>Description</th><th>Amount</th></tr><tr><td>03-Jan-2026</td><td>Tea of Assam</td><td>15.00</td></tr></table>", ""},
	} {
		content := extract(t, []byte("<html><body>"+c.page+"</body></html>"), HTML)
		var got []string
		for _, record := range content.Records {
			got = append(got, fmt.Sprint(record.Source.Line, ": ", record.Fields["amount"], " ", record.Fields["currency"], " ", record.Fields["description"]))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, "; "), c.want)
		}
	}
}
