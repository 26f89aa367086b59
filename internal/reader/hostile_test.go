package reader

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

// attack makes a hostile file of about so many bytes. Its size is doubled: the work must
// not grow by more than that.
type attack struct {
	kind Type
	make func(size int) string
	cut  string // part of the warning at the larger size, "" when nothing is left out
}

// around repeats a part between a head and a tail.
func around(head, part, tail string) func(int) string {
	return func(size int) string { return head + strings.Repeat(part, max(1, size/len(part))) + tail }
}

// numbered repeats a part with its number.
func numbered(head, part, tail string) func(int) string {
	return func(size int) string {
		var text strings.Builder
		text.WriteString(head)
		for index := 0; text.Len() < size; index++ {
			fmt.Fprintf(&text, part, index)
		}
		return text.String() + tail
	}
}

const mailHead = "From: a@b.c\nTo: d@e.f\nSubject: s\n"

func attacks() map[string]attack {
	all := map[string]attack{}
	for _, of := range []map[string]attack{mailAttacks(), tableAttacks(), pageAttacks(), treeAttacks(), lineAttacks(), textAttacks(), bankAttacks()} {
		for name, one := range of {
			all[name] = one
		}
	}
	return all
}

func bankAttacks() map[string]attack {
	camt := `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>`
	return map[string]attack{
		"a statement of entries":       {XML, around(camt, `<Ntry><Amt Ccy="EUR">1</Amt></Ntry>`, "</Stmt></BkToCstmrStmt></Document>"), ""},
		"a statement of payments":      {XML, around(camt+`<Ntry><Amt Ccy="EUR">0</Amt>`, `<NtryDtls><TxDtls><Amt Ccy="EUR">0</Amt></TxDtls></NtryDtls>`, "</Ntry></Stmt></BkToCstmrStmt></Document>"), ""},
		"a statement of balances":      {XML, around(camt, `<Bal><Amt>1</Amt></Bal>`, "</Stmt></BkToCstmrStmt></Document>"), ""},
		"a statement of comments":      {XML, around(camt+"<Id>", "a<!-- -->", "</Id></Stmt></BkToCstmrStmt></Document>"), ""},
		"a message of movements":       {MT940, around(":20:A\n:25:1\n", ":61:260301C1,N\n", ""), "movements beyond the limit"},
		"a message of one information": {MT940, around(":20:A\n:25:1\n:61:260301C1,NTRF\n:86:166", "?20EREF+\n", ""), ""},
		"a message of named parts":     {MT940, around(":20:A\n:25:1\n:61:260301C1,NTRF\n:86:/EREF/", "/NAME/x\n", ""), ""},
		"messages":                     {MT940, around("", ":20:A\n:25:1\n", ""), ""},
		"an OFX of movements":          {OFX, around("<OFX><STMTRS>", "<STMTTRN><TRNAMT>1", ""), "movements beyond the limit"},
		"an OFX of open elements":      {OFX, around("<OFX><STMTRS>", "<PAYEE>", ""), ""},
		"an OFX of entities":           {OFX, around("<OFX><STMTRS><STMTTRN>", "<NAME>&amp;&amp;&amp;", ""), ""},
		"a list of movements":          {CSV, around("Date,Description,Amount,Balance\n", "2026-03-01,Tea,1.00,1.00\n", ""), "rows beyond the limit"},
		"a list of columns of money": {CSV, func(size int) string {
			return strings.Repeat(strings.Repeat("2026-03-01,-1.00,", 50)+"tea shop\n", max(1, size/859))
		}, ""},
	}
}

