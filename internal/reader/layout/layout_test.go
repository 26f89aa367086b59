package layout

import (
	"strings"
	"testing"
)

// run places a text at x and y (upwards) with letters of half the size.
func run(text string, x, y, size float64) Run {
	width := size / 2
	end := x + width*float64(len(text))
	return Run{
		Text: text, Size: size, OriginX: x, OriginY: y, Spaced: true,
		First: Box{x, x + width, y + 0.8*size, y - 0.2*size}, Last: Box{end - width, end, y + 0.8*size, y - 0.2*size},
	}
}

func texts(page Page) string {
	var lines []string
	for _, line := range page.Lines {
		lines = append(lines, line.Text())
	}
	return strings.Join(lines, "\n")
}

func TestRunsBecomeLinesAndCellsByPlace(t *testing.T) {
	page := Build(1, []Run{run("100.00", 300, 700, 10), run("Total", 50, 700, 10), run("due", 79, 700, 10), run("Invoice", 50, 740, 20)})
	if got, want := texts(page), "Invoice\nTotal due  100.00"; got != want {
		t.Errorf("lines = %q, want %q", got, want)
	}
	if cells := page.Lines[1].Cells; len(cells) != 2 || len(cells[0].Words) != 2 {
		t.Errorf("cells = %+v", cells)
	}
}

func TestTouchingRunsAreOneWord(t *testing.T) {
	page := Build(1, []Run{run("Febr", 50, 700, 10), run("uary", 70, 700, 10)})
	if got := texts(page); got != "February" {
		t.Errorf("text = %q, want February", got)
	}
}

func TestLetterSpacedTitlesAreOneWord(t *testing.T) {
	var runs []Run
	for index, letter := range "INVOICE" {
		runs = append(runs, run(string(letter), 50+float64(index)*9, 700, 10))
	}
	if got := texts(Build(1, runs)); got != "INVOICE" {
		t.Errorf("text = %q, want INVOICE", got)
	}
}

func TestTextDrawnTwiceIsReadOnce(t *testing.T) {
	page := Build(1, []Run{run("Bold", 50, 700, 10), run("Bold", 50.3, 700, 10)})
	if got := texts(page); got != "Bold" {
		t.Errorf("text = %q, want Bold", got)
	}
}

func TestTextAtAnAngleIsSetAside(t *testing.T) {
	stamp := run("DRAFT", 200, 400, 40)
	stamp.Turn = 45
	page := Build(1, []Run{stamp, run("Invoice", 50, 700, 10)})
	if len(page.Lines) != 2 || page.Lines[0].Aside || !page.Lines[1].Aside || page.Lines[1].Text() != "DRAFT" {
		t.Errorf("lines = %+v", page.Lines)
	}
}

func TestTypedTextKeepsItsColumns(t *testing.T) {
	page := FromText("Item      Price\nPen        1.00\n\tx\n| a | b |\n")[0]
	if got, want := texts(page), "Item  Price\nPen  1.00\nx\na  b"; got != want {
		t.Errorf("lines = %q, want %q", got, want)
	}
	if FromText("a\fb")[1].Number != 2 {
		t.Error("a form feed starts no page")
	}
}

func TestRowsAreAlignedInColumns(t *testing.T) {
	composer := Composer{}
	composer.AddTable([][]string{{"a long first cell", "x"}, {"b", "y\nz"}})
	page := composer.FinishPage(1)
	if len(page.Lines) != 3 || page.Lines[0].Cells[1].Left != page.Lines[1].Cells[1].Left || page.Lines[2].Text() != "z" {
		t.Errorf("lines = %+v", page.Lines)
	}
}

func TestACellIsSplitBeforeWords(t *testing.T) {
	cell := FromText("one two three")[0].Lines[0].Cells[0]
	parts := cell.Split(1, 2)
	if len(parts) != 3 || parts[0].Text != "one" || parts[2].Text != "three" || parts[2].Left <= parts[1].Left {
		t.Errorf("parts = %+v", parts)
	}
}
