package transcripts

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

const (
	// mostBytes is the longest line that is read. Longer ones hold tool results and
	// images; what people say is far shorter.
	mostBytes = 16 << 20
	// mostConversation is likewise of a conversation that is one value: the longest
	// ones go on for years.
	mostConversation = 32 << 20

	byteOrderMark = "\uFEFF"
)

func tooLong(what string, most int) string {
	return fmt.Sprintf("%s longer than %d MB", what, most>>20)
}

// eachLine hands on the lines of r that end in a newline, each with where it
// begins and ends; r begins at from. A line is valid only during the call. The
// offset of the last newline is returned.
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
			return start, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return start, err
		}
		if long = long || len(line)+len(piece) > mostBytes; !long {
			line = append(line, piece...)
		}
		if err != nil {
			continue
		}
		text := bytes.TrimSpace(line)
		switch {
		case long:
			report.bad(start, tooLong("a line", mostBytes))
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
