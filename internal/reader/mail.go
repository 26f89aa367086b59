package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"strings"
	"time"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // charsets of headers and bodies
	"github.com/emersion/go-message/mail"

	"toolkit/internal/reader/layout"
)

// readMessage reads one e-mail message.
func readMessage(ctx context.Context, data []byte, limits Limits, content *Content) error {
	text, page, err := content.readMailMessage(ctx, data, limits)
	if err != nil {
		return err
	}
	fields := content.Records[0].Fields
	content.setMetadata("title", fields["subject"])
	if page != nil && len(content.Records) == 1 {
		paper := &Content{Type: HTML, Pages: composeSinglePage(&page.composer), Text: page.text.String(), Metadata: map[string]any{}, over: content.over}
		if kind, _ := Classify(paper); kind == KindInvoice || kind == KindCreditNote || kind == KindReceipt {
			content.mailedPaper, content.Pages = kind, paper.Pages
			content.setText(paper.Text+"\n\n"+text, limits)
			return nil
		}
	}
	content.setText(text, limits)
	content.Pages = composeTextPages(content.Text)
	return nil
}

// readMailbox reads the messages of an mbox file. A message that cannot be read is
// counted, not fatal.
func readMailbox(ctx context.Context, data []byte, limits Limits, content *Content) error {
	text := boundedText{limit: limits.MaxText}
	total, broken := 0, 0
	for box := NewMailbox(bytes.NewReader(data), 0); ctx.Err() == nil; {
		part, err := box.Next()
		if err != nil {
			break
		}
		if total++; len(content.Records) >= limits.MaxRecords {
			content.markTruncated("messages beyond the limit were left out")
			continue
		}
		read, _, err := content.readMailMessage(ctx, part, limits)
		if err != nil {
			broken++
			continue
		}
		text.WriteString(read + "\n")
	}
	if len(content.Records) == 0 {
		return errors.New("the mailbox holds no readable message")
	}
	if broken > 0 {
		content.Warnings = append(content.Warnings, fmt.Sprintf("%d of %d messages could not be read", broken, total))
	}
	content.Metadata["messages"] = total
	content.setBoundedText(&text, limits)
	content.Pages = []layout.Page{{Number: 1}}
	return ctx.Err()
}

// readMailMessage reads one message into a record and returns it as readable text, and the page that it has.
func (content *Content) readMailMessage(ctx context.Context, data []byte, limits Limits) (said string, page *webPage, err error) {
	entity, err := message.Read(bytes.NewReader(data))
	if err != nil && !message.IsUnknownCharset(err) {
		return "", nil, fmt.Errorf("invalid message: %w", err)
	}
	fields := headerFields(&mail.Header{Header: entity.Header})
	if len(fields) == 0 {
		return "", nil, errNoHeader
	}
	parts := &mailParts{ctx: ctx, content: content, plain: boundedText{limit: limits.MaxText}, rich: boundedText{limit: limits.MaxText}}
	parts.readEntity(entity, 0)
	content.warnTextCut(parts.plain.Len(), parts.plain.cut)
	content.warnTextCut(parts.rich.Len(), parts.rich.cut)
	body := parts.plain.String()
	if rich := parts.rich.String(); rich != "" {
		if page, err = renderHTML(ctx, rich, limits); err != nil {
			content.markTruncated(err.Error())
		}
		if strings.TrimSpace(body) == "" {
			body = page.text.String()
		}
	}
	if body = strings.TrimSpace(strings.ReplaceAll(body, "\r\n", "\n")); body != "" {
		fields["body"] = body
	}
	if len(parts.attachments) > 0 {
		fields["attachments"] = parts.attachments
	}
	content.Records = append(content.Records, Record{Kind: "message", Fields: fields})
	content.readAttachedInvoices(ctx, parts.files, limits)
	var text strings.Builder
	for _, name := range []string{"from", "to", "cc", "date", "subject"} {
		text.WriteString(formatNamedLine(name, fields[name]))
	}
	text.WriteString("\n" + body + "\n")
	return text.String(), page, nil
}

func headerFields(header *mail.Header) map[string]any {
	fields := map[string]any{}
	put := func(key, value string) {
		if value = strings.TrimSpace(value); value != "" {
			fields[key] = value
		}
	}
	subject, err := header.Subject()
	if err != nil {
		subject = header.Get("Subject")
	}
	put("subject", subject)
	for _, key := range []string{"From", "To", "Cc", "Bcc", "Reply-To"} {
		addresses := addressList(header, key)
		switch name := strings.ReplaceAll(strings.ToLower(key), "-", "_"); {
		case len(addresses) == 0:
		case key == "From":
			fields[name] = addresses[0]
		default:
			fields[name] = addresses
		}
	}
	if date, err := header.Date(); err == nil && !date.IsZero() {
		fields["date"] = date.Format(time.RFC3339)
	}
	if id, err := header.MessageID(); err == nil {
		put("message_id", id)
	}
	if ids, err := header.MsgIDList("In-Reply-To"); err == nil && len(ids) > 0 {
		put("in_reply_to", ids[0])
	}
	return fields
}

func addressList(header *mail.Header, key string) []string {
	parsed, err := header.AddressList(key)
	if err != nil {
		if raw, err := header.Text(key); err == nil && strings.TrimSpace(raw) != "" {
			return []string{strings.TrimSpace(raw)}
		}
		return nil
	}
	addresses := make([]string, 0, len(parsed))
	for _, address := range parsed {
		if address.Name != "" {
			addresses = append(addresses, address.Name+" <"+address.Address+">")
		} else {
			addresses = append(addresses, address.Address)
		}
	}
	return addresses
}

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
