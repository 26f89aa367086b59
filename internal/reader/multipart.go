package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"strings"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/mail"
)

// Bounds of one message. Mails that people send nest four or five deep.
const (
	maxParts     = 500 // multiparts among them
	maxPartDepth = 20
)

const errPartHeader = "parts whose header cannot be read were left out"

// mailParts collects what the parts of a message say.
type mailParts struct {
	ctx         context.Context
	content     *Content
	plain, rich boundedText
	attachments []map[string]any
	files       []enclosure
	parts       int
}

// readEntity takes in an entity and the parts in it. A multipart is read whole before its parts are, so that
// a level of nesting costs one more pass over its bytes and no reader of readers.
func (parts *mailParts) readEntity(entity *message.Entity, depth int) {
	kind, parameters, _ := entity.Header.ContentType()
	body, err := io.ReadAll(contextReader{parts.ctx, entity.Body})
	if !strings.HasPrefix(kind, "multipart/") {
		if err == nil || len(body) > 0 {
			parts.readLeafPart(entity, body)
		}
		return
	}
	if depth == maxPartDepth {
		parts.content.markTruncated(fmt.Sprintf("parts nested deeper than %d were left out", maxPartDepth))
		return
	}
	reader := multipart.NewReader(bytes.NewReader(body), parameters["boundary"])
	for {
		part, err := reader.NextRawPart()
		if err != nil || parts.ctx.Err() != nil {
			if err != nil && !errors.Is(err, io.EOF) {
				parts.content.markTruncated(errPartHeader)
			}
			return
		}
		if parts.parts++; parts.parts > maxParts {
			parts.content.markTruncated(fmt.Sprintf("parts beyond %d were left out", maxParts))
			return
		}
		inner, err := message.New(message.HeaderFromMap(part.Header), part)
		if inner == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
			parts.content.markTruncated(errPartHeader)
			continue
		}
		parts.readEntity(inner, depth+1)
	}
}

// readLeafPart takes in a part that is no multipart: text to be read, or an attachment.
func (parts *mailParts) readLeafPart(entity *message.Entity, body []byte) {
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

var errNoHeader = errors.New("invalid message: there is no header")
