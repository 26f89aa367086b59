package reader

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"strings"
	"testing"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/text/encoding/charmap"
)

// mark is a text at a place: x and y in points from the upper left corner of an A4 page.
// With right set, the text ends at x.
type mark struct {
	x, y, size float64
	text       string
	right      bool
}

// sheet is the drawing of one page, which every generator turns into a file of its make.
type sheet []mark

// lines adds texts below each other.
func (page sheet) lines(x, y, size float64, texts ...string) sheet {
	for index, text := range texts {
		page = append(page, mark{x: x, y: y + float64(index)*size*1.3, size: size, text: text})
	}
	return page
}

// row adds cells on one line; columns right of the first are aligned as told by their x:
// negative ones end there.
func (page sheet) row(y, size float64, xs []float64, texts ...string) sheet {
	for index, text := range texts {
		if text == "" {
			continue
		}
		x := xs[index]
		page = append(page, mark{x: max(x, -x), y: y, size: size, text: text, right: x < 0})
	}
	return page
}

// generators make files of different makes from the same sheets.
var generators = map[string]func(*testing.T, ...sheet) []byte{
	"core fonts, flate streams":                   func(t *testing.T, pages ...sheet) []byte { return coreFontPDF(t, true, pages...) },
	"core fonts, plain streams":                   func(t *testing.T, pages ...sheet) []byte { return coreFontPDF(t, false, pages...) },
	"subset TrueType with ToUnicode":              subsetPDF,
	"hand-made, classical cross-reference table":  func(t *testing.T, pages ...sheet) []byte { return rawPDF(t, rawOptions{}, pages...) },
	"hand-made, object streams":                   func(t *testing.T, pages ...sheet) []byte { return rawPDF(t, rawOptions{packed: true}, pages...) },
	"hand-made, rotated pages":                    func(t *testing.T, pages ...sheet) []byte { return rawPDF(t, rawOptions{turned: true}, pages...) },
	"hand-made, letters drawn one by one":         func(t *testing.T, pages ...sheet) []byte { return rawPDF(t, rawOptions{spelled: true}, pages...) },
	"hand-made, scaled font, drawn bottom to top": func(t *testing.T, pages ...sheet) []byte { return rawPDF(t, rawOptions{scaled: true}, pages...) },
}

func latin1(text string) string {
	encoded, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return encoded
}

