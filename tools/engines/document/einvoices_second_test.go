package document

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolkit/tools/engines/document/pdf"
)

// TestEveryFieldIsWhatASecondReadingSays reads the invoices in the folders that
// TOOLKIT_EINVOICES names (parted as in PATH) twice: as any file is read, and by the second
// reading below, which shares neither tables nor code with the first. It counts fields, and of
// lists their items' fields. Files whose name has an odd place in the order are those to choose by.
func TestEveryFieldIsWhatASecondReadingSays(t *testing.T) {
	if os.Getenv("TOOLKIT_EINVOICES") == "" {
		t.Skip("TOOLKIT_EINVOICES names no folder of invoices")
	}
	total := map[bool]*count{true: newCount(), false: newCount()}
	invoices := 0
	for place, file := range invoiceFiles(t) {
		data := contentsOf(t, file)
		kind := XML
		if filepath.Ext(file) == ".pdf" {
			kind = PDF
		}
		content := extract(t, data, kind)
		if kind == PDF {
			data = attachedInvoice(t, data)
		}
		if data == nil || !bytes.Contains(data, []byte("</")) {
			continue
		}
		second := secondReading(t, data)
		if second == nil {
			continue
		}
		invoices++
		is, _, _ := Classify(content)
		values, sources := Fields(content, is)
		if want := map[bool]string{true: KindCreditNote, false: KindInvoice}[second.credit]; is != want {
			t.Errorf("%s is %s, want %s", filepath.Base(file), is, want)
		}
		for field := range values {
			if sources[field].Element == "" {
				t.Errorf("%s: %s names no element", filepath.Base(file), field)
			}
		}
		differ := total[place%2 == 0].add(asJSON(t, values), asJSON(t, second.fields))
		for _, one := range differ {
			t.Errorf("%s: %s", filepath.Base(file), one)
		}
		if testing.Verbose() {
			for _, warning := range content.Warnings {
				t.Logf("%s: %s", filepath.Base(file), warning)
			}
		}
	}
	t.Logf("%d invoices; to choose by: %v; to report: %v", invoices, total[true], total[false])
}

func invoiceFiles(t *testing.T) (files []string) {
	t.Helper()
	for _, folder := range filepath.SplitList(os.Getenv("TOOLKIT_EINVOICES")) {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if extension := filepath.Ext(path); err == nil && !entry.IsDir() && (extension == ".xml" || extension == ".pdf") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) == 0 {
		t.Fatal("there are no files to read")
	}
	return files
}

func attachedInvoice(t *testing.T, data []byte) []byte {
	t.Helper()
	document, err := pdf.Read(t.Context(), data, pdf.Options{MaxPages: 1, MaxCharacters: 1, Attachments: func(name string) bool { return strings.HasSuffix(name, ".xml") }})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range document.Attachments {
		return file.Data
	}
	return nil
}

// count is how many fields are right, wrong, missing or more than the second reading has.
type count struct {
	right, wrong, missing, more int
	fields                      map[string]int
}

func newCount() *count { return &count{fields: map[string]int{}} }

func (c *count) String() string {
	var fields []string
	for _, field := range slices.Sorted(maps.Keys(c.fields)) {
		fields = append(fields, fmt.Sprintf("%s %d", field, c.fields[field]))
	}
	return fmt.Sprintf("%d right, %d wrong, %d missing, %d not in the second reading (%s)", c.right, c.wrong, c.missing, c.more, strings.Join(fields, ", "))
}

func (c *count) add(got, want map[string]any) (differ []string) {
	for field, value := range want {
		items, listed := value.([]any)
		if read, also := got[field].([]any); listed && also && len(read) == len(items) {
			for at := range items {
				for _, one := range c.add(read[at].(map[string]any), items[at].(map[string]any)) {
					differ = append(differ, fmt.Sprintf("%s[%d].%s", field, at, one))
				}
			}
			continue
		}
		switch read, has := got[field]; {
		case !has:
			c.missing++
			differ = append(differ, fmt.Sprintf("%s is missing, want %v", field, value))
		case cmp.Diff(read, value) != "":
			c.wrong++
			differ = append(differ, fmt.Sprintf("%s is %v, want %v", field, read, value))
		default:
			c.right++
			c.fields[field]++
		}
	}
	for field := range got {
		if _, has := want[field]; !has {
			c.more++
			differ = append(differ, fmt.Sprintf("%s is %v, which the second reading does not have", field, got[field]))
		}
	}
	slices.Sort(differ)
	return differ
}

