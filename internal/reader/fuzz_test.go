package reader

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

func FuzzSniff(f *testing.F) {
	f.Add([]byte("%PDF-1.7"), "a.pdf")
	f.Add([]byte("{\"a\":1}\n{}"), "a.json")
	f.Add([]byte("From: a\nTo: b\n\n"), "a.eml")
	f.Add([]byte("\xff\xfea\x00"), "a.csv")
	f.Fuzz(func(t *testing.T, head []byte, name string) {
		kind, err := Sniff(head, name)
		if (err == nil) == (kind == "") || (err != nil && !errors.Is(err, ErrUnsupported)) {
			t.Errorf("Sniff = %q, %v", kind, err)
		}
	})
}

// FuzzExtract reads any bytes as any type: content or ErrAnalysis, never both, and all
// later steps take the content.
func FuzzExtract(f *testing.F) {
	seeds := map[Type]string{
		PDF: "%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer<</Root 1 0 R>>", Text: "Invoice No: 1\nTotal: 2.00", MD: "# a\n- [ ] b", CSV: "a;b\n1;2", TSV: "a\tb", JSON: `{"a":[1]}`, NDJSON: "{}\n{}",
		HTML: "<table><tr><td>a", XML: "<a><b>c</b></a>", EML: letter, MBOX: "From a\nFrom: b\n\nc", ICS: "BEGIN:VCALENDAR\nEND:VCALENDAR", VCF: "BEGIN:VCARD\nFN:a\nEND:VCARD",
		MT940: ":20:A\n:25:1/2\n:60F:C260301EUR1,\n:61:2603010301D1,NTRFA//B\n:86:166?00A?20SVWZ+B?32C\n:62F:C260301EUR0,\n-", OFX: "<OFX><STMTRS><STMTTRN><TRNAMT>-1<DTPOSTED>20260301<FITID>1</STMTTRN></STMTRS>", QIF: "!Type:Bank\nD1/ 5'26\nT-1.00\nSa\n$-1.00\n^\n",
		DOCX: "PK\x03\x04", XLSX: "PK\x03\x04", PNG: "\x89PNG\r\n\x1a\n", JPG: "\xff\xd8\xffExif\x00\x00II*\x00\x08\x00\x00\x00", GIF: "GIF89a", WEBP: "RIFF    WEBPVP8 ",
	}
	types := Types()
	for index, kind := range types {
		f.Add(uint8(index), []byte(seeds[kind]))
	}
	f.Add(uint8(slices.Index(types, CSV)), []byte("Kontostand vom 01.03.2026:;1,00 EUR\n\nBuchungstag;Text;Betrag;Saldo\n01.03.2026;Tee;-1,00;1,00\n02.03.2026;Tee;-1,00;0,00\n"))
	f.Add(uint8(slices.Index(types, XML)), []byte(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><Stmt><Bal><Amt Ccy="EUR">1</Amt></Bal><Ntry><Amt Ccy="EUR">1</Amt><NtryDtls><TxDtls/><TxDtls/></NtryDtls></Ntry></Stmt></Document>`))
	// Compiling the engine takes longer than one input may.
	if err := PreparePDFEngine(context.Background(), ""); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, index uint8, data []byte) {
		kind := types[int(index)%len(types)]
		content, err := Extract(context.Background(), bytes.NewReader(data), int64(len(data)), kind, Limits{Timeout: 30 * time.Second})
		if (content == nil) == (err == nil) || (err != nil && !errors.Is(err, ErrAnalysis)) {
			t.Fatalf("%s: content %v, error %v", kind, content != nil, err)
		}
		if err == nil {
			exercise(t, content)
		}
	})
}

// FuzzFields reads any text as any kind of document.
func FuzzFields(f *testing.F) {
	f.Add("Invoice No: 1 Date: 2025-01-01\nDescription  Qty  Amount\nA  1  2.00\nTotal  2.00")
	f.Add("between A Inc. and B Ltd., dated 1 May 2025")
	f.Add("1 Wages, tips  62500.00\nForm W-2 2024")
	f.Add("Date  Description  Debit  Balance\n01/02  x  1.00  2.00")
	f.Fuzz(func(t *testing.T, text string) {
		content := &Content{Type: Text, Text: text, Pages: composeTextPages(text), Metadata: map[string]any{}}
		exercise(t, content)
	})
}

func exercise(t *testing.T, content *Content) {
	t.Helper()
	if kind, confidence := Classify(content); kind == "" || confidence < 0 || confidence > 1 {
		t.Errorf("Classify = %q, %f", kind, confidence)
	}
	for _, kind := range []string{KindInvoice, KindReceipt, KindStatement, KindContract, KindTaxForm, KindHolding, KindNote, KindMessage, KindDataset} {
		result := extraction{content: content, values: map[string]any{}, sources: map[string]Source{}}
		result.readFields(kind) // without the guard of Fields: a panic is a finding
		for key := range result.values {
			if _, known := result.sources[key]; !known {
				t.Errorf("%s: field %s has no source", kind, key)
			}
		}
	}
	content.FirstDataset(10)
}
