package transcripts

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

const (
	// maxLineBytes is the longest line that is read. Longer ones hold tool results and
	// images; what people say is far shorter.
	maxLineBytes = 16 << 20
	// maxConversationBytes is likewise of a conversation that is one value: the longest
	// ones go on for years.
	maxConversationBytes = 24 << 20

	byteOrderMark = "\uFEFF"
)

func formatTooLong(what string, most int) string {
	return fmt.Sprintf("%s longer than %d MB", what, most>>20)
}

// eachLine hands on the lines of r, each with where it begins and ends; r begins at
// from. A line is valid only during the call. The last one counts when it ends in a
// newline or is whole in JSON: another one may be in the middle of being written.
// The offset behind the last line is returned.
func eachLine(ctx context.Context, r io.Reader, from int64, report *Report, f func(line []byte, start, end int64) error) (int64, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	at, start, long := from, from, false
	for {
		if err := ctx.Err(); err != nil {
			return start, err
		}
		piece, err := in.ReadSlice('\n')
		at += int64(len(piece))
		switch {
		case errors.Is(err, io.EOF):
			if line = append(line, piece...); long || len(line) > maxLineBytes || !json.Valid(trimLine(line)) {
				if len(line) > 0 {
					report.countSkipped("a last line that is not whole yet")
				}
				return start, nil
			}
			return at, f(trimLine(line), start, at)
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return start, err
		}
		if long = long || len(line)+len(piece) > maxLineBytes; !long {
			line = append(line, piece...)
		}
		if err != nil {
			continue
		}
		text := trimLine(line)
		switch {
		case long:
			report.addProblem(start, formatTooLong("a line", maxLineBytes))
		case len(text) > 0:
			if err := f(text, start, at); err != nil {
				return start, err
			}
		}
		if start, long, line = at, false, line[:0]; cap(line) > 1<<20 {
			line = nil // of one long line among short ones
		}
	}
}

// trimLine returns a line without what programs on Windows put before a text, and without the
// zeros that a crash leaves.
func trimLine(line []byte) []byte { return bytes.Trim(line, byteOrderMark+"\x00 \t\r\n") }