// second is what an invoice says by the second reading: the elements as encoding/xml has
// them, and a function per syntax that asks for each by the path that the norm's binding gives.
type second struct {
	fields map[string]any
	credit bool
}

type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Nodes   []node     `xml:",any"`
}

func secondReading(t *testing.T, data []byte) *second {
	t.Helper()
	// ZUGFeRD 1 has the elements of today under other names.
	text := strings.NewReplacer("SpecifiedSupplyChainTradeTransaction", "SupplyChainTradeTransaction", "HeaderExchangedDocument", "ExchangedDocument",
		"ApplicableSupplyChainTrade", "ApplicableHeaderTrade", "SpecifiedSupplyChainTrade", "SpecifiedLineTrade", ":ApplicablePercent", ":RateApplicablePercent",
		"SettlementMonetarySummation", "SettlementHeaderMonetarySummation", "SettlementLineMonetarySummation", "SettlementHeaderMonetarySummation").Replace(string(data))
	var root node
	decoder := newXMLDecoder(strings.NewReader(text))
	if err := decoder.Decode(&root); err != nil {
		t.Fatal(err)
	}
	s := &second{fields: map[string]any{}}
	switch root.XMLName.Local {
	case "CrossIndustryInvoice", "CrossIndustryDocument":
		s.cii(root)
	case "Invoice", "CreditNote":
		s.ubl(root)
	default:
		return nil
	}
	return s
}

// at are the nodes that a path leads to.
func (n node) at(path string) []node {
	list := []node{n}
	for name := range strings.SplitSeq(path, "/") {
		var next []node
		for _, one := range list {
			for _, below := range one.Nodes {
				if below.XMLName.Local == name {
					next = append(next, below)
				}
			}
		}
		list = next
	}
	return list
}

func (n node) given(name string) string {
	for _, attribute := range n.Attrs {
		if attribute.Name.Local == name {
			return attribute.Value
		}
	}
	return ""
}

func (n node) words() string { return strings.Join(strings.Fields(n.Text), " ") }

// say is the text of the first node of the first path that leads to one with a text.
func (n node) say(paths ...string) string {
	for _, path := range paths {
		for _, one := range n.at(path) {
			if one.words() != "" {
				return one.words()
			}
		}
	}
	return ""
}

// amount is the number of the first node in a currency.
func (n node) amount(path, currency string) any {
	for _, one := range n.at(path) {
		if stated := one.given("currencyID"); currency == "" || stated == "" || stated == currency {
			if number, err := strconv.ParseFloat(one.words(), 64); err == nil {
				return number
			}
		}
	}
	return nil
}

func put(into map[string]any, field string, value any) {
	if value != nil && value != "" {
		into[field] = value
	}
}

// day reads 20260302 and 2026-03-02.
func day(text string) any {
	digits := strings.ReplaceAll(text, "-", "")
	if len(digits) < 8 {
		return nil
	}
	return digits[:4] + "-" + digits[4:6] + "-" + digits[6:8]
}

// sole is the text that all nodes of a path agree on.
func (n node) sole(path string) string {
	text := n.say(path)
	for _, one := range n.at(path) {
		if one.words() != "" && one.words() != text {
			return ""
		}
	}
	return text
}

func joined(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), separator)
}

