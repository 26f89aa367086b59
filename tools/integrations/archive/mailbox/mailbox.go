// Package mailbox reads mbox files, such as those of a Gmail export, message by
// message: a mailbox of any size takes the memory of its largest message.
package mailbox

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"path"
	"regexp"
	"strings"

	"github.com/emersion/go-message/charset"

	"toolkit/tools/engines/document"
	"toolkit/tools/integrations/archive"
)

// Bounds of a message.
const (
	maxMessage = 64 << 20 // larger ones are counted and passed over
	maxBody    = 200_000  // bytes kept of the text
)

// Format reads mailboxes. Bare also takes files without an ending, named mbox or
// after their folder, as mail programs keep them.
type Format struct{ Bare bool }

// Expects says what an export consists of.
func (Format) Expects() string {
	return "mailboxes as .mbox files, or the ZIP file of the export that holds them"
}

// Reader knows .mbox files.
func (f Format) Reader(name string) archive.Reader {
	if strings.EqualFold(path.Ext(name), ".mbox") || f.Bare && path.Base(name) == "mbox" {
		return read
	}
	return nil
}

// separator begins a message: "From ", a sender, and a moment. Without the time
// of day it is a sentence that somebody wrote.
var separator = regexp.MustCompile(`^From .*\d\d:\d\d`)

// read goes through a mailbox from a byte offset, where a separator stands.
func read(ctx context.Context, d archive.Document, from int64) iter.Seq2[archive.Entry, error] {
	return func(yield func(archive.Entry, error) bool) {
		file, err := d.Open()
		if err == nil {
			defer file.Close() //nolint:errcheck // it was only read
			err = skip(ctx, file, from)
		}
		if err != nil {
			yield(archive.Entry{Next: from}, err)
			return
		}
		s := &splitter{lines: bufio.NewReaderSize(file, 256<<10), at: from}
		for {
			if err := ctx.Err(); err != nil {
				yield(archive.Entry{Next: s.at}, err)
				return
			}
			raw, err := s.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil && !errors.Is(err, archive.ErrTooLarge) {
				yield(archive.Entry{Next: s.at}, err)
				return
			}
			entry := archive.Entry{Next: s.at, Broken: err}
			if err == nil {
				entry.Item, entry.Broken = message(ctx, raw)
			}
			if ctx.Err() != nil {
				continue // the message was not at fault
			}
			if !yield(entry, nil) {
				return
			}
		}
	}
}

// skip moves to an offset: at once in a file, by unpacking in an archive.
func skip(ctx context.Context, r io.Reader, offset int64) error {
	if s, ok := r.(io.Seeker); ok {
		_, err := s.Seek(offset, io.SeekStart)
		return err
	}
	const stride = 4 << 20
	for offset > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.CopyN(io.Discard, r, min(offset, stride))
		if err != nil {
			return fmt.Errorf("it ends before the place where reading was to go on: %w", err)
		}
		offset -= n
	}
	return nil
}

// splitter cuts a mailbox into messages. at is the offset of the next separator.
type splitter struct {
	lines   *bufio.Reader
	at      int64
	started bool
}

// next returns the next message with its quoting undone: in a mailbox a line
// ">From " stands for "From ", ">>From " for ">From ". A message that is too
// large is passed over and reported.
func (s *splitter) next() ([]byte, error) {
	if !s.started {
		if err := s.first(); err != nil {
			return nil, err
		}
	}
	var message []byte
	blank, large, lineStart := true, false, true
	for {
		if lineStart && blank {
			done, err := s.atSeparator()
			if err != nil || done {
				return finish(message, large, err)
			}
		}
		line, err := s.lines.ReadSlice('\n')
		s.at += int64(len(line))
		if len(line) > 0 {
			if lineStart {
				blank = len(bytes.TrimRight(line, "\r\n")) == 0
				line = unquote(line)
			}
			if large = large || len(message)+len(line) > maxMessage; !large {
				message = append(message, line...)
			}
		}
		lineStart = err == nil
		switch {
		case err == nil, errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			if len(message) == 0 && !large {
				return nil, io.EOF
			}
			return finish(message, large, nil)
		default:
			return nil, err
		}
	}
}

func finish(message []byte, large bool, err error) ([]byte, error) {
	switch {
	case err != nil:
		return nil, err
	case large:
		return nil, archive.ErrTooLarge
	}
	return message, nil
}

