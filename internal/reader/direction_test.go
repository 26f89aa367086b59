package reader

import (
	"path/filepath"
	"strings"
	"testing"
)

// Chromium printed the file from lines written as they stand here.
func TestLinesFromTheRightReadAsTheyWereWritten(t *testing.T) {
	content := extract(t, contentsOf(t, filepath.Join("testdata", "rtl", "hebrew.chromium.pdf")), PDF)
	for _, line := range []string{`חשבונית מס מספר 2024-0117`, `סה"כ לתשלום: 120.00 ₪`, `תאריך: 12/03/2024`, `תקן ISO 9001 מאושר`} {
		if !strings.Contains("\n"+content.Text, "\n"+line+"\n") {
			t.Errorf("the text lacks the line %q; text:\n%s", line, content.Text)
		}
	}
	kind, _ := Classify(content)
	values, _ := ExtractFields(content, kind)
	for _, key := range []string{"amount", "amount_due"} {
		if value, found := values[key]; found && asJSON(t, map[string]any{"v": value})["v"] != "120.00" {
			t.Errorf("%s = %v, want 120.00 or none", key, value)
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