func (s *second) cii(n node) {
	f := s.fields
	const agreement, delivery, settlement = "SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/", "SupplyChainTradeTransaction/ApplicableHeaderTradeDelivery/", "SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/"
	const sums = settlement + "SpecifiedTradeSettlementHeaderMonetarySummation/"
	currency := n.say(settlement + "InvoiceCurrencyCode")
	put(f, "invoice_number", n.say("ExchangedDocument/ID"))                                                                               // BT-1
	put(f, "date", day(n.say("ExchangedDocument/IssueDateTime/DateTimeString")))                                                          // BT-2
	put(f, "due_date", day(n.sole(settlement+"SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString")))                               // BT-9
	put(f, "currency", currency)                                                                                                          // BT-5
	put(f, "buyer_reference", n.say(agreement+"BuyerReference"))                                                                          // BT-10
	put(f, "project", n.say(agreement+"SpecifiedProcuringProject/ID"))                                                                    // BT-11
	put(f, "contract_number", n.say(agreement+"ContractReferencedDocument/IssuerAssignedID", agreement+"ContractReferencedDocument/ID"))  // BT-12
	put(f, "order_number", n.say(agreement+"BuyerOrderReferencedDocument/IssuerAssignedID", agreement+"BuyerOrderReferencedDocument/ID")) // BT-13
	put(f, "delivery_date", day(n.sole(delivery+"ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString")))                     // BT-72
	put(f, "period_start", day(n.say(settlement+"BillingSpecifiedPeriod/StartDateTime/DateTimeString")))                                  // BT-73
	put(f, "period_end", day(n.say(settlement+"BillingSpecifiedPeriod/EndDateTime/DateTimeString")))                                      // BT-74
	for role, party := range map[string]string{"vendor": agreement + "SellerTradeParty", "customer": agreement + "BuyerTradeParty"} {
		for _, p := range n.at(party) {
			put(f, role+"_name", p.say("Name"))
			ids := p.at("SpecifiedTaxRegistration/ID")
			for _, scheme := range []string{"VA", "FC"} {
				for _, id := range ids {
					if id.given("schemeID") == scheme && f[role+"_tax_id"] == nil {
						put(f, role+"_tax_id", id.words())
					}
				}
			}
			for _, a := range p.at("PostalTradeAddress") {
				put(f, role+"_address", joined(", ", a.say("LineOne"), a.say("LineTwo"), a.say("LineThree"), joined(" ", a.say("PostcodeCode"), a.say("CityName")), a.say("CountrySubDivisionName"), a.say("CountryID")))
			}
			if role == "customer" {
				put(f, "customer_number", p.say("ID", "GlobalID")) // BT-46
			} else {
				put(f, "vendor_email", p.say("DefinedTradeContact/EmailURIUniversalCommunication/URIID"))
			}
		}
	}
	put(f, "payee_name", n.say(settlement+"PayeeTradeParty/Name"))                 // BT-59
	preceding := n.sole(settlement + "InvoiceReferencedDocument/IssuerAssignedID") // BT-25
	put(f, "payment_reference", n.say(settlement+"PaymentReference"))              // BT-83
	var terms []string
	for _, one := range n.at(settlement + "SpecifiedTradePaymentTerms/Description") { // BT-20
		terms = append(terms, one.words())
	}
	put(f, "payment_terms", joined("; ", terms...))
	s.means(n.at(settlement+"SpecifiedTradeSettlementPaymentMeans"), "TypeCode", "PayeePartyCreditorFinancialAccount/IBANID", "PayeePartyCreditorFinancialAccount/ProprietaryID", "PayeeSpecifiedCreditorFinancialInstitution/BICID")
	for field, name := range map[string]string{"subtotal": "TaxBasisTotalAmount", "tax": "TaxTotalAmount", "amount": "GrandTotalAmount", "prepaid": "TotalPrepaidAmount", "rounding": "RoundingAmount", "amount_due": "DuePayableAmount"} {
		put(f, field, n.amount(sums+name, currency)) // BT-109, 110, 112 to 115
	}
	var rates, lines []map[string]any
	for _, rate := range n.at(settlement + "ApplicableTradeTax") { // BG-23
		one := map[string]any{}
		put(one, "rate", rate.amount("RateApplicablePercent", ""))
		put(one, "category", rate.say("CategoryCode"))
		put(one, "base", rate.amount("BasisAmount", currency))
		put(one, "tax", rate.amount("CalculatedAmount", currency))
		put(one, "reason", rate.say("ExemptionReason"))
		rates = append(rates, one)
	}
	for _, line := range n.at("SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem") { // BG-25
		one := map[string]any{}
		if state := line.say("AssociatedDocumentLineDocument/LineStatusReasonCode"); state == "GROUP" || state == "INFORMATION" {
			continue
		}
		put(one, "description", line.say("SpecifiedTradeProduct/Name"))
		put(one, "code", line.say("SpecifiedTradeProduct/SellerAssignedID", "SpecifiedTradeProduct/GlobalID"))
		put(one, "quantity", line.amount("SpecifiedLineTradeDelivery/BilledQuantity", ""))
		put(one, "unit", unitOf(line.at("SpecifiedLineTradeDelivery/BilledQuantity")))
		put(one, "unit_price", line.amount("SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount", ""))
		if of := line.amount("SpecifiedLineTradeAgreement/NetPriceProductTradePrice/BasisQuantity", ""); of != 1.0 {
			put(one, "price_quantity", of)
		}
		put(one, "discount", allowed(line.at("SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge"), "ChargeIndicator/Indicator", "ActualAmount"))
		put(one, "amount", line.amount("SpecifiedLineTradeSettlement/SpecifiedTradeSettlementHeaderMonetarySummation/LineTotalAmount", currency))
		put(one, "tax_rate", line.amount("SpecifiedLineTradeSettlement/ApplicableTradeTax/RateApplicablePercent", ""))
		put(one, "tax_category", line.say("SpecifiedLineTradeSettlement/ApplicableTradeTax/CategoryCode"))
		if one["description"] != nil || one["amount"] != nil {
			lines = append(lines, one)
		}
	}
	s.lists(rates, lines)
	s.allowances(n.at(settlement+"SpecifiedTradeAllowanceCharge"), "ChargeIndicator/Indicator", "Reason", "ActualAmount", "CategoryTradeTax/CategoryCode", "CategoryTradeTax/RateApplicablePercent")
	for _, carriage := range n.at(settlement + "SpecifiedLogisticsServiceCharge") {
		charges, _ := f["charges"].([]map[string]any)
		one := map[string]any{}
		put(one, "reason", carriage.say("Description"))
		put(one, "amount", carriage.amount("AppliedAmount", ""))
		put(one, "tax_category", carriage.say("AppliedTradeTax/CategoryCode"))
		put(one, "tax_rate", carriage.amount("AppliedTradeTax/RateApplicablePercent", ""))
		f["charges"] = append(charges, one)
	}
	s.sign(n.say("ExchangedDocument/TypeCode"), false, preceding)
}

