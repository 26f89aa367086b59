package stdio

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"sync"
	"unicode/utf8"
)

const (
	chunkSize = 64 << 10
	// excerptSize is what is kept of either end of a line that is too long: enough to find its id.
	excerptSize = 512
)

// errStopped ends the lines of an input that Serve no longer wants.
var errStopped = errors.New("reading was stopped")

// A line is one line of input without its end. Its bytes belong to the receiver.
type line struct {
	text []byte
	// tooLong says that text is missing, because it exceeded the limit; head and tail are its two ends.
	tooLong    bool
	head, tail []byte
}

// lines cuts a stream into lines of bounded length. Reading happens on a goroutine of its own, so that next can be
// stopped while a Read blocks.
type lines struct {
	chunks <-chan chunk
	stop   <-chan struct{}
	max    int

	rest    []byte // of the current chunk
	err     error  // of the stream, due when rest is used up
	started bool
}

type chunk struct {
	data []byte
	err  error
}

func newLines(in io.Reader, limit int, stop <-chan struct{}) *lines {
	chunks := make(chan chunk)
	go readChunks(in, chunks, stop)
	return &lines{chunks: chunks, stop: stop, max: limit}
}

// readChunks alternates between two buffers: the channel is unbuffered, so the receiver takes a chunk only when it has
// used up the one before, whose buffer is then free again.
func readChunks(in io.Reader, chunks chan<- chunk, stop <-chan struct{}) {
	buffers := [2][]byte{make([]byte, chunkSize), make([]byte, chunkSize)}
	for i := 0; ; i = 1 - i {
		n, err := in.Read(buffers[i])
		select {
		case chunks <- chunk{buffers[i][:n], err}:
		case <-stop:
			return
		}
		if err != nil {
			return
		}
	}
}

// next returns the next line that is not blank. The last line needs no end. After the last line the error is io.EOF,
// errStopped, or what the stream failed with; a line that such a failure cut off is not returned.
func (l *lines) next() (line, error) {
	for {
		current, err := l.take()
		if err != nil {
			return line{}, err
		}
		if !l.started {
			l.started = true
			current.text = bytes.TrimPrefix(current.text, []byte("\ufeff"))
		}
		if current.text = bytes.Trim(current.text, " \t\r"); len(current.text) > 0 || current.tooLong {
			return current, nil
		}
	}
}

// take returns everything up to the next line feed, or to the end of the stream.
func (l *lines) take() (line, error) {
	var current line
	for {
		if len(l.rest) == 0 {
			if err := l.refill(); err != nil {
				if err == io.EOF && (len(current.text) > 0 || current.tooLong) {
					return current, nil
				}
				return line{}, err
			}
			continue
		}
		end := bytes.IndexByte(l.rest, '\n')
		if end >= 0 {
			current.add(l.rest[:end], l.max)
			l.rest = l.rest[end+1:]
			return current, nil
		}
		current.add(l.rest, l.max)
		l.rest = nil
	}
}

// refill waits for the next chunk. What was read already comes before a stop.
func (l *lines) refill() error {
	if l.err != nil {
		return l.err
	}
	var c chunk
	select {
	case c = <-l.chunks:
	default:
		select {
		case c = <-l.chunks:
		case <-l.stop:
			c.err = errStopped
		}
	}
	l.rest, l.err = c.data, c.err
	return nil
}

// add appends a copy of part, or only follows the ends of the line once it is too long.
func (l *line) add(part []byte, limit int) {
	if !l.tooLong && len(l.text)+len(part) <= limit {
		l.text = append(l.text, part...)
		return
	}
	if !l.tooLong {
		l.tooLong = true
		whole := l.text
		l.text = nil
		l.keepEnds(whole)
	}
	l.keepEnds(part)
}

func (l *line) keepEnds(part []byte) {
	if room := excerptSize - len(l.head); room > 0 {
		l.head = append(l.head, part[:min(room, len(part))]...)
	}
	if len(part) > excerptSize {
		part = part[len(part)-excerptSize:]
	}
	l.tail = append(l.tail, part...)
	if excess := len(l.tail) - excerptSize; excess > 0 {
		l.tail = append(l.tail[:0], l.tail[excess:]...)
	}
}

// The id of a message usually is its first member but for jsonrpc, or its last one but for jsonrpc. In front of the
// last brace of the line, or behind the first one, the member cannot belong to any other object.
var (
	leadingID = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?[0-9]{1,100}|"[^"\\[:cntrl:]]{0,200}")\s*,`)
	})
	trailingID = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`,\s*"id"\s*:\s*(-?[0-9]{1,100}|"[^"\\[:cntrl:]]{0,200}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)
	})
)

// id returns the id of a line that is too long, as far as its ends show it, so that the client learns which of its
// requests failed. It is nil otherwise.
func (l *line) id() []byte {
	for _, match := range [][][]byte{leadingID().FindSubmatch(l.head), trailingID().FindSubmatch(l.tail)} {
		if match != nil && utf8.Valid(match[1]) {
			return match[1]
		}
	}
	return nil
}
