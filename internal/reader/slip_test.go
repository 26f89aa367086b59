package reader

import (
	"fmt"
	"testing"
)

// Beside each way of printing a receipt stands a paper that looks alike and must stay silent.
func TestAReceiptIsProvenByItsSums(t *testing.T) {
	const shop = "CORNER SHOP\n12 Mill Lane, Lewes\n\n"
	const tipped = "JOE'S DINER\n123 Main St, Austin TX\n03/16/2025  7:42 PM\n\n2 Burger   24.00\n1 Coke   3.50\nSubtotal   $27.50\nTax 8.25%   $2.27\nTotal   $29.77\nTip   $6.00\nAmount paid   $35.77\nVISA **** 4242\n"
	const metro = "METRO VANNES\nZI du Prat 56000 VANNES\n\n18/11/2026 07:42\n\nSUCRE   11,90\nLEVURE   8,70\nSACS   24,99\n\nTOTAL EUR   45,59\nCB   45,59\n"
	const goods = "Bread                 4.20\nCheese                5.75\n"
	for name, c := range map[string]struct {
		page, kind, field string
		want              any
	}{
		"goods that make the sum, and a card":          {shop + goods + "TOTAL                £9.95\nVISA                  9.95\n22/08/2025 12:05\n", KindReceipt, "amount", 9.95},
		"the shop in the first line":                   {shop + goods + "TOTAL                £9.95\nVISA                  9.95\n22/08/2025 12:05\n", KindReceipt, "vendor_name", "CORNER SHOP"},
		"the time beside the day":                      {shop + goods + "TOTAL                £9.95\nVISA                  9.95\n22/08/2025 2:05 PM\n", KindReceipt, "time", "14:05"},
		"money given less the change":                  {"Drogerie Winter\nSeife   2,95\nTee     1,45\nSumme EUR   4,40\nBar     5,00\nZurück  0,60\n02.07.2025\n", KindReceipt, "amount", 4.4},
		"no sum that the change contradicts":           {"Drogerie Winter\nSeife   2,95\nTee     1,75\nSumme EUR   4,40\nBar     5,00\nZurück  0,90\n02.07.2025 10:11\n", KindNote, "amount", nil},
		"a tax of a printed rate":                      {"Hallen AB\nStorgatan 1\nLax   89,00\nKaffe   64,50\nTotalt SEK   153,50\nMoms 12%   16,45\nKort   153,50\n2025-12-12 17:45\n", KindReceipt, "tax", 16.45},
		"no tax that is not of its rate":               {"Hallen AB\nStorgatan 1\nLax   89,00\nKaffe   64,50\nTotalt SEK   153,50\nMoms 12%   61,45\nKort   153,50\n2025-12-12 17:45\n", KindReceipt, "tax", nil},
		"the taxes of a table of rates":                {"MARKT\nBrot   1,95\nMilch   5,13\nSUMME EUR   7,08\nBar   7,08\nSteuer %   Netto   Steuer   Brutto\nA= 19,0%   1,64   0,31   1,95\nB= 7,0%   4,79   0,34   5,13\n14.02.2025 18:22\n", KindReceipt, "tax", 0.65},
		"the day first where the money says so":        {"PHARMACIE\n35000 RENNES\nCoton   2,18\nSavon   6,90\nA PAYER EUR   9,08\nCARTE BANCAIRE   9,08\n02/03/2025 10:00\n", KindReceipt, "date", "2025-03-02"},
		"no day where nothing tells which comes first": {"CORNER\nSnack   $2.50\nFuel   $29.43\nTOTAL   $31.93\nVISA   $31.93\n09/05/2025 18:31\n", KindReceipt, "date", nil},
		"the day with a time among several days":       {"MARKT\nBrot   1,95\nMilch   5,13\nSUMME EUR   7,08\nBar   7,08\n14.02.2025 18:22\nUmtausch bis 14.03.2025\n", KindReceipt, "date", "2025-02-14"},
		"no receipt of a list with its sum":            {"Packing\n\nTent      14.00\nStove      6.00\nTotal     20.00\n", KindNote, "vendor_name", nil},
		"no shop where the paper begins with a street": {"12 Mill Lane\nLewes\n" + goods + "TOTAL   £9.95\nVISA   9.95\n22/08/2025 12:05\n", KindReceipt, "vendor_name", nil},
		"no shop that is a greeting":                   {"WELCOME TO OUR SHOP\nTel. 01273 555 014\n" + goods + "TOTAL   £9.95\nVISA   9.95\n22/08/2025 12:05\n", KindReceipt, "vendor_name", nil},
		"what was paid where no line names the sum":    {"PARKHAUS OPER\nEinfahrt 14.11.2025 18:52\nParkgebühr   9,50 EUR\nbezahlt EUR   9,50\nenth. USt 20 %   1,58\nVielen Dank für Ihren Einkauf\n", KindReceipt, "amount", 9.5},
		"no sum of an advertisement":                   {"Drogerie Winter\nSeife   2,95\nTee   1,45\nSumme EUR   4,40\nBar   4,40\n* Gewinnen Sie 10.000,00 EUR *\n02.07.2025 10:11\n", KindReceipt, "amount", 4.4},
		"no shop that is a title":                      {"TAXI RECEIPT\nCity Cabs\nFare   17.40\nExtras   2.00\nTotal EUR   19.40\nVISA   19.40\n14/07/2025 22:41\n", KindReceipt, "vendor_name", "City Cabs"},
		"no shop among the goods":                      {"KAUFHAUS MÜLLER\nFiliale 12, Ulm\n12.03.2025 14:22 Bon 4711\nMilch   1,29 B\nSeife   2,50 A\nPfand   0,25 B\nSUMME EUR   4,04\nGegeben bar   5,00\nRückgeld   0,96\nMwSt A 19% netto 2,10 MwSt 0,40\nMwSt B 7% netto 1,44 MwSt 0,10\n", KindReceipt, "vendor_name", "KAUFHAUS MÜLLER"},
		"a tip is a tip":                               {tipped, KindReceipt, "tip", 6.0},
		"what was paid with the tip":                   {tipped, KindReceipt, "amount", 35.77},
		"a tip is no shipping":                         {tipped, KindReceipt, "shipping", nil},
		"a service charge is no shipping":              {shop + goods + "Service charge   1.00\nTOTAL   £10.95\nVISA   10.95\n22/08/2025 12:05\n", KindReceipt, "shipping", nil},
		"that it was paid is no method":                {tipped, KindReceipt, "payment_method", nil},
		"a method beside that it was paid":             {shop + goods + "TOTAL   £9.95\nCard paid   9.95\n22/08/2025 12:05\n", KindReceipt, "payment_method", "Card paid"},
		"taxes of several rates that the sum includes": {"RESTAURANT LE BON COIN\n5 rue Neuve, 31000 Toulouse\nTicket n° 00345   15/03/2025 13:05\n2 Menu du jour   36,00\n1 Vin   12,00\nTotal TTC   48,00 EUR\ndont TVA 10%   3,27\ndont TVA 20%   2,00\nCB   48,00\n", KindReceipt, "tax", 5.27},
		"no taxes of rates that make another sum":      {"RESTAURANT LE BON COIN\n5 rue Neuve, 31000 Toulouse\nTicket n° 00345   15/03/2025 13:05\n2 Menu du jour   36,00\n1 Vin   12,00\nTotal TTC   48,00 EUR\ndont TVA 10%   3,27\ndont TVA 20%   3,00\nCB   48,00\n", KindReceipt, "tax", nil},
		"taxes of several rates in one line":           {metro + "dont TVA 5,5%  1,07  TVA 20%  4,17\n", KindReceipt, "tax", 5.24},
		"taxes of several rates under one word":        {metro + "dont TVA 5,5%  1,07  20%  4,17\n", KindReceipt, "tax", 5.24},
		"no tax of a rate with sums between":           {metro + "dont TVA 5,5%  20,60  1,07  TVA 20%  24,99  4,17\n", KindReceipt, "tax", nil},
		"no tax of rates of which one has no amount":   {metro + "dont TVA 5,5%  1,07  TVA 10%  TVA 20%  4,17\n", KindReceipt, "tax", nil},
		"an invoice that was paid by card stays one":   {"INVOICE\nInvoice no: A-17\nBill to: Ada Moss\nDue date: 4 April 2025\n\nBread   4.20\nCheese   5.75\nTotal   £9.95\nVISA   9.95\n", KindInvoice, "invoice_number", "A-17"},
	} {
		t.Run(name, func(t *testing.T) {
			content := extract(t, []byte(c.page), Text)
			kind, _ := Classify(content)
			values, _ := ExtractFields(content, kind)
			if kind != c.kind || values[c.field] != c.want {
				t.Errorf("%s: %s = %v, want %s: %v", kind, c.field, values[c.field], c.kind, c.want)
			}
		})
	}
}

