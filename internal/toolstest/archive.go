package toolstest

import (
	"os"
	"path/filepath"

	"toolkit/store"
)

// exampleCalendar is what the example of sync_provider_imports imports.
const exampleCalendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//calendar\r\nBEGIN:VEVENT\r\n" +
	"UID:1@example.org\r\nDTSTAMP:20260101T120000Z\r\nDTSTART:20260115T090000Z\r\nSUMMARY:Read the first act to Anna\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

// WriteExampleArchive puts into a data folder what must lie there for the example of
// sync_provider_imports to run.
func WriteExampleArchive(dataFolder string) error {
	folder := filepath.Join(dataFolder, store.ImportsFolder, "google_calendar")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "calendar.ics"), []byte(exampleCalendar), 0o600)
}
