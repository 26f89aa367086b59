package reader

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

func TestCSVIsReadInEveryDelimiterAndEncoding(t *testing.T) {
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String("Name;Betrag\r\nMüller;1,50\r\n")
	if err != nil {
		t.Fatal(err)
	}
	bare16, err := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().String("Name;Betrag\r\nMüller;1,50\r\n")
	if err != nil {
		t.Fatal(err)
	}
	ansi, err := charmap.Windows1252.NewEncoder().String("Name;Betrag\nMüller;1,50\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"UTF-8 with a mark":          "\xef\xbb\xbfName;Betrag\nMüller;1,50\n",
		"UTF-16 with a mark":         utf16,
		"UTF-16 without":             bare16,
		"Windows-1252":               ansi,
		"a comma and quoted numbers": "Name,Betrag\nMüller,\"1,50\"\n",
		"tabs":                       "Name\tBetrag\nMüller\t1,50\n",
		"bars":                       "Name|Betrag\nMüller|1,50\n",
		"Excel's hint":               "sep=;\nName;Betrag\nMüller;1,50\n",
	} {
		data := extract(t, []byte(text), CSV).FirstDataset(0)
		want := []Column{{Name: "Name", Label: "Name", Kind: KindText}, {Name: "Betrag", Label: "Betrag", Kind: KindNumber}}
		if diff := cmp.Diff(want, data.Columns); diff != "" {
			t.Errorf("%s: columns differ (-want +got):\n%s", name, diff)
			continue
		}
		row := Row{Number: 1, Values: map[string]string{"Name": "Müller", "Betrag": "1,50"}, Typed: map[string]any{"Betrag": 1.5}}
		if diff := cmp.Diff([]Row{row}, data.Rows); diff != "" {
			t.Errorf("%s: rows differ (-want +got):\n%s", name, diff)
		}
	}
}

func TestNoColumnOfACSVIsLost(t *testing.T) {
	data := extract(t, []byte("a,a,,b\n1,2,3,4,5\n6\n"), CSV).FirstDataset(0)
	var names []string
	for _, column := range data.Columns {
		names = append(names, column.Name)
	}
	if diff := cmp.Diff([]string{"a", "a_2", "column_3", "b", "column_5"}, names); diff != "" {
		t.Errorf("columns differ (-want +got):\n%s", diff)
	}
	if data.Rows[0].Values["column_5"] != "5" || data.Rows[1].Values["a"] != "6" {
		t.Errorf("rows = %+v", data.Rows)
	}
}

func TestRowsOfACSVAreBounded(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,day,text\n")
	for number := range 2500 {
		fmt.Fprintf(&text, "%d,2025-01-%02d,\"line, %d\"\n", number, number%28+1, number)
	}
	content := extract(t, []byte(text.String()), CSV)
	data := content.FirstDataset(0)
	if len(data.Rows) != 2000 || data.Total != 2500 || !data.Truncated || !content.Truncated {
		t.Errorf("%d rows of %d, truncated %t; want 2000 of 2500, truncated", len(data.Rows), data.Total, data.Truncated)
	}
	if data.Columns[1].Kind != KindDate || data.Rows[41].Values["text"] != "line, 41" {
		t.Errorf("columns %+v, row %+v", data.Columns, data.Rows[41])
	}
	if few := content.FirstDataset(3); len(few.Rows) != 3 || !few.Truncated {
		t.Errorf("Rows(3) = %d rows, truncated %t", len(few.Rows), few.Truncated)
	}
}

func TestACSVWithoutHeaderKeepsItsFirstRow(t *testing.T) {
	data := extract(t, []byte("1,2025-01-01\n2,2025-01-02\n"), CSV).FirstDataset(0)
	if len(data.Rows) != 2 || data.Columns[0].Name != "column_1" {
		t.Errorf("columns %+v, %d rows", data.Columns, len(data.Rows))
	}
}

