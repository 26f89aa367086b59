package rpc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// A line is one line of input without its end.
type line struct {
	text    []byte
	tooLong bool  // it exceeded the limit; its text is missing
	err     error // of the input, in the place of a line
}

// readLines sends the lines of an input, without those that are blank, until it ends or fails, or nobody wants more. The
// last line needs no end; one that a failure cuts off is not sent. It runs on a goroutine of its own, since a Read that
// blocks cannot be stopped.
func readLines(in io.Reader, limit int, lines chan<- line, stop <-chan struct{}) {
	reader := bufio.NewReaderSize(in, 64<<10)
	for {
		next := readLine(reader, limit)
		next.text = bytes.Trim(bytes.TrimPrefix(next.text, []byte("\ufeff")), " \t\r")
		if len(next.text) == 0 && !next.tooLong && next.err == nil {
			continue
		}
		select {
		case lines <- next:
		case <-stop:
			return
		}
		if next.err != nil {
			return
		}
	}
}

func readLine(reader *bufio.Reader, limit int) (l line) {
	for {
		part, err := reader.ReadSlice('\n')
		part = bytes.TrimSuffix(part, []byte("\n"))
		if l.tooLong = l.tooLong || len(l.text)+len(part) > limit; l.tooLong {
			l.text = nil
		} else {
			l.text = append(l.text, part...)
		}
		switch {
		case err == nil, errors.Is(err, io.EOF) && (len(l.text) > 0 || l.tooLong):
			return l
		case !errors.Is(err, bufio.ErrBufferFull):
			return line{err: err}
		}
	}
}