func mailAttacks() map[string]attack {
	mixed := mailHead + "Content-Type: multipart/mixed; boundary=b\n\n"
	return map[string]attack{
		"a mail of nested multiparts":            {EML, numbered(mailHead, "Content-Type: multipart/mixed; boundary=b%[1]d\n\n--b%[1]d\n", "\n"), "nested deeper than 20"},
		"a mail of thousands of parts":           {EML, around(mixed, "--b\n\nx\n", "--b--\n"), "parts beyond 500"},
		"a mail of false boundaries":             {EML, around(mixed+"--b\n\n", "--b\n--bx", "\n--b--\n"), "header cannot be read"},
		"a mail of boundaries in one line":       {EML, around(mixed+"--b\n\n", "--b", "\n--b--\n"), "header cannot be read"},
		"a mail of header lines":                 {EML, numbered(mailHead, "X-%d: y\n", "\nbody"), ""},
		"a mail of header lines in a part":       {EML, numbered(mixed+"--b\n", "X-%d: y\n", "\nbody\n--b--\n"), ""},
		"a mail of a folded header":              {EML, around(mailHead+"Cc: a@b.c", "\n ,", "\n\nbody"), ""},
		"a mail to brackets":                     {EML, around(mailHead+"Cc: ", "(", "\n\nbody"), ""},
		"a mail to words":                        {EML, around(mailHead+"Cc: ", "a ", "<a@b.c>\n\nbody"), ""},
		"a mail of encoded words":                {EML, around(mailHead+"X-A: ", "=?utf-8?q?a?= ", "\n\nbody"), ""},
		"a mail of parameters":                   {EML, numbered(mailHead+"Content-Type: text/plain", ";\n a*%d=b", "\n\nbody"), ""},
		"a mail of base64":                       {EML, around(mixed+"--b\nContent-Type: application/x\nContent-Transfer-Encoding: base64\n\n", "QUJD", "\n--b--\n"), ""},
		"a mailbox of tiny messages":             {MBOX, around("", "From a\nFrom: b\n\nc\n\n", ""), "messages beyond"},
		"a mailbox of lines that look like mail": {MBOX, around("From a\nFrom: b\n\n", "\nFrom", ""), ""},
	}
}

func tableAttacks() map[string]attack {
	return map[string]attack{
		"a table of one cell":            {CSV, around("a,b\n1,", "x", "\n2,3\n"), "cells were cut"},
		"a table of one quoted cell":     {CSV, around("a,b\n1,\"", "x y\n", "\"\n2,3\n"), "rows beyond"},
		"a table of an unclosed quote":   {CSV, around("a,b\n1,\"", "x y\n", ""), "rows beyond"},
		"a table of quotes":              {CSV, around("a,b\n1,", "\"", ""), ""},
		"a table of equal columns":       {CSV, around("a", ",a", "\n1,2\n"), "columns beyond"},
		"a table of different columns":   {CSV, numbered("", "c%d,", "\n1,2\n"), "columns beyond"},
		"a table of rows":                {CSV, around("a,b\n", "1,2\n", ""), "rows beyond"},
		"a table of commas":              {CSV, around("a,b\n1,2\n", ",", ""), ""},
		"a table of wide rows":           {CSV, around("", strings.Repeat("1,", 1000)+"\n", ""), ""},
		"a list of objects":              {JSON, around("[{}", ",{\"a\":1}", "]"), "rows beyond"},
		"a list of objects of many keys": {JSON, numbered("[", "{\"k%d\":1},", "{}]"), "cells beyond"},
		"an object of keys":              {JSON, numbered("{", "\"k%d\":1,", "\"z\":1}"), ""},
		"an object of lists":             {JSON, numbered("{", "\"k%d\":[{\"a\":1}],", "\"z\":1}"), "further tables"},
		"an object under a long name": {JSON, func(size int) string {
			return numbered("{\""+strings.Repeat("k", size/2)+"\":{", "\"k%d\":1,", "\"z\":1}}")(size)
		}, ""},
		"a list of lists in lists": {JSON, around("", "[", ""), "nested too deeply"},
		"a number without end":     {JSON, around("[", "9", "]"), ""},
		"lines of objects":         {NDJSON, around("", "{\"a\":1}\n", ""), "rows beyond"},
		"a sheet of rows":          {XLSX, sheetAttack("<row r=\"1048576\"><c><v>1</v></c></row>", ""), "rows beyond"},
		"a sheet of far cells": {XLSX, func(size int) string { // each row has all columns there are
			return sheetAttack("<row><c r=\"XFD1\"><v>1</v></c></row>", "")(size / 8)
		}, "cells beyond"},
		"a sheet of one row":           {XLSX, sheetAttack("<c><v>1</v></c>", ""), "columns beyond"},
		"a sheet of merged cells":      {XLSX, sheetAttack("<mergeCell ref='A1:XFD1048576'/>", ""), ""},
		"a workbook of shared strings": {XLSX, sheetAttack("<row><c t=\"s\"><v>0</v></c></row>", "<si><t>a</t></si>"), "rows beyond"},
		"a workbook of one string in runs": {XLSX, func(size int) string {
			return sheetAttack("", "<si>"+strings.Repeat("<r><t>a</t></r>", size/15)+"</si>")(0)
		}, ""},
		"a workbook of one sheet many times": {XLSX, manySheets, "rows beyond"},
	}
}

