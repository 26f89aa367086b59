package kinds

import "testing"

func TestATextIsFoundHoweverItWasTyped(t *testing.T) {
	for name, tc := range map[string]struct{ kept, wanted string }{
		"a line break for a space":           {"Annaqq\nBellaqq", "Annaqq Bellaqq"},
		"a space for a line break":           {"Annaqq Bellaqq", "Annaqq\r\nBellaqq"},
		"two spaces":                         {"Carlqq  Doraqq", "Carlqq Doraqq"},
		"a tab and a space":                  {"Carlqq \tDoraqq", "carlqq doraqq"},
		"a space that does not break":        {"Carlqq\u00a0Doraqq", "Carlqq Doraqq"},
		"an ideographic space":               {"山田\u3000太郎", "山田 太郎"},
		"letters beyond ASCII":               {"xÄöÜqqw", "xäÖüqqw"},
		"sharp s and its capitals":           {"großeqqx", "GROSSEqqx"},
		"capitals and sharp s":               {"GROSSEqqx", "großeqqx"},
		"a sigma at the end":                 {"ΟΔΥΣΣΕΥΣ", "οδυσσευς"},
		"Cyrillic":                           {"Анна Петрова", "аННА пЕТРОВА"},
		"composed characters":                {"Zoe\u0308", "ZOË"},
		"a ligature":                         {"Oﬃce", "office"},
		"wide letters":                       {"Ｔｏｋｙｏ", "tokyo"},
		"a soft hyphen":                      {"Anna\u00adbella", "annabella"},
		"a space of no width":                {"Anna\u200bbella", "annabella"},
		"JSON with a line break":             {`{"note":"Annaqq\nBellaqq"}`, "Annaqq Bellaqq"},
		"JSON with a quotation mark":         {`{"note":"say \"Annaqq\""}`, `say "Annaqq"`},
		"JSON with escaped letters":          {`{"note":"M\u00fcller \ud83d\ude00"}`, "MÜLLER 😀"},
		"a backslash that is one":            {`C:\new\Annaqq`, `c:\NEW\annaqq`},
		"a number with another zero":         {`{"amount":1234567.5}`, "1234567.50"},
		"a number with commas":               {`{"amount":1234567.5}`, "1,234,567.50"},
		"a whole number with cents":          {`{"amount":1500}`, "1500.00"},
		"a number in a list":                 {`[1,1234567.5,2]`, "1234567.50"},
		"a number at the end of a sentence":  {"It cost 23.5.", "23.50"},
		"a number as it stands in a receipt": {"Total: EUR 23.50", "23.50"},
	} {
		t.Run(name, func(t *testing.T) {
			if !newNeedles([]string{tc.wanted}).matchText(tc.kept) {
				t.Errorf("%q is not found in %q", tc.wanted, tc.kept)
			}
		})
	}
}

func TestNeedleDoesNotMatchOtherText(t *testing.T) {
	for name, tc := range map[string]struct{ kept, wanted string }{
		"words that only follow each other without a space": {"AnnaqqBellaqq", "Annaqq Bellaqq"},
		"a longer number":            {`{"amount":1234567.55}`, "1234567.50"},
		"a number with more before":  {`{"amount":11234567.5}`, "1234567.50"},
		"a number below zero":        {`{"amount":-1234567.5}`, "1234567.50"},
		"a number with a power":      {`{"amount":1234567.5e3}`, "1234567.50"},
		"nothing but what is unseen": {"Annaqq", "\u00ad\u200b\u200b"},
		"another letter":             {"Mueller", "Müller"},
	} {
		t.Run(name, func(t *testing.T) {
			if newNeedles([]string{tc.wanted}).matchText(tc.kept) {
				t.Errorf("%q is found in %q", tc.wanted, tc.kept)
			}
		})
	}
}

func TestNamesOfFieldsAreNoTextOfADocument(t *testing.T) {
	const invoice = `{"amount":23.5,"field_sources":{"amount":{"label":"total","line":5,"page":1}},"metadata":{"encoding":"utf-8"},"vendor_name":"Corner Bookshop"}`
	for name, tc := range map[string]struct {
		kept, wanted string
		found        bool
	}{
		"a name within one of our names":  {invoice, "Ada", false},
		"a name that is one of our names": {invoice, "Page", false},
		"within the name of a field":      {invoice, "mount", false},
		"a value":                         {invoice, "corner book", true},
		"a number":                        {invoice, "23.50", true},
		"a field":                         {invoice, "vendor", true},
		"a word of a field":               {invoice, "name", true},
		"a field of the user":             {`{"ada":"owes three"}`, "Ada", true},
		"a field of the user, in letters": {`{"Ada Meyer":"owes three"}`, "a meyer", true},
		"JSON as it stands":               {`he sent {"metadata":{"owner":"x"}}`, `"metadata":{"owner"`, true},
		"a value of the same name":        {`{"metadata":{"title":"Ada"}}`, "ada", true},
		"a value that begins so":          {`{"metadata":{"title":"Adagio"}}`, "ada", false},
		"a word within a word of a field": {invoice, "endo", false},
		"an escaped value":                {`{"metadata":{"title":"M\u00fcller"}}`, "müller", true},
	} {
		t.Run(name, func(t *testing.T) {
			if newNeedles([]string{tc.wanted}).matchRow(tc.kept) != tc.found {
				t.Errorf("%q in %s: found is not %v", tc.wanted, tc.kept, tc.found)
			}
		})
	}
}

func TestWordIsFoundWhereItStandsForItself(t *testing.T) {
	for name, tc := range map[string]struct {
		kept, wanted string
		found        bool
	}{
		"inside a name of a program":       {"at Module._resolveFilename (node:internal)", "Lena", false},
		"behind a sign":                    {"photos/_lena-2026.jpg", "Lena", true},
		"before an apostrophe":             {"Lena's class", "lena", true},
		"a word and another inside a word": {"resolveFilename of Lena", "Lena", true},
		"behind a line break in JSON":      {`{"note":"so\nLena said"}`, "Lena", true},
		"before a letter of an accent":     {"Rene\u0301e", "rené", false},
		"Cyrillic inside a word":           {"маленам", "Лена", false},
		"Cyrillic that stands for itself":  {"это Лена.", "лена", true},
		"Chinese without spaces":           {"王小明的电话", "王小明", true},
		"Japanese without spaces":          {"山田太郎さん", "山田太", true},
		"Korean with its particle":         {"레나가는 학교", "레나가", true},
		"Thai without spaces":              {"คุณลีนาไปแล้ว", "ลีนา", true},
		"two words":                        {"xLena Bauers", "lena bauer", true},
		"letters and digits":               {"key-a1b2c3d4", "1b2c", true},
	} {
		t.Run(name, func(t *testing.T) {
			if newNeedles([]string{tc.wanted}).matchRow(tc.kept) != tc.found {
				t.Errorf("%q in %s: found is not %v", tc.wanted, tc.kept, tc.found)
			}
		})
	}
}
