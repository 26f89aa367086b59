package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
