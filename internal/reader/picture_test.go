package reader

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"codeberg.org/go-pdf/fpdf"

	"toolkit/internal/reader/layout"
	"toolkit/internal/testenv"
)

// pictureReader is a program that reads the same lines from every picture.
func pictureReader(t *testing.T, lines ...string) layout.OCR {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a script of a shell")
	}
	var table strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&table, "4\t1\t1\t1\t%d\t0\t100\t%d\t800\t40\t-1\t\n", i, 100+60*i)
		left := 100
		for _, word := range strings.Fields(line) {
			fmt.Fprintf(&table, "5\t1\t1\t1\t%d\t1\t%d\t%d\t%d\t40\t95\t%s\n", i, left, 100+60*i, 18*len(word), word)
			left += 18*len(word) + 12
		}
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "reader")
	testenv.Write(t, filepath.Join(folder, "table"), table.String())
	if err := os.WriteFile(path, []byte("#!/bin/sh\ncat >/dev/null\ncat '"+folder+"/table'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return layout.OCR{Name: path}
}

func blankPicture(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 1000, 1400))); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// scanned is a PDF with the given pages: "" is a picture, "+" a picture with the text behind
// it, anything else its text.
func scanned(t *testing.T, pages ...string) []byte {
	t.Helper()
	file := fpdf.New("P", "pt", "A4", "")
	file.RegisterImageOptionsReader("scan", fpdf.ImageOptions{ImageType: "PNG"}, bytes.NewReader(blankPicture(t)))
	file.SetFont("Helvetica", "", 12)
	for _, text := range pages {
		file.AddPage()
		text, picture := strings.CutPrefix(text, "+")
		if picture || text == "" {
			file.ImageOptions("scan", 0, 0, 595, 842, false, fpdf.ImageOptions{}, 0, "")
		}
		if text != "" {
			file.Text(50, 100, text)
		}
	}
	var out bytes.Buffer
	if err := file.Output(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func read(t *testing.T, data []byte, kind Type, reader layout.OCR) *Content {
	t.Helper()
	content, err := Extract(context.Background(), bytes.NewReader(data), int64(len(data)), kind, Limits{OCR: reader})
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestWhatOnlyAPictureShowsIsSaidOrRead(t *testing.T) {
	invoice := []string{"Oak & Sons Ltd", "Invoice number: OS-471", "Invoice date: 5 March 2026", "Total: 480.00 EUR"}
	for name, one := range map[string]struct {
		data []byte
		kind Type
	}{
		"a picture":           {blankPicture(t), PNG},
		"a scan":              {scanned(t, ""), PDF},
		"a scanned page":      {scanned(t, "The cover letter of the invoice.", ""), PDF},
		"a scan with a stamp": {scanned(t, "+Scanned with Scanner 5"), PDF},
	} {
		without := read(t, one.data, one.kind, layout.OCR{})
		said := strings.Join(without.Warnings, "; ")
		if page, is := map[string]string{"a scanned page": "2", "a scan with a stamp": "1"}[name]; is {
			if !strings.Contains(said, "no text that can be read: "+page+"; with Tesseract installed, TOOLKIT_OCR=tesseract reads it") {
				t.Errorf("%s: %q", name, said)
			}
		} else if !strings.Contains(said, "TOOLKIT_OCR=tesseract") || strings.TrimSpace(without.Text) != "" {
			t.Errorf("%s: %q, %q", name, said, without.Text)
		}
		with := read(t, one.data, one.kind, pictureReader(t, invoice...))
		kind, _ := Classify(with)
		values, sources := ExtractFields(with, KindInvoice)
		if kind != KindInvoice || values["invoice_number"] != "OS-471" || values["amount"] != 480.0 || !sources["amount"].OCR || sources["amount"].Box.Right == 0 {
			t.Errorf("%s: %s %v %v\n%s", name, kind, values, sources, with.Text)
		}
		if said := strings.Join(with.Warnings, "; "); !strings.Contains(said, "may be misread") || with.Metadata["ocr_pages"] != 1 {
			t.Errorf("%s: %q, %v", name, said, with.Metadata)
		}
	}
}

func TestATextOverAPictureIsReadUnlessItIsAStamp(t *testing.T) {
	letter := "+" + strings.Repeat("The letter stands in front of a picture. ", 4)
	content := read(t, scanned(t, letter), PDF, pictureReader(t, "Something else"))
	if strings.Contains(content.Text, "else") || len(content.Warnings) > 0 {
		t.Errorf("%q, %q", content.Text, content.Warnings)
	}
	// What a picture does not say takes nothing away.
	content = read(t, scanned(t, "+Scanned with Scanner 5"), PDF, pictureReader(t))
	if !strings.Contains(content.Text, "Scanner 5") || !strings.Contains(strings.Join(content.Warnings, "; "), "no text that can be read: 1") || len(content.pictures.pages) > 0 {
		t.Errorf("%q, %q", content.Text, content.Warnings)
	}
}

func TestAPageWithTextIsNotReadFromItsPicture(t *testing.T) {
	content := read(t, scanned(t, "Typed and not scanned."), PDF, pictureReader(t, "Something else"))
	if _, sources := ExtractFields(content, KindNote); strings.Contains(content.Text, "else") || len(content.Warnings) > 0 || len(content.pictures.pages) > 0 {
		t.Errorf("%q, %q, %v", content.Text, content.Warnings, sources)
	}
}

func TestAReaderOfPicturesThatFailsLeavesTheRest(t *testing.T) {
	content := read(t, scanned(t, "The cover letter.", ""), PDF, layout.OCR{Name: "no-such-reader"})
	if said := strings.Join(content.Warnings, "; "); !strings.Contains(content.Text, "cover letter") || !strings.Contains(said, "there is no such program") {
		t.Errorf("%q, %q", content.Text, said)
	}
}

func TestAPhotographIsReadTheWayUpItIsShown(t *testing.T) {
	// Where the corner that is stored first is shown, for a stored picture of 2 by 3.
	for turn, want := range map[int]image.Point{2: {1, 0}, 3: {1, 2}, 4: {0, 2}, 5: {0, 0}, 6: {2, 0}, 7: {2, 1}, 8: {0, 1}} {
		stored := image.NewGray(image.Rect(0, 0, 2, 3))
		stored.Pix[0] = 255
		shown := applyEXIFOrientation(stored, turn)
		if shown.GrayAt(want.X, want.Y).Y != 255 || (turn >= 5) != (shown.Rect.Dx() == 3) {
			t.Errorf("orientation %d: %v", turn, shown)
		}
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, image.NewGray(image.Rect(0, 0, 640, 480)), nil); err != nil {
		t.Fatal(err)
	}
	noted := "\xff\xe1\x00\x22Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
	data := append([]byte("\xff\xd8"+noted), file.Bytes()[2:]...)
	content := read(t, data, JPG, pictureReader(t, "Total 480.00"))
	if width, height := content.Pages[0].Sheet.Size(); content.Metadata["orientation"] != "6" || height <= width {
		t.Errorf("%v by %v, %v", width, height, content.Metadata)
	}
	broken := read(t, data[:len(data)-50], JPG, pictureReader(t, "Total 480.00"))
	if !strings.Contains(broken.Text, "480.00") {
		t.Errorf("a photograph that is cut off is not read as it stands: %q", broken.Warnings)
	}
}
