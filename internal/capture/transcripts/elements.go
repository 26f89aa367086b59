package transcripts

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
)

var errNoArray = errors.New("it does not begin with a list of conversations")

// eachArrayElement hands on the elements of a JSON array, whatever its length, one
// after the other. An element is valid only during the call.
func eachArrayElement(ctx context.Context, r io.Reader, report *Report, f func(element []byte, at int64) error) error {
	s := &elementReader{in: bufio.NewReaderSize(r, 64<<10)}
	if err := s.skipToArrayStart(); err != nil {
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		start, more, err := s.readElement(ctx)
		switch {
		case errors.Is(err, io.EOF):
			report.addProblem(start, "the list ends in the middle")
			return nil
		case err != nil || !more:
			return err
		case s.long:
			report.addProblem(start, formatTooLong("a conversation", maxConversationBytes))
			continue
		}
		if err := f(s.element, start); err != nil {
			return err
		}
	}
}

// elementReader splits an array. It knows only strings and brackets; whether an element
// is valid is seen when it is read, and a bracket that is missing or too many spoils
// no other element.
type elementReader struct {
	in      *bufio.Reader
	at      int64
	element []byte
	long    bool
	open    []byte // brackets
	deeper  int    // than is looked at
}

// maxDepth is how deep brackets are looked at; no conversation is that deep.
const maxDepth = 10_000

func (s *elementReader) readByte() (byte, error) {
	b, err := s.in.ReadByte()
	if err == nil {
		s.at++
	}
	return b, err
}

// skipToArrayStart goes behind the bracket that opens the array.
func (s *elementReader) skipToArrayStart() error {
	for {
		b, err := s.readByte()
		switch {
		case errors.Is(err, io.EOF):
			return errNoArray
		case err != nil:
			return err
		case b == '[':
			return nil
		case b != ' ' && b != '\n' && b != '\r' && b != '\t' && b != 0xEF && b != 0xBB && b != 0xBF: // a mark of UTF-8
			return errNoArray
		}
	}
}

// readElement reads an element; more is false behind the last one.
func (s *elementReader) readElement(ctx context.Context) (start int64, more bool, err error) {
	s.element, s.long = s.element[:0], false
	if cap(s.element) > 1<<20 {
		s.element = nil
	}
	s.open, s.deeper = s.open[:0], 0
	inString, escaped, last := false, false, byte(0)
	for {
		b, err := s.readByte()
		if err != nil {
			return start, false, err
		}
		if s.at&(1<<20-1) == 0 && ctx.Err() != nil {
			return start, false, ctx.Err()
		}
		switch {
		case inString:
			inString = escaped || b != '"'
			escaped = !escaped && b == '\\'
			s.appendByte(b, &start)
			continue
		case b == ' ' || b == '\n' || b == '\r' || b == '\t':
			continue
		case s.isElementEnd(b, last):
			if len(s.element) > 0 || s.long {
				if b != ',' {
					s.in.UnreadByte() //nolint:errcheck // it was just read
					s.at--
				}
				return start, true, nil
			}
			if b == ']' {
				return start, false, nil
			}
			continue
		case b == '"':
			inString = true
		case b == '{' || b == '[':
			s.openBracket(b)
		case b == '}' || b == ']':
			s.closeBracket(b)
		}
		last = b
		s.appendByte(b, &start)
	}
}

// isElementEnd reports whether an element ends before a byte. No value begins within an
// object but behind a colon: there the next element begins, and a bracket is missing
// before.
func (s *elementReader) isElementEnd(b, last byte) bool {
	if s.deeper > 0 {
		return false
	}
	if len(s.open) == 0 {
		return b == ',' || b == ']'
	}
	lost := b == '{' && s.open[len(s.open)-1] == '{' && (last == '{' || last == ',')
	return lost || b == ']' && bytes.IndexByte(s.open, '[') < 0
}

func (s *elementReader) openBracket(b byte) {
	if len(s.open) == maxDepth {
		s.deeper++
		return
	}
	s.open = append(s.open, b)
}

// closeBracket closes a bracket and those within it that nobody closed.
func (s *elementReader) closeBracket(b byte) {
	if s.deeper > 0 {
		s.deeper--
		return
	}
	opens := byte('{')
	if b == ']' {
		opens = '['
	}
	if at := bytes.LastIndexByte(s.open, opens); at >= 0 {
		s.open = s.open[:at]
	}
}

func (s *elementReader) appendByte(b byte, start *int64) {
	switch {
	case s.long:
	case len(s.element) == maxConversationBytes:
		s.element, s.long = nil, true
	default:
		if len(s.element) == 0 {
			*start = s.at - 1
		}
		s.element = append(s.element, b)
	}
}