func TestABanksPreambleIsNoRow(t *testing.T) {
	content := extract(t, []byte("Konto;12345\nZeitraum;01.01.2025 - 31.01.2025\n\nDatum;Text;Betrag;Saldo\n02.01.2025;Miete;-850,00;150,00\n03.01.2025;Lohn;2.000,00;2.150,00\n04.01.2025;Strom;-50,00;2.100,00\n"), CSV)
	data := content.FirstDataset(0)
	if len(data.Rows) != 3 || data.Columns[2].Name != "Betrag" || data.Rows[1].Typed["Betrag"] != 2000.0 || data.Rows[0].Typed["Datum"] != "2025-01-02" {
		t.Errorf("columns %+v, rows %+v", data.Columns, data.Rows)
	}
	if diff := cmp.Diff([]string{"Konto: 12345", "Zeitraum: 01.01.2025 - 31.01.2025"}, content.Metadata["preamble"]); diff != "" {
		t.Errorf("preamble differs (-want +got):\n%s", diff)
	}
}

func TestAnUnclosedQuoteDoesNotSwallowTheFile(t *testing.T) {
	text := "name,size\n\"5\" pipe,1\n" + strings.Repeat("plain row of some text,2\n", 20_000)
	content := extract(t, []byte(text), CSV)
	if total := content.FirstDataset(1).Total; total < 20_000 {
		t.Errorf("%d rows, want all; warnings %v", total, content.Warnings)
	}
}

func TestRowsBehindAnUnclosedQuoteAreKept(t *testing.T) {
	for _, test := range []struct {
		name, text, want, warning string
	}{
		{"to the end of the file", "a,b,c\n1,\"x,2\n3,y,4\n5,z,6\n", "1 x 2;3 y 4;5 z 6", "in these lines: 2"},
		{"to the quotation mark of another row", "a,b,c\n1,\"x,2\n3,\"y\",4\n5,z,6\n", "1 x 2;3 y 4;5 z 6", "in these lines: 2"},
		{"in two rows", "a,b,c\n1,\"x,2\n3,y,4\n5,\"z,6\n7,w,8\n", "1 x 2;3 y 4;5 z 6;7 w 8", "in these lines: 2, 4"},
		{"in the last row", "a,b,c\n1,x,2\n3,\"y,4\n", "1 x 2;3 y 4", "in these lines: 3"},
		{"none in a cell of several lines", "a,b,c\n1,\"x,\ny, \"\"z\"\"\",2\n3,y,4\n", "1 x,\ny, \"z\" 2;3 y 4", ""},
		{"none in inches", "a,b,c\n1,5\" pipe,2\n3,y,4\n", "1 5\" pipe 2;3 y 4", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			content := extract(t, []byte(test.text), CSV)
			var rows []string
			for _, row := range content.FirstDataset(0).Rows {
				rows = append(rows, strings.Join([]string{row.Values["a"], row.Values["b"], row.Values["c"]}, " "))
			}
			if got := strings.Join(rows, ";"); got != test.want {
				t.Errorf("rows %q, want %q", got, test.want)
			}
			if warnings := strings.Join(content.Warnings, "\n"); !strings.Contains(warnings, test.warning) || test.warning == "" && warnings != "" {
				t.Errorf("warnings %q, want %q", warnings, test.warning)
			}
		})
	}
}

func TestJSONListsAndLinesAreTables(t *testing.T) {
	list := extract(t, []byte(`[{"id":1,"tags":["a"]},{"id":2,"name":"x"}]`), JSON).FirstDataset(0)
	if len(list.Rows) != 2 || len(list.Columns) != 3 || list.Rows[0].Values["tags"] != `["a"]` || list.Rows[1].Values["name"] != "x" {
		t.Errorf("list = %+v", list)
	}
	lines := extract(t, []byte("{\"id\":1}\nnot json\n{\"id\":2}\n"), NDJSON)
	if data := lines.FirstDataset(0); len(data.Rows) != 2 || len(lines.Warnings) != 1 {
		t.Errorf("lines = %+v, warnings %v", data, lines.Warnings)
	}
	invoice := extract(t, []byte(`{"invoice_number":"INV-9","vendor":{"name":"Acme Corp"},"total":120.5,"currency":"EUR","due_date":"2025-02-01"}`), JSON)
	kind, _ := Classify(invoice)
	values, _ := ExtractFields(invoice, kind)
	want := fields{"invoice_number": "INV-9", "vendor_name": "Acme Corp", "amount": 120.5, "currency": "EUR", "due_date": "2025-02-01"}
	if diff := cmp.Diff(want, withoutContent(values)); kind != KindInvoice || diff != "" {
		t.Errorf("kind %s, fields differ (-want +got):\n%s", kind, diff)
	}
}

