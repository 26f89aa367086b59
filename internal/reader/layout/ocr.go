package layout

// The text of a picture is read with Tesseract, a program of the machine. The program runs as a process of its own, without a shell, a file or a network of ours:
// the picture goes in and words with their places come out. Time, memory and output are
// bounded, and it ends with the caller's context. Nothing is read unless the owner of the
// machine names the program in TOOLKIT_OCR.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// OCR is what reads pictures; the zero Program reads none.
type OCR struct {
	Name      string // on the path, or a path
	Languages string // as Tesseract names them, such as deu+eng; "": its default
}

// OCRFromEnvironment is the program that TOOLKIT_OCR names, with the languages of
// TOOLKIT_OCR_LANGUAGES.
func OCRFromEnvironment(getenv func(string) string) OCR {
	return OCR{Name: strings.TrimSpace(getenv("TOOLKIT_OCR")), Languages: strings.TrimSpace(getenv("TOOLKIT_OCR_LANGUAGES"))}
}

// Bounds of the reading of one picture.
const (
	mostTime   = time.Minute
	mostMemory = 2 << 30
	mostOutput = 16 << 20
	mostErrors = 4 << 10
	// sure is the confidence in a word, of 100, below which it counts as unread.
	sure = 60
	// longSide is the long side of a page in points: a picture does not say how large
	// what it shows is, and A4 is likely.
	longSide = 842
)

// Errors are fit for a user.
var (
	errLanguages = errors.New("TOOLKIT_OCR_LANGUAGES should name languages of Tesseract, such as deu+eng")
	errTime      = fmt.Errorf("the picture took longer than %s to read", mostTime)
)

var languages = regexp.MustCompile(`^[A-Za-z0-9_/-]+(\+[A-Za-z0-9_/-]+)*$`)

// Read returns what a picture says as a page, and how many of its words could not be read
// for certain: those are marks of the unread in it. Width and height are the picture's.
func (program OCR) Read(ctx context.Context, number int, picture []byte, width, height int) (page Page, words, unread int, err error) {
	if program.Languages != "" && (!languages.MatchString(program.Languages) || strings.HasPrefix(program.Languages, "-")) {
		return page, 0, 0, errLanguages
	}
	out, err := program.run(ctx, picture)
	if err != nil {
		return page, 0, 0, err
	}
	scale := longSide / float64(max(width, height, 1))
	runs, unread := parseWordTable(out, float64(height), scale)
	page = Build(number, runs)
	page.Sheet.Box = Box{Right: float64(width) * scale, Top: float64(height) * scale}
	return page, len(runs), unread, nil
}

// run hands a picture to the program and returns its table of words.
func (program OCR) run(caller context.Context, picture []byte) ([]byte, error) {
	path, err := exec.LookPath(program.Name)
	if err != nil {
		return nil, fmt.Errorf("TOOLKIT_OCR names %q, and there is no such program", program.Name)
	}
	ctx, cancel := context.WithTimeout(caller, mostTime)
	defer cancel()
	arguments := []string{"stdin", "stdout"}
	if program.Languages != "" {
		arguments = append(arguments, "-l", program.Languages)
	}
	command := exec.CommandContext(ctx, path, append(arguments, "tsv")...)
	// One thread: others wait for this machine too. Nothing else of the environment is its business.
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "TESSDATA_PREFIX=" + os.Getenv("TESSDATA_PREFIX"), "OMP_THREAD_LIMIT=1", "LC_ALL=C"}
	if os.Getenv("TESSDATA_PREFIX") == "" {
		command.Env = append(command.Env[:1], command.Env[2:]...)
	}
	command.WaitDelay = time.Second
	endWithChildren(command)
	out, complaint := &boundedBuffer{limit: mostOutput, end: cancel}, &boundedBuffer{limit: mostErrors}
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(picture), out, complaint
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("the program that reads pictures could not be started: %w", err)
	}
	limitMemory(command.Process.Pid, mostMemory)
	err = command.Wait()
	_ = command.Cancel() // of what it started and left behind
	switch {
	case caller.Err() != nil:
		return nil, caller.Err()
	case out.over:
		return nil, fmt.Errorf("the program that reads pictures wrote more than %d MB", mostOutput>>20)
	case ctx.Err() != nil:
		return nil, errTime
	case err != nil:
		return nil, fmt.Errorf("the program that reads pictures failed: %w: %s", err, lastLine(complaint.kept.String()))
	}
	return out.kept.Bytes(), nil
}

// boundedBuffer keeps the beginning of what is written, and calls end at the limit. The buffer is
// not embedded: whoever copies would fill it without asking.
type boundedBuffer struct {
	kept  bytes.Buffer
	limit int
	over  bool
	end   func()
}

func (b *boundedBuffer) Write(part []byte) (int, error) {
	room := b.limit - b.kept.Len()
	if len(part) <= room {
		return b.kept.Write(part)
	}
	b.over = true
	b.kept.Write(part[:room])
	if b.end != nil {
		b.end()
		return 0, io.ErrShortWrite
	}
	return len(part), nil
}

// lastLine is what a program said at the end.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.ToValidUTF8(lines[len(lines)-1], "")
}

// The columns of the table that Tesseract writes: a line for each word.
const (
	columnLevel, columnLeft, columnTop, columnWidth, columnHeight, columnSure, columnText = 0, 6, 7, 8, 9, 10, 11
	columns                                                                               = 12
	levelLine, levelWord                                                                  = "4", "5"
)

// parseWordTable returns the words of a table with their places in points, y upwards, and how many of
// them are not certain. The words of a line stand on one base, with or without a tail.
func parseWordTable(table []byte, height, scale float64) (runs []Run, unread int) {
	var line Box
	for row := range strings.Lines(string(table)) {
		cells := strings.SplitN(strings.TrimRight(row, "\r\n"), "\t", columns)
		if len(cells) < columns || cells[columnLevel] != levelLine && cells[columnLevel] != levelWord {
			continue
		}
		box, certain, ok := parseWordBox(cells, height, scale)
		text := strings.TrimSpace(strings.ToValidUTF8(cells[columnText], ""))
		switch {
		case !ok:
			continue
		case cells[columnLevel] == levelLine:
			line = box
			continue
		case text == "":
			continue
		case !certain:
			text, unread = "\ufffd", unread+1
		}
		runs = append(runs, Run{Text: text, First: box, Last: box, OriginX: box.Left, OriginY: line.Bottom, Size: line.Top - line.Bottom, Spaced: true})
	}
	return runs, unread
}

// parseWordBox is where a row of the table stands, and whether its word is certain.
func parseWordBox(cells []string, height, scale float64) (box Box, certain, ok bool) {
	var numbers [5]float64
	for i, column := range []int{columnLeft, columnTop, columnWidth, columnHeight, columnSure} {
		n, err := strconv.ParseFloat(cells[column], 64)
		if err != nil || !(n >= -1 && n <= 1e6) {
			return box, false, false
		}
		numbers[i] = n
	}
	box.Left, box.Top = numbers[0]*scale, (height-numbers[1])*scale
	box.Right, box.Bottom = box.Left+numbers[2]*scale, box.Top-numbers[3]*scale
	return box, numbers[4] >= sure, true
}
