package pdf

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/google/go-cmp/cmp"
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
	document, err := Read(context.Background(), sample(t), Options{})
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
		if got := isoTime(text); got != want {
			t.Errorf("isoTime(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestCharactersBeyondTheLimitAreLeftOut(t *testing.T) {
	document, err := Read(context.Background(), sample(t), Options{MaxCharacters: 100})
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
	if _, err := Read(ctx, data, Options{}); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v, want none or the context's", err)
	}
	if _, err := Read(context.Background(), data, Options{}); err != nil {
		t.Errorf("after a cancelled document: %v", err)
	}
}

func TestReadersAtOnceWaitForEachOther(t *testing.T) {
	data := sample(t)
	texts := make(chan string, 4)
	for range cap(texts) {
		go func() {
			document, err := Read(context.Background(), data, Options{})
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

func BenchmarkPage(b *testing.B) {
	data := sample(b)
	if err := Warm(context.Background(), ""); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Read(context.Background(), data, Options{}); err != nil {
			b.Fatal(err)
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