func TestGoodsOfAReceiptMakeItsSum(t *testing.T) {
	const end = "Totalt DKK   295,00\nHeraf moms   59,00\nDankort   295,00\n16-01-2025 15:40\n"
	for name, c := range map[string]struct{ goods, want string }{
		"each with its amount":           {"Skjorter   150,00\nFrakke   145,00\n", "[Skjorter 150 <nil>] [Frakke 145 <nil>]"},
		"the name above how many":        {"Skjorter\n5 stk   150,00\nFrakke   145,00\n", "[Skjorter 150 <nil>] [Frakke 145 <nil>]"},
		"how many below":                 {"Skjorter   150,00\n5 x 30,00\nFrakke   145,00\n", "[Skjorter 150 5] [Frakke 145 <nil>]"},
		"without what was taken off":     {"Skjorter   160,00\nRabat   -10,00\nFrakke   145,00\n", "[Skjorter 160 <nil>] [Frakke 145 <nil>]"},
		"how many and their price":       {"2 Skjorter à 75,00   150,00\nFrakke   145,00\n", "[Skjorter 150 2] [Frakke 145 <nil>]"},
		"how many with a sign":           {"2 x Skjorter   150,00\nFrakke   145,00\n", "[Skjorter 150 2] [Frakke 145 <nil>]"},
		"none where they make another":   {"Skjorter   150,00\nFrakke   165,00\n", ""},
		"none where one of them is lost": {"Skjorter   150,00\nFrakke\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			values, _ := ExtractFields(extract(t, []byte("Kystens Renseri ApS\nHavnegade 2, Esbjerg\n"+c.goods+end), Text), KindReceipt)
			items, _ := values["line_items"].([]map[string]any)
			got := ""
			for _, item := range items {
				got += fmt.Sprint([]any{item["description"], item["amount"], item["quantity"]}) + " "
			}
			if got != c.want && got != c.want+" " {
				t.Errorf("goods %s, want %s", got, c.want)
			}
		})
	}
}