func pageAttacks() map[string]attack {
	return map[string]attack{
		"a page of nested blocks": {HTML, around("<html>", "<div>", "x"), ""},
		"a page of nested tables": {HTML, around("<html>", "<table><tr><td>", "x"), ""},
		"a page of formatting": {HTML, func(size int) string {
			return numbered("", "<b id=x%d>", "")(size/2) + strings.Repeat("<p>x</p>", size/16)
		}, ""},
		"a page of attributes":            {HTML, numbered("<p ", "a%d=b ", ">x"), ""},
		"a page of bodies":                {HTML, numbered("", "<body a%d=b>", "x"), ""},
		"a page of entities":              {HTML, around("<p>", "&amp;", ""), ""},
		"a page of unknown ends":          {HTML, around("<p>", "a</foo>", ""), ""},
		"a page of cells outside a table": {HTML, around("<p>", "a<td>", ""), ""},
		"a page of text between rows":     {HTML, around("<table>", "a<tr>", ""), ""},
		"a page of cells":                 {HTML, around("<table><tr>", "<td>a", ""), ""},
		"a page of a high cell beside many": {HTML, func(size int) string {
			return "<table><tr><td>" + strings.Repeat("a<br>", size/10) + strings.Repeat("<td>b", size/10)
		}, ""},
		"a page of open comments": {HTML, around("<p>x", "<!-", ""), ""},
		"a page of lists":         {HTML, around("<ul>", "<li>x", ""), ""},
		"a page of drawings":      {HTML, around("<p>x<svg>", "<g>", ""), ""},
	}
}

func treeAttacks() map[string]attack {
	return map[string]attack{
		"a tree of elements":        {XML, around("<?xml version='1.0'?><a>", "<b>c</b>", "</a>"), ""},
		"a tree of nested elements": {XML, around("<?xml version='1.0'?><a><b>c</b>", "<a>", ""), "nested too deeply"},
		"a tree of attributes":      {XML, numbered("<?xml version='1.0'?><a ", "b%d='c' ", ">x</a>"), ""},
		"a tree of entities":        {XML, around("<?xml version='1.0'?><!DOCTYPE a [", "<!ENTITY b 'c'>", "]><a>b</a>"), ""},
		"a tree of names":           {XML, numbered("<?xml version='1.0'?><a ", "xmlns:n%d='u' ", ">x</a>"), ""},
		"a letter of paragraphs":    {DOCX, letterAttack("<w:p><w:r><w:t>a</w:t></w:r></w:p>"), ""},
		"a letter of cells":         {DOCX, letterAttack("<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"), ""},
		"a letter of notes": {DOCX, func(size int) string {
			return packed(map[string]string{
				"word/document.xml":  around(`<w:document xmlns:w="x"><w:p><w:r><w:t>a b c d e f g h i</w:t></w:r>`, `<w:footnoteReference w:id="1"/><w:footnoteReference w:id="111"/>`, "</w:p></w:document>")(size / 2),
				"word/footnotes.xml": around(`<w:footnotes xmlns:w="x">`, `<w:footnote w:id="1"><w:p><w:r><w:t>a</w:t></w:r></w:p></w:footnote>`, "</w:footnotes>")(size / 2),
			})
		}, ""},
		"a letter of nested tables": {DOCX, letterAttack("<w:p><w:r><w:t>a</w:t></w:r></w:p><w:tbl>"), "nested too deeply"},
	}
}

