package language

import (
	"slices"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

func cut(text string, spans []Span) (parts []string) {
	for _, s := range spans {
		parts = append(parts, text[s.Start:s.End])
	}
	return parts
}

func TestSentencesEndAtMarksAndLines(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                        nil,
		" \n\n ":                                  nil,
		"One. Two! Three?":                        {"One.", "Two!", "Three?"},
		"He said \"no.\" She left.":               {"He said \"no.\"", "She left."},
		"first line\nsecond line":                 {"first line", "second line"},
		"Really?! Yes...  Well.":                  {"Really?!", "Yes...", "Well."},
		"see example.org/a.html now":              {"see example.org/a.html now"},
		"am 28. März ist frei. Danach":            {"am 28. März ist frei.", "Danach"},
		"Am 20.11. 13.400 Euro gezahlt. Danach":   {"Am 20.11. 13.400 Euro gezahlt.", "Danach"},
		"On 4.6. insurance pays. Then":            {"On 4.6. insurance pays.", "Then"},
		"It is version 2.4. Then":                 {"It is version 2.4.", "Then"},
		"Angebot von Fa. Hölzl liegt vor. Danach": {"Angebot von Fa. Hölzl liegt vor.", "Danach"},
		"It costs 12.\nNext":                      {"It costs 12.", "Next"},
		"今日は雨です。明日は晴れます。":                         {"今日は雨です。", "明日は晴れます。"},
		"ما هذا؟ هذا كتاب.":                       {"ما هذا؟", "هذا كتاب."},
		"use e.g. this. Or z. B. das.":            {"use e.g. this.", "Or z. B. das."},
		"we use Node.js. it is old":               {"we use Node.js.", "it is old"},
		strings.Repeat(".", 9) + "x y":            {".........x y"},
		"ask Dr. Quandt. He knows":                {"ask Dr. Quandt.", "He knows"},
		"closed until Jan. 15. Then":              {"closed until Jan. 15.", "Then"},
		"we meet in jan. then we see":             {"we meet in jan.", "then we see"},
		"it took 20 ms. Then it died":             {"it took 20 ms.", "Then it died"},
		"bei Prof. Dr. med. Hagenauer":            {"bei Prof. Dr. med. Hagenauer"},
		"cats, dogs etc. are welcome":             {"cats, dogs etc. are welcome"},
		"I said no. we go on":                     {"I said no.", "we go on"},
		"Basler Str. 12 is ours. Ring":            {"Basler Str. 12 is ours.", "Ring"},
		"tabs... no, spaces. Four":                {"tabs... no, spaces.", "Four"},
		"well… we go. Now":                        {"well… we go.", "Now"},
		"see No. 5 in the list":                   {"see No. 5 in the list"},
		"1. Buy milk. 2. Rest":                    {"1. Buy milk.", "2. Rest"},
		"It is 28. We rest":                       {"It is 28.", "We rest"},
		"broken \xff. bytes \xfe":                 {"broken \xff.", "bytes \xfe"},
	} {
		if got := cut(text, SentenceSpans(text)); !slices.Equal(got, want) {
			t.Errorf("%q is cut to %q and not %q", text, got, want)
		}
	}
}

func TestSentencesOfAMegabyteOfMarksAreFoundInOnePass(t *testing.T) {
	size := testenv.Choose(1<<18, 1<<20)
	for _, text := range []string{strings.Repeat(".", size) + "x", strings.Repeat("\")", size/2), strings.Repeat("。", size/4), strings.Repeat(". ", size/2), strings.Repeat("1.\t", size/4)} {
		if got := cut(text, SentenceSpans(text)); strings.Join(strings.Fields(strings.Join(got, " ")), "") != strings.Join(strings.Fields(text), "") {
			t.Errorf("%.10q is cut to %d parts", text, len(got))
		}
	}
}
