package reader

import (
	"math"
	"testing"

	"toolkit/internal/reader/layout"
)

// placedInvoice has its values where the tests below say.
func placedInvoice() sheet {
	columns := []float64{50, 200, -540}
	return sheet{}.lines(50, 60, 20, "INVOICE").
		row(100, 10, columns, "Invoice Number:", "INV-2041").
		row(120, 10, columns, "Invoice Date:", "January 15, 2025").
		row(140, 10, columns, "Vendor:", "Contoso Mills Ltd").
		row(300, 10, columns, "Total:", "", "$1,270.98")
}

func TestAFieldOfAPDFHasTheBoxOfItsValueHoweverTheFileDrawsIt(t *testing.T) {
	want := map[string]struct{ left, right, base float64 }{
		"invoice_number": {left: 200, base: 100},
		"date":           {left: 200, base: 120},
		"vendor_name":    {left: 200, base: 140},
		"amount":         {right: 540, base: 300},
	}
	const tolerance = 3 // points: a font's own sides, and where a generator sets its baseline
	for name, generate := range generators {
		t.Run(name, func(t *testing.T) {
			content := extract(t, generate(t, placedInvoice()), PDF)
			values, sources := ExtractFields(content, KindInvoice)
			for field, at := range want {
				box := sources[field].Box
				left, right := box.Left, box.Right
				if at.left > 0 && math.Abs(left-at.left) > tolerance || at.right > 0 && math.Abs(right-at.right) > tolerance {
					t.Errorf("%s = %v stands from %.1f to %.1f, want from %.0f or to %.0f", field, values[field], left, right, at.left, at.right)
				}
				if width := right - left; width < 20 || width > 120 {
					t.Errorf("%s is %.1f wide", field, width)
				}
				if box.Top > at.base-5 || box.Top < at.base-12 || box.Bottom < at.base-tolerance || box.Bottom > at.base+2*tolerance {
					t.Errorf("%s stands from %.1f down to %.1f, its baseline is at %.0f", field, box.Top, box.Bottom, at.base)
				}
			}
		})
	}
}

func TestTextsAndFieldsOfTheWholeFileHaveNoBox(t *testing.T) {
	content := extract(t, []byte("INVOICE\n\nInvoice number: INV-1\nInvoice date: 2025-01-15\nVendor: Acme Corp\nTotal: 12.00 EUR\n"), Text)
	_, sources := ExtractFields(content, KindInvoice)
	if sources["amount"].Line == 0 {
		t.Fatalf("sources %+v", sources)
	}
	for field, source := range sources {
		if source.Box != (layout.Place{}) {
			t.Errorf("%s of a text has the box %+v", field, source.Box)
		}
	}
}

func TestAValueIsTheFewestWordsThatSpellIt(t *testing.T) {
	word := func(text string) layout.Word { return layout.Word{Text: text} }
	line := []layout.Word{word("Total"), word("12.00"), word("1"), word("500,00"), word("€"), word("due"), word("15"), word("January"), word("2025"), word("Müller"), word("&"), word("Sons,"), word("12.00")}
	for name, c := range map[string]struct {
		item any
		want string
		last bool
	}{
		"an amount in two words":         {item: 1500.0, want: "1 500,00"},
		"the last of two equal amounts":  {item: 12.0, want: "12.00", last: true},
		"a negative amount in its sign":  {item: -1500.0, want: "1 500,00"},
		"a date in words":                {item: "2025-01-15", want: "15 January 2025"},
		"a name of several words":        {item: "Müller & Sons", want: "Müller & Sons,"},
		"a currency by its sign":         {item: "EUR", want: "€"},
		"the first line of an address":   {item: "Müller & Sons, 12 High Street", want: "Müller & Sons,"},
		"a list is not spelled":          {item: []map[string]any{{"amount": 12.0}}, want: ""},
		"what is spelled otherwise":      {item: "Northwind", want: ""},
		"a number is no part of another": {item: 500.5, want: ""},
	} {
		t.Run(name, func(t *testing.T) {
			run, ok := findWordsOfValue(line, c.item)
			if got := wordsText(run); got != c.want || ok != (c.want != "") {
				t.Errorf("%q, want %q", got, c.want)
			}
			if c.last && &run[0] != &line[len(line)-1] {
				t.Error("an earlier one was taken")
			}
		})
	}
}

func TestAPageThatIsTurnedOrCutHasItsPlacesAsItIsShown(t *testing.T) {
	box := layout.Box{Left: 100, Bottom: 650, Right: 900, Top: 850}
	at := layout.Run{Text: "here", First: layout.Box{Left: 200, Right: 210, Top: 712, Bottom: 698}, Last: layout.Box{Left: 230, Right: 240, Top: 712, Bottom: 698}, OriginX: 200, OriginY: 700, Size: 10}
	for turn, want := range []layout.Place{
		{Left: 100, Top: 142, Right: 140, Bottom: 152.3}, {Left: 47.7, Top: 100, Right: 58, Bottom: 140},
		{Left: 660, Top: 47.7, Right: 700, Bottom: 58}, {Left: 142, Top: 660, Right: 152.3, Bottom: 700},
	} {
		page := layout.Build(1, []layout.Run{at})
		page.Sheet = layout.Sheet{Box: box, Turn: turn}
		got, ok := page.PlaceOfWords(page.Lines[0].Cells[0].Words)
		if !ok || math.Abs(got.Left-want.Left)+math.Abs(got.Right-want.Right)+math.Abs(got.Top-want.Top)+math.Abs(got.Bottom-want.Bottom) > 0.5 {
			t.Errorf("turned %d times: %+v, want %+v", turn, got, want)
		}
	}
}

func TestTheLinesAroundAValueAreThoseThatAreCounted(t *testing.T) {
	const text = "one\ntwo\nthree\nTotal: 12.00 EUR\nfive\nsix\nseven\n\fINVOICE\n\nNumber: A-1\n"
	for name, c := range map[string]struct {
		page, line int
		item       any
		want       string
	}{
		"two before and two behind":       {1, 4, 12.0, "two\nthree\nTotal: 12.00 EUR\nfive\nsix"},
		"at the start of a later page":    {2, 3, "A-1", "INVOICE\n\nNumber: A-1"},
		"a line that says something else": {1, 3, 12.0, ""},
		"a page that is not there":        {3, 1, "A-1", ""},
		"a line that is not there":        {2, 9, "A-1", ""},
		"no place":                        {0, 0, 12.0, ""},
	} {
		if got := LinesAround(text, c.page, c.line, c.item); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
