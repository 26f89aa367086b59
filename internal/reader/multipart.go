package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/mail"
)

// Bounds of one message. Mails that people send nest four or five deep.
const (
	maxParts     = 500 // multiparts among them
	maxPartDepth = 20
)

// mailParts collects what the parts of a message say.
type mailParts struct {
	ctx         context.Context
	content     *Content
	plain, rich boundedText
	attachments []map[string]any
	files       []enclosure
	parts       int
}

func newMailParts(ctx context.Context, content *Content, limits Limits) *mailParts {
	return &mailParts{ctx: ctx, content: content, plain: boundedText{limit: limits.MaxText}, rich: boundedText{limit: limits.MaxText}}
}

// read takes in an entity and the parts in it. The parts of a multipart are cut out of its
// bytes, so that a level of nesting costs one more pass over them and no reader of readers.
func (parts *mailParts) read(entity *message.Entity, depth int) {
	kind, parameters, _ := entity.Header.ContentType()
	body, err := io.ReadAll(steady{parts.ctx, entity.Body})
	if !strings.HasPrefix(kind, "multipart/") {
		if err == nil || len(body) > 0 {
			parts.leaf(entity, body)
		}
		return
	}
	if depth == maxPartDepth {
		parts.content.cut(fmt.Sprintf("parts nested deeper than %d were left out", maxPartDepth))
		return
	}
	for data := range partsOf(body, parameters["boundary"]) {
		if parts.ctx.Err() != nil {
			return
		}
		if parts.parts++; parts.parts > maxParts {
			parts.content.cut(fmt.Sprintf("parts beyond %d were left out", maxParts))
			return
		}
		part, err := message.Read(bytes.NewReader(data))
		if part == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
			parts.content.cut("parts whose header cannot be read were left out")
			continue
		}
		parts.read(part, depth+1)
	}
}

// leaf takes in a part that is no multipart: text to be read, or an attachment.
func (parts *mailParts) leaf(entity *message.Entity, body []byte) {
	kind, _, _ := entity.Header.ContentType()
	disposition, _, _ := entity.Header.ContentDisposition()
	switch {
	case disposition != "inline" && (disposition == "attachment" || !strings.HasPrefix(kind, "text/")):
		name, _ := (&mail.AttachmentHeader{Header: entity.Header}).Filename()
		parts.attachments = append(parts.attachments, map[string]any{"filename": name, "content_type": kind, "size": len(body)})
		parts.files = append(parts.files, enclosure{name, body})
	case kind == "text/html":
		text, _ := decodeText(body)
		parts.rich.WriteString(text)
	case strings.HasPrefix(kind, "text/") || kind == "":
		text, _ := decodeText(body)
		parts.plain.WriteString(text)
	default:
		parts.attachments = append(parts.attachments, map[string]any{"content_type": kind, "size": len(body)})
	}
}

// partsOf cuts a multipart's body at the lines that consist of its boundary. A last part
// without its end reaches to the end.
func partsOf(body []byte, boundary string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if boundary == "" {
			return
		}
		delimiter := []byte("--" + boundary)
		start := -1 // of the part at hand
		for at := 0; at < len(body); {
			next := bytes.Index(body[at:], delimiter)
			if next < 0 {
				break
			}
			next += at
			at = next + len(delimiter)
			if next > 0 && body[next-1] != '\n' {
				continue // not at a line's start
			}
			line, _, _ := bytes.Cut(body[at:], []byte("\n"))
			at += len(line) + 1
			rest := string(bytes.TrimRight(line, " \t\r"))
			if rest != "" && rest != "--" {
				continue
			}
			if start >= 0 && !yield(withoutLineEnd(body[start:next])) {
				return
			}
			if start = min(at, len(body)); rest == "--" {
				return
			}
		}
		if start >= 0 && start < len(body) {
			yield(body[start:])
		}
	}
}

// withoutLineEnd drops the line's end before a boundary, which belongs to it.
func withoutLineEnd(part []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(part, []byte("\n")), []byte("\r"))
}

var errNoHeader = errors.New("invalid message: there is no header")
