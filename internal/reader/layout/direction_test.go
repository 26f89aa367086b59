package layout

import "testing"

func TestWordsFromTheRightAreReadInTheirOrder(t *testing.T) {
	for name, line := range map[string]struct{ shown, want string }{
		"a label and its value":             {"120.00 לתשלום:", "לתשלום: 120.00"},
		"numbers side by side are turned":   {"1234567 050 טלפון", "טלפון 050 1234567"},
		"Latin words keep their order":      {"מאושר ISO 9001 תקן", "תקן ISO 9001 מאושר"},
		"a name in a text from the left":    {"Bill 120 to ישראל חברת today", "Bill 120 to חברת ישראל today"},
		"text from the left stays as it is": {"Total (net) 120.00", "Total (net) 120.00"},
	} {
		cell := Cell{Text: line.shown}
		if cell.orderWordsForReading(); cell.Text != line.want {
			t.Errorf("%s: %q, want %q", name, cell.Text, line.want)
		}
	}
}