// first checks that a mailbox begins as one. An empty one is fine.
func (s *splitter) first() error {
	s.started = true
	for {
		head, err := s.lines.Peek(5)
		if len(bytes.TrimSpace(head)) == 0 && err != nil {
			if errors.Is(err, io.EOF) {
				return io.EOF
			}
			return err
		}
		if head[0] == '\n' || head[0] == '\r' {
			s.lines.Discard(1) //nolint:errcheck // it is buffered
			s.at++
			continue
		}
		if string(head) != "From " {
			return errors.New("it is no mailbox: it does not begin with a From line")
		}
		return s.passLine()
	}
}

// atSeparator passes the separator of the next message when one is due, but only
// notes it: the offset stays before it.
func (s *splitter) atSeparator() (bool, error) {
	head, err := s.lines.Peek(5)
	if string(head) != "From " {
		if err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		return false, nil
	}
	line, _ := s.lines.Peek(min(s.lines.Size(), 512))
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	if !separator.Match(line) {
		return false, nil
	}
	s.started = false // the next call passes it
	return true, nil
}

func (s *splitter) passLine() error {
	for {
		line, err := s.lines.ReadSlice('\n')
		s.at += int64(len(line))
		if !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) && len(line) > 0 {
				return nil
			}
			return err
		}
	}
}

func unquote(line []byte) []byte {
	if rest := bytes.TrimLeft(line, ">"); len(rest) < len(line) && bytes.HasPrefix(rest, []byte("From ")) {
		return line[1:]
	}
	return line
}

// message reads one message: its headers decoded, its text, the names of its
// attachments.
func message(ctx context.Context, raw []byte) (archive.Item, error) {
	content, err := document.Extract(ctx, bytes.NewReader(raw), int64(len(raw)), document.EML, document.Limits{MaxBytes: maxMessage + 1, MaxText: maxBody + 1})
	if err != nil {
		return archive.Item{}, err
	}
	f := archive.Fields{}
	for name, value := range content.Records[0].Fields {
		f.Put(name, value)
	}
	header := headerOf(raw)
	f.Put("labels", labels(header))
	f.Put("thread_id", fieldOf(header, "X-GM-THRID"))
	return archive.Item{Type: "email", ID: identity(f, raw), Fields: f}, nil
}

// identity is the message's own id, with a hash of what it says: copies that a
// mailing list made of a message share its id. Labels are no part of it, so a
// message that was moved is the same.
func identity(f archive.Fields, raw []byte) string {
	said, err := json.Marshal([]any{f["message_id"], f["date"], f["from"], f["subject"], f["body"]})
	if err != nil || f["message_id"] == nil && f["body"] == nil && f["subject"] == nil {
		said = raw
	}
	sum := sha256.Sum256(said)
	id, _ := f["message_id"].(string)
	return "email:" + id + ":" + hex.EncodeToString(sum[:12])
}

func headerOf(raw []byte) []byte {
	for _, end := range []string{"\r\n\r\n", "\n\n"} {
		if at := bytes.Index(raw, []byte(end)); at >= 0 {
			return raw[:at]
		}
	}
	return raw
}

// fieldOf is the value of a header field, unfolded.
func fieldOf(header []byte, name string) string {
	var value strings.Builder
	inside := false
	for line := range bytes.Lines(header) {
		text := strings.TrimRight(string(line), "\r\n")
		switch {
		case inside && (strings.HasPrefix(text, " ") || strings.HasPrefix(text, "\t")):
			value.WriteString(" " + strings.TrimSpace(text))
		case inside:
			return value.String()
		case len(text) > len(name) && text[len(name)] == ':' && strings.EqualFold(text[:len(name)], name):
			inside = true
			value.WriteString(strings.TrimSpace(text[len(name)+1:]))
		}
	}
	return value.String()
}

// labels are what Gmail filed a message under.
func labels(header []byte) []string {
	raw := fieldOf(header, "X-Gmail-Labels")
	if raw == "" {
		return nil
	}
	decoder := mime.WordDecoder{CharsetReader: charset.Reader}
	if decoded, err := decoder.DecodeHeader(raw); err == nil {
		raw = decoded
	}
	var list []string
	for _, label := range strings.Split(raw, ",") {
		if label = strings.Trim(strings.TrimSpace(label), `"`); label != "" {
			list = append(list, strings.ToValidUTF8(label, "\ufffd"))
		}
	}
	return list
}