func (s *second) ubl(n node) {
	f := s.fields
	currency := n.say("DocumentCurrencyCode")
	for field, path := range map[string]string{"invoice_number": "ID", "currency": "DocumentCurrencyCode", "buyer_reference": "BuyerReference", "order_number": "OrderReference/ID", "contract_number": "ContractDocumentReference/ID", "project": "ProjectReference/ID", "payee_name": "PayeeParty/PartyName/Name", "payment_reference": "PaymentMeans/PaymentID"} {
		put(f, field, n.say(path))
	}
	var terms []string
	for _, one := range n.at("PaymentTerms/Note") {
		terms = append(terms, one.words())
	}
	put(f, "payment_terms", joined("; ", terms...))
	for _, document := range n.at("AdditionalDocumentReference") {
		if document.say("DocumentTypeCode") == "50" && n.XMLName.Local == "CreditNote" {
			put(f, "project", document.say("ID"))
		}
	}
	for field, path := range map[string]string{"date": "IssueDate", "due_date": "DueDate", "delivery_date": "Delivery/ActualDeliveryDate", "period_start": "InvoicePeriod/StartDate", "period_end": "InvoicePeriod/EndDate"} {
		put(f, field, day(n.sole(path)))
	}
	if f["due_date"] == nil {
		put(f, "due_date", day(n.sole("PaymentMeans/PaymentDueDate")))
	}
	for role, party := range map[string]string{"vendor": "AccountingSupplierParty/Party", "customer": "AccountingCustomerParty/Party"} {
		for _, p := range n.at(party) {
			put(f, role+"_name", p.say("PartyLegalEntity/RegistrationName", "PartyName/Name"))
			for _, vat := range []bool{true, false} {
				for _, scheme := range p.at("PartyTaxScheme") {
					if (scheme.say("TaxScheme/ID") == "VAT") == vat && f[role+"_tax_id"] == nil && strings.ContainsAny(scheme.say("CompanyID"), "0123456789") {
						put(f, role+"_tax_id", scheme.say("CompanyID"))
					}
				}
			}
			for _, a := range p.at("PostalAddress") {
				put(f, role+"_address", joined(", ", joined(" ", a.say("StreetName"), a.say("BuildingNumber")), a.say("AdditionalStreetName"), a.say("AddressLine/Line"), joined(" ", a.say("PostalZone"), a.say("CityName")), a.say("CountrySubentity"), a.say("Country/IdentificationCode")))
			}
			if role == "vendor" {
				put(f, "vendor_email", p.say("Contact/ElectronicMail"))
				continue
			}
			ids := p.at("PartyIdentification/ID")
			slices.SortStableFunc(ids, func(a, b node) int { return len(a.given("schemeID")) - len(b.given("schemeID")) })
			if len(ids) > 0 {
				put(f, "customer_number", ids[0].words())
			}
		}
	}
	s.means(n.at("PaymentMeans"), "PaymentMeansCode", "PayeeFinancialAccount/ID", "", "PayeeFinancialAccount/FinancialInstitutionBranch/ID")
	for field, path := range map[string]string{"subtotal": "LegalMonetaryTotal/TaxExclusiveAmount", "tax": "TaxTotal/TaxAmount", "amount": "LegalMonetaryTotal/TaxInclusiveAmount", "prepaid": "LegalMonetaryTotal/PrepaidAmount", "rounding": "LegalMonetaryTotal/PayableRoundingAmount", "amount_due": "LegalMonetaryTotal/PayableAmount"} {
		put(f, field, n.amount(path, currency))
	}
	var rates, lines []map[string]any
	for _, rate := range n.at("TaxTotal/TaxSubtotal") {
		one := map[string]any{}
		put(one, "rate", rate.amount("TaxCategory/Percent", ""))
		put(one, "category", rate.say("TaxCategory/ID"))
		put(one, "base", rate.amount("TaxableAmount", currency))
		put(one, "tax", rate.amount("TaxAmount", currency))
		put(one, "reason", rate.say("TaxCategory/TaxExemptionReason"))
		if one["tax"] != nil {
			rates = append(rates, one)
		}
	}
	for _, line := range append(n.at("InvoiceLine"), n.at("CreditNoteLine")...) {
		one := map[string]any{}
		quantity := append(line.at("InvoicedQuantity"), line.at("CreditedQuantity")...)
		put(one, "description", line.say("Item/Name", "Item/Description"))
		put(one, "code", line.say("Item/SellersItemIdentification/ID", "Item/StandardItemIdentification/ID"))
		put(one, "quantity", node{Nodes: quantity}.amount(n.quantity(), ""))
		put(one, "unit", unitOf(quantity))
		put(one, "unit_price", line.amount("Price/PriceAmount", ""))
		if of := line.amount("Price/BaseQuantity", ""); of != 1.0 {
			put(one, "price_quantity", of)
		}
		put(one, "discount", allowed(line.at("AllowanceCharge"), "ChargeIndicator", "Amount"))
		put(one, "amount", line.amount("LineExtensionAmount", currency))
		put(one, "tax_rate", line.amount("Item/ClassifiedTaxCategory/Percent", ""))
		put(one, "tax_category", line.say("Item/ClassifiedTaxCategory/ID"))
		lines = append(lines, one)
	}
	s.lists(rates, lines)
	s.allowances(n.at("AllowanceCharge"), "ChargeIndicator", "AllowanceChargeReason", "Amount", "TaxCategory/ID", "TaxCategory/Percent")
	s.sign(n.say("InvoiceTypeCode", "CreditNoteTypeCode"), n.XMLName.Local == "CreditNote", n.sole("BillingReference/InvoiceDocumentReference/ID"))
}

