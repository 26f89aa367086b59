package integrations

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"path"
	"strings"

	"toolkit/internal/reader"
)

// maxCalendarEvents bounds the events of one calendar.
const maxCalendarEvents = 1_000_000

// findCalendarReader knows .ics files, whose events and tasks are read.
func findCalendarReader(name string) ArchiveReader {
	if strings.EqualFold(path.Ext(name), ".ics") {
		return readerOfDocument(readCalendarEvents)
	}
	return nil
}

// readCalendarEvents reads a calendar as an uploaded one is read.
func readCalendarEvents(ctx context.Context, _ ArchiveDocument, file io.Reader, emit emitItem) error {
	data, err := io.ReadAll(&jsonBudget{ctx: ctx, source: file, left: maxWholeDocument})
	if err != nil {
		return err
	}
	content, err := reader.Extract(ctx, bytes.NewReader(data), int64(len(data)), reader.ICS, reader.Limits{MaxBytes: maxWholeDocument, MaxRecords: maxCalendarEvents})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && !bytes.Contains(data, []byte("VCALENDAR")):
		return errors.New("it is no calendar")
	case err != nil:
		return errors.New("it ends in the middle")
	}
	calendar, _ := content.Metadata["title"].(string)
	for _, record := range content.Records {
		item, err := eventItem(record, calendar)
		if err := emit(item, err); err != nil {
			return err
		}
	}
	if len(content.Warnings) > 0 {
		return errors.New(content.Warnings[0])
	}
	return nil
}

func eventItem(record reader.Record, calendar string) (ArchiveItem, error) {
	f := ItemFields{}
	for name, value := range record.Fields {
		f.PutNonEmpty(name, value)
	}
	if len(f) == 0 {
		return ArchiveItem{}, errors.New("an event says nothing")
	}
	f.PutNonEmpty("calendar", calendar)
	uid, _ := f["uid"].(string)
	if uid == "" { // the standard demands one; some programs forget it
		encoded, err := json.Marshal(f)
		if err != nil {
			return ArchiveItem{}, errors.New("an event cannot be read")
		}
		sum := sha256.Sum256(encoded)
		uid = hex.EncodeToString(sum[:12])
	}
	instance, _ := f["recurrence_id"].(string)
	return ArchiveItem{Type: record.Kind, ID: record.Kind + ":" + uid + ":" + instance, Fields: f}, nil
}