func TestHTMLIsReadAsItShows(t *testing.T) {
	content := extract(t, []byte(`<!doctype html><html><head><title>Order</title><style>p{}</style></head><body><h1>Invoice</h1><p>Invoice No: <b>H-1</b><br>Date: 2025-01-02</p><script>alert(1)</script>
<table><tr><th>Item</th><th>Qty</th><th>Amount</th></tr><tr><td>Pen</td><td>2</td><td>$3.00</td></tr></table><p>Total: $3.00</p></body></html>`), HTML)
	if strings.Contains(content.Text, "alert") || content.Metadata["title"] != "Order" || len(content.Tables) != 1 || content.Tables[0].Rows[0][0] != "Pen" {
		t.Errorf("content = %+v", content)
	}
	values, _ := ExtractFields(content, KindInvoice)
	want := fields{"invoice_number": "H-1", "date": "2025-01-02", "amount": 3.0, "line_items": []map[string]any{{"description": "Pen", "quantity": 2.0, "amount": 3.0}}}
	if diff := cmp.Diff(want, values); diff != "" {
		t.Errorf("fields differ (-want +got):\n%s", diff)
	}
}

func TestSloppyPagesAreReadAsABrowserShowsThem(t *testing.T) {
	for name, test := range map[string]struct{ page, want string }{
		"open paragraphs and items":        {"<p>a<p>b<ul><li>c<li>d</ul>e", "a\nb\nc\nd\ne\n"},
		"cells without their row":          {"<table><td>a<td>b</table>", "a\tb\n"},
		"rows and cells left open":         {"<table><tr><td>a<td>b<tr><td>c<td>d</table>e", "a\tb\nc\td\ne\n"},
		"a text between rows":              {"<table><tr><td>a</td></tr>x<tr><td>b</td></tr></table>", "x\na\nb\n"},
		"a form between rows":              {"<table><form><tr><td>a<td>b</tr></form></table>", "a\tb\n"},
		"a table in a table":               {"<table><tr><td>a<table><tr><td>b<td>c</table>d</table>", "a\nb\tc\nd\n"},
		"ends of what was never opened":    {"<div>a</span></b>b</p>c</div>d", "ab\nc\nd\n"},
		"a cell that ends a block outside": {"<div><table><tr><td>a</div>b<td>c</table></div>", "a b\tc\n"},
		"a drawing with a title":           {"a<svg><title/><g>x</g></svg>b", "ab\n"},
		"a script that looks like a page":  {"a<script>'<p>x</p>'</script>b", "ab\n"},
		"a thousand paragraphs before":     {strings.Repeat("<p>", 1000) + "<table><tr><td>a<td>b</table>", "a\tb\n"},
	} {
		if got := extract(t, []byte(test.page), HTML).Text; got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestTextAroundTheElementsOfXMLIsReadToo(t *testing.T) {
	content := extract(t, []byte("<letter>Dear <who>Ann</who>,\n<p>the rent is <b>400.00</b> a month.<br/>It rises in March.</p> Ben</letter>"), XML)
	const want = "Dear\nwho: Ann\n,\nthe rent is\nb: 400.00\na month.\nIt rises in March.\nBen\n"
	if content.Text != want || content.Pages[0].Text() != want {
		t.Errorf("%q on the page %q", content.Text, content.Pages[0].Text())
	}
	long := "<a>" + strings.Repeat("word ", 1000) + "</a>"
	cut, err := Extract(t.Context(), strings.NewReader(long), int64(len(long)), XML, Limits{MaxText: 1000})
	if err != nil || !cut.Truncated || !strings.Contains(strings.Join(cut.Warnings, "; "), "bytes of the text were kept") {
		t.Errorf("%v, %q", err, cut.Warnings)
	}
}

func TestXMLKnowsNoEntitiesOfItsOwn(t *testing.T) {
	bomb := `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><invoice><invoiceNumber>X-1</invoiceNumber><note>&b;</note></invoice>`
	content := extract(t, []byte(bomb), XML)
	if strings.Contains(content.Text, "aaaa") || !strings.Contains(content.Text, "invoice number: X-1") {
		t.Errorf("text = %q", content.Text)
	}
}

const letter = "From: Ann Bell <ann@example.com>\r\nTo: bob@example.com, Carl <carl@example.com>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nDate: Mon, 06 Jan 2025 10:00:00 +0100\r\nMessage-ID: <1@example.com>\r\nMIME-Version: 1.0\r\n" +
	"Content-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nSch=F6ne Gr=FC=DFe\r\n--B\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n--B--\r\n"

func TestMessagesKeepTheirHeaderBodyAndAttachments(t *testing.T) {
	content := extract(t, []byte(letter), EML)
	values, _ := ExtractFields(content, KindMessage)
	want := fields{
		"from": "Ann Bell <ann@example.com>", "to": []string{"bob@example.com", "Carl <carl@example.com>"}, "subject": "Grüße", "date": "2025-01-06T10:00:00+01:00", "message_id": "1@example.com",
		"body": "Schöne Grüße", "attachments": []map[string]any{{"filename": "a.pdf", "content_type": "application/pdf", "size": 5}},
	}
	if diff := cmp.Diff(want, values); diff != "" {
		t.Errorf("fields differ (-want +got):\n%s", diff)
	}
}

func TestMailboxesAreCutAtTheirFromLines(t *testing.T) {
	box := "From ann Mon Jan 6 10:00:00 2025\n" + strings.ReplaceAll(letter, "\r\n", "\n") + "\nFrom bob Tue Jan 7 10:00:00 2025\nFrom: bob@example.com\nSubject: Two\n\n>From the start\nbody\n\n"
	content := extract(t, []byte(box), MBOX)
	if len(content.Records) != 2 || content.Records[1].Fields["body"] != "From the start\nbody" {
		t.Errorf("records = %+v", content.Records)
	}
}

func TestCalendarsGiveEvents(t *testing.T) {
	content := extract(t, []byte("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nUID:1\nDTSTAMP:20250101T000000Z\nSUMMARY:Lunch\\, late\nDTSTART:20250203T120000Z\nDTEND:20250203T130000Z\nLOCATION:Bonn\nORGANIZER;CN=Ann:mailto:ann@example.com\nEND:VEVENT\nBEGIN:VEVENT\nUID:2\nDTSTAMP:20250101T000000Z\nSUMMARY:Holiday\nDTSTART;VALUE=DATE:20250501\nEND:VEVENT\nBEGIN:VTODO\nUID:3\nRECURRENCE-ID:20250601\nSUMMARY:Mend the oar\nEND:VTODO\nEND:VCALENDAR\n"), ICS)
	want := []Record{
		{Kind: "event", Fields: fields{"uid": "1", "title": "Lunch, late", "start": "2025-02-03T12:00:00Z", "end": "2025-02-03T13:00:00Z", "location": "Bonn", "organizer": "Ann <ann@example.com>"}},
		{Kind: "event", Fields: fields{"uid": "2", "title": "Holiday", "start": "2025-05-01", "all_day": true}},
		{Kind: "task", Fields: fields{"uid": "3", "title": "Mend the oar", "recurrence_id": "20250601"}},
	}
	if diff := cmp.Diff(want, content.Records); diff != "" {
		t.Errorf("events differ (-want +got):\n%s", diff)
	}
}

func TestTheTimesOfAnEventLoseNothing(t *testing.T) {
	for name, c := range map[string]struct {
		lines string
		want  fields
	}{
		"a zone of the world's list":     {"DTSTART;TZID=Europe/Berlin:20250701T100000", fields{"start": "2025-07-01T10:00:00+02:00"}},
		"a zone only its program knows":  {"DTSTART;TZID=\"W. Europe Standard Time\":20250701T100000", fields{"start": "2025-07-01T10:00:00", "time_zone": "W. Europe Standard Time"}},
		"no zone":                        {"DTSTART:20250701T100000", fields{"start": "2025-07-01T10:00:00"}},
		"a duration for an end":          {"DTSTART;TZID=Europe/Berlin:20250701T100000\nDURATION:PT1H30M", fields{"start": "2025-07-01T10:00:00+02:00", "end": "2025-07-01T11:30:00+02:00"}},
		"a duration without a zone":      {"DTSTART:20250701T233000\nDURATION:PT1H", fields{"start": "2025-07-01T23:30:00", "end": "2025-07-02T00:30:00"}},
		"a duration of whole days":       {"DTSTART;VALUE=DATE:20250701\nDURATION:P2D", fields{"start": "2025-07-01", "all_day": true, "end": "2025-07-03"}},
		"a duration that cannot be read": {"DTSTART:20250701T100000\nDURATION:soon", fields{"start": "2025-07-01T10:00:00"}},
		"days left out": {"DTSTART;TZID=Europe/Berlin:20250701T100000\nRRULE:FREQ=DAILY\nEXDATE;TZID=Europe/Berlin:20250703T100000,20250704T100000\nEXDATE;VALUE=DATE:20250708",
			fields{"start": "2025-07-01T10:00:00+02:00", "time_zone": "Europe/Berlin", "recurrence": "FREQ=DAILY", "excluded_dates": []string{"2025-07-03", "2025-07-04", "2025-07-08"}}},
		"a day left out in universal time": {"DTSTART;TZID=America/New_York:20250701T200000\nRRULE:FREQ=DAILY\nEXDATE:20250704T000000Z",
			fields{"start": "2025-07-01T20:00:00-04:00", "time_zone": "America/New_York", "recurrence": "FREQ=DAILY", "excluded_dates": []string{"2025-07-03"}}},
		"an end beside a duration": {"DTSTART:20250701T100000\nDTEND:20250701T110000\nDURATION:PT5H", fields{"start": "2025-07-01T10:00:00", "end": "2025-07-01T11:00:00"}},
	} {
		t.Run(name, func(t *testing.T) {
			content := extract(t, []byte("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nUID:1\nDTSTAMP:20250101T000000Z\n"+c.lines+"\nEND:VEVENT\nEND:VCALENDAR\n"), ICS)
			c.want["uid"] = "1"
			if diff := cmp.Diff([]Record{{Kind: "event", Fields: c.want}}, content.Records); diff != "" {
				t.Errorf("the event differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCardsOfAllVersionsGiveContacts(t *testing.T) {
	content := extract(t, []byte("BEGIN:VCARD\nVERSION:3.0\nFN:Ann Bell\nN:Bell;Ann;;;\nORG:Acme;Sales\nEMAIL;TYPE=work:ann@example.com\nTEL:+49 30 1\nADR:;;Weg 1;Berlin;;10115;DE\nEND:VCARD\nBEGIN:VCARD\nVERSION:2.1\nN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:M=C3=BCller;Jo\nFN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Jo M=C3=BC=\nller\nEND:VCARD\n"), VCF)
	want := []Record{
		{Kind: "contact", Fields: fields{"name": "Ann Bell", "organization": "Acme, Sales", "emails": []string{"ann@example.com"}, "phones": []string{"+49 30 1"}, "addresses": []string{"Weg 1, Berlin, 10115, DE"}}},
		{Kind: "contact", Fields: fields{"name": "Jo Müller"}},
	}
	if diff := cmp.Diff(want, content.Records); diff != "" {
		t.Errorf("contacts differ (-want +got):\n%s", diff)
	}
}

func TestMarkdownNotesGiveTitleAndTasks(t *testing.T) {
	content := extract(t, []byte("---\ntags: [a]\n---\n# Week 12\n\n- [ ] Call Ann\n\f- [x] Pay rent\r\n* plain\n"), MD)
	kind, _ := Classify(content)
	values, _ := ExtractFields(content, kind)
	want := fields{"title": "Week 12", "tasks": []map[string]any{{"title": "Call Ann", "completed": false}, {"title": "Pay rent", "completed": true}}, "content": strings.TrimSpace(content.Text)}
	if diff := cmp.Diff(want, values); kind != KindNote || diff != "" {
		t.Errorf("kind %s, fields differ (-want +got):\n%s", kind, diff)
	}
}

func TestATypedInvoiceIsReadLikeAPrintedOne(t *testing.T) {
	text := "INVOICE\n\nAcme Widgets Inc.\n1 Main St\n\nInvoice No:   T-100\nInvoice Date: January 5, 2025\nBill To:      Example Ltd\n\nDescription            Qty   Unit Price     Amount\nBlue widget              2        10.00      20.00\nRed widget               1         5.50       5.50\n\n                               Subtotal      25.50\n                               Tax            2.55\n                               Total       USD 28.05\n"
	content := extract(t, []byte(text), Text)
	kind, _ := Classify(content)
	values, _ := ExtractFields(content, kind)
	want := fields{
		"invoice_number": "T-100", "date": "2025-01-05", "vendor_name": "Acme Widgets Inc.", "customer_name": "Example Ltd", "subtotal": 25.5, "tax": 2.55, "amount": 28.05, "currency": "USD",
		"line_items": []map[string]any{{"description": "Blue widget", "quantity": 2.0, "unit_price": 10.0, "amount": 20.0}, {"description": "Red widget", "quantity": 1.0, "unit_price": 5.5, "amount": 5.5}},
	}
	if diff := cmp.Diff(want, values); kind != KindInvoice || diff != "" {
		t.Errorf("kind %s, fields differ (-want +got):\n%s", kind, diff)
	}
}

// zipped makes an archive of parts.
func zipped(t *testing.T, parts map[string]string) []byte {
	t.Helper()
	var buffer bytes.Buffer
	writer := zip.NewWriter(&buffer)
	for name, text := range parts {
		part, err := writer.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

func wordParagraph(text string) string { return "<w:p><w:r><w:t>" + text + "</w:t></w:r></w:p>" }

func TestWordDocumentsAreReadWithHeadersAndTables(t *testing.T) {
	cell := func(text string) string { return "<w:tc>" + wordParagraph(text) + "</w:tc>" }
	row := func(texts ...string) string {
		cells := ""
		for _, text := range texts {
			cells += cell(text)
		}
		return "<w:tr>" + cells + "</w:tr>"
	}
	body := `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>Invoice</w:t></w:r></w:p>` +
		wordParagraph("Invoice No: D-5") + "<w:tbl>" + row("Description", "Qty", "Amount") + row("Oak table", "1", "$300.00") + "</w:tbl>" + wordParagraph("Total: $300.00") + `</w:body></w:document>`
	data := zipped(t, map[string]string{"word/document.xml": body, "word/header1.xml": `<w:hdr xmlns:w="x">` + wordParagraph("Woodworks LLC") + `</w:hdr>`, "docProps/core.xml": `<cp:coreProperties xmlns:cp="a" xmlns:dc="b"><dc:creator>Ann</dc:creator></cp:coreProperties>`})
	content := extract(t, data, DOCX)
	kind, _ := Classify(content)
	values, _ := ExtractFields(content, kind)
	want := fields{"invoice_number": "D-5", "vendor_name": "Woodworks LLC", "amount": 300.0, "line_items": []map[string]any{{"description": "Oak table", "quantity": 1.0, "amount": 300.0}}}
	if diff := cmp.Diff(want, values); kind != KindInvoice || diff != "" || content.Metadata["author"] != "Ann" {
		t.Errorf("kind %s, metadata %v, fields differ (-want +got):\n%s", kind, content.Metadata, diff)
	}
}

func workbookParts(sheet string) map[string]string {
	return map[string]string{
		"xl/workbook.xml":            `<workbook xmlns="m" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sales" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/sharedStrings.xml":       `<sst><si><t>Day</t></si><si><r><t>Am</t></r><r><t>ount</t></r></si></sst>`,
		"xl/styles.xml":              `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet1.xml":   sheet,
	}
}

func TestWorkbooksGiveTablesWithDates(t *testing.T) {
	data := extract(t, zipped(t, workbookParts(`<worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row><c r="A2" s="1"><v>45672</v></c><c r="C2"><v>0.30000000000000004</v></c></row></sheetData></worksheet>`)), XLSX).FirstDataset(0)
	want := Dataset{
		Name:    "Sales",
		Columns: []Column{{"Day", "Day", KindDate}, {"column_2", "", KindText}, {"Amount", "Amount", KindNumber}},
		Rows:    []Row{{1, map[string]string{"Day": "2025-01-15", "column_2": "", "Amount": "0.3"}, map[string]any{"Day": "2025-01-15", "Amount": 0.3}}},
		Total:   1,
	}
	if diff := cmp.Diff(want, data); diff != "" {
		t.Errorf("dataset differs (-want +got):\n%s", diff)
	}
}

func TestBombsAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		kind Type
		data []byte
	}{
		"a part that unpacks to far more":  {DOCX, zipped(t, map[string]string{"word/document.xml": `<w:document><w:t>` + strings.Repeat("a", 30<<20) + `</w:t></w:document>`})},
		"a sheet of the same kind":         {XLSX, zipped(t, workbookParts(`<worksheet><sheetData><row><c><v>`+strings.Repeat(" ", 30<<20)+`</v></c></row></sheetData></worksheet>`))},
		"elements nested without end":      {DOCX, zipped(t, map[string]string{"word/document.xml": strings.Repeat("<w:p>", 5000)})},
		"XML nested without end":           {XML, []byte("<?xml version='1.0'?>" + strings.Repeat("<a>", 5000))},
		"an archive that is no document":   {DOCX, zipped(t, map[string]string{"readme.txt": "x"})},
		"a damaged archive":                {XLSX, []byte("PK\x03\x04 nothing")},
		"an image of impossible size":      {PNG, hugePNG(t)},
		"a damaged image":                  {JPG, []byte("\xff\xd8\xff\xe0 nothing")},
		"JSON with text behind its value":  {JSON, []byte(`{"a":1} and more`)},
		"a message without a header":       {EML, []byte("\n\nbody")},
		"a calendar that ends in the void": {ICS, []byte("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\n")},
		"an empty list of contacts":        {VCF, []byte("")},
	} {
		content, err := Extract(context.Background(), bytes.NewReader(test.data), int64(len(test.data)), test.kind, Limits{})
		if !errors.Is(err, ErrAnalysis) || content != nil {
			t.Errorf("%s: error %v, want ErrAnalysis", name, err)
		}
	}
}

func hugePNG(t *testing.T) []byte {
	t.Helper()
	var buffer bytes.Buffer
	if err := png.Encode(&buffer, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	data := buffer.Bytes()
	copy(data[16:24], []byte{0, 0xff, 0xff, 0xff, 0, 0xff, 0xff, 0xff})
	return data
}

func TestImagesGiveTheirDimensions(t *testing.T) {
	gray := image.NewGray(image.Rect(0, 0, 7, 5))
	for kind, encode := range map[Type]func(*bytes.Buffer) error{
		PNG: func(buffer *bytes.Buffer) error { return png.Encode(buffer, gray) },
		JPG: func(buffer *bytes.Buffer) error { return jpeg.Encode(buffer, gray, nil) },
		GIF: func(buffer *bytes.Buffer) error { return gif.Encode(buffer, gray, nil) },
	} {
		var buffer bytes.Buffer
		if err := encode(&buffer); err != nil {
			t.Fatal(err)
		}
		content := extract(t, buffer.Bytes(), kind)
		if content.Metadata["width"] != 7 || content.Metadata["height"] != 5 {
			t.Errorf("%s: metadata %v", kind, content.Metadata)
		}
	}
}
