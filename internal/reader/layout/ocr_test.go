package layout

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// standIn is a program that does what a script says in the place of Tesseract.
func standIn(t *testing.T, script string) OCR {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a script of a shell")
	}
	path := filepath.Join(t.TempDir(), "reader")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return OCR{Name: path}
}

const table = `cat >/dev/null
printf 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n'
printf '4\t1\t1\t1\t1\t0\t100\t100\t500\t40\t-1\t\n'
printf '5\t1\t1\t1\t1\t1\t100\t100\t200\t40\t96.5\tTotal\n'
printf '5\t1\t1\t1\t1\t2\t400\t104\t200\t30\t31.0\t12O.5O\n'
printf '5\t1\t1\t1\t1\t3\tx\t104\t200\t30\t31.0\tbroken\n'
`

func TestWordsComeWithTheirPlacesAndTheUncertainAsUnread(t *testing.T) {
	page, words, unread, err := standIn(t, table).Read(t.Context(), 3, []byte("picture"), 800, 1684)
	if err != nil {
		t.Fatal(err)
	}
	if words != 2 || unread != 1 || page.Number != 3 || strings.TrimSpace(page.Text()) != "Total  \ufffd" {
		t.Errorf("%d words, %d unread, page %d: %q", words, unread, page.Number, page.Text())
	}
	cell := page.Lines[0].Cells[0]
	if width, height := page.Sheet.Size(); cell.Left != 50 || cell.Right != 150 || width != 400 || height != 842 {
		t.Errorf("%v to %v on %v by %v", cell.Left, cell.Right, width, height)
	}
}

func TestAProgramThatDoesNotDoItsWorkIsEnded(t *testing.T) {
	for name, one := range map[string]struct{ script, want string }{
		"fails":                 {"cat >/dev/null; echo 'no such language' >&2; exit 3", "no such language"},
		"writes without end":    {"exec yes", "more than 16 MB"},
		"complains without end": {"yes >&2 & sleep 1; kill $!; exit 2", "failed"},
	} {
		if _, _, _, err := standIn(t, one.script).Read(t.Context(), 1, []byte("picture"), 10, 10); err == nil || !strings.Contains(err.Error(), one.want) {
			t.Errorf("%s: %v, want %q", name, err, one.want)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, _, _, err := standIn(t, "exec sleep 600").Read(ctx, 1, []byte("picture"), 10, 10); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a program that hangs: %v", err)
	}
	if _, _, _, err := (OCR{Name: "no-such-reader"}).Read(t.Context(), 1, nil, 1, 1); err == nil || !strings.Contains(err.Error(), "TOOLKIT_OCR") {
		t.Errorf("a program that is not there: %v", err)
	}
	for _, languages := range []string{"-c", "deu eng", "deu+", "deu;x", "--user-words"} {
		if _, _, _, err := (OCR{Name: "tesseract", Languages: languages}).Read(t.Context(), 1, nil, 1, 1); !errors.Is(err, errLanguages) {
			t.Errorf("languages %q: %v", languages, err)
		}
	}
}

func TestTheProgramSeesNothingOfTheEnvironment(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "secret")
	_, _, _, err := standIn(t, `cat >/dev/null; echo "key=$OPENAI_API_KEY home=$HOME threads=$OMP_THREAD_LIMIT" >&2; exit 1`).Read(t.Context(), 1, nil, 1, 1)
	if err == nil || !strings.HasSuffix(err.Error(), "key= home= threads=1") {
		t.Errorf("%v", err)
	}
}

// Written draws lines of text black on white, as a scan has them.
func written(t *testing.T, lines ...string) []byte {
	t.Helper()
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 32, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	picture := image.NewGray(image.Rect(0, 0, 900, 80*(len(lines)+1)))
	draw.Draw(picture, picture.Bounds(), image.White, image.Point{}, draw.Src)
	for i, line := range lines {
		(&font.Drawer{Dst: picture, Src: image.NewUniform(color.Black), Face: face, Dot: fixed.P(60, 80*(i+1))}).DrawString(line)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestTesseractReadsAPicture(t *testing.T) {
	if _, err := exec.LookPath("tesseract"); err != nil {
		t.Skip("Tesseract is not on this machine")
	}
	page, words, _, err := (OCR{Name: "tesseract", Languages: "eng"}).Read(t.Context(), 1, written(t, "Harbour Cafe invoice", "Total 120.50 EUR"), 900, 240)
	if err != nil || words != 6 || !strings.Contains(page.Text(), "Harbour Cafe invoice\n") || !strings.Contains(page.Text(), "120.50 EUR") {
		t.Errorf("%d words, %v: %q", words, err, page.Text())
	}
}
