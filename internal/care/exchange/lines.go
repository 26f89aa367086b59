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

// lineReader yields the lines of an input.
type lineReader struct {
	source *bufio.Reader
	limit  int
	count  int // lines read from the source
	buffer []byte
}

func newLineReader(source io.Reader, limit int) *lineReader {
	return &lineReader{source: bufio.NewReaderSize(source, 64<<10), limit: limit}
}

// next returns io.EOF behind the last line. A line feed at the end of the
// input does not begin another line.
func (r *lineReader) next() (inputLine, error) {
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

// trimLine accepts a byte order mark on any line: concatenated files have one
// in the middle.
func trimLine(text []byte) []byte {
	text = bytes.Trim(text, " \t\r\n")
	return bytes.TrimLeft(bytes.TrimPrefix(text, byteOrderMark), " \t\r\n")
}

var errValueTooLarge = fmt.Errorf("the JSON document is larger than %d MiB; write it as JSON lines, one record a line", maxValueBytes>>20)

// spreadValue tries to read one JSON value that begins on the given line and
// ends on a later one. If there is none, ok is false, and the lines behind the
// first are yet to be read.
func (r *lineReader) spreadValue(first inputLine) (value json.RawMessage, ok bool, err error) {
	text := append(bytes.Clone(first.text), '\n')
	behind, err := io.ReadAll(io.LimitReader(r.source, int64(r.limit)))
	if err != nil {
		return nil, false, fmt.Errorf("line %d: %w", r.count+1+bytes.Count(behind, []byte{'\n'}), err)
	}
	text = append(text, behind...)
	decoder := json.NewDecoder(bytes.NewReader(text))
	err = decoder.Decode(&value)
	if errors.Is(err, io.ErrUnexpectedEOF) && len(text) > r.limit {
		return nil, false, errValueTooLarge
	}
	if end := int(decoder.InputOffset()); err == nil && end > len(first.text) {
		ok, behind = true, r.behind(text, end)
		r.count += bytes.Count(text[:end], []byte{'\n'})
	}
	r.source = bufio.NewReader(io.MultiReader(bytes.NewReader(behind), r.source))
	return value, ok, nil
}

// behind is what stands behind the value that ends there.
func (r *lineReader) behind(text []byte, end int) []byte {
	line, lines, _ := bytes.Cut(text[end:], []byte{'\n'})
	if len(trimLine(line)) == 0 {
		return lines
	}
	r.count-- // the line is read once more
	return text[end:]
}
