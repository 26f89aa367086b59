package reader

import (
	"encoding/base64"
	"strings"
	"testing"
)

// mailWith is a message with files attached, by name.
func mailWith(files ...[2]string) []byte {
	text := "From: Oak <oak@example.com>\r\nTo: ann@example.com\r\nSubject: Your invoice\r\nDate: Thu, 5 Mar 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\nContent-Type: text/plain\r\n\r\nPlease find it attached.\r\n"
	for _, file := range files {
		text += "--B\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=\"" + file[0] + "\"\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(file[1])) + "\r\n"
	}
	return []byte(text + "--B--\r\n")
}

const enclosedInvoice = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>A-7</ID><IssueDate>2026-03-05</IssueDate><DocumentCurrencyCode>EUR</DocumentCurrencyCode><LegalMonetaryTotal><TaxInclusiveAmount>119</TaxInclusiveAmount></LegalMonetaryTotal></Invoice>`

func TestAnInvoiceAttachedToAMessageIsReadBesideIt(t *testing.T) {
	content := extract(t, mailWith([2]string{"invoice.xml", enclosedInvoice}, [2]string{"picture.bin", "\x00\x01"}), EML)
	if len(content.Records) != 2 || content.Records[0].Kind != "message" || content.Records[1].Kind != KindInvoice {
		t.Fatalf("%+v", content.Records)
	}
	invoice := content.Records[1]
	if invoice.Fields["invoice_number"] != "A-7" || invoice.Fields["amount"] != 119.0 || invoice.Sources["amount"].Element != "invoice.xml/Invoice/LegalMonetaryTotal/TaxInclusiveAmount" {
		t.Errorf("%+v", invoice)
	}
	if attached, _ := content.Records[0].Fields["attachments"].([]map[string]any); len(attached) != 2 {
		t.Errorf("the message names %v", content.Records[0].Fields["attachments"])
	}
}

func TestAnInvoiceIsReadAsWhateverTextItIsAttached(t *testing.T) {
	lines := []string{"Brightwater Supplies Ltd", "INVOICE", "Invoice number: BW-2201", "Invoice date: 12 November 2026", "Subtotal 24.50", "VAT 20% 4.90", "Total due £ 29.40"}
	for name, text := range map[string]string{
		"invoice.txt":  strings.Join(lines, "\n"),
		"invoice.html": "<html><body><p>" + strings.Join(lines, "</p><p>") + "</p></body></html>",
	} {
		content := extract(t, mailWith([2]string{name, text}, [2]string{"notes.txt", "Dear all, the plants need water."}), EML)
		if len(content.Records) != 2 || content.Records[1].Kind != KindInvoice || content.Records[1].Fields["amount"] != 29.4 {
			t.Errorf("%s: %+v", name, content.Records)
		}
	}
}

func TestFilesOfAMessageThatAreNoPapersStayNames(t *testing.T) {
	content := extract(t, mailWith([2]string{"notes.xml", "<notes><note>hello</note></notes>"}), EML)
	if len(content.Records) != 1 || len(content.Warnings) > 0 {
		t.Errorf("%+v, %q", content.Records, content.Warnings)
	}
	content = extract(t, mailWith([2]string{"broken.pdf", "%PDF-1.7 and nothing else"}), EML)
	if len(content.Records) != 1 || !strings.Contains(strings.Join(content.Warnings, "; "), `"broken.pdf" could not be read`) {
		t.Errorf("%+v, %q", content.Records, content.Warnings)
	}
}

func TestAttachedFilesAreReadWithinBounds(t *testing.T) {
	var many [][2]string
	for range mostEnclosed + 1 {
		many = append(many, [2]string{"invoice.xml", enclosedInvoice})
	}
	content := extract(t, mailWith(many...), EML)
	if len(content.Records) != mostEnclosed+1 || !content.Truncated {
		t.Errorf("%d records, truncated %t", len(content.Records), content.Truncated)
	}
}

func TestAMessageBetweenBanksIsNoStatementAndSaysSo(t *testing.T) {
	content := extract(t, []byte(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn><GrpHdr><MsgId>M-1</MsgId></GrpHdr></CstmrCdtTrfInitn></Document>`), XML)
	if said := strings.Join(content.Warnings, "; "); !strings.Contains(said, "pain.001.001.03") || len(content.Records) > 0 {
		t.Errorf("%q, %v", said, content.Records)
	}
}
