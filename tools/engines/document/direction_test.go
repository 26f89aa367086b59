package document

import (
	"path/filepath"
	"strings"
	"testing"
)

// Chromium printed the files from lines written as they stand here.
func TestPagesFromTheRightReadAsTheyWereWritten(t *testing.T) {
	for file, lines := range map[string][]string{
		"hebrew.chromium.pdf": {
			`חשבונית מס מספר 2024-0117`, `סה"כ לתשלום: 120.00 ₪`, `תאריך: 12/03/2024`,
			`לכבוד חברת Acme Ltd (ישראל) בע"מ`, `תקן ISO 9001 מאושר`,
			`תיאור  כמות  מחיר  סכום`, `ייעוץ Cloud  2  50.00  100.00`, `סה"כ לתשלום  120.00`,
		},
		"arabic.chromium.pdf": {
			`فاتورة ضريبية رقم 10457`, `المبلغ الإجمالي: 120.00`, `التاريخ: 12/03/2024`,
			`شركة Acme Ltd (مصر) للتجارة`, `لا إله إلا الله`,
			`الوصف  الكمية  السعر  المبلغ`, `طابعة  1  20.00  20.00`, `الإجمالي  120.00`,
		},
	} {
		content := extract(t, contentsOf(t, filepath.Join("testdata", "rtl", file)), PDF)
		for _, line := range lines {
			if !strings.Contains("\n"+content.Text, "\n"+line+"\n") {
				t.Errorf("%s lacks the line %q; text:\n%s", file, line, content.Text)
			}
		}
		kind, _, _ := Classify(content)
		values, _ := Fields(content, kind)
		for _, key := range []string{"amount", "amount_due"} {
			if value, found := values[key]; found && asJSON(t, map[string]any{"v": value})["v"] != "120.00" {
				t.Errorf("%s: %s = %v, want 120.00 or none", file, key, value)
			}
		}
		for _, line := range content.Pages[0].Lines {
			if place, ok := content.Pages[0].Place(line.Cells[0].Words); !ok || place.Left < 250 {
				t.Errorf("%s: %q begins at %v, want it in the right half of the page", file, line.Text(), place)
			}
		}
	}
}

func TestTextThatIsWrittenInReadingOrderStaysSo(t *testing.T) {
	const line = `סה"כ לתשלום: 120.00 ISO 9001 (ישראל)`
	for kind, data := range map[Type]string{
		Text: line + "\n",
		HTML: `<html dir="rtl"><meta charset="utf-8"><p>` + line + `</p></html>`,
		DOCX: string(zipped(t, map[string]string{"word/document.xml": `<w:document xmlns:w="x"><w:body>` + wordParagraph(line) + `</w:body></w:document>`})),
	} {
		if content := extract(t, []byte(data), kind); !strings.Contains(content.Text, line) {
			t.Errorf("%s: text = %q, want %q", kind, content.Text, line)
		}
	}
}
