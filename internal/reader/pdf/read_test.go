package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/google/go-cmp/cmp"

	"toolkit/internal/reader/layout"
	"toolkit/internal/testenv"
)

func sample(t testing.TB) []byte {
	t.Helper()
	writer := fpdf.New("P", "pt", "A4", "")
	writer.SetTitle("A sample", true)
	writer.SetAuthor("Ann", true)
	writer.SetCreationDate(time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC))
	writer.AddPage()
	writer.SetFont("Helvetica", "", 12)
	for line := range 60 {
		writer.Text(50, 50+12*float64(line), "A line of a page full of text, as long as the lines of letters are.")
	}
	var buffer bytes.Buffer
	if err := writer.Output(&buffer); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

func TestMetadataIsReadWithISOTimes(t *testing.T) {
	document, err := Read(context.Background(), sample(t), Options{MaxPages: 500, MaxCharacters: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"title": "A sample", "author": "Ann", "created_at": "2025-01-02T03:04:05Z"} {
		if document.Metadata[key] != want {
			t.Errorf("%s = %q, want %q", key, document.Metadata[key], want)
		}
	}
	if len(document.Pages) != 1 || len(document.Pages[0].Lines) != 60 {
		t.Errorf("%d pages, %d lines", len(document.Pages), len(document.Pages[0].Lines))
	}
}

func TestPDFDatesBecomeISOTimes(t *testing.T) {
	for text, want := range map[string]string{
		"D:20250102030405Z": "2025-01-02T03:04:05Z", "D:20250102030405+01'00'": "2025-01-02T03:04:05+01:00", "20250102": "2025-01-02T00:00:00Z",
		"D:2025": "", "yesterday": "", "D:20250102030405 noon": "",
	} {
		if got := formatPDFTimeAsISO(text); got != want {
			t.Errorf("isoTime(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestCharactersBeyondTheLimitAreLeftOut(t *testing.T) {
	document, err := Read(context.Background(), sample(t), Options{MaxPages: 500, MaxCharacters: 100})
	if err != nil {
		t.Fatal(err)
	}
	if lines := len(document.Pages[0].Lines); lines > 2 || !document.Truncated {
		t.Errorf("%d lines of 100 characters, truncated %t", lines, document.Truncated)
	}
}

func TestACancelledReadLeavesTheEngineUsable(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	data := sample(t)
	if _, err := Read(ctx, data, Options{MaxPages: 500, MaxCharacters: 1_000_000}); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v, want none or the context's", err)
	}
	if _, err := Read(context.Background(), data, Options{MaxPages: 500, MaxCharacters: 1_000_000}); err != nil {
		t.Errorf("after a cancelled document: %v", err)
	}
}

func TestReadersAtOnceWaitForEachOther(t *testing.T) {
	data := sample(t)
	texts := make(chan string, 4)
	for range cap(texts) {
		go func() {
			document, err := Read(context.Background(), data, Options{MaxPages: 500, MaxCharacters: 1_000_000})
			if err != nil {
				texts <- err.Error()
				return
			}
			texts <- document.Pages[0].Text()
		}()
	}
	first := <-texts
	for range cap(texts) - 1 {
		if diff := cmp.Diff(first, <-texts); diff != "" {
			t.Errorf("texts differ:\n%s", diff)
		}
	}
}

// FuzzRead reads damaged PDFs: text or an error, and an engine that still works.
func FuzzRead(f *testing.F) {
	f.Add(sample(f))
	if err := Warm(context.Background(), ""); err != nil { // longer than one input may take
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		document, err := Read(ctx, data, Options{MaxPages: 5, MaxCharacters: 10_000})
		if (document == nil) == (err == nil) {
			t.Errorf("document %t, error %v", document != nil, err)
		}
	})
}

// pages makes a PDF whose pages have the given content streams, packed.
func pages(contents ...string) []byte {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"}
	kids := ""
	for _, content := range contents {
		var packed bytes.Buffer
		writer := zlib.NewWriter(&packed)
		_, _ = io.WriteString(writer, content)
		_ = writer.Close()
		page := len(objects) + 1
		kids += fmt.Sprintf("%d 0 R ", page)
		objects = append(objects,
			fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F 3 0 R>>>>>>", page+1),
			fmt.Sprintf("<</Length %d/Filter/FlateDecode>>\nstream\n%s\nendstream", packed.Len(), packed.Bytes()))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", kids, len(contents))
	file, places := "%PDF-1.7\n", ""
	for number, object := range objects {
		places += fmt.Sprintf("%010d 00000 n \n", len(file))
		file += fmt.Sprintf("%d 0 obj\n%s\nendobj\n", number+1, object)
	}
	return fmt.Appendf(nil, "%sxref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF", file, len(objects)+1, places, len(objects)+1, len(file))
}

const shortPage = "BT /F 10 Tf 50 700 Td (A page that is read.) Tj ET"

// watched counts how often the engine asks for the end of a context, which it does at each
// of its calls, from a goroutine of its own.
type watched struct {
	context.Context
	calls atomic.Int64
}

func (ctx *watched) Done() <-chan struct{} {
	ctx.calls.Add(1)
	return ctx.Context.Done()
}

// cancelInside cancels once the engine has been at one call for a second: the pages before
// take many short ones.
func (ctx *watched) cancelInside(cancel context.CancelFunc) {
	for before := int64(-1); ctx.Context.Err() == nil; time.Sleep(time.Second) {
		now := ctx.calls.Load()
		if now > 0 && now == before {
			cancel()
		}
		before = now
	}
}

// TestAPageThatTakesMinutesIsInterruptedInsideTheEngine ends the context once the engine is
// busy with the third page: the call comes back with the pages before.
func TestAPageThatTakesMinutesIsInterruptedInsideTheEngine(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	enough := Options{MaxPages: 500, MaxCharacters: 1_000_000}
	if _, err := Read(context.Background(), pages(shortPage), enough); err != nil { // the engine is compiled
		t.Fatal(err)
	}
	plain, cancel := context.WithCancel(context.Background())
	defer cancel()
	ctx := &watched{Context: plain}
	go ctx.cancelInside(cancel)
	document, err := Read(ctx, pages(shortPage, shortPage, strings.Repeat("BT /F 1 Tf (a) Tj ET\n", 3_000_000)), enough)
	if err != nil || len(document.Pages) > 2 || !document.Truncated || len(document.Warnings) != 1 {
		t.Fatalf("document %+v, error %v, want the pages before and a warning", document, err)
	}
	if plain.Err() == nil {
		t.Error("the page ended by itself, want it interrupted")
	}
	if _, err := Read(context.Background(), sample(t), enough); err != nil {
		t.Errorf("after an interrupted document: %v", err)
	}
}

func TestTheMemoryOfABigDocumentIsGivenBack(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	size := testenv.Choose(24, 96) // MB
	data := pages(shortPage, strings.Repeat(" ", size<<20), shortPage)
	if err := Warm(context.Background(), ""); err != nil { // compiling asks for memory of its own
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	document, err := Read(context.Background(), data, Options{MaxPages: 500, MaxCharacters: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	if len(document.Pages) == 0 || document.Pages[0].Text() != "A page that is read.\n" {
		t.Errorf("pages %+v, want the first as it stands", document.Pages)
	}
	runtime.ReadMemStats(&after)
	most := size * 2 / 3
	if asked := int(after.TotalAlloc-before.TotalAlloc) >> 20; asked > most {
		t.Errorf("%d MB were asked for, want at most %d", asked, most)
	}
	if more := int(after.Sys-after.HeapReleased-before.Sys+before.HeapReleased) >> 20; more > most {
		t.Errorf("%d MB more are held after the document than before it, want at most %d", more, most)
	}
}

func TestASandboxGrowsToItsLimitAndNoFurtherWhereItIs(t *testing.T) {
	if err := Warm(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	started, err := compileAndAcquireSandbox(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	memory := started.module.Memory()
	memory.WriteString(64, "kept")
	missing := memoryPages - memory.Size()>>16
	if _, grown := memory.Grow(missing); !grown || memory.Size() != memoryPages<<16 {
		t.Errorf("the memory has %d bytes, want %d", memory.Size(), memoryPages<<16)
	}
	if _, grown := memory.Grow(1); grown {
		t.Error("the memory grew beyond its limit")
	}
	last := uint32(memoryPages<<16 - 1)
	if zero, _ := memory.ReadByte(last); zero != 0 || !memory.WriteByte(last, 7) || started.region.data[last] != 7 || string(started.region.data[64:68]) != "kept" {
		t.Error("what is written to the grown memory is not in the region that was taken for it")
	}
	if err := started.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
}

func TestAPageTreeThatLoopsOrLiesIsNoTrap(t *testing.T) {
	for name, tree := range map[string]string{
		"its own child":        "<</Type/Pages/Kids[2 0 R 2 0 R]/Count 1000000>>",
		"two thousand million": "<</Type/Pages/Kids[4 0 R]/Count 2000000000>>",
	} {
		data := bytes.Replace(pages(shortPage), []byte("<</Type/Pages/Kids[4 0 R ]/Count 1>>"), []byte(tree), 1)
		document, err := Read(context.Background(), data, Options{MaxPages: 5, MaxCharacters: 1000})
		if err == nil && len(document.Pages) > 5 || err != nil && !errors.Is(err, ErrBroken) && !errors.Is(err, ErrEmpty) {
			t.Errorf("%s: document %+v, error %v", name, document, err)
		}
	}
}

// Fonts that do not say which characters their glyphs are, in the ways in which real
// files do.
var unmappedFonts = map[string]string{
	"glyph numbers without a map": "<</Type/Font/Subtype/Type0/BaseFont/AAAAAA+Foo/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/AAAAAA+Foo/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 600>>]>>",
	"drawn glyphs":                "<</Type/Font/Subtype/Type3/FontBBox[0 0 600 700]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</g1 1 0 R/g2 1 0 R>>/Encoding<</Type/Encoding/Differences[0/g0 36/g1/g2]>>/FirstChar 0/LastChar 37/Widths[600 600]>>",
}

func TestCharactersOfAFontWithoutAMapAreCountedAndNotMadeUp(t *testing.T) {
	const helvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
	for name, font := range unmappedFonts {
		data := pages("BT /F 10 Tf 50 700 Td <00240025> Tj ET", "")
		data = bytes.Replace(data, []byte(helvetica), []byte(font), 1)
		document, err := Read(t.Context(), data, Options{MaxPages: 5, MaxCharacters: 1000})
		if err != nil {
			t.Fatal(name, err)
		}
		text, warnings := document.Pages[0].Text(), strings.Join(document.Warnings, "; ")
		if strings.ContainsAny(text, "$%") || !strings.Contains(text, "\ufffd") || !strings.Contains(warnings, "2 of ") || !strings.Contains(warnings, "(pages: 1)") {
			t.Errorf("%s: %q, %s", name, text, warnings)
		}
		seen := func(_ context.Context, number int, picture []byte, width, height int) (layout.Page, error) {
			line := layout.Run{Text: "seen", Size: 10, First: layout.Box{Right: 40, Top: 10}, Last: layout.Box{Right: 40, Top: 10}}
			return layout.Build(number, []layout.Run{line}), nil
		}
		document, err = Read(t.Context(), data, Options{MaxPages: 5, MaxCharacters: 1000, Picture: seen})
		if err != nil || document.Pages[0].Text() != "seen\n" || len(document.Warnings) > 0 || !slices.Equal(document.Pictures, []int{1}) {
			t.Errorf("%s: a page that can be seen is %+v, %v", name, document, err)
		}
	}
	document, err := Read(t.Context(), pages(shortPage), Options{MaxPages: 5, MaxCharacters: 1000})
	if err != nil || len(document.Warnings) > 0 {
		t.Errorf("a page that is read is said to be in part unread: %v, %v", document, err)
	}
}

func TestALineWrittenFromTheOtherSideIsReadFromItsOwn(t *testing.T) {
	for name, content := range map[string]string{
		"a turned page, size and width below nothing": "1 0 0 -1 0 792 cm BT /F -12 Tf -100 Tz 50 92 Td (First line here) Tj ET BT /F -12 Tf -100 Tz 50 112 Td (Second line there) Tj ET",
		"as it is shown": "BT /F 12 Tf 50 700 Td (First line here) Tj 0 -20 Td (Second line there) Tj ET",
	} {
		document, err := Read(t.Context(), pages(content), Options{MaxPages: 5, MaxCharacters: 1000})
		if err != nil || document.Pages[0].Text() != "First line here\nSecond line there\n" {
			t.Errorf("%s: %v %q", name, err, document.Pages[0].Text())
		}
	}
}

func TestAMapThatNamesNoCharactersIsNone(t *testing.T) {
	const helvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
	for name, one := range map[string]struct{ dollar, percent, want, warning string }{
		"characters of a font's own":     {"F024", "F025", "\ufffd\ufffd A\n", "2 of 4 "},
		"a bullet of a font's own":       {"F0B7", "0041", "\uf0b7A A\n", ""},
		"marks of the unread":            {"FFFD", "FFFD", "\ufffd\ufffd A\n", "2 of 4 "},
		"one mark of the unread":         {"FFFD", "0042", "\ufffdB A\n", "1 of 4 "},
		"characters that somebody reads": {"0042", "0043", "BC A\n", ""},
	} {
		stream := "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfchar <24> <" +
			one.dollar + "> <25> <" + one.percent + "> endbfchar endcmap end end"
		data := pages("BT /F 10 Tf 50 700 Td ($% A) Tj ET")
		data = bytes.Replace(data, []byte(helvetica), []byte("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 9 0 R>>"), 1)
		// The table of objects is wrong now, so that the engine looks for them.
		data = bytes.Replace(data, []byte("xref"), fmt.Appendf(nil, "9 0 obj\n<</Length %d>>stream\n%s\nendstream\nendobj\nlost", len(stream), stream), 1)
		document, err := Read(t.Context(), data, Options{MaxPages: 5, MaxCharacters: 1000})
		if err != nil {
			t.Fatal(name, err)
		}
		text, warnings := document.Pages[0].Text(), strings.Join(document.Warnings, "; ")
		if text != one.want || one.warning == "" && warnings != "" || !strings.HasPrefix(warnings, one.warning) {
			t.Errorf("%s: %q, %q", name, text, warnings)
		}
	}
}