func (n node) quantity() string {
	if n.XMLName.Local == "CreditNote" {
		return "CreditedQuantity"
	}
	return "InvoicedQuantity"
}

// units are those that the files read have, each by what Recommendation 20 calls it.
var units = map[string]string{"C62": "piece", "H87": "piece", "EA": "piece", "PCE": "piece", "XPP": "piece", "KGM": "kg", "HUR": "h", "DAY": "day", "MON": "month", "LTR": "l", "MTR": "m", "KTM": "km", "KWH": "kWh", "KWT": "kW", "LS": "lump sum", "MIN": "min", "MTK": "m²", "SET": "set", "XBX": "box", "E48": "service unit", "TNE": "t", "MTQ": "m³", "P1": "percent", "MMT": "mm", "WEE": "week", "ANN": "year", "NAR": "piece", "XCT": "carton", "GRM": "g", "ZZ": "unit", "XPK": "package"}

func unitOf(quantity []node) string {
	for _, one := range quantity {
		if code := one.given("unitCode"); units[code] != "" {
			return units[code]
		} else if code != "" {
			return code
		}
	}
	return ""
}

// truth is what a ChargeIndicator means: a boolean of XML Schema, which may be a digit.
var truth = map[string]string{"false": "allowances", "0": "allowances", "true": "charges", "1": "charges"}

