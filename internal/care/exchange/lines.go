package exchange

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxValueBytes bounds one line, and one document that is spread over many
// lines: what must be in memory at once to be understood.
const maxValueBytes = 64 << 20

var byteOrderMark = []byte("\uFEFF")

// errUTF16 is what a file saved by some Windows programs gets, whose every
// line would otherwise be reported.
var errUTF16 = errors.New("the file is UTF-16 text; save it as UTF-8 and import it again")

// inputLine is one line without its line ending, outer space and byte order mark.
type inputLine struct {
	text    []byte // valid until the next line is read
	number  int
	tooLong bool
}

// lineReader yields the lines of an input, the ones put back first.
type lineReader struct {
	source *bufio.Reader
	limit  int
	count  int // lines read from the source
	again  []inputLine
	buffer []byte
}

func newLineReader(source io.Reader, limit int) *lineReader {
	return &lineReader{source: bufio.NewReaderSize(source, 64<<10), limit: limit}
}

// next returns io.EOF behind the last line. A line feed at the end of the
// input does not begin another line.
func (r *lineReader) next() (inputLine, error) {
	if len(r.again) > 0 {
		line := r.again[0]
		r.again = r.again[1:]
		return line, nil
	}
	r.buffer = r.buffer[:0]
	tooLong := false
	for {
		chunk, err := r.source.ReadSlice('\n')
		if !tooLong {
			r.buffer = append(r.buffer, chunk...)
			tooLong = len(r.buffer) > r.limit
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return inputLine{}, fmt.Errorf("line %d: %w", r.count+1, err)
		case err != nil && len(r.buffer) == 0:
			return inputLine{}, io.EOF
		}
		r.count++
		if r.count == 1 && (bytes.HasPrefix(r.buffer, []byte{0xFF, 0xFE}) || bytes.HasPrefix(r.buffer, []byte{0xFE, 0xFF})) {
			return inputLine{}, errUTF16
		}
		if tooLong {
			return inputLine{number: r.count, tooLong: true}, nil
		}
		return inputLine{text: trimLine(r.buffer), number: r.count}, nil
	}
}

func (r *lineReader) putBack(lines []inputLine) {
	r.again = append(lines, r.again...)
}

// trimLine accepts a byte order mark on any line: concatenated files have one
// in the middle.
func trimLine(text []byte) []byte {
	text = bytes.Trim(text, " \t\r\n")
	return bytes.TrimLeft(bytes.TrimPrefix(text, byteOrderMark), " \t\r\n")
}

// spreadValue tries to read one JSON value that begins on the given line and
// ends on a later one. If there is none, all lines it looked at are put back
// behind the first, and ok is false.
func (r *lineReader) spreadValue(first inputLine) (value json.RawMessage, ok bool, err error) {
	feed := &lineFeed{lines: r, first: first}
	decoder := json.NewDecoder(feed)
	err = decoder.Decode(&value)
	if feed.failed != nil {
		return nil, false, feed.failed
	}
	if err != nil || len(feed.taken) == 0 {
		r.putBack(feed.taken)
		return nil, false, nil
	}
	rest, err := io.ReadAll(io.MultiReader(decoder.Buffered(), bytes.NewReader(feed.rest)))
	if err != nil {
		return nil, false, fmt.Errorf("line %d: %w", r.count, err)
	}
	if rest = trimLine(rest); len(rest) > 0 {
		r.putBack([]inputLine{{text: rest, number: r.count}})
	}
	return value, true, nil
}

var errValueTooLarge = fmt.Errorf("the JSON document is larger than %d MiB; write it as JSON lines, one record a line", maxValueBytes>>20)

// errNoValue ends an attempt that meets a line no value could contain.
var errNoValue = errors.New("line too long")

// lineFeed gives a decoder one line at a time, so that it takes no line behind
// the value, and remembers what it gave.
type lineFeed struct {
	lines  *lineReader
	first  inputLine
	begun  bool
	taken  []inputLine // behind the first
	rest   []byte
	size   int
	failed error // what ends the reading as a whole
}

func (f *lineFeed) Read(p []byte) (int, error) {
	if len(f.rest) == 0 {
		if err := f.advance(); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

func (f *lineFeed) advance() error {
	line := f.first
	if f.begun {
		var err error
		if line, err = f.lines.next(); err != nil {
			if !errors.Is(err, io.EOF) {
				f.failed = err
			}
			return err
		}
		line.text = bytes.Clone(line.text)
		f.taken = append(f.taken, line)
	}
	f.begun = true
	if line.tooLong {
		return errNoValue
	}
	if f.size += len(line.text) + 1; f.size > f.lines.limit {
		f.failed = errValueTooLarge
		return errValueTooLarge
	}
	f.rest = append(bytes.Clone(line.text), '\n')
	return nil
}
