package layout

import "testing"

func TestALineFromTheRightIsReadInItsOrder(t *testing.T) {
	for name, line := range map[string]struct {
		drawn     string
		fromRight bool
		want      string
	}{
		"a label and its value":             {"120.00 :םולשת", true, "תשלום: 120.00"},
		"numbers keep their signs":          {"12/03/2024 ךיראת", true, "תאריך 12/03/2024"},
		"numbers side by side are turned":   {"1234567 050 ןופלט", true, "טלפון 050 1234567"},
		"Latin words keep theirs":           {"רשואמ ISO 9001 ןקת", true, "תקן ISO 9001 מאושר"},
		"brackets open first":               {"ב )א( ג", true, "ג (א) ב"},
		"a name in a text from the left":    {"Bill to לארשי תרבח today", false, "Bill to חברת ישראל today"},
		"text from the left stays as it is": {"Total (net) 120.00", true, "Total (net) 120.00"},
	} {
		cell := Cell{Words: wordsAt(line.drawn, 0, 0)}
		cell.settle()
		cell.read(line.fromRight)
		if cell.Text != line.want {
			t.Errorf("%s: %q, want %q", name, cell.Text, line.want)
		}
	}
}

func TestFormsOfArabicLettersBecomeTheLetters(t *testing.T) {
	if got, want := drawn("\uFEFB"), "\u0627\u0644"; got != want {
		t.Errorf("lam with alef is drawn as %q, want %q", got, want)
	}
	if got := cleaned("½ ﬁ ²"); got != "½ fi ²" {
		t.Errorf("other characters became %q", got)
	}
}