// allowed adds up the allowances of a line.
func allowed(of []node, indicator, amount string) any {
	total, any := 0.0, false
	for _, one := range of {
		if truth[one.say(indicator)] == "allowances" {
			number, _ := one.amount(amount, "").(float64)
			total, any = total+number, true
		}
	}
	if !any {
		return nil
	}
	number, _ := strconv.ParseFloat(strconv.FormatFloat(total, 'f', 2, 64), 64)
	return number
}

func (s *second) allowances(of []node, indicator, reason, amount, category, rate string) {
	for _, one := range of {
		item := map[string]any{}
		put(item, "reason", one.say(reason))
		put(item, "amount", one.amount(amount, ""))
		put(item, "tax_category", one.say(category))
		put(item, "tax_rate", one.amount(rate, ""))
		list := truth[one.say(indicator)]
		items, _ := s.fields[list].([]map[string]any)
		s.fields[list] = append(items, item)
	}
}

// meansOf are those that the files read have, each by what UNTDID 4461 calls it.
var meansOf = map[string]string{"1": "not defined", "10": "cash", "30": "credit transfer", "31": "debit transfer", "42": "bank transfer", "48": "bank card", "49": "direct debit", "57": "standing agreement", "58": "SEPA credit transfer", "59": "SEPA direct debit", "54": "credit card", "20": "cheque", "97": "clearing between partners"}

func (s *second) means(of []node, code, iban, other, bic string) {
	for _, one := range of {
		if s.fields["payment_means"] == nil && one.say(code) != "" {
			word := meansOf[one.say(code)]
			if word == "" {
				word = one.say(code)
			}
			put(s.fields, "payment_means", word)
		}
	}
	for _, one := range of {
		account := strings.ReplaceAll(one.say(iban), " ", "")
		if account == "" {
			continue
		}
		if len(account) > 13 && account[0] >= 'A' && account[1] >= 'A' && account[2] <= '9' {
			s.fields["iban"] = account
		} else {
			put(s.fields, "account_number", one.say(iban))
		}
		put(s.fields, "bic", one.say(bic))
		return
	}
	for _, one := range of {
		if number := one.say(other); other != "" && number != "" {
			put(s.fields, "account_number", number)
			put(s.fields, "bic", one.say(bic))
			return
		}
	}
}

func (s *second) lists(rates, lines []map[string]any) {
	if len(rates) > 0 {
		s.fields["tax_breakdown"] = rates
	}
	if len(lines) > 0 {
		s.fields["line_items"] = lines
	}
}

// sign tells whether the document takes back, and makes its sums negative then.
func (s *second) sign(code string, note bool, preceding string) {
	f := s.fields
	gross, _ := f["amount"].(float64)
	s.credit = note || slices.Contains([]string{"381", "261", "296", "308", "396"}, code) || code == "384" && gross < 0
	if preceding != "" {
		f[map[bool]string{true: "credited_invoice", false: "preceding_invoice"}[s.credit]] = preceding
	}
	if !s.credit || gross < 0 {
		return
	}
	turn := func(of map[string]any, fields ...string) {
		for _, field := range fields {
			if number, is := of[field].(float64); is && number != 0 {
				of[field] = -number
			}
		}
	}
	turn(f, "subtotal", "tax", "amount", "prepaid", "rounding", "amount_due")
	for list, fields := range map[string][]string{"tax_breakdown": {"base", "tax"}, "line_items": {"quantity", "discount", "amount"}, "allowances": {"amount"}, "charges": {"amount"}} {
		items, _ := f[list].([]map[string]any)
		for _, item := range items {
			turn(item, fields...)
		}
	}
}
