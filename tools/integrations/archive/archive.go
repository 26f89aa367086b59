// Package archive reads the export archives that online services hand to their
// users: a folder of files, of ZIP archives, or of both.
//
// Open lists the documents of a folder without following links or trusting
// names. Each service has a Format, which says how a document of a given name is
// read: as a stream of entries, from any position that an earlier entry named, so
// that reading can be broken off and taken up again. What services write as JSON
// is read by tables of paths. The package knows no store and no network.
//
// Archives count as hostile: sizes of elements, members and packing ratios are
// bounded, and what cannot be read is an entry with an error, or ends its
// document, never the process.
package archive

import (
	"context"
	"errors"
	"iter"
	"strings"
	"time"
)

// Item is one thing that a service exported.
type Item struct {
	Type   string // kind of record: email, post, message, event …
	ID     string // what tells it from the other items of the service, on every export
	Fields Fields
}

// Entry is one step through a document.
type Entry struct {
	Item   Item
	Broken error // why an item could not be read; then Item is empty
	Next   int64 // where reading goes on after this entry
}

// Reader reads a document from a position: 0, or Next of an earlier entry. An
// error ends the document.
type Reader func(ctx context.Context, d Document, from int64) iter.Seq2[Entry, error]

// Format knows the documents of one service.
type Format interface {
	// Reader returns how a document of this name is read, or nil when it holds
	// nothing to take in. Names are slash-separated; an export may lie in folders.
	Reader(name string) Reader
	// Expects says in a few words what an export consists of.
	Expects() string
}

// Errors of documents. Their texts are fit for a user.
var (
	ErrBomb      = errors.New("it unpacks to far more than its size allows")
	ErrTooLarge  = errors.New("one element is larger than any real one")
	ErrLink      = errors.New("it is a link, and links are not followed")
	ErrUnsafe    = errors.New("its name points outside the archive")
	ErrEncrypted = errors.New("it is encrypted; remove the password")
	ErrForm      = errors.New("it does not have the form of this export")
	ErrDamaged   = errors.New("it is no ZIP archive, or a damaged one")
)

// Fields are the properties of an item.
type Fields map[string]any

// maxText bounds a text field, in bytes.
const maxText = 200_000

// Put sets a field that says something: empty texts, lists and moments are left
// out, long texts are cut and marked.
func (f Fields) Put(name string, value any) Fields {
	switch v := value.(type) {
	case string:
		text, cut := Text(v)
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

// Text trims a text, makes it valid UTF-8 and bounds it; cut tells that it was
// longer.
func Text(text string) (bounded string, cut bool) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\ufffd"))
	text = strings.ReplaceAll(text, "\x00", "")
	if len(text) <= maxText {
		return text, false
	}
	return strings.ToValidUTF8(text[:maxText], ""), true
}

// Seconds is the moment of a Unix time in seconds, zero for nonsense.
func Seconds(unix float64) time.Time {
	if !(unix > 0 && unix < 1e11) {
		return time.Time{}
	}
	whole := int64(unix)
	return time.Unix(whole, int64((unix-float64(whole))*1e9)).UTC()
}

// broken is the step past an item that cannot be read.
func broken(err error, next int64) Entry { return Entry{Broken: err, Next: next} }
