package reader

import (
	"slices"
	"strings"
	"testing"
)

func TestNotesAndCommentsOfAWordDocumentAreRead(t *testing.T) {
	refer := func(text, kind, id, after string) string {
		return `<w:p><w:r><w:t>` + text + `</w:t></w:r><w:r><w:` + kind + `Reference w:id="` + id + `"/></w:r><w:r><w:t xml:space="preserve">` + after + `</w:t></w:r></w:p>`
	}
	note := func(kind, id, attributes, text string) string {
		return `<w:` + kind + ` w:id="` + id + `"` + attributes + `>` + `<w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>` + text + `</w:t></w:r></w:p></w:` + kind + `>`
	}
	parts := map[string]string{
		"word/document.xml": `<w:document xmlns:w="x"><w:body>` +
			refer("The rent of the hall rises by four per cent a year", "footnote", "7", ", beginning in March of next year.") +
			refer("Heating is paid by whoever uses the hall in the winter", "footnote", "3", " months.") +
			refer("A deposit of two months is kept by the owner for damage", "endnote", "2", ".") +
			refer("Rent: 400.00", "footnote", "9", "") +
			refer("The keys are handed over on the day before the lease begins", "comment", "0", ".") + `</w:body></w:document>`,
		"word/footnotes.xml": `<w:footnotes xmlns:w="x">` + note("footnote", "3", "", "From October to March.") +
			note("footnote", "7", "", "Never by more than the index.") + note("footnote", "9", "", "Without heating.") + note("footnote", "12", "", "Nothing refers to this.") + `</w:footnotes>`,
		"word/endnotes.xml": `<w:endnotes xmlns:w="x">` + note("endnote", "2", ` w:type="normal"`, "It bears interest.") + `</w:endnotes>`,
		"word/comments.xml": `<w:comments xmlns:w="x">` + note("comment", "0", ` w:author="Ann"`, "Ask Ben for the second key.") + `</w:comments>`,
		"word/footer1.xml":  `<w:ftr xmlns:w="x">` + wordParagraph("Page 1") + `</w:ftr>`,
	}
	want := []string{
		"The rent of the hall rises by four per cent a year, beginning in March of next year.",
		"Heating is paid by whoever uses the hall in the winter months.",
		"A deposit of two months is kept by the owner for damage.",
		"Rent: 400.00",
		"The keys are handed over on the day before the lease begins.",
		"From October to March.", "Never by more than the index.", "Without heating.", "Nothing refers to this.",
		"It bears interest.", "Ask Ben for the second key.", "Page 1",
	}
	got := strings.FieldsFunc(extract(t, zipped(t, parts), DOCX).Text, func(r rune) bool { return r == '\n' })
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}

func TestAValueThatWasReadInPartIsNoField(t *testing.T) {
	content := extract(t, []byte("Oak \ufffd\ufffd Ltd\n\nInvoice number: INV-\ufffd7\nInvoice date: 5 March 2026\n\nDescription   Quantity   Unit price   Amount\nTable \ufffd legs   2   10.00   20.00\n\nTotal: 20.00 EUR\n"), Text)
	values, _ := ExtractFields(content, KindInvoice)
	if values["date"] != "2026-03-05" || values["amount"] != 20.0 || values["invoice_number"] != nil || values["vendor_name"] != nil {
		t.Errorf("%v", values)
	}
}

func TestWhatIsCutIsSaidWithItsSize(t *testing.T) {
	content, err := Extract(t.Context(), strings.NewReader(strings.Repeat("long text\n", 1000)), 10_000, Text, Limits{MaxText: 4_000})
	if err != nil || len(content.Text) != 4_000 || !slices.Contains(content.Warnings, "the first 4000 bytes of the text were kept, 6000 were left out") {
		t.Errorf("%v, %d bytes, %v", err, len(content.Text), content.Warnings)
	}
}

func TestWhatStandsAroundAWordTextIsKeptApartFromIt(t *testing.T) {
	box := func(inner string) string {
		return `<w:r><mc:AlternateContent><mc:Choice><wps:txbx><w:txbxContent>` + inner + `</w:txbxContent></wps:txbx></mc:Choice>` +
			`<mc:Fallback><w:pict><w:txbxContent>` + inner + `</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>`
	}
	run := func(text string) string { return `<w:r><w:t>` + text + `</w:t></w:r>` }
	for name, one := range map[string]struct{ body, notes, want, warning string }{
		"a text box in the middle of a value": {body: `<w:p>` + run("Total: 100") + box(wordParagraph("Paid")+wordParagraph("Thank you")) + run(".00 EUR") + `</w:p>`,
			want: "Paid\nThank you\nTotal: 100.00 EUR\n"},
		"a text box in a text box":      {body: `<w:p>` + run("outer") + box(`<w:p>`+run("middle")+box(wordParagraph("inner"))+`</w:p>`) + `</w:p>`, want: "inner\nmiddle\nouter\n"},
		"a text box in a cell":          {body: `<w:tbl><w:tr><w:tc><w:p>` + run("cell") + box(wordParagraph("boxed")) + `</w:p></w:tc></w:tr></w:tbl>`, want: "boxed cell\n"},
		"a text box that is not closed": {body: `<w:p>` + run("outer") + `<w:txbxContent><w:p>` + run("inner") + `</w:p></w:p>`, want: "inner\nouter\n"},
		"a text that was moved":         {body: `<w:p><w:moveFrom>` + run("Moved.") + `</w:moveFrom>` + run("Stays. ") + `<w:moveTo>` + run("Moved.") + `</w:moveTo></w:p>`, want: "Stays. Moved.\n"},
		"notes that are damaged": {body: wordParagraph("The text."), notes: `<w:footnotes xmlns:w="x"><w:footnote w:id="1">` + wordParagraph("Read.") + `<w:p><w:r><w:t>half`,
			want: "The text.\nRead.\n", warning: "the part word/footnotes.xml is damaged; what stands behind the damage was left out"},
		"notes nested without end": {body: wordParagraph("The text."), notes: strings.Repeat("<a>", 1000), want: "The text.\n", warning: string(errDepth)},
	} {
		parts := map[string]string{wordBody: `<w:document xmlns:w="x"><w:body>` + one.body + `</w:body></w:document>`}
		if one.notes != "" {
			parts["word/footnotes.xml"] = one.notes
		}
		content := extract(t, zipped(t, parts), DOCX)
		if content.Text != one.want || strings.Join(content.Warnings, "; ") != one.warning {
			t.Errorf("%s: %q, %q", name, content.Text, content.Warnings)
		}
	}
}
