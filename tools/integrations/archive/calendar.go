package archive

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"strings"

	"toolkit/internal/reader"
)

// maxEvent bounds one event; attachments may be inside.
const maxEvent = 16 << 20

// Calendar reads iCalendar files, event by event, so that one broken event costs no other.
type Calendar struct{}

// Expects says what an export consists of.
func (Calendar) Expects() string {
	return "calendars as .ics files, or the ZIP file of the export that holds them"
}

// Reader knows .ics files.
func (Calendar) Reader(name string) Reader {
	if strings.EqualFold(path.Ext(name), ".ics") {
		return Walk(readEvents)
	}
	return nil
}

// readEvents cuts a calendar into its events and tasks.
func readEvents(ctx context.Context, _ Document, file io.Reader, emit Emit) error {
	lines := bufio.NewReaderSize(Decoded(file), 64<<10)
	calendar, seen, ended := "", false, false
	var event []byte
	inside := ""
	for {
		line, err := lines.ReadSlice('\n')
		word := strings.ToUpper(string(bytes.TrimSpace(line[:min(len(line), 80)])))
		switch {
		case inside != "":
			if event = append(event, line...); len(event) > maxEvent {
				return ErrTooLarge
			}
			if word == "END:"+inside {
				inside = ""
				if err := ctx.Err(); err != nil {
					return err
				}
				item, reason := readEvent(ctx, event, calendar)
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := emit(item, reason); err != nil {
					return err
				}
			}
		case word == "BEGIN:VCALENDAR":
			seen, ended = true, false
		case word == "END:VCALENDAR":
			ended = true
		case word == "BEGIN:VEVENT" || word == "BEGIN:VTODO":
			inside = strings.TrimPrefix(word, "BEGIN:")
			event = append(event[:0], line...)
		case strings.HasPrefix(word, "X-WR-CALNAME"):
			if _, name, found := strings.Cut(string(line), ":"); found {
				calendar, _ = Text(name)
			}
		}
		switch {
		case err == nil, errors.Is(err, bufio.ErrBufferFull):
		case !errors.Is(err, io.EOF):
			return err
		case !seen:
			return errors.New("it is no calendar")
		case inside != "" || !ended:
			return errors.New("it ends in the middle")
		default:
			return nil
		}
	}
}

// readEvent reads one event by itself.
func readEvent(ctx context.Context, event []byte, calendar string) (Item, error) {
	whole := append([]byte("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-\r\n"), event...)
	whole = append(whole, "\r\nEND:VCALENDAR\r\n"...)
	content, err := reader.Extract(ctx, bytes.NewReader(whole), int64(len(whole)), reader.ICS, reader.Limits{})
	if err != nil {
		return Item{}, err
	}
	if len(content.Records) == 0 {
		return Item{}, errors.New("an event cannot be read")
	}
	f := Fields{}
	for name, value := range content.Records[0].Fields {
		f.Put(name, value)
	}
	if len(f) == 0 {
		return Item{}, errors.New("an event says nothing")
	}
	instance := propertyOf(event, "RECURRENCE-ID")
	f.Put("recurrence_id", instance).Put("calendar", calendar)
	kind := "event"
	if bytes.HasPrefix(bytes.ToUpper(event), []byte("BEGIN:VTODO")) {
		kind = "task"
	}
	uid, _ := f["uid"].(string)
	if uid == "" { // the standard demands one; some programs forget it
		sum := sha256.Sum256(event)
		uid = hex.EncodeToString(sum[:12])
	}
	return Item{Type: kind, ID: kind + ":" + uid + ":" + instance, Fields: f}, nil
}

// propertyOf is the value of a simple property of an event.
func propertyOf(event []byte, name string) string {
	for line := range bytes.Lines(event) {
		rest, found := bytes.CutPrefix(bytes.ToUpper(line), []byte(name))
		if found && len(rest) > 0 && (rest[0] == ':' || rest[0] == ';') {
			_, value, _ := bytes.Cut(rest, []byte(":"))
			return string(bytes.TrimSpace(value))
		}
	}
	return ""
}