func lineAttacks() map[string]attack {
	calendar := "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\n"
	return map[string]attack{
		"a calendar of one folded line":        {ICS, around(calendar+"BEGIN:VEVENT\nSUMMARY:a", "\n b", "\nEND:VEVENT\nEND:VCALENDAR\n"), ""},
		"a calendar of one parameter":          {ICS, around(calendar+"BEGIN:VEVENT\nSUMMARY:x\nX-A;CN=\"", "b", "\":x\nEND:VEVENT\nEND:VCALENDAR\n"), "bytes of parameters"},
		"a calendar of a hidden colon":         {ICS, around(calendar+"BEGIN:VEVENT\nSUMMARY:x\nX-A;CN=\"a:", "b", "\":x\nEND:VEVENT\nEND:VCALENDAR\n"), "bytes of parameters"},
		"a calendar of nested components":      {ICS, around(calendar+"BEGIN:VEVENT\nSUMMARY:a\n", "BEGIN:A\n", ""), "nested deeper than 8"},
		"a calendar of events":                 {ICS, around(calendar, "BEGIN:VEVENT\nSUMMARY:a\nEND:VEVENT\n", "END:VCALENDAR\n"), ""},
		"a calendar of attendees":              {ICS, around(calendar+"BEGIN:VEVENT\n", "ATTENDEE:a\n", "END:VEVENT\nEND:VCALENDAR\n"), ""},
		"a contact of one folded line":         {VCF, around("BEGIN:VCARD\nFN:a", "\n b", "\nEND:VCARD\n"), ""},
		"a contact of soft line breaks":        {VCF, around("BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:", "=41=\n", "\nEND:VCARD\n"), ""},
		"a contact of numbers":                 {VCF, around("BEGIN:VCARD\nFN:a\n", "TEL:1\n", "END:VCARD\n"), ""},
		"a list of contacts":                   {VCF, around("", "BEGIN:VCARD\nFN:a\nEND:VCARD\n", ""), "contacts beyond"},
		"a list of contacts without an ending": {VCF, around("BEGIN:VCARD\nFN:a\nEND:VCARD\n", "BEGIN:VCARD\n", ""), "nested deeper than 8"},
	}
}

func textAttacks() map[string]attack {
	return map[string]attack{
		"a text of one line":        {Text, around("", "a ", ""), ""},
		"a text of one word":        {Text, around("", "a", ""), ""},
		"a text of lines":           {Text, around("", "a\n", ""), ""},
		"a text of pages":           {Text, around("", "a\f", ""), ""},
		"a text of labels":          {Text, around("", "Invoice No: ", ""), ""},
		"a text of lines of labels": {Text, around("Invoice\n", "Invoice No: 12  Date: 2025-01-01  Total: 1.00\n", ""), ""},
		"a text of table heads":     {Text, around("Invoice\n", "Description  Qty  Price  Amount\n", ""), ""},
		"a text of rows":            {Text, around("Invoice\nDescription  Qty  Price  Amount\n", "a  1  2.00  2.00\n", ""), ""},
		"a text of letters":         {Text, around("", "I N V O I C E ", ""), ""},
		"a text of colons":          {Text, around("", "a:", ""), ""},
		"a note of boxes":           {MD, around("# a\n", "- [ ] b\n", ""), ""},
		"a note of front matter":    {MD, around("---\n", "title: a\n", ""), ""},
	}
}

