package reader

import (
	"fmt"
	"strings"
	"testing"
)

// formPDF has the label of a box as text and its value in a form field, with or without
// the stream that draws it.
func formPDF(drawn bool) []byte {
	appearance, needed := "", "/NeedAppearances true"
	if drawn {
		appearance, needed = "/AP<</N 7 0 R>>", ""
	}
	objects := []string{
		"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R]/DR<</Font<</Helv 3 0 R>>>>/DA(/Helv 10 Tf 0 g)" + needed + ">>>>",
		"<</Type/Pages/Count 1/Kids[4 0 R]>>",
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents 5 0 R/Annots[6 0 R]>>",
		"",
		"<</Type/Annot/Subtype/Widget/FT/Tx/T(total)/V($1,234.50)/DA(/Helv 10 Tf 0 g)/F 4/P 4 0 R/Rect[150 695 300 712]" + appearance + ">>",
		"",
	}
	return classicalFile(objects, map[int]string{
		5: "BT /F1 18 Tf 1 0 0 1 50 760 Tm (Invoice) Tj /F1 10 Tf 1 0 0 1 50 700 Tm (Grand Total:) Tj ET\n",
		7: "/Tx BMC q BT /Helv 10 Tf 0 g 2 5 Td ($1,234.50) Tj ET Q EMC\n",
	})
}

func TestValuesTypedIntoAFormAreRead(t *testing.T) {
	for _, drawn := range []bool{true, false} {
		t.Run(fmt.Sprintf("drawn by the file %t", drawn), func(t *testing.T) {
			data := formPDF(drawn)
			if drawn {
				data = []byte(replaceOnce(string(data), "<</Length 60>>", "<</Length 60/Type/XObject/Subtype/Form/BBox[0 0 150 17]/Resources<</Font<</Helv 3 0 R>>>>>>"))
			}
			content := extract(t, data, PDF)
			values, _ := ExtractFields(content, KindInvoice)
			if values["amount"] != 1234.5 {
				t.Errorf("amount = %v, want 1234.5; text:\n%s", values["amount"], content.Text)
			}
		})
	}
}

func replaceOnce(text, old, by string) string {
	if !strings.Contains(text, old) {
		panic("the text lacks " + old)
	}
	return strings.Replace(text, old, by, 1)
}

func TestTextRightAboveATableIsNotPartOfItsHead(t *testing.T) {
	for name, parties := range map[string]string{
		"a party behind its label": "From: Mueller\nBill to: Kunde AG",
		"a party below its label":  "From: Mueller\nBill to:\nKunde AG",
	} {
		t.Run(name, func(t *testing.T) {
			text := "INVOICE\nInvoice number: Q2\n" + parties + "\nDescription\tQty\tUnit price\tAmount\nWidget\t2\t100.00\t200.00\nTotal: 200.00 EUR\n"
			values, _ := ExtractFields(extract(t, []byte(text), Text), KindInvoice)
			if values["customer_name"] != "Kunde AG" {
				t.Errorf("customer_name = %v, want Kunde AG", values["customer_name"])
			}
			if items, _ := values["line_items"].([]map[string]any); len(items) != 1 {
				t.Errorf("line_items = %v, want the widget", values["line_items"])
			}
		})
	}
}
