package reader

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"toolkit/internal/lazyregexp"
)

// MaxMessage bounds one message of a mailbox, in bytes; larger ones are passed over.
const MaxMessage = 64 << 20

// ErrMessageSize tells of a message larger than any real one.
var ErrMessageSize = errors.New("one message is larger than any real one")

var errNoMailbox = errors.New("it is no mailbox: it does not begin with a From line")

// timed is a line that begins a message: "From ", a sender, and a moment. Without the time
// of day it is a sentence that somebody wrote, unless the mailbox begins without one too.
var timed = lazyregexp.New(`^From .*\d\d:\d\d`)

// Mailbox cuts an mbox file into messages: one of any size takes the memory of its largest
// message.
type Mailbox struct {
	lines   *bufio.Reader
	at      int64
	started bool // the line that begins the message at hand was passed
	untimed bool
}

// NewMailbox reads a mailbox from a place where a message begins, at bytes from its start.
func NewMailbox(source io.Reader, at int64) *Mailbox {
	return &Mailbox{lines: bufio.NewReaderSize(source, 256<<10), at: at}
}

// Offset is where the next message begins.
func (box *Mailbox) Offset() int64 { return box.at }

// Next returns the next message with its quoting undone: in a mailbox a line ">From "
// stands for "From ", ">>From " for ">From ". It ends with io.EOF; ErrMessageSize is about
// one message, and reading goes on behind it.
func (box *Mailbox) Next() ([]byte, error) {
	if !box.started {
		if err := box.skipSeparatorLine(); err != nil {
			return nil, err
		}
	}
	var message []byte
	blank, large, lineStart := true, false, true
	for {
		if lineStart && blank && box.isAtMessageStart() {
			break
		}
		line, err := box.lines.ReadSlice('\n')
		box.at += int64(len(line))
		if len(line) > 0 {
			if lineStart {
				blank = len(bytes.TrimRight(line, "\r\n")) == 0
				line = unescapeFromLine(line)
			}
			if large = large || len(message)+len(line) > MaxMessage; !large {
				message = append(message, line...)
			}
		}
		if errors.Is(err, io.EOF) && (len(message) > 0 || large) {
			break
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		lineStart = err == nil
	}
	if large {
		return nil, ErrMessageSize
	}
	return message, nil
}

// skipSeparatorLine passes the line that begins a message, and blank ones before it.
func (box *Mailbox) skipSeparatorLine() error {
	box.started = true
	for {
		line, err := box.lines.ReadSlice('\n')
		box.at += int64(len(line))
		switch {
		case len(bytes.TrimRight(line, "\r\n")) == 0:
			if err != nil {
				return err
			}
			continue
		case !bytes.HasPrefix(line, []byte("From ")):
			return errNoMailbox
		}
		box.untimed = box.untimed || !timed().Match(line)
		for errors.Is(err, bufio.ErrBufferFull) {
			line, err = box.lines.ReadSlice('\n')
			box.at += int64(len(line))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
}

// isAtMessageStart tells whether a message begins here. It passes nothing: the offset stays before
// its first line.
func (box *Mailbox) isAtMessageStart() bool {
	if head, _ := box.lines.Peek(5); string(head) != "From " {
		return false
	}
	line, _ := box.lines.Peek(512)
	line, _, _ = bytes.Cut(line, []byte("\n"))
	box.started = !box.untimed && !timed().Match(line)
	return !box.started
}

func unescapeFromLine(line []byte) []byte {
	if rest := bytes.TrimLeft(line, ">"); len(rest) < len(line) && bytes.HasPrefix(rest, []byte("From ")) {
		return line[1:]
	}
	return line
}