func coreFontPDF(t *testing.T, compress bool, pages ...sheet) []byte {
	t.Helper()
	writer := fpdf.New("P", "pt", "A4", "")
	writer.SetCompression(compress)
	for _, page := range pages {
		writer.AddPage()
		for _, mark := range page {
			writer.SetFont("Helvetica", "", mark.size)
			x := mark.x
			if mark.right {
				x -= writer.GetStringWidth(latin1(mark.text))
			}
			writer.Text(x, mark.y, latin1(mark.text))
		}
	}
	var buffer bytes.Buffer
	if err := writer.Output(&buffer); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

func subsetPDF(t *testing.T, pages ...sheet) []byte {
	t.Helper()
	writer := fpdf.New("P", "pt", "A4", "")
	writer.SetCompression(false)
	writer.AddUTF8FontFromBytes("go", "", goregular.TTF)
	for _, page := range pages {
		writer.AddPage()
		for _, mark := range page {
			writer.SetFont("go", "", mark.size)
			x := mark.x
			if mark.right {
				x -= writer.GetStringWidth(mark.text)
			}
			writer.Text(x, mark.y, mark.text)
		}
	}
	var buffer bytes.Buffer
	if err := writer.Output(&buffer); err != nil {
		t.Fatal(err)
	}
	// The map that fpdf writes has one range for all characters, of which readers take the
	// first 256. The name makes room for the range with the euro sign.
	const written, name = "1 beginbfrange\n<0000> <FFFF> <0000>\n", "/CMapName /Adobe-Identity-UCS def\n"
	const mapped = "2 beginbfrange\n<0000><00FF><0000>\n<2000><20FF><2000>\n"
	padded := strings.Repeat(" ", len(written)+len(name)-len(mapped)) + mapped
	file := bytes.Replace(buffer.Bytes(), []byte(name), nil, 1)
	return bytes.Replace(file, []byte(written), []byte(padded), 1)
}

// rawOptions vary a file written object by object.
type rawOptions struct {
	packed  bool // object streams and a cross-reference stream
	turned  bool // the page is turned and its text with it
	spelled bool // every letter is placed on its own
	scaled  bool // fonts of size 1, scaled by the text matrix; drawn in reverse order
}

const pageHeight = 842.0

func rawPDF(t *testing.T, options rawOptions, pages ...sheet) []byte {
	t.Helper()
	widths := fpdf.New("P", "pt", "A4", "")
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"}
	streams := map[int]string{}
	var kids []string
	for _, page := range pages {
		number := len(objects) + 1
		box, rotate := "[0 0 595 842]", ""
		if options.turned {
			box, rotate = "[0 0 842 595]", "/Rotate 90"
		}
		objects = append(objects,
			fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox%s%s/Resources<</Font<</F1 3 0 R>>>>/Contents %d 0 R>>", box, rotate, number+1), "")
		streams[number+1] = rawContent(options, widths, page)
		kids = append(kids, fmt.Sprintf("%d 0 R", number))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(kids), strings.Join(kids, " "))
	if options.packed {
		return packedFile(objects, streams)
	}
	return classicalFile(objects, streams)
}

func rawContent(options rawOptions, widths *fpdf.Fpdf, page sheet) string {
	var content strings.Builder
	content.WriteString("BT\n")
	for index := range page {
		mark := page[index]
		if options.scaled {
			mark = page[len(page)-1-index]
		}
		widths.SetFont("Helvetica", "", mark.size)
		text := latin1(mark.text)
		x := mark.x
		if mark.right {
			x -= widths.GetStringWidth(text)
		}
		if !options.spelled {
			rawText := strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(text)
			placeText(&content, options, mark, x, rawText)
			continue
		}
		for position := range len(text) {
			letter := text[position : position+1]
			if letter != " " {
				placeText(&content, options, mark, x, strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(letter))
			}
			x += widths.GetStringWidth(letter)
		}
	}
	content.WriteString("ET\n")
	return content.String()
}

func placeText(content *strings.Builder, options rawOptions, mark mark, x float64, text string) {
	switch {
	case options.turned: // upright for the reader of a page turned by 90 degrees
		fmt.Fprintf(content, "/F1 %.2f Tf 0 1 -1 0 %.2f %.2f Tm (%s) Tj\n", mark.size, mark.y, x, text)
	case options.scaled:
		fmt.Fprintf(content, "/F1 1 Tf %.2f 0 0 %.2f %.2f %.2f Tm (%s) Tj\n", mark.size, mark.size, x, pageHeight-mark.y, text)
	default:
		fmt.Fprintf(content, "/F1 %.2f Tf 1 0 0 1 %.2f %.2f Tm (%s) Tj\n", mark.size, x, pageHeight-mark.y, text)
	}
}

func classicalFile(objects []string, streams map[int]string) []byte {
	var file bytes.Buffer
	file.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(objects))
	for index, object := range objects {
		offsets[index] = file.Len()
		if content, ok := streams[index+1]; ok {
			object = fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", len(content), content)
		}
		fmt.Fprintf(&file, "%d 0 obj\n%s\nendobj\n", index+1, object)
	}
	start := file.Len()
	fmt.Fprintf(&file, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&file, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&file, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return file.Bytes()
}

func deflated(text string) []byte {
	var packed bytes.Buffer
	writer := zlib.NewWriter(&packed)
	_, _ = writer.Write([]byte(text))
	_ = writer.Close()
	return packed.Bytes()
}

// packedFile puts all objects but streams into one object stream and the cross-reference
// into a stream, as files since PDF 1.5 do.
func packedFile(objects []string, streams map[int]string) []byte {
	var file bytes.Buffer
	file.WriteString("%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
	var index, bodies strings.Builder
	type entry struct{ kind, first, second int }
	entries := map[int]entry{0: {0, 0, 65535}}
	container := len(objects) + 1
	count := 0
	for number, object := range objects {
		if content, ok := streams[number+1]; ok {
			entries[number+1] = entry{1, file.Len(), 0}
			packed := deflated(content)
			fmt.Fprintf(&file, "%d 0 obj\n<</Length %d/Filter/FlateDecode>>\nstream\n%s\nendstream\nendobj\n", number+1, len(packed), packed)
			continue
		}
		fmt.Fprintf(&index, "%d %d ", number+1, bodies.Len())
		bodies.WriteString(object + " ")
		entries[number+1] = entry{2, container, count}
		count++
	}
	entries[container] = entry{1, file.Len(), 0}
	packed := deflated(index.String() + bodies.String())
	fmt.Fprintf(&file, "%d 0 obj\n<</Type/ObjStm/N %d/First %d/Length %d/Filter/FlateDecode>>\nstream\n%s\nendstream\nendobj\n", container, count, index.Len(), len(packed), packed)
	start := file.Len()
	entries[container+1] = entry{1, start, 0}
	var table bytes.Buffer
	for number := range container + 2 {
		next := entries[number]
		table.Write([]byte{byte(next.kind), byte(next.first >> 16), byte(next.first >> 8), byte(next.first), byte(next.second >> 8), byte(next.second)})
	}
	packed = deflated(table.String())
	fmt.Fprintf(&file, "%d 0 obj\n<</Type/XRef/Size %d/W[1 3 2]/Root 1 0 R/Length %d/Filter/FlateDecode>>\nstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n", container+1, container+2, len(packed), packed, start)
	return file.Bytes()
}

// extract reads a file or fails the test.
func extract(t *testing.T, data []byte, kind Type) *Content {
	t.Helper()
	content, err := Extract(context.Background(), bytes.NewReader(data), int64(len(data)), kind, Limits{})
	if err != nil {
		t.Fatalf("Extract: %v", err)
	}
	return content
}
