package integrations

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"

	gomessage "github.com/emersion/go-message"

	"toolkit/internal/reader"
)

// maxMailBody is the number of bytes kept of a message's text.
const maxMailBody = 200_000

// findMailboxReader knows mbox files, such as those of a Gmail export. They are read message by message:
// a mailbox of any size takes the memory of its largest message.
func findMailboxReader(name string) ArchiveReader {
	if strings.EqualFold(path.Ext(name), ".mbox") {
		return readMailbox
	}
	return nil
}

// findMailboxFolderReader also knows files named mbox, as mail programs keep them.
func findMailboxFolderReader(name string) ArchiveReader {
	if path.Base(name) == "mbox" {
		return readMailbox
	}
	return findMailboxReader(name)
}

// readMailbox goes through a mailbox from a byte offset, where a separator stands.
func readMailbox(ctx context.Context, d ArchiveDocument, from int64) iter.Seq2[ArchiveEntry, error] {
	return func(yield func(ArchiveEntry, error) bool) {
		file, err := d.Open()
		if err == nil {
			defer file.Close() //nolint:errcheck // it was only read
			err = skipMailTo(ctx, file, from)
		}
		if err != nil {
			yield(ArchiveEntry{Next: from}, err)
			return
		}
		box := reader.NewMailbox(file, from)
		for {
			if err := ctx.Err(); err != nil {
				yield(ArchiveEntry{Next: box.Offset()}, err)
				return
			}
			raw, err := box.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil && !errors.Is(err, reader.ErrMessageSize) {
				yield(ArchiveEntry{Next: box.Offset()}, err)
				return
			}
			entry := ArchiveEntry{Next: box.Offset(), Broken: err}
			if err == nil {
				entry.Item, entry.Broken = parseMailMessage(ctx, raw)
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

// skipMailTo moves to an offset: at once in a file, by unpacking in an archive.
func skipMailTo(ctx context.Context, r io.Reader, offset int64) error {
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

// parseMailMessage reads one message: its headers decoded, its text, the names of its
// attachments.
func parseMailMessage(ctx context.Context, raw []byte) (ArchiveItem, error) {
	content, err := reader.Extract(ctx, bytes.NewReader(raw), int64(len(raw)), reader.EML, reader.Limits{MaxBytes: reader.MaxMessage + 1, MaxText: maxMailBody + 1})
	if err != nil {
		return ArchiveItem{}, err
	}
	f := ItemFields{}
	for name, value := range content.Records[0].Fields {
		f.PutNonEmpty(name, value)
	}
	if entity, _ := gomessage.Read(bytes.NewReader(raw)); entity != nil {
		f.PutNonEmpty("labels", parseGmailLabels(entity.Header)).PutNonEmpty("thread_id", entity.Header.Get("X-GM-THRID"))
	}
	return ArchiveItem{Type: "email", ID: messageID(f, raw), Fields: f}, nil
}

// messageID is the message's own id, with a hash of what it says: copies that a
// mailing list made of a message share its id. Labels are no part of it, so a
// message that was moved is the same.
func messageID(f ItemFields, raw []byte) string {
	encoded, err := json.Marshal([]any{f["message_id"], f["date"], f["from"], f["subject"], f["body"]})
	if err != nil || f["message_id"] == nil && f["body"] == nil && f["subject"] == nil {
		encoded = raw
	}
	sum := sha256.Sum256(encoded)
	id, _ := f["message_id"].(string)
	return "email:" + id + ":" + hex.EncodeToString(sum[:12])
}

// parseGmailLabels are what Gmail filed a message under.
func parseGmailLabels(header gomessage.Header) (list []string) {
	text, _ := header.Text("X-Gmail-Labels") // as written where it cannot be decoded
	for label := range strings.SplitSeq(text, ",") {
		if label = strings.Trim(strings.TrimSpace(label), `"`); label != "" {
			list = append(list, strings.ToValidUTF8(label, "\ufffd"))
		}
	}
	return list
}
