package reader

import "testing"

func TestEvidenceForAndAgainstPartiesIsWeighed(t *testing.T) {
	for name, c := range map[string]struct {
		kind, text string
		want       map[string]any
	}{
		"the firm registered at the foot, a brand at the head": {KindInvoice,
			"Auberge du Pont\nChambres et repas\n\nFACTURE N° 81\nFacturé à : Test SARL\nTotal TTC 12,00 €\n\nSAS Hôtelière Morel au capital de 60 000 € – RCS Dijon 418 227 903 – TVA FR 40 418 227 903\n",
			map[string]any{"vendor_name": "SAS Hôtelière Morel", "customer_name": "Test SARL"}},
		"who is registered, behind the word Company": {KindReceipt,
			"Owl Notes\nThank you for your purchase\nReceipt no. 81\n19 October 2025\nNotes Pro   149.00\nTotal paid £149.00\n\nCordle Market Ltd · Company number 09418827 · VAT GB 213 8840 71 · Judd House, 18 Mora Street, London EC1V 8BT\n",
			map[string]any{"vendor_name": "Cordle Market Ltd"}},
		"the register is nobody's name": {KindInvoice,
			"Dr. See & Partner Rechtsanwälte mbB · Salzstraße 41 · 48143 Münster\nRechnung Nr. 81\nGesamtbetrag 12,00 EUR\n\nPartnerschaftsregister AG Essen PR 2281 · Haftpflicht: Concord, 30159 Hannover\n",
			map[string]any{"vendor_name": "Dr. See & Partner Rechtsanwälte mbB"}},
		"the other firm with an address, where the customer has a label": {KindInvoice,
			"Invoice 81\nDate: 8 May 2026\n\n\nGumtree Plumbing Pty Ltd\nUnit 7, 19 Sefton Road\nTHORNLEIGH NSW 2120\n\nCustomer: Harbour Strata Pty Ltd\nTotal AUD 12.00\n",
			map[string]any{"vendor_name": "Gumtree Plumbing Pty Ltd", "customer_name": "Harbour Strata Pty Ltd"}},
		"a floor above a tax number is no firm": {KindInvoice,
			"Tax Invoice 81\n\n\n\nLevel 3, 44 Miller Street\nNORTH SYDNEY NSW 2060\nABN: 61 118 204 773\n\nTotal AUD 12.00\n",
			map[string]any{"vendor_name": nil}},
		"goods by weight have no legal form": {KindInvoice,
			"Invoice 81\nDate: 8 May 2026\n\nCoffee Bourbon 1 kg\n\nTotal EUR 12.00\n",
			map[string]any{"vendor_name": nil}},
		"a label in a column of labels is no name": {KindInvoice,
			"Rechnung Nr. 81\n\nPatient      Nino Berger, 14.06.2018\nBehandlung   03.03.2026\n\nTotal CHF 12.00\n",
			map[string]any{"customer_name": nil}},
		"a name that its own number follows": {KindInvoice,
			"Invoice 81\nSeller                 \nNumber   : 549910\nNorth Supplies Ltd\n12 Mill Road\nTotal GBP 12.00\n",
			map[string]any{"vendor_name": "North Supplies Ltd"}},
		"the payment slip of Switzerland": {KindInvoice,
			"Rechnung Nr. 81\nTotal CHF 12.00\n\nKonto / Zahlbar an\nPraxis Brunner AG\nBahnhofstrasse 12\n8640 Rapperswil\n\nZahlbar durch\nSandra Bischof\nSeestrasse 88\n8645 Jona\n",
			map[string]any{"vendor_name": "Praxis Brunner AG", "customer_name": "Sandra Bischof"}},
		"a seller with his address on the line of the label": {KindInvoice,
			"Factuur 81\nVerkoop door: Huis & Tuin Winkels B.V. – Kade 6, 7442 CT Nijverdal – KvK 60118447\nTotaal € 12,00\n",
			map[string]any{"vendor_name": "Huis & Tuin Winkels B.V."}},
		"what the firm is, before its capital": {KindInvoice,
			"Facture n° 81\nTotal TTC 12,00 €\n\nFibre Télécom – SAS au capital de 18 430 000 € – 44 quai Ernest, 44100 Nantes – RCS Nantes 511 884 027 – TVA FR 61 511 884 027\n",
			map[string]any{"vendor_name": "Fibre Télécom"}},
		"a name on two lines, of which the first is known": {KindInvoice,
			"Nord Technik · Hafenstraße 118 · 26789 Leer\n\nRechnung Nr. 81\nGesamtbetrag 12,00 EUR\n\n\nNord Technik\nGroßhandels GmbH & Co. KG\nHafenstraße 118, 26789 Leer\n",
			map[string]any{"vendor_name": "Nord Technik Großhandels GmbH & Co. KG"}},
		"two firms that either may have sent it": {KindInvoice,
			"Invoice 81\nDate: 8 May 2026\nTerms: cash\nPage: 1\n\n\nAlder Ltd\n\n\nBirch Ltd\n\nTotal GBP 12.00\n",
			map[string]any{"vendor_name": nil}},
		"who made the form is not the sender": {KindInvoice,
			"(c) Formenverein e.V. 2020\nInvoice 81\nCustomer: Test Ltd\nTotal GBP 12.00\n",
			map[string]any{"vendor_name": nil}},
	} {
		t.Run(name, func(t *testing.T) { checkFields(t, c.kind, c.text, c.want) })
	}
}
