package integrations

import (
	"context"
	"errors"
	"iter"
	"strings"
	"time"
)

// ArchiveItem is one thing that a service exported.
type ArchiveItem struct {
	Type   string // kind of record: email, post, message, event …
	ID     string // what tells it from the other items of the service, on every export
	Fields ItemFields
}

// ArchiveEntry is one step through a document.
type ArchiveEntry struct {
	Item   ArchiveItem
	Broken error // why an item could not be read; then Item is empty
	Next   int64 // where reading goes on after this entry
}

// ArchiveReader reads a document from a position: 0, or Next of an earlier entry. An
// error ends the document.
type ArchiveReader func(ctx context.Context, d ArchiveDocument, from int64) iter.Seq2[ArchiveEntry, error]

// ArchiveFormat knows the documents of one service.
type ArchiveFormat struct {
	// Expects says in a few words what an export consists of.
	Expects string
	// Reader returns how a document of this name is read, or nil when it holds
	// nothing to take in. Names are slash-separated; an export may lie in folders.
	Reader func(name string) ArchiveReader
}

const expectedMailboxes = "mailboxes as .mbox files, or the ZIP file of the export that holds them"

// ArchiveFormats are the importers by the name that the catalog gives them.
var ArchiveFormats = map[string]ArchiveFormat{
	"x":              {"the archive from X as a ZIP file, or its data folder with tweets.js and like.js", xFiles.findReader},
	"instagram":      {"the export of Instagram in JSON, as a ZIP file or its folder with your_instagram_activity", instagramFiles.findReader},
	"mailbox":        {expectedMailboxes, findMailboxReader},
	"mailbox_folder": {expectedMailboxes, findMailboxFolderReader},
	"calendar":       {"calendars as .ics files, or the ZIP file of the export that holds them", findCalendarReader},
}

// Errors of documents. Their texts are fit for a user.
var (
	ErrArchiveBomb      = errors.New("it unpacks to far more than its size allows")
	ErrArchiveTooLarge  = errors.New("one element is larger than any real one")
	ErrArchiveLink      = errors.New("it is a link, and links are not followed")
	ErrArchiveUnsafe    = errors.New("its name points outside the archive")
	ErrArchiveEncrypted = errors.New("it is encrypted; remove the password")
	ErrArchiveForm      = errors.New("it does not have the form of this export")
	ErrArchiveDamaged   = errors.New("it is no ZIP archive, or a damaged one")
)

// ItemFields are the properties of an item.
type ItemFields map[string]any

// maxFieldText bounds a text field, in bytes.
const maxFieldText = 200_000

// PutNonEmpty sets a field that says something: empty texts, lists and moments are left
// out, long texts are cut and marked.
func (f ItemFields) PutNonEmpty(name string, value any) ItemFields {
	switch v := value.(type) {
	case string:
		text, cut := boundFieldText(v)
		if text == "" {
			return f
		}
		if f[name] = text; cut {
			f[name+"_truncated"] = true
		}
		return f
	case []string:
		if len(v) == 0 {
			return f
		}
	case []map[string]any:
		if len(v) == 0 {
			return f
		}
	case time.Time:
		if !v.IsZero() {
			f[name] = v.UTC().Format(time.RFC3339)
		}
		return f
	case nil:
		return f
	}
	f[name] = value
	return f
}

// boundFieldText trims a text, makes it valid UTF-8 and bounds it; cut tells that it was
// longer.
func boundFieldText(text string) (bounded string, cut bool) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\ufffd"))
	text = strings.ReplaceAll(text, "\x00", "")
	if len(text) <= maxFieldText {
		return text, false
	}
	return strings.ToValidUTF8(text[:maxFieldText], ""), true
}

// secondsToTime is the moment of a Unix time in seconds, zero for nonsense.
func secondsToTime(unix float64) time.Time {
	if !(unix > 0 && unix < 1e11) {
		return time.Time{}
	}
	whole := int64(unix)
	return time.Unix(whole, int64((unix-float64(whole))*1e9)).UTC()
}