func sheetAttack(row, item string) func(int) string {
	return func(size int) string {
		parts := workbookParts("<worksheet><sheetData>" + strings.Repeat(row, size/max(1, len(row))) + "</sheetData></worksheet>")
		if item != "" {
			parts["xl/sharedStrings.xml"] = "<sst>" + strings.Repeat(item, max(1, size/len(item))) + "</sst>"
		}
		return packed(parts)
	}
}

// manySheets lists one sheet under a thousand names.
func manySheets(size int) string {
	parts := workbookParts("<worksheet><sheetData>" + strings.Repeat("<row><c><v>1</v></c></row>", size/52) + "</sheetData></worksheet>")
	parts["xl/workbook.xml"] = numbered("<workbook xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'><sheets>", "<sheet name='s%[1]d' r:id='r%[1]d'/>", "</sheets></workbook>")(size / 4)
	parts["xl/_rels/workbook.xml.rels"] = numbered("<Relationships>", "<Relationship Id='r%d' Target='worksheets/sheet1.xml'/>", "</Relationships>")(size / 2)
	return packed(parts)
}

func letterAttack(part string) func(int) string {
	return func(size int) string {
		return packed(map[string]string{"word/document.xml": around("<w:document><w:body>", part, "</w:body></w:document>")(size)})
	}
}

// packed is an archive of parts that are not compressed, so that its size is theirs.
func packed(parts map[string]string) string {
	var file bytes.Buffer
	writer := zip.NewWriter(&file)
	for name, text := range parts {
		if member, err := writer.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store}); err == nil {
			_, _ = member.Write([]byte(text))
		}
	}
	_ = writer.Close()
	return file.String()
}

// polled counts how often a reader asks whether to go on, and ends at a number.
type polled struct {
	context.Context
	polls, end int
}

func (ctx *polled) Err() error {
	if ctx.polls++; ctx.end > 0 && ctx.polls > ctx.end {
		return context.Canceled
	}
	return nil
}

// work reads a file with all that follows, and counts the bytes that this took: a copy of
// what was read before, for each part, grows with the square.
func work(t *testing.T, one attack, size int) (content *Content, allocated uint64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	content = one.extract(t, size)
	kind, _ := Classify(content)
	ExtractFields(content, kind)
	content.FirstDataset(0)
	runtime.ReadMemStats(&after)
	return content, after.TotalAlloc - before.TotalAlloc
}

// extract reads a file of about so many bytes.
func (one attack) extract(t *testing.T, size int) *Content {
	t.Helper()
	data := one.make(size)
	content, err := Extract(&polled{Context: context.Background()}, strings.NewReader(data), int64(len(data)), one.kind, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestAHostileFileCostsItsLengthAndSaysWhatWasCut(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	for name, one := range attacks() {
		t.Run(name, func(t *testing.T) {
			size := testenv.Choose(5_000, 30_000)
			if one.cut != "" && testenv.Full() {
				size = 150_000
			}
			_, once := work(t, one, size)
			content, twice := work(t, one, 2*size)
			if twice > 3*once+testenv.Choose[uint64](2<<20, 8<<20) {
				t.Errorf("%d kB for %d bytes, %d kB for twice as many", once>>10, size, twice>>10)
			}
			if one.cut != "" && (testenv.Full() || !content.Truncated) {
				content = one.extract(t, 300_000) // beyond each limit
			}
			if content.Truncated != (one.cut != "") || !strings.Contains(strings.Join(content.Warnings, "; "), one.cut) {
				t.Errorf("truncated %t, warnings %q, want one of %q", content.Truncated, content.Warnings, one.cut)
			}
		})
	}
}

// TestEveryReaderStopsWhenItsContextEnds counts the questions of a whole reading, and those of
// one whose context ends at the third: a reader that does not ask within its loops asks no
// more often in the one than in the other.
func TestEveryReaderStopsWhenItsContextEnds(t *testing.T) {
	for name, one := range attacks() {
		if one.kind == Text || one.kind == MD || strings.Contains(one.cut, "too deeply") { // taken or refused in one step
			continue
		}
		data := []byte(one.make(testenv.Choose(30_000, 100_000)))
		whole, ended := &polled{Context: context.Background()}, &polled{Context: context.Background(), end: 2}
		for _, ctx := range []*polled{whole, ended} {
			content := &Content{Type: one.kind, Metadata: map[string]any{}}
			_ = readWithRecover(ctx, formatOf(one.kind).read, data, Limits{}.withDefaults(), content)
		}
		if whole.polls < 2 || ended.polls > 30 {
			t.Errorf("%s: asked %d times, and %d times when it ends at the third", name, whole.polls, ended.polls)
		}
	}
}

func TestFieldsOfAFileThatNobodyWaitsForAreNotSought(t *testing.T) {
	content := &Content{Type: Text, Text: "Invoice No: 12\nTotal: 1.00\n", Metadata: map[string]any{}}
	content.Pages = composeTextPages(content.Text)
	if values, _ := ExtractFields(content, KindInvoice); values["invoice_number"] != "12" {
		t.Fatalf("values = %v, want the number", values)
	}
	content.over = func() error { return context.Canceled }
	if values, _ := ExtractFields(content, KindInvoice); len(values) != 0 {
		t.Errorf("values = %v, want none after the end", values)
	}
	if kind, confidence := Classify(content); kind != KindDocument || confidence != 0 {
		t.Errorf("Classify = %s, %f after the end", kind, confidence)
	}
}

// TestWhatWasReadInTimeIsKept ends the time of a file, not that of its caller.
func TestWhatWasReadInTimeIsKept(t *testing.T) {
	whole := strings.Repeat("<p>a line</p>", 50)
	content := &Content{Type: HTML, Text: whole, Metadata: map[string]any{}}
	if err := content.acceptPartialContent(timeoutError(Limits{}.withDefaults())); err != nil || !content.Truncated || len(content.Warnings) != 1 {
		t.Errorf("error %v, content %+v, want it kept and marked", err, content)
	}
	if err := (&Content{}).acceptPartialContent(timeoutError(Limits{}.withDefaults())); err == nil {
		t.Error("a file of which nothing was read in time is no error")
	}
}

// TestMemoryForFarCellsAndLongPathsIsBounded holds what a byte of a file may cost: cells that stand far out make
// rows of blank ones, and the names of objects stand before each of their members.
func TestMemoryForFarCellsAndLongPathsIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		attack
		size       int
		once, more uint64 // megabytes for a file of that size and for one four times as long
	}{
		"few cells in the last column of a sheet": {attack{kind: XLSX, make: sheetAttack("<row><c r=\"XFD1\"><v>1</v></c></row>", "")}, 600, 40, 110},
		"few cells in the last column of a table": {attack{kind: CSV, make: around("a\n", strings.Repeat(",", 16_000)+"1\n", "")}, 60_000, 30, 80},
		"an object under a path of many words":    {attack{kind: JSON, make: numbered("{\""+strings.Repeat("a ", 100)+"\":{", "\"k%d\":1,", "\"z\":1}}")}, 5_000, 15, 45},
		"an object under a path of colons":        {attack{kind: JSON, make: numbered("{\""+strings.Repeat("a: ", 66)+"\":{", "\"k%d\":1,", "\"z\":1}}")}, 5_000, 20, 60},
	} {
		t.Run(name, func(t *testing.T) {
			_, once := work(t, c.attack, c.size)
			_, more := work(t, c.attack, 4*c.size)
			t.Logf("%d kB for %d bytes, %d kB for four times as many", once>>10, c.size, more>>10)
			if once > c.once<<20 || more > c.more<<20 {
				t.Errorf("%d MB for %d bytes and %d MB for four times as many, want at most %d and %d", once>>20, c.size, more>>20, c.once, c.more)
			}
		})
	}
}
